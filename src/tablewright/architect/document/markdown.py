"""Blocks as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.document.blocks import Bullets, Grid, Heading, Picture, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.architect.document.blocks import Block, Column


def markdown(blocks: Iterable[Block]) -> str:
    return "\n\n".join("\n".join(lines(each)) for each in blocks) + "\n"


def lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {safe(block.text)}"
        case Text():
            yield safe(block.text)
        case Bullets():
            yield from (f"- {safe(each.text)}" for each in block.items)
        case Picture():
            yield from ("```text", *block.lines, "```")
        case Grid():
            yield from grid_lines(block)


def safe(text: str) -> str:
    """Braces and stars of keys are no markup; a bar would end a cell. What is quoted as code stays as it is."""
    return "`".join(part if at % 2 else escaped(part) for at, part in enumerate(text.split("`")))


def escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_")


def grid_lines(grid: Grid) -> Iterator[str]:
    yield row_text(each.name for each in grid.columns)
    yield row_text("---:" if each.number else "---" for each in grid.columns)
    for row in grid.rows:
        yield row_text(cell(text, column) for text, column in zip(row, grid.columns, strict=True))


def row_text(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cell(text: str, column: Column) -> str:
    parts = [each for each in text.split("\n") if each]
    words = 0 if column.code else 1 if column.request else len(parts)
    return "<br>".join([*map(safe, parts[:words]), *map(quoted, parts[words:])])


def quoted(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`"
