"""Whether a key shape serves a pattern, and how: what the key takes, what is left to a filter, what is read for it."""

from __future__ import annotations

from math import ceil, prod
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.serving.absent import Lacking, asked_order, comes_in_place, demanded, lacked, place_absent
from tablewright.design.serving.answers import answer_items, is_length_said, limit_on, page_items, sorted_entities
from tablewright.design.serving.buckets import (
    asked_buckets,
    buckets_in_all,
    can_walk,
    knows_bucket,
    walked_buckets,
    walked_items,
)
from tablewright.design.serving.filters import implies, keyed_by, passing, with_keyed, without_implied
from tablewright.spec.volumes import item_bytes, largest, matching, presence, share_when, shortened
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MOST_READ_PER_RETURNED = 10
"""A filter that throws away more than nine of ten items read is a bad answer."""


MOST_BYTES_FOR_ONE = 64 * 1024
"""A read of one item may go through so much of the longest list there is: 8 units, a few milliseconds."""
MOST_BYTES_FOR_WRITER = 4 * MAX_PAGE_BYTES
"""So may a write that has to find its item, which nobody waits for as for an answer: four requests at most."""


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """One way to answer from one key shape."""

    is_get: bool = False
    equal: tuple[str, ...] = ()  # sort-key attributes given by equality, in order
    ranged: bool = False  # the pattern's range is on the sort key
    filters: tuple[str, ...] = ()  # inputs, and the range, that only a filter can apply
    by_type: bool = False  # types are mixed in one order, and the others are filtered out
    fan_out: str | None = None  # an enumerated attribute of the partition key that is asked for value by value
    buckets: float = 1  # of time that are asked
    walks: bool = False  # these one after the other, until the list is full
    most_buckets: float = 1  # that a walk asks where the list is never full
    keyed: tuple[str, ...] = ()  # attributes of the pattern's filter that the key takes as well
    backwards: bool = False
    lacking: Lacking = ""  # what becomes of items without the attribute that the answer is sorted by
    demands: tuple[str, ...] = ()  # further attributes of the order that only a filter can tell to be there
    shares: tuple[float, ...] = (1.0,)  # of what is read, by each request that a partition is asked by
    read_items: float = 1.0
    returned_items: float = 1.0


def serve(facts: Facts, pattern: PatternSpec, shape: Shape, *, in_table: bool) -> Serving | None:
    """How the shape answers the pattern for its entity; None when it cannot."""
    if not implies(pattern, shape):
        return None
    keyed = keyed_by(pattern, shape)
    found = _serve_inputs(facts, with_keyed(without_implied(pattern, shape), keyed), shape, in_table=in_table)
    if found is None or not (keyed or shape.when):
        return found
    found = msgspec.structs.replace(found, keyed=keyed)
    return msgspec.structs.replace(found, read_items=min(found.read_items, read_under(facts, pattern, shape, found)))


def _serve_inputs(facts: Facts, pattern: PatternSpec, shape: Shape, *, in_table: bool) -> Serving | None:
    if not _may_be_asked(pattern, shape):
        return None
    inputs = set(pattern.by)
    missing = [name for name in shape.partition if name not in inputs]
    fan_out = _enumerated(facts, shape.entity, missing)
    if missing and fan_out is None:
        return None
    equal, at = _equality_prefix(shape, inputs)
    if not knows_bucket(pattern, shape) and not can_walk(facts, pattern, shape, at):
        return None
    is_whole = in_table and not missing and at == len(shape.sort) and _whole_tag(shape, at)
    if pattern.kind == "batch":
        return _batch(facts, pattern, shape, equal) if is_whole else None
    if is_whole and pattern.kind == "get":
        left = tuple(sorted(inputs - set(shape.attributes)))
        return Serving(is_get=True, equal=equal, filters=left)
    return _query(facts, pattern, shape, equal, at, fan_out)


def _batch(facts: Facts, pattern: PatternSpec, shape: Shape, equal: tuple[str, ...]) -> Serving | None:
    """Whole keys that follow from the ids given: a key that holds more than the id follows from no id."""
    if set(shape.attributes) != set(pattern.by):
        return None
    found = answer_items(facts, pattern, shape.entity)
    return Serving(is_get=True, equal=equal, read_items=found, returned_items=found)


def _may_be_asked(pattern: PatternSpec, shape: Shape) -> bool:
    """Words are not found by keys; and where tenants are kept apart, a partition holds items of one tenant only."""
    if pattern.search is not None:
        return False
    return pattern.tenant is None or (pattern.tenant in pattern.by and pattern.tenant in shape.partition)


def _enumerated(facts: Facts, entity: str, missing: list[str]) -> str | None:
    """The one attribute nobody gives, if its values are known and every item has one of them."""
    if len(missing) != 1 or missing[0] not in facts.present[entity]:
        return None
    return missing[0] if values_of(facts, entity, missing[0]) else None


def values_of(facts: Facts, entity: str, name: str) -> tuple[str, ...]:
    """All values of an attribute, as they stand in keys; none where they are not known, or are numbers."""
    attribute = facts.attribute(entity, name)
    if attribute.type == "boolean":
        return ("false", "true")
    return attribute.values if attribute.type == "string" else ()


def _equality_prefix(shape: Shape, inputs: set[str]) -> tuple[tuple[str, ...], int]:
    """The sort-key attributes that are given, from the left, and how many these are."""
    at = 0
    while at < len(shape.sort) and shape.sort[at] in inputs:
        at += 1
    return shape.sort[:at], at


def _whole_tag(shape: Shape, at: int) -> bool:
    """Whether the tag is behind what is given, so that one type alone is read."""
    return at >= len(shape.lead)


def _query(
    facts: Facts, pattern: PatternSpec, shape: Shape, equal: tuple[str, ...], at: int, fan_out: str | None
) -> Serving | None:
    ordering = shape.sort[at:]
    if not _keeps_all(facts, pattern, shape):
        return None
    ranged = pattern.range is not None and ordering[:1] == (pattern.range.attr,)
    sorts = asked_order(pattern)
    if not _delivers(ordering, [each.attr for each in sorts]) or len({each.order for each in sorts}) > 1:
        return None
    placing = place_absent(facts, pattern, shape, at)
    if placing is None:
        return None
    left = set(pattern.by) - set(shape.partition) - set(equal)
    if pattern.range is not None and not ranged and pattern.range.attr not in pattern.by:
        left.add(pattern.range.attr)
    walks = not knows_bucket(pattern, shape)
    if left and (pattern.filter_must_be_key or walks):
        return None
    serving = Serving(
        equal=equal,
        ranged=ranged,
        filters=tuple(sorted(left)),
        by_type=not _whole_tag(shape, at),
        fan_out=fan_out,
        buckets=1 if walks else asked_buckets(facts, pattern, shape),
        walks=walks,
        backwards=bool(sorts) and sorts[0].order == "desc",
        lacking=placing.lacking,
        demands=placing.demands,
    )
    return _walked(facts, pattern, shape, serving) if walks else _sized(facts, pattern, shape, serving)


def _keeps_all(facts: Facts, pattern: PatternSpec, shape: Shape) -> bool:
    """Whether no item of the answer is missing: one without an attribute of the lead is not in the index at all."""
    return facts.present[shape.entity] | demanded(pattern) >= set(shape.lead)


def _delivers(ordering: tuple[str, ...], sorts: list[str]) -> bool:
    return list(ordering[: len(sorts)]) == sorts


def _sized(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> Serving | None:
    """The same with what it reads and returns; None where a filter would read too much for what it returns."""
    asked = partitions(facts, shape, serving)
    read = read_under(facts, pattern, shape, serving)
    returned = answer_items(facts, pattern, shape.entity)
    limit = limit_on(facts.spec, pattern, shape.entity)
    if serving.filters:
        enough = read <= returned * MOST_READ_PER_RETURNED and read * item_bytes(facts, shape.entity) <= MAX_PAGE_BYTES
        if limit is not None or not enough or _is_long_for_one(facts, pattern, shape, serving):
            return None
    elif limit is not None:
        read = read_for(facts, pattern, shape, serving, read, asked)
    return msgspec.structs.replace(
        serving,
        shares=_shares(facts, pattern, shape, serving),
        read_items=read,
        returned_items=min(read, returned),
    )


def read_for(
    facts: Facts,
    pattern: PatternSpec,
    shape: Shape,
    serving: Serving,
    found: float,
    asked: float,
    size_bytes: float | None = None,
) -> float:
    """Of so many items under all keys: those that are read for a list with a limit, from so many partitions.

    Each partition is asked for as many as the list has at most. Behind a filter nobody knows how many that takes: pages
    are read to their end, until enough of them has passed. `size_bytes` is that of an entry, where it is known.
    """
    limit = limit_on(facts.spec, pattern, shape.entity)
    if limit is None:
        return found
    left = with_keyed(without_implied(pattern, shape), serving.keyed)
    is_strict = serving.ranged and pattern.range is not None and pattern.range.op == "lt"  # whose end is filtered out
    if not left.filter and not serving.demands and not is_strict:
        return shortened(facts, shape.entity, {*shape.partition, *serving.equal}, found, float(limit * asked))
    having = prod(presence(facts, shape.entity, name) for name in serving.demands)
    wanted = limit / max(passing(facts, left, shape.entity) * having, 1e-6)
    page = max(1.0, MAX_PAGE_BYTES / (size_bytes or item_bytes(facts, shape.entity)))
    return min(found, asked * page * max(1, ceil(wanted / asked / page)))


def _is_long_for_one(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> bool:
    """Whether one item would be looked for in a list that is short on average, and very long somewhere."""
    is_one = pattern.kind == "get" or set(facts.spec.entities[shape.entity].id) <= set(pattern.by)
    most = largest(facts, shape.entity, {*shape.partition, *serving.equal}) if is_one else None
    bearable = MOST_BYTES_FOR_ONE if pattern.op is None else MOST_BYTES_FOR_WRITER
    return most is not None and most * item_bytes(facts, shape.entity) > bearable


def _walked(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> Serving | None:
    """The same of a walk; None where its list would take a filter, or come from two requests."""
    if serving.demands or serving.lacking in ("before", "behind"):
        return None
    found, limit = read_under(facts, pattern, shape, serving), limit_on(facts.spec, pattern, shape.entity) or 1
    asked, most = walked_buckets(facts, shape, found, limit), buckets_in_all(facts, shape)
    sized = msgspec.structs.replace(serving, buckets=asked, most_buckets=most)
    read = read_by_walk(facts, pattern, shape, sized)
    return msgspec.structs.replace(sized, read_items=read, returned_items=min(found, limit))


def read_by_walk(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving, shards: int = 1) -> float:
    """Items that a page of a walk reads, with the shards that each bucket has."""
    found, limit = read_under(facts, pattern, shape, serving), limit_on(facts.spec, pattern, shape.entity) or 1
    return walked_items(facts, shape, found, limit, shards * _fanned(facts, shape, serving))


def _shares(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> tuple[float, ...]:
    """Of what is read for a list in two requests, the part of each; the second is not sent when the list is full."""
    if serving.lacking not in ("before", "behind"):
        return (1.0,)
    having = presence(facts, shape.entity, asked_order(pattern)[0].attr)
    first, second = (having, 1 - having) if serving.lacking == "behind" else (1 - having, having)
    found, limit = read_under(facts, pattern, shape, serving), limit_on(facts.spec, pattern, shape.entity)
    return (1.0,) if limit is not None and found * first >= limit else (first, second)


def read_under(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> float:
    """Items under the key of every partition that is asked, before any filter and without any limit."""
    found = matching(facts, shape.entity, {*shape.partition, *serving.equal}) * _fanned(facts, shape, serving)
    if serving.filters:
        return found
    found = max(1.0, found * share_when(facts, shape.entity, shape.when))
    kept = {name: pattern.filter[name] for name, value in shape.when if value and name in pattern.filter}
    if set(pattern.filter) <= {*serving.keyed, *kept}:
        asked_for = answer_items(facts, msgspec.structs.replace(pattern, limit=None, limits={}), shape.entity)
        return asked_for if is_length_said(facts, pattern) else min(found, asked_for)
    asked = with_keyed(pattern, serving.keyed)
    whole = answer_items(facts, msgspec.structs.replace(asked, limit=None, limits={}, filter=kept), shape.entity)
    return min(found, whole if pattern.items is None else whole / passing(facts, asked, shape.entity))


def partitions(facts: Facts, shape: Shape, serving: Serving) -> float:
    """How many partitions are asked for one answer: one for every value of a fan-out and every bucket."""
    return _fanned(facts, shape, serving) * serving.buckets


def _fanned(facts: Facts, shape: Shape, serving: Serving) -> int:
    return 1 if serving.fan_out is None else len(values_of(facts, shape.entity, serving.fan_out))


def part_of_collection(facts: Facts, pattern: PatternSpec, shape: Shape) -> Serving | None:
    if pattern.beside:
        return _part_of_edge(facts, pattern, shape)
    inputs = set(pattern.by)
    if shape.bucket or shape.when or not inputs.issuperset(shape.partition) or not _may_be_asked(pattern, shape):
        return None
    if not _keeps_all(facts, pattern, shape) or not _counts_together(facts, pattern):
        return None
    _, at = _equality_prefix(shape, inputs)
    at = min(at, len(shape.lead))  # behind the tag, one key condition cannot speak for all types
    equal = shape.lead[:at]
    left = inputs - set(shape.partition) - set(equal)
    if left and (pattern.filter_must_be_key or pattern.limit is not None):
        return None
    ordering = shape.lead[at:] or shape.rest
    sorts = asked_order(pattern)
    if not _order_of_collection(facts, pattern, shape, ordering, [each.attr for each in sorts]):
        return None
    ranged = pattern.range is not None and shape.lead[at : at + 1] == (pattern.range.attr,)
    if pattern.range is not None and not ranged:
        left = left | {pattern.range.attr}
    read = matching(facts, shape.entity, {*shape.partition, *equal})
    read = max(1.0, min(read, page_items(facts, pattern, shape.entity) or read))
    if pattern.limit is not None and not left and not pattern.filter:
        read *= min(1.0, pattern.limit / _together(facts, pattern, {*shape.partition, *equal}))
    return Serving(
        equal=equal,
        ranged=ranged,
        filters=tuple(sorted(left)),
        backwards=bool(sorts) and sorts[0].order == "desc",
        read_items=read,
        returned_items=min(read, answer_items(facts, pattern, shape.entity)),
    )


def _together(facts: Facts, pattern: PatternSpec, names: set[str]) -> float:
    """Items of all entities under one key."""
    return sum(matching(facts, each, names) for each in pattern.entities)


def _part_of_edge(facts: Facts, pattern: PatternSpec, shape: Shape) -> Serving | None:
    """A list that is read from the parent at its edge: what is given is the partition, and the order begins there."""
    is_plain = not (shape.bucket or shape.when or shape.lead) and set(shape.partition) == set(pattern.by)
    if not is_plain or not _may_be_asked(pattern, shape) or not _keeps_all(facts, pattern, shape):
        return None
    sorts = asked_order(pattern)
    if shape.rest if shape.entity == pattern.beside else not _delivers(shape.rest, [each.attr for each in sorts]):
        return None
    found = read_at_edge(facts, pattern, shape.entity)
    return Serving(backwards=sorts[0].order == "desc", read_items=found, returned_items=found)


def read_at_edge(facts: Facts, pattern: PatternSpec, entity: str, shards: int = 1) -> float:
    """The one parent, or so many of its children as the limit says, of every shard."""
    if entity == pattern.beside:
        return 1.0
    found, limit = matching(facts, entity, pattern.by), limit_on(facts.spec, pattern, entity) or 1
    return max(1.0, shortened(facts, entity, pattern.by, found, float(limit * shards)))


def _counts_together(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether one request can keep to the limit: it counts what it reads, parents that are answered whole included."""
    if pattern.limits or pattern.limit is None:
        return not pattern.limits
    return len(sorted_entities(facts.spec, pattern)) == len(pattern.entities)


def _order_of_collection(
    facts: Facts, pattern: PatternSpec, shape: Shape, ordering: tuple[str, ...], sorts: list[str]
) -> bool:
    """All types in one order when the lead holds it; else only one type may have what is sorted by."""
    if not sorts or _delivers(shape.lead[-len(ordering) :] if shape.lead and ordering else (), sorts):
        return True
    having = sorted_entities(facts.spec, pattern)
    if len(having) > 1 or len({each.order for each in asked_order(pattern)}) > 1:
        return False
    return shape.entity not in having or (_delivers(shape.rest, sorts) and _is_in_place(facts, pattern, shape))


def _is_in_place(facts: Facts, pattern: PatternSpec, shape: Shape) -> bool:
    """Whether one query has items that lack what is sorted by where they belong; it cannot leave them out."""
    lacking = lacked(facts, pattern, shape)
    return not lacking or (lacking == [len(asked_order(pattern)) - 1] and comes_in_place(pattern))
