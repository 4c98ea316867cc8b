"""Where items come from, one after the other, each with a place to go on from.

A place is plain data, so that a cursor can carry it: None is the beginning.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

from .model import Flow, Inputs, Item, Packed, Read, Stored, Unfold
from .queries import BATCH, Located, Position, Queries, Walk, get_many, parts_of
from .values import answers, is_unexpired


class ItemSource(Protocol):
    """Items to be taken one by one; `is_done` where there surely are no more."""

    @property
    def is_done(self) -> bool: ...

    def next(self) -> Flow[Located | None]: ...


# ---- gets ----------------------------------------------------------------


class _Gets:
    """One item by its key."""

    def __init__(self, stored: Stored, step: Read, inputs: Inputs, after: Any) -> None:
        self.stored, self.step, self.inputs = stored, step, inputs
        self.is_done = after is not None

    def next(self) -> Flow[Located | None]:
        if self.is_done:
            return None
        self.is_done = True
        (item,) = yield from get_many(self.stored, self.step, [self.inputs])
        return None if item is None else Located(item, True)


class _Elements:
    """The elements of a list that is given, each with the values of a key."""

    def __init__(self, elements: Sequence[Inputs], after: Position) -> None:
        self.elements = elements
        self.given: int = after or 0

    @property
    def is_done(self) -> bool:
        return self.given >= len(self.elements)

    def next(self) -> Flow[Located | None]:
        yield from ()  # nothing has to be asked
        if self.is_done:
            return None
        self.given += 1
        return Located(dict(self.elements[self.given - 1]), self.given)


# ---- items behind items --------------------------------------------------------------


class _Capped:
    """No more than so many items, of which some may have been given before."""

    def __init__(self, inner: ItemSource, most: int | None, given: int) -> None:
        self.inner, self.most, self.given = inner, most, given

    @property
    def is_done(self) -> bool:
        return self.inner.is_done or self.most == self.given

    def next(self) -> Flow[Located | None]:
        if self.most == self.given:
            return None
        self.given += 1
        return (yield from self.inner.next())


class _Batches:
    """Items whose keys another source has, in its order."""

    def __init__(
        self,
        stored: Stored,
        step: Read,
        inputs: Inputs,
        keys: ItemSource,
        size: int | None,
    ) -> None:
        self.stored, self.step, self.inputs, self.keys = stored, step, inputs, keys
        self.size = min(BATCH, size or BATCH)
        self.left = size if step.counts_gone else None  # keys that are to be asked for
        self.waiting: deque[Located] = deque()

    @property
    def is_done(self) -> bool:
        return not self.waiting and self.keys.is_done

    def next(self) -> Flow[Located | None]:
        while not self.waiting:
            sources: list[Located] = []
            most = self.size if self.left is None else min(self.size, self.left)
            while len(sources) < most:
                source = yield from self.keys.next()
                if source is None:
                    break
                sources.append(source)
            if not sources:
                return None
            self.left = None if self.left is None else self.left - len(sources)
            values = [{**self.inputs, **each.item} for each in sources]
            items = yield from get_many(self.stored, self.step, values)
            for item, source in zip(items, sources, strict=True):
                if item is not None:
                    self.waiting.append(Located(item, source.place))
                elif self.step.counts_gone:
                    self.waiting.append(Located({}, source.place, is_gone=True))
        return self.waiting.popleft()


class _Chained:
    """What a step finds for every item of another source, one after the other.

    A place is: how many items were gone through, where the one after them is found, and
    the place among what belongs to it.
    """

    def __init__(
        self,
        stored: Stored,
        step: Read,
        inputs: Inputs,
        outer: ItemSource,
        limit: int | None,
        after: Position,
    ) -> None:
        self.stored, self.step, self.inputs, self.limit = stored, step, inputs, limit
        self.outer = outer
        count, self.before, self.within = parts_of(after, 3)
        self.count: int = count or 0
        self.current: ItemSource | None = None
        self.behind: Position = None

    @property
    def is_done(self) -> bool:
        return self.outer.is_done and (self.current is None or self.current.is_done)

    def next(self) -> Flow[Located | None]:
        while True:
            if self.current is None:
                source = yield from self.outer.next()
                if source is None:
                    return None
                values = {**self.inputs, **source.item}
                self.behind = source.place
                self.current = _once(
                    self.stored, self.step, values, self.limit, self.within
                )
            found = yield from self.current.next()
            if found is not None:
                return Located(found.item, [self.count, self.before, found.place])
            self.current, self.within = None, None
            self.count, self.before = self.count + 1, self.behind


class _Unfolded:
    """The entries of a map as items, behind their holders if these are asked for.

    A place is: where the holder is found, and how many of its items were given.
    """

    def __init__(
        self,
        stored: Stored,
        step: Read,
        unfold: Unfold,
        inputs: Inputs,
        holders: ItemSource,
        after: Position,
    ) -> None:
        self.stored, self.step, self.unfold = stored, step, unfold
        self.inputs, self.holders = inputs, holders
        self.before, skipped = parts_of(after, 2)
        self.skipped: int = skipped or 0
        self.given = 0
        self.behind: Position = None
        self.waiting: deque[Item] = deque()

    @property
    def is_done(self) -> bool:
        return not self.waiting and self.holders.is_done

    def next(self) -> Flow[Located | None]:
        while not self.waiting:
            if self.behind is not None:
                self.before = self.behind
            holder = yield from self.holders.next()
            if holder is None:
                return None
            self.behind = holder.place
            self.given = self.skipped
            self.waiting.extend(self.entries(holder.item)[self.skipped :])
            self.skipped = 0
        self.given += 1
        return Located(self.waiting.popleft(), [self.before, self.given])

    def entries(self, holder: Item) -> list[Item]:
        if self.unfold.packed is not None:
            return self.unpacked(holder, self.unfold.packed)
        inside: dict[str, Item] = holder.get(self.unfold.attribute) or {}
        label = {self.stored.type_field: self.unfold.label}
        items = [
            {**entry, **label}
            for entry in inside.values()
            if answers(self.step, entry, self.inputs)
        ]
        if self.unfold.with_holder and is_unexpired(self.step, holder, self.inputs):
            rest = {
                name: each
                for name, each in holder.items()
                if name != self.unfold.attribute
            }
            items.insert(0, rest)
        return items

    def unpacked(self, holder: Item, packed: Packed) -> list[Item]:
        """In the order in which the holders are read."""
        shared = {name: holder[name] for name in packed.shared if name in holder}
        shared[self.stored.type_field] = self.unfold.label
        fields = {*self.stored.hidden, *packed.shared}
        names = sorted(name for name in holder if name not in fields)
        items = [
            {**holder[name], packed.entry: name, **shared}
            for name in (reversed(names) if self.step.backwards else names)
        ]
        return [each for each in items if answers(self.step, each, self.inputs)]


# ---- a step --------------------------------------------------------------------------


def _once(
    stored: Stored, step: Read, inputs: Inputs, limit: int | None, after: Position
) -> ItemSource:
    """What a step finds with these values."""
    inner = parts_of(after, 2)[0] if step.unfold is not None else after
    source: ItemSource
    if step.since:
        source = Walk(stored, step, inputs, limit, inner)
    elif step.operation == "Query":
        source = Queries(stored, step, inputs, limit, inner)
    else:
        source = _Gets(stored, step, inputs, inner)
    if step.unfold is None:
        return source
    return _Unfolded(stored, step, step.unfold, inputs, source, after)


def source_of(
    stored: Stored,
    steps: tuple[Read, ...],
    at: int,
    inputs: Inputs,
    limit: int | None,
    after: Position,
) -> ItemSource:
    """What a step finds, with the steps that it takes its values from."""
    step = steps[at]
    if step.each:
        given = _Elements(inputs[step.each], after)
        return _Batches(stored, step, inputs, given, limit)
    if step.keys_from is None:
        return _once(stored, step, inputs, limit, after)
    if step.operation == "BatchGetItem":
        keys = source_of(stored, steps, step.keys_from, inputs, limit, after)
        return _Batches(stored, step, inputs, keys, limit)
    count, before, _ = parts_of(after, 3)
    most = steps[step.keys_from].limit
    outer = source_of(stored, steps, step.keys_from, inputs, most, before)
    capped = _Capped(outer, most, count or 0)
    return _Chained(stored, step, inputs, capped, limit, after)
