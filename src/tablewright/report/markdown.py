"""Blocks as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.report.blocks import Bullets, Grid, Heading, Picture, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.report.blocks import Block, Column


def markdown(blocks: Iterable[Block]) -> str:
    return "\n\n".join("\n".join(_lines(each)) for each in blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {inline(block.text)}"
        case Text():
            yield paragraph(block.text)
        case Bullets():
            yield from (f"- {paragraph(each.text)}" for each in block.items)
        case Picture():
            yield from fenced("text", block.lines)
        case Grid():
            yield from _grid_lines(block)


def _grid_lines(grid: Grid) -> Iterator[str]:
    yield _row_text(each.name for each in grid.columns)
    yield _row_text("---:" if each.number else "---" for each in grid.columns)
    for row in grid.rows:
        yield _row_text(_cell(text, column) for text, column in zip(row, grid.columns, strict=True))


def _row_text(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str, column: Column) -> str:
    parts = [each for each in text.split("\n") if each]
    words = 0 if column.code else 1 if column.request else len(parts)
    return "<br>".join([*map(in_cell, parts[:words]), *(escape_bars(code(each)) for each in parts[words:])])


# ---- texts: everything that becomes Markdown goes through one of these ----------------------------------------------


def inline(text: str) -> str:
    """Text on one line, with markup characters escaped outside of code."""
    said = on_one_line(text)
    marks = r"[|*_`\[]" if re.search(r"\][\[(:]", said) else r"[|*_`]"  # only then could brackets be a link
    parts = said.split("`")
    if len(parts) % 2 == 0 or not all(each.strip() for each in parts[1::2]):  # a lonely tick quotes nothing
        return _escape(said, marks)
    return "".join(code(part) if at % 2 else _escape(part, marks) for at, part in enumerate(parts))


def in_cell(text: str) -> str:
    return escape_bars(inline(text))


def escape_bars(said: str) -> str:
    """A bar ends a cell, also in code."""
    return re.sub(r"(?<!\\)\|", r"\\|", said)


def paragraph(text: str) -> str:
    """The same at the beginning of a line, where more characters are markup."""
    said = inline(text)
    return re.sub(r"^([#>+=~-]|\d{1,9}(?=[.)]))", lambda found: _escape_start(found.group()), said)


def _escape_start(beginning: str) -> str:
    return f"{beginning}\\" if beginning.isdigit() else f"\\{beginning}"


def code(text: str) -> str:
    """Code on one line, between more backticks than it contains."""
    said = on_one_line(text)
    ticks = "`" * (_longest_run(said) + 1)
    room = " " if said.startswith("`") or said.endswith("`") else ""
    return f"{ticks}{room}{said}{room}{ticks}"


def fenced(language: str, said: Iterable[str]) -> Iterator[str]:
    """Lines of code, between longer fences than they contain."""
    found = list(said)
    fence = "`" * max(3, _longest_run("\n".join(found)) + 1)
    yield from (f"{fence}{language}", *found, fence)


def _longest_run(text: str) -> int:
    return max((len(each) for each in re.findall(r"`+", text)), default=0)


def on_one_line(text: str) -> str:
    """Line breaks of any kind become spaces."""
    return re.sub(r"[\x00\t\n\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]+", " ", text).strip()


def _escape(text: str, marks: str) -> str:
    said = re.sub(r"\\(?=[!-/:-@\[-`{-~]|$)", r"\\\\", text)  # elsewhere a backslash is one already
    said = re.sub(r"&(?=#?\w+;)", "&amp;", said).replace("<", "&lt;")
    return re.sub(f"({marks})", r"\\\1", said)
