"""Blocks as plain text for pipes and files: aligned columns, no colours, no line breaks inside of keys."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING

from tablewright.report.blocks import Bullets, Column, Grid, Heading, Picture, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.report.blocks import Block

WIDTH, WIDEST = 100, 120
REQUEST = 84
UNDERLINES = {1: "=", 2: "-"}


def plain_text(blocks: Iterable[Block]) -> str:
    return "\n\n".join("\n".join(_lines(each)) for each in blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield block.text
            if block.level in UNDERLINES:
                yield UNDERLINES[block.level] * len(block.text)
        case Text():
            yield from _wrap(block.text)
        case Bullets():
            for each in block.items:
                yield from _wrap(each.text, "- ")
        case Picture():
            yield from block.lines
        case Grid():
            yield from _grid_lines(block)


def _wrap(text: str, mark: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cell_lines(text: str, column: Column) -> list[str]:
    """Requests are broken between their parts, and only there."""
    if not column.request:
        return text.split("\n")
    parts = (
        textwrap.wrap(line, REQUEST, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )
    return [line for part in parts for line in part] or [""]


def _grid_lines(grid: Grid) -> Iterator[str]:
    grid = fit_grid(grid, WIDEST)
    rows = [[each.name.split("\n") for each in grid.columns]]
    rows += [[_cell_lines(text, column) for text, column in zip(row, grid.columns, strict=True)] for row in grid.rows]
    widths = [max(len(line) for row in rows for line in row[at]) for at in range(len(grid.columns))]
    for place, row in enumerate(rows):
        for line in range(max(len(cell) for cell in row)):
            cells = [cell[line] if line < len(cell) else "" for cell in row]
            aligned = [
                text.rjust(width) if column.number else text.ljust(width)
                for text, width, column in zip(cells, widths, grid.columns, strict=True)
            ]
            yield "  ".join(aligned).rstrip()
        if place == 0:
            yield "  ".join("-" * width for width in widths)


# ---- too wide -------------------------------------------------------------------------------------------------------


def _needed_width(grid: Grid) -> int:
    rows = (tuple(each.name for each in grid.columns), *grid.rows)
    widths = [max(len(line) for row in rows for line in row[at].split("\n")) for at in range(len(grid.columns))]
    return sum(widths) + 3 * (len(widths) - 1)


def fit_grid(grid: Grid, width: int) -> Grid:
    """A grid that is too wide gets two neighbouring columns of keys joined into one, below each other."""
    if _needed_width(grid) <= width:
        return grid
    at = next((at for at, pair in enumerate(pairwise(grid.columns)) if all(each.code for each in pair)), None)
    if at is None:
        return grid
    one, other = grid.columns[at : at + 2]
    joined = Column(name=f"{one.name}\n  {other.name}", code=True)
    return Grid(
        (*grid.columns[:at], joined, *grid.columns[at + 2 :]),
        tuple((*row[:at], f"{row[at]}\n  {row[at + 1]}".rstrip(), *row[at + 2 :]) for row in grid.rows),
        grid.tones,
    )
