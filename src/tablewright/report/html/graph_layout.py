"""The layout of the entity diagram: columns from parents to children.

A line that passes a column gets a place of its own there, like a flat box, so that no line crosses a box. Within a
column, boxes are ordered so that few lines cross, and moved up or down to where their neighbours are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import fmean
from typing import TypeAlias

import msgspec

Arrow: TypeAlias = tuple[str, str]
Cell: TypeAlias = tuple[str, int]
"""A box as (name, 0), or the place in column n of the arrow with a number as (number, n)."""

GAP = 22.0
PASSAGE = 8.0
MOST_IN_COLUMN = 7
SWEEPS = 12


class GraphLayout(msgspec.Struct, frozen=True):
    """Columns, and the centre of every cell; `ways` are the cells of each arrow from left to right."""

    columns: tuple[tuple[Cell, ...], ...]
    centre: Mapping[Cell, float]
    column_of: Mapping[Cell, int]
    ways: tuple[tuple[Cell, ...], ...]


def lay_out(names: Sequence[str], arrows: Sequence[Arrow], height: Callable[[str], float]) -> GraphLayout:
    ahead = _break_cycles(arrows)
    ranks = _balance_ranks(_ranks_of(names, ahead), ahead)
    ways = tuple(_way(at, arrow, ranks) for at, arrow in enumerate(ahead))
    columns = _order_columns(_first_columns(names, ranks, ways), ways)
    heights = {cell: height(cell[0]) if cell[1] == 0 else PASSAGE for column in columns for cell in column}
    columns = _place_unconnected(columns, [each for each in names if each not in ranks], heights, height)
    return GraphLayout(
        columns=tuple(tuple(each) for each in columns),
        centre=_centre_columns(columns, ways, heights),
        column_of={cell: at for at, column in enumerate(columns) for cell in column},
        ways=ways,
    )


# ---- columns --------------------------------------------------------------------------------------------------------


def _break_cycles(arrows: Iterable[Arrow]) -> list[Arrow]:
    """Reverses arrows that would close a cycle."""
    found: list[Arrow] = []
    for source, target in arrows:
        found.append((target, source) if _reaches(target, source, found) else (source, target))
    return found


def _reaches(start: str, end: str, arrows: Sequence[Arrow]) -> bool:
    seen, todo = {start}, [start]
    while todo:
        at = todo.pop()
        following = [target for source, target in arrows if source == at and target not in seen]
        seen.update(following)
        todo += following
    return end in seen


def _ranks_of(names: Sequence[str], arrows: Sequence[Arrow]) -> dict[str, int]:
    """The longest way from one without parents, for all that have an arrow."""
    used = {end for arrow in arrows for end in arrow}
    ranks = {name: 0 for name in names if name in used}
    for _ in ranks:
        for source, target in arrows:
            ranks[target] = max(ranks[target], ranks[source] + 1)
    return ranks


def _balance_ranks(ranks: dict[str, int], arrows: Sequence[Arrow]) -> dict[str, int]:
    """Moves boxes without children to the next column where a column would be too long."""
    parents = {source for source, _ in arrows}
    found, column = dict(ranks), 0
    while column <= max(found.values(), default=-1):
        members = [name for name, rank in found.items() if rank == column]
        free = [name for name in members if name not in parents and column > 0]
        keep = max(MOST_IN_COLUMN, (len(members) + 1) // 2)
        for name in free[: max(0, len(members) - keep)]:
            found[name] = column + 1
        column += 1
    return found


def _way(number: int, arrow: Arrow, ranks: Mapping[str, int]) -> tuple[Cell, ...]:
    source, target = arrow
    between = range(ranks[source] + 1, ranks[target])
    return ((source, 0), *((str(number), at) for at in between), (target, 0))


def _first_columns(
    names: Sequence[str], ranks: Mapping[str, int], ways: Iterable[tuple[Cell, ...]]
) -> list[list[Cell]]:
    columns: list[list[Cell]] = [[] for _ in range(max(ranks.values(), default=-1) + 1)]
    for name in names:
        if name in ranks:
            columns[ranks[name]].append((name, 0))
    for cells in ways:
        for cell in cells[1:-1]:
            columns[cell[1]].append(cell)
    return columns


def _place_unconnected(
    columns: list[list[Cell]], lonely: list[str], heights: dict[Cell, float], height: Callable[[str], float]
) -> list[list[Cell]]:
    """Boxes without lines fill the shortest columns, or columns of their own beside them."""
    found = [list(each) for each in columns]
    while len(found) < min(3, len(lonely) + len(columns)):
        found.append([])
    for name in lonely:
        heights[name, 0] = height(name)
        min(found, key=lambda column: sum(heights[cell] + GAP for cell in column)).append((name, 0))
    return found


# ---- order ----------------------------------------------------------------------------------------------------------


def _order_columns(columns: list[list[Cell]], ways: Sequence[tuple[Cell, ...]]) -> list[list[Cell]]:
    """By the middle of the neighbours, forwards and backwards; the best of all tries is kept."""
    links = [link for cells in ways for link in pairwise(cells)]
    best, found = columns, columns
    for sweep in range(SWEEPS):
        found = _sweep_columns(found, links, backwards=sweep % 2 == 1)
        if _crossings(found, links) < _crossings(best, links):
            best = found
    return best


def _sweep_columns(columns: list[list[Cell]], links: list[tuple[Cell, Cell]], *, backwards: bool) -> list[list[Cell]]:
    found = [list(each) for each in columns]
    places = range(len(found) - 2, -1, -1) if backwards else range(1, len(found))
    for at in places:
        beside = {cell: place for place, cell in enumerate(found[at + 1 if backwards else at - 1])}
        middles = {
            cell: _middle([beside[other] for other in _neighbours(cell, links) if other in beside], place)
            for place, cell in enumerate(found[at])
        }
        found[at].sort(key=lambda cell: middles[cell])
    return found


def _neighbours(cell: Cell, links: Iterable[tuple[Cell, Cell]]) -> list[Cell]:
    return [two if one == cell else one for one, two in links if cell in (one, two)]


def _middle(places: Sequence[float], otherwise: float) -> float:
    return fmean(places) if places else otherwise


def _crossings(columns: list[list[Cell]], links: Iterable[tuple[Cell, Cell]]) -> int:
    at = {cell: (number, place) for number, column in enumerate(columns) for place, cell in enumerate(column)}
    drawn = [(at[one][0], at[one][1], at[two][1]) for one, two in links]
    return sum(one[0] == two[0] and (one[1] - two[1]) * (one[2] - two[2]) < 0 for one, two in combinations(drawn, 2))


# ---- height ---------------------------------------------------------------------------------------------------------


def _centre_columns(
    columns: list[list[Cell]], ways: Iterable[tuple[Cell, ...]], heights: Mapping[Cell, float]
) -> dict[Cell, float]:
    links = [link for cells in ways for link in pairwise(cells)]
    centre: dict[Cell, float] = {}
    for column in columns:
        centre |= _spread_column(column, dict.fromkeys(column, 0.0), heights)
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 else reversed(columns):
            wanted = {
                cell: _middle([centre[other] for other in _neighbours(cell, links)], centre[cell]) for cell in column
            }
            centre |= _spread_column(column, wanted, heights)
    top = min((centre[cell] - heights[cell] / 2 for cell in centre), default=0.0)
    return {cell: value - top for cell, value in centre.items()}


def _spread_column(
    column: Sequence[Cell], wanted: Mapping[Cell, float], heights: Mapping[Cell, float]
) -> dict[Cell, float]:
    """Positions close to the wanted ones without overlap: the mean of pushing down and of pushing up."""
    down = _push_apart(column, wanted, heights)
    up = _push_apart(column[::-1], {cell: -value for cell, value in wanted.items()}, heights)
    return {cell: (down[cell] - up[cell]) / 2 for cell in column}


def _push_apart(
    column: Sequence[Cell], wanted: Mapping[Cell, float], heights: Mapping[Cell, float]
) -> dict[Cell, float]:
    found: dict[Cell, float] = {}
    end = float("-inf")
    for cell in column:
        found[cell] = max(wanted[cell], end + heights[cell] / 2)
        end = found[cell] + heights[cell] / 2 + GAP
    return found
