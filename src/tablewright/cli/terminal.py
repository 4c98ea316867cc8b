"""Blocks on a screen: colour and boxes on a terminal (with the extra `cli`), plain text everywhere else."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from tablewright.report.blocks import Block, Column, Grid, Text

STYLES = {"": "", "good": "green", "warning": "yellow", "bad": "bold red", "quiet": "dim"}
KEY = "cyan"


def show_blocks(blocks: Iterable[Block]) -> None:
    console = screen() if sys.stdout.isatty() else None
    if console is None:
        from tablewright.report.text import plain_text

        sys.stdout.write(plain_text(blocks))
        return
    for block in blocks:
        show_block(console, block)


def screen(*, stderr: bool = False) -> Any:
    """A console of rich, or None where it is not installed."""
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(stderr=stderr, highlight=False, emoji=False)


def show_block(console: Any, block: Block) -> None:
    from rich.padding import Padding
    from rich.text import Text as Line

    from tablewright.report.blocks import Bullets, Grid, Heading, Picture, Text

    match block:
        case Heading(level=1):
            console.print(Line(f"\n{block.text}", style="bold underline"))
        case Heading():
            console.print(Line(f"\n{block.text}", style="bold" if block.level == 2 else "italic"))
        case Text():
            console.print(Line(block.text, style=STYLES[block.tone]))
        case Bullets():
            for each in block.items:
                console.print(bullet(each))
        case Picture():
            for at, line in enumerate(block.lines):
                console.print(Padding(Line(line, style="bold" if at == 0 else KEY, no_wrap=True), (0, 0, 0, 2)))
        case Grid():
            console.print(table(block, console.width))


def bullet(item: Text) -> Any:
    """A dash, with the text hanging beside it."""
    from rich.table import Table
    from rich.text import Text as Line

    row = Table.grid(padding=(0, 1))
    row.add_row("  -", Line(item.text, style=STYLES[item.tone]))
    return row


def table(grid: Grid, width: int) -> Any:
    from rich import box
    from rich.table import Table

    from tablewright.report.text import fit_grid

    grid = fit_grid(grid, width)
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", show_edge=False)
    for each in grid.columns:
        shown.add_column(each.name, justify="right" if each.number else "left", overflow="fold", no_wrap=each.number)
    tones = grid.tones or ("",) * len(grid.rows)
    for row, tone in zip(grid.rows, tones, strict=True):
        cells = (styled(cell, column) for cell, column in zip(row, grid.columns, strict=True))
        shown.add_row(*cells, style=STYLES[tone])
    return shown


def styled(cell: str, column: Column) -> Any:
    """Keys and requests in their colour; the words above a request in none."""
    from rich.text import Text as Line

    words, newline, requests = cell.partition("\n") if column.request else (cell, "", "")
    line = Line(words, style=KEY if column.code else "")
    return line.append(newline + requests, style=KEY)


@contextmanager
def working(what: str) -> Generator[None]:
    """A sign of life on stderr while something takes long; nothing where nobody watches."""
    console = screen(stderr=True) if sys.stderr.isatty() else None
    if console is None:
        yield
        return
    with console.status(what):
        yield
