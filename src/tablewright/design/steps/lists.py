"""Lists: which steps make one, and what several of them find as one list in order.

A list is made of blocks, one behind the other. A block is a strand, or several of them
that are merged; a strand is a step and those that go on with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from .model import Flow, Inputs, Item, Merge, Read, Stored
from .queries import Position, parts_of
from .sources import ItemSource, source_of


class Found(NamedTuple):
    """An item, the step that found it, and the place behind it.

    One that `is_gone` counts, and is no part of the answer.
    """

    at: int
    item: Item
    place: Position
    is_gone: bool = False


class ListSource(Protocol):
    """Items to be taken one by one; `is_done` where there surely are no more."""

    @property
    def is_done(self) -> bool: ...

    def next(self) -> Flow[Found | None]: ...


# ---- which steps make a list ---------------------------------------------------------


def answering_steps(steps: tuple[Read, ...]) -> list[int]:
    used = {each.keys_from for each in steps if not each.joins}
    return [at for at, each in enumerate(steps) if not each.joins and at not in used]


def lists_of(steps: tuple[Read, ...]) -> list[list[int]]:
    """The steps that answer, those together that share a limit.

    A step that `continues` or `merges` belongs to the list of the one before it. Where
    no list has a limit of its own, all are one.
    """
    found: list[list[int]] = []
    for at in answering_steps(steps):
        if found and (steps[at].continues or steps[at].merges is not None):
            found[-1].append(at)
        else:
            found.append([at])
    if any(limit_of(steps, each) is not None for each in found):
        return found
    return [[at for each in found for at in each]]


def limit_of(steps: tuple[Read, ...], answering: list[int]) -> int | None:
    """That of the first step, or of those whose items it merely completes."""
    step = steps[answering[0]]
    while (
        step.limit is None
        and step.operation == "BatchGetItem"
        and step.keys_from is not None
    ):
        step = steps[step.keys_from]
    return step.limit


def blocks_of(steps: tuple[Read, ...], answering: list[int]) -> list[list[list[int]]]:
    """The strands of every block."""
    found: list[list[list[int]]] = []
    for at in answering:
        if found and steps[at].merges is not None:
            found[-1].append([at])
        elif found and steps[at].continues:
            found[-1][-1].append(at)
        else:
            found.append([[at]])
    return found


# ---- reading one ---------------------------------------------------------------------

Begin = Callable[["int | None", Position], ListSource]
"""Begins to read behind a place, for so many items."""


def list_source(
    stored: Stored,
    steps: tuple[Read, ...],
    answering: list[int],
    inputs: Inputs,
    most: int | None,
    after: Position,
) -> ListSource:
    """What the steps of a list find, in order, behind a place."""

    def step(at: int) -> Begin:
        return lambda left, place: _Step(
            at, source_of(stored, steps, at, inputs, left, place)
        )

    def strand(steps_in: list[int]) -> Begin:
        begins = [step(at) for at in steps_in]
        return lambda left, place: _Chain(begins, left, place)

    def block(strands: list[list[int]]) -> Begin:
        merge, first = steps[strands[-1][0]].merges, steps[strands[0][0]]
        begins = [strand(each) for each in strands]
        if merge is None:
            return begins[0]
        return lambda left, place: _Merged(begins, merge, first.backwards, left, place)

    blocks = [block(strands) for strands in blocks_of(steps, answering)]
    return _Chain(blocks, most, after)


class _Step:
    """What one step finds."""

    def __init__(self, at: int, source: ItemSource) -> None:
        self.at, self.source = at, source

    @property
    def is_done(self) -> bool:
        return self.source.is_done

    def next(self) -> Flow[Found | None]:
        found = yield from self.source.next()
        return None if found is None else Found(self.at, *found)


class _Chain:
    """One source behind the other, each asked for what is missing.

    A place is: how many sources were gone through, and the place in the next.
    """

    def __init__(
        self, begins: Sequence[Begin], left: int | None, after: Position
    ) -> None:
        self.begins, self.left = begins, left
        number, self.within = parts_of(after, 2)
        self.number: int = number or 0
        self.current: ListSource | None = None

    @property
    def is_done(self) -> bool:
        if self.number < len(self.begins) - 1:
            return False
        is_last_done = self.current is not None and self.current.is_done
        return self.number == len(self.begins) or is_last_done

    def next(self) -> Flow[Found | None]:
        while self.number < len(self.begins):
            if self.current is None:
                self.current = self.begins[self.number](self.left, self.within)
            found = yield from self.current.next()
            if found is not None:
                self.left = None if self.left is None else self.left - 1
                return found._replace(place=[self.number, found.place])
            self.number, self.within, self.current = self.number + 1, None, None
        return None


class _Merged:
    """Several sources, each of them in order, as one in order.

    A place has the places in all of them.
    """

    def __init__(
        self,
        begins: Sequence[Begin],
        merge: Merge,
        backwards: bool,
        left: int | None,
        after: Position,
    ) -> None:
        self.merge, self.backwards = merge, backwards
        self.places = parts_of(after, len(begins))
        pairs = zip(begins, self.places, strict=True)
        self.sources = [begin(left, place) for begin, place in pairs]
        self.heads: dict[int, Found] = {}
        self.open = set(range(len(begins)))

    @property
    def is_done(self) -> bool:
        return not self.heads and all(self.sources[at].is_done for at in self.open)

    def next(self) -> Flow[Found | None]:
        for at in sorted(self.open - self.heads.keys()):
            head = yield from self.sources[at].next()
            if head is None:
                self.open.remove(at)
            else:
                self.heads[at] = head
        if not self.heads:
            return None
        choose = max if self.backwards else min
        first = choose(sorted(self.heads), key=self.order)
        found = self.heads.pop(first)
        self.places[first] = found.place
        return found._replace(place=list(self.places))

    def order(self, at: int) -> list[tuple[Any, ...]]:
        """Values as they sort, and before or behind all of them what is absent."""
        item = self.heads[at].item
        lacking = (0,) if self.merge.absent_first != self.backwards else (2,)
        values = [item.get(name) for name in self.merge.attributes]
        return [lacking if value is None else (1, value) for value in values]
