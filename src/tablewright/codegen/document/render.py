"""Blocks of the document as HTML. Every text is escaped here, and nowhere else is HTML made of a user's words."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tablewright.architect.document.blocks import Bullets, Grid, Heading, Picture, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.document.blocks import Block, Column


def rendered(blocks: Iterable[Block], *, label: str = "") -> str:
    """`label` names tables that have no heading of their own right before them, for those who hear the page."""
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, Heading):
            label = block.text
        parts.append(one(block, label))
    return "\n".join(parts)


def one(block: Block, label: str) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        case Text():
            return f"<p{tone(block.tone)}>{linked(block.text)}</p>"
        case Bullets():
            items = "".join(f"<li{tone(each.tone)}>{linked(each.text)}</li>" for each in block.items)
            return f"<ul>{items}</ul>"
        case Picture():
            return f"<pre>{escape(chr(10).join(block.lines))}</pre>"
        case Grid():
            return grid(block, label)


def tone(name: str) -> str:
    return f' class="{name}"' if name else ""


def linked(text: str) -> str:
    """Web addresses at the end of a word become links."""
    words = escape(text).split(" ")
    return " ".join(
        f'<a href="{word.rstrip(".,;")}">{word}</a>' if word.startswith("https://") else word for word in words
    )


def grid(block: Grid, label: str) -> str:
    head = "".join(f'<th scope="col"{kind(each)}>{escape(each.name)}</th>' for each in block.columns)
    tones = block.tones or ("",) * len(block.rows)
    rows = "".join(
        f"<tr{tone(name)}>{''.join(cell(*pair) for pair in zip(row, block.columns, strict=True))}</tr>"
        for row, name in zip(block.rows, tones, strict=True)
    )
    caption = f"<caption>{escape(label)}</caption>" if label else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label) or "table"}"><table>{caption}'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def kind(column: Column) -> str:
    return ' class="number"' if column.number else ""


def cell(text: str, column: Column) -> str:
    lines = [linked(each) for each in text.split("\n")]
    inside = "<br>".join(f"<code>{each}</code>" if column.code and each else each for each in lines)
    return f"<td{kind(column)}>{inside}</td>"
