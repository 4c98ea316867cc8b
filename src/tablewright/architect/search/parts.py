"""A program in parts that share next to nothing, and how little each of them can cost.

Entities that no read joins meet only in the numbers of indexes. What a part costs at least, solved by itself, holds in
the whole program; what the whole may cost above the sum of these is all that any one part may cost more. That says far
more about each variable than one row over all of them, and the parts are solved in no time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LESS_THAN_ONE = 0.25
"""What costs may be above a bound: they are whole numbers, so that none of them is."""


Row: TypeAlias = tuple[dict[int, float], float, float]
"""Coefficients by column, lower and upper bound."""


class Numbers(msgspec.Struct, frozen=True, kw_only=True):
    """0/1 columns by number; `settled` are known beforehand, `start` are those that are 1 in a known point."""

    columns: int
    rows: list[Row]
    costs: Mapping[int, float]
    settled: Mapping[int, int]
    start: frozenset[int]
    nodes: int


class _ProgramPart(msgspec.Struct, frozen=True):
    """Some columns with all rows about them, as a program of its own; `columns` are their numbers in the whole."""

    columns: tuple[int, ...]
    numbers: Numbers

    @property
    def costs(self) -> dict[int, float]:
        return {self.columns[column]: value for column, value in self.numbers.costs.items()}


class _BoundedPart(msgspec.Struct, frozen=True):
    """A part, and what it may cost at most in a program that costs at most so much.

    `is_all`: the same for every other part says all that is said of the whole.
    """

    part: _ProgramPart
    at_most: float
    is_all: bool


def bounded(
    whole: Numbers, shared: frozenset[int], at_most: float, least: Callable[[Numbers], float | None]
) -> list[_BoundedPart]:
    """`least` is the least that a program can cost, None where that is not known; nothing is said then."""
    parts = [part for part in parts_of(whole, shared) if part.numbers.costs]
    if len(parts) <= 1:
        return []
    bounds = [least(part.numbers) for part in parts]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(parts):
        return []
    beside = sum(min(0.0, value) for column, value in whole.costs.items() if column in shared)
    fixed = sum(
        value for column, value in whole.costs.items() if column not in shared and whole.settled.get(column) == 1
    )
    room = max(0.0, at_most - sum(known) - beside - fixed)
    is_all = room < LESS_THAN_ONE and not any(column in shared for column in whole.costs)
    return [_BoundedPart(part, bound + room, is_all) for part, bound in zip(parts, known, strict=True)]


def each_best(
    whole: Numbers, shared: frozenset[int], best: Callable[[Numbers], frozenset[int] | None]
) -> frozenset[int] | None:
    """The columns that every part chooses for itself, none of those that all share; None where one part finds none."""
    chosen = {column for column, value in whole.settled.items() if value}
    for part in parts_of(whole, shared):
        found = best(part.numbers)
        if found is None:
            return None
        chosen.update(part.columns[column] for column in found)
    return frozenset(chosen - shared)


def parts_of(whole: Numbers, shared: frozenset[int]) -> Iterator[_ProgramPart]:
    """Free columns that rows join; what is settled joins nothing."""
    free = [column for column in range(whole.columns) if column not in shared and column not in whole.settled]
    first = _leaders(free, whole.rows)
    members: dict[int, list[int]] = {}
    for column in free:
        members.setdefault(_leader(first, column), []).append(column)
    rows: dict[int | None, list[Row]] = {}
    for row in whole.rows:
        at = next((_leader(first, column) for column in row[0] if column in first), None)
        rows.setdefault(at, []).append(row)
    common = [row for row in rows.get(None, []) if all(column in shared for column in row[0])]
    for at, columns in members.items():
        yield _part_of(whole, columns, [*rows.get(at, []), *common])


def _leaders(free: Iterable[int], rows: Iterable[Row]) -> dict[int, int]:
    """By column: one of its part, or itself."""
    first = {column: column for column in free}
    for terms, _, _ in rows:
        known = [_leader(first, column) for column in terms if column in first]
        for other in known[1:]:
            first[_leader(first, other)] = _leader(first, known[0])
    return first


def _leader(first: dict[int, int], column: int) -> int:
    while first[column] != column:
        first[column] = first[first[column]]
        column = first[column]
    return column


def _part_of(whole: Numbers, members: list[int], rows: list[Row]) -> _ProgramPart:
    used = sorted({*members, *(column for terms, _, _ in rows for column in terms)})
    place = {column: at for at, column in enumerate(used)}
    own = set(members)
    return _ProgramPart(
        tuple(used),
        msgspec.structs.replace(
            whole,
            columns=len(used),
            rows=[({place[c]: value for c, value in terms.items()}, low, high) for terms, low, high in rows],
            costs=_moved(whole.costs, {column: at for column, at in place.items() if column in own}),
            settled=_moved(whole.settled, place),
            start=frozenset(place[column] for column in whole.start if column in place),
        ),
    )


def _moved(values: Mapping[int, float], place: Mapping[int, int]) -> dict[int, float]:
    return {place[column]: value for column, value in values.items() if column in place}
