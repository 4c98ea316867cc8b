"""Requests for items: keys, pages of queries, many items at once, buckets one by one.

A place is plain data, so that a cursor can carry it: None is the beginning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from random import random, randrange
from typing import Any, NamedTuple, TypeAlias

from .errors import WrongCursor, WrongValue
from .model import (
    BUCKET,
    COPY,
    CUT,
    EARLIEST,
    NOW,
    PAUSE,
    SHARD,
    Flow,
    Inputs,
    Item,
    Read,
    Request,
    Stored,
    ask,
)
from .values import (
    answers,
    bucket_at,
    bucket_beside,
    buckets_between,
    demand_values,
    derive,
    placeholders,
    resolve_all,
    shifted,
    with_bucket,
)

BATCH = 100
SHORTEST_WAIT = 0.05
LONGEST_WAIT = 5.0
"""Seconds, before keys are asked for again that DynamoDB had no capacity for."""


# ---- places --------------------------------------------------------------------------

Position: TypeAlias = Any


class Located(NamedTuple):
    """An item and the place behind it; one that `is_gone` has nothing but that."""

    item: Item
    place: Position
    is_gone: bool = False


def parts_of(place: Position, length: int) -> list[Any]:
    """The parts of a place that someone else may have made up."""
    if place is None:
        return [None] * length
    try:
        found: list[Any] = list(place)
    except TypeError:
        found = []
    if len(found) != length:
        raise WrongCursor("this cursor belongs to another question")
    return found


# ---- copies --------------------------------------------------------------------------


def _any_copy(step: Read) -> str:
    return str(randrange(step.copies) + 1)


def _with_copy(step: Read, inputs: Inputs, copy: str) -> Inputs:
    return {**inputs, COPY: copy} if step.copies > 1 else inputs


def _copy_in(step: Read, after: Position) -> tuple[str, Position]:
    """The copy that an answer is read from, and the place in it."""
    if after is None:
        return _any_copy(step), None
    try:
        found: list[Any] = list(after)
    except TypeError:
        found = []
    if not found or found[0] not in map(str, range(1, step.copies + 1)):
        raise WrongCursor("this cursor belongs to another question")
    return str(found[0]), found[1:]


# ---- single items --------------------------------------------------------------------


def _whole_key(stored: Stored, step: Read, inputs: Inputs) -> Item:
    style = stored.key_style
    known = derive(style, inputs, step.shard_of, step.shards, step.bucket)
    demand_values(step.key.values(), known)
    return resolve_all(style, step.key, known)


def has_key(stored: Stored, step: Read, inputs: Inputs) -> bool:
    """Whether there can be an item: no key lacks a value, or has one it cannot hold."""
    try:
        _whole_key(stored, step, _with_copy(step, inputs, _any_copy(step)))
    except ValueError:
        return False
    return True


def get_many(
    stored: Stored, step: Read, sources: Sequence[Inputs]
) -> Flow[list[Item | None]]:
    """The items of some keys, in their order; None for what is not there."""
    copy = _any_copy(step)
    sources = [_with_copy(step, inputs, copy) for inputs in sources]
    if step.counts_gone:
        return (yield from _get_named(stored, step, sources))
    keys = [_whole_key(stored, step, inputs) for inputs in sources]
    if step.operation == "GetItem":
        found = yield from _get_each(stored, step, keys)
    else:
        found = yield from _get_batches(stored, step, keys)
    return _answering(step, found, sources)


def _get_named(
    stored: Stored, step: Read, sources: Sequence[Inputs]
) -> Flow[list[Item | None]]:
    """What entries name: nothing is stored under what no key can hold."""
    keys: dict[int, Item] = {}
    for at, inputs in enumerate(sources):
        with suppress(WrongValue):
            keys[at] = _whole_key(stored, step, inputs)
    items = yield from _get_batches(stored, step, list(keys.values()))
    found = dict(zip(keys, items, strict=True))
    return _answering(step, [found.get(at) for at in range(len(sources))], sources)


def _answering(
    step: Read, found: Sequence[Item | None], sources: Sequence[Inputs]
) -> list[Item | None]:
    return [
        item
        if item is None or step.unfold is not None or answers(step, item, inputs)
        else None
        for item, inputs in zip(found, sources, strict=True)
    ]


def _get_each(
    stored: Stored, step: Read, keys: Sequence[Item]
) -> Flow[list[Item | None]]:
    replies = yield tuple(
        Request("GetItem", {"TableName": step.table, "Key": key, **_how(stored, step)})
        for key in keys
    )
    return [reply.get("Item") for reply in replies]


def _how(stored: Stored, step: Read) -> dict[str, Any]:
    params: dict[str, Any] = {"ConsistentRead": True} if step.consistent else {}
    if step.projection is not None:
        params["ProjectionExpression"] = step.projection.text
    return params | placeholders(stored.key_style, [step.projection], {})


def _get_batches(
    stored: Stored, step: Read, keys: Sequence[Item]
) -> Flow[list[Item | None]]:
    found: dict[tuple[Any, ...], Item] = {}
    pending = list({tuple(key.values()): key for key in keys}.values())
    how = _how(stored, step)
    waits = 0.0
    while pending:
        asked = {step.table: {"Keys": pending[:BATCH], **how}}
        reply = yield from ask("BatchGetItem", {"RequestItems": asked})
        for item in reply.get("Responses", {}).get(step.table, []):
            found[tuple(item[name] for name in keys[0])] = item
        left = reply.get("UnprocessedKeys", {}).get(step.table, {}).get("Keys", [])
        pending = [*left, *pending[BATCH:]]
        if left:
            waits = min(LONGEST_WAIT, waits * 2 or SHORTEST_WAIT)
            yield (Request(PAUSE, {"seconds": waits * random()}),)
        else:
            waits = 0.0
    return [found.get(tuple(key.values())) for key in keys]


# ---- queries -------------------------------------------------------------------------


def partitions(step: Read, inputs: Inputs) -> Iterator[Inputs]:
    """The values of every query that a step means."""
    spread = {
        name: _buckets(step, inputs) if name == BUCKET else found
        for name, found in step.for_each.items()
    }
    for chosen in product(*spread.values()):
        picked = dict(zip(spread, chosen, strict=True))
        found = inputs if step.since else with_bucket(inputs, step.bucket)
        asked = {**found, **picked}
        if step.shards == 1:
            yield asked
        else:
            shards = (str(number) for number in range(step.shards))
            yield from ({**asked, SHARD: shard} for shard in shards)


def _with_ends(step: Read, inputs: Inputs) -> Inputs:
    """Where what overlaps may have begun; the periods of a range's ends."""
    if step.longest is not None:
        return {**inputs, EARLIEST: shifted(inputs["from"], -step.longest)}
    if step.unfold is None or step.unfold.packed is None or step.bucket is None:
        return inputs
    ends = {cut: inputs[name] for name, cut in CUT.items() if name in inputs}
    cuts = {name: str(end)[: step.bucket.length] for name, end in ends.items()}
    return {**inputs, **cuts}


def _limit_sent(step: Read, limit: int | None) -> int | None:
    """For so many entries of packed items: the items that usually have them, and one
    more, because the first may have just begun.
    """
    packed = None if step.unfold is None else step.unfold.packed
    if limit is None or packed is None:
        return limit
    return -(-limit // packed.usual) + 1


def _buckets(step: Read, inputs: Inputs) -> Sequence[str]:
    """All between the range's ends."""
    length = 0 if step.bucket is None else step.bucket.length
    return buckets_between(str(inputs["from"]), str(inputs["to"]), length)


def query(
    stored: Stored, step: Read, inputs: Inputs, limit: int | None, start: Item | None
) -> Request:
    demand_values(step.condition.values.values(), inputs)
    params: dict[str, Any] = {"TableName": step.table}
    if step.index is not None:
        params["IndexName"] = step.index
    params["KeyConditionExpression"] = step.condition.text
    if step.filter is not None:
        params["FilterExpression"] = step.filter.text
    if step.projection is not None:
        params["ProjectionExpression"] = step.projection.text
    if step.backwards:
        params["ScanIndexForward"] = False
    if limit is not None and step.sends_limit:
        is_beside = bool(step.beside) and start is None  # before all others
        params["Limit"] = limit + is_beside
    if step.consistent:
        params["ConsistentRead"] = True
    if start is not None:
        params["ExclusiveStartKey"] = start
    used = (step.condition, step.filter, step.projection)
    return Request("Query", params | placeholders(stored.key_style, used, inputs))


# ---- what queries find, in order -----------------------------------------------------


class _Partition:
    """One query, page by page, with the item that comes next at hand."""

    def __init__(self, asked: Inputs, position: Item | None) -> None:
        self.asked = asked
        self.position = position  # the key of the last item given away
        self.start = position
        self.waiting: deque[Item] = deque()
        self.is_ended = False

    @property
    def is_hungry(self) -> bool:
        return not self.waiting and not self.is_ended

    def feed(self, reply: dict[str, Any]) -> None:
        self.waiting.extend(reply["Items"])
        self.start = reply.get("LastEvaluatedKey")
        self.is_ended = self.start is None


class Queries:
    """All partitions of a step, in the order of the sort key.

    A place is: the copy that is read where there are several, and the place in every
    partition.
    """

    def __init__(
        self,
        stored: Stored,
        step: Read,
        inputs: Inputs,
        limit: int | None,
        after: Position,
    ) -> None:
        self.stored, self.step, self.limit = stored, step, _limit_sent(step, limit)
        self.keys = stored.place(step.table, step.index)
        self.copy: list[str] = []
        if step.copies > 1:
            copy, after = _copy_in(step, after)
            self.copy, inputs = [copy], {**inputs, COPY: copy}
        asked = list(partitions(step, _with_ends(step, inputs)))
        positions = parts_of(after, len(asked))
        pairs = zip(asked, positions, strict=True)
        self.open = [_Partition(each, position) for each, position in pairs]

    @property
    def is_done(self) -> bool:
        return all(each.is_ended and not each.waiting for each in self.open)

    def next(self) -> Flow[Located | None]:
        while hungry := [each for each in self.open if each.is_hungry]:
            replies = yield tuple(
                query(self.stored, self.step, each.asked, self.limit, each.start)
                for each in hungry
            )
            for each, reply in zip(hungry, replies, strict=True):
                each.feed(reply)
        heads = [each for each in self.open if each.waiting]
        if not heads:
            return None
        choose = max if self.step.backwards else min
        first = choose(heads, key=self.order) if len(heads) > 1 else heads[0]
        item = first.waiting.popleft()
        first.position = {name: item[name] for name in self.keys.all}
        positions = [each.position for each in self.open]
        return Located(item, [*self.copy, *positions])

    def order(self, partition: _Partition) -> list[Any]:
        return [partition.waiting[0][name] for name in self.keys.sort]


class Walk:
    """Buckets of time one after the other, each asked for what is missing; whoever
    drops some of what is found wants as many again.

    A place is: the bucket, and the place in it. Nothing is asked beyond the bucket of
    now, nor before the first.
    """

    def __init__(
        self,
        stored: Stored,
        step: Read,
        inputs: Inputs,
        left: int | None,
        after: Position,
    ) -> None:
        self.stored, self.step, self.inputs = stored, step, inputs
        self.left = self.limit = left
        length = 0 if step.bucket is None else step.bucket.length
        now = bucket_at(inputs[NOW], length)
        ends = (step.since[:length], now)
        first, self.last = reversed(ends) if step.backwards else ends
        bucket, self.within = parts_of(after, 2)
        self.bucket = first if bucket is None else _checked_bucket(bucket, length)
        self.inner: Queries | None = None

    @property
    def is_past(self) -> bool:
        backwards = self.step.backwards
        return self.bucket < self.last if backwards else self.bucket > self.last

    @property
    def is_done(self) -> bool:
        is_last = self.bucket == self.last
        return self.is_past or (
            is_last and self.inner is not None and self.inner.is_done
        )

    def next(self) -> Flow[Located | None]:
        while not self.is_past:
            if self.inner is None:
                inputs = {**self.inputs, BUCKET: self.bucket}
                self.inner = Queries(
                    self.stored, self.step, inputs, self.left, self.within
                )
            found = yield from self.inner.next()
            if found is not None:
                self.left = None if self.left is None else self.left - 1 or self.limit
                return Located(found.item, [self.bucket, found.place])
            self.bucket = bucket_beside(self.bucket, self.step.backwards)
            self.within, self.inner = None, None
        return None


def _checked_bucket(bucket: Any, length: int) -> str:
    """One that stands in a cursor, which someone else may have made up."""
    try:
        is_bucket = len(bucket) == length and bool(bucket_beside(bucket, False))
    except (TypeError, ValueError):
        is_bucket = False
    if not is_bucket:
        raise WrongCursor("this cursor belongs to another question")
    return str(bucket)
