"""Output of the commands: blocks (in colour on a terminal, with the extra `cli`), tables, JSON and progress."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    from tablewright.report.blocks import Block, Column, Grid, Text

STYLES = {"": "", "good": "green", "warning": "yellow", "bad": "bold red", "quiet": "dim"}
KEY = "cyan"


def show_blocks(blocks: Iterable[Block]) -> None:
    console = _make_console() if sys.stdout.isatty() else None
    if console is None:
        from tablewright.report.text import plain_text

        sys.stdout.write(plain_text(blocks))
        return
    for block in blocks:
        _show_block(console, block)


def _make_console(*, stderr: bool = False) -> Any:
    """A console of rich, or None where it is not installed."""
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(stderr=stderr, highlight=False, emoji=False)


def _show_block(console: Any, block: Block) -> None:
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
                console.print(_make_bullet(each))
        case Picture():
            for at, line in enumerate(block.lines):
                console.print(Padding(Line(line, style="bold" if at == 0 else KEY, no_wrap=True), (0, 0, 0, 2)))
        case Grid():
            console.print(_make_table(block, console.width))


def _make_bullet(item: Text) -> Any:
    """A dash, with the text hanging beside it."""
    from rich.table import Table
    from rich.text import Text as Line

    row = Table.grid(padding=(0, 1))
    row.add_row("  -", Line(item.text, style=STYLES[item.tone]))
    return row


def _make_table(grid: Grid, width: int) -> Any:
    from rich import box
    from rich.table import Table

    from tablewright.report.text import fit_grid

    grid = fit_grid(grid, width)
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="dim", show_edge=False)
    for each in grid.columns:
        shown.add_column(each.name, justify="right" if each.number else "left", overflow="fold", no_wrap=each.number)
    tones = grid.tones or ("",) * len(grid.rows)
    for row, tone in zip(grid.rows, tones, strict=True):
        cells = (_style_cell(cell, column) for cell, column in zip(row, grid.columns, strict=True))
        shown.add_row(*cells, style=STYLES[tone])
    return shown


def _style_cell(cell: str, column: Column) -> Any:
    """Keys and requests in colour; the words above a request without."""
    from rich.text import Text as Line

    words, newline, requests = cell.partition("\n") if column.request else (cell, "", "")
    line = Line(words, style=KEY if column.code else "")
    return line.append(newline + requests, style=KEY)


@contextmanager
def show_status(what: str) -> Generator[Callable[[str], None]]:
    """A status on stderr while something takes long, which can be told anew; nothing where stderr is no terminal."""
    console = _make_console(stderr=True) if sys.stderr.isatty() else None
    if console is None:
        yield lambda _: None
        return
    with console.status(what) as status:
        yield status.update


# ---- tables and progress --------------------------------------------------------------------------------------------


MAX_CELL = 48
TERMINAL_SECONDS = 0.1
LOG_SECONDS = 5.0


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]], output: TextIO | None = None) -> None:
    """Columns as wide as their widest cell, up to a limit."""
    out = output or sys.stdout
    lines = [[_clip(cell) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    lines.insert(1, ["-" * width for width in widths])
    for line in lines:
        out.write("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n")


def _clip(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return plain if len(plain) <= MAX_CELL else plain[: MAX_CELL - 1] + "…"


def cell_text(typed: Mapping[str, Any] | None) -> str:
    """An attribute value without its types; empty for a missing one."""
    if typed is None:
        return ""
    value = _strip_types(typed)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _strip_types(typed: Mapping[str, Any]) -> Any:
    """A typed value without its types, numbers as they are written."""
    ((code, value),) = typed.items()
    if code == "M":
        return {name: _strip_types(each) for name, each in value.items()}
    if code == "L":
        return [_strip_types(each) for each in value]
    return None if code == "NULL" else value


def show_json(value: object) -> None:
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


def size_text(size_bytes: float) -> str:
    for unit in ("B", "KB", "MB"):
        if size_bytes < 1024:
            return f"{size_bytes:.0f} {unit}" if unit == "B" else f"{size_bytes:.1f} {unit}"
        size_bytes /= 1024
    return f"{size_bytes:.1f} GB"


class ProgressLine:
    """Number of items and share done, on stderr: in place on a terminal, a line every few seconds elsewhere."""

    def __init__(self, verb: str, output: TextIO | None = None) -> None:
        self.verb = verb
        self.output = output or sys.stderr
        self.on_terminal = self.output.isatty()
        self.pause = TERMINAL_SECONDS if self.on_terminal else LOG_SECONDS
        self.next = time.monotonic() + self.pause
        self.shown = False

    def __call__(self, items: int, done_bytes: int, total_bytes: int) -> None:
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + self.pause
        share = f", {100 * done_bytes // total_bytes} %" if total_bytes else ""
        text = f"{self.verb} {items:,} items{share}"
        self.output.write(f"\r{text}\x1b[K" if self.on_terminal else f"{text}\n")
        self.output.flush()
        self.shown = self.on_terminal

    def finish(self, text: str) -> None:
        self.output.write(f"\r\x1b[K{text}\n" if self.shown else f"{text}\n")
