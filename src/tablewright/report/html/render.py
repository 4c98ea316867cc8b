"""Blocks as HTML. A third-level heading folds its content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.report.blocks import Bullets, Column, Grid, Heading, Picture, Text
from tablewright.report.html.escape import LINKED, anchor_link, key, plain, prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.report.blocks import Block
    from tablewright.report.html.escape import Anchors

FOLDED = 3
LABEL = re.compile(r"([a-z][a-z -]{1,28}|\w+): ")
SOURCE = re.compile(rf"(rests on: )?(.+)[:,] ({re.escape(LINKED)}\S+)")
WIDE = 4
"""A table with so many columns is not squeezed on a phone, but moved sideways."""


def render_blocks(blocks: Iterable[Block], anchors: Anchors, *, level: int, label: str) -> str:
    """`level` is that of a second-level heading on the page; `label` names tables that have no heading before them."""
    parts: list[str] = []
    for heading, inside in _split_at_headings(blocks):
        name = heading.text if heading is not None else label
        content = "\n".join(_render_block(block, anchors, name) for block in inside)
        parts.append(content if heading is None else _render_section(heading, content, anchors, level))
    return "\n".join(parts)


def _split_at_headings(blocks: Iterable[Block]) -> Iterator[tuple[Heading | None, list[Block]]]:
    heading: Heading | None = None
    inside: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading):
            if heading is not None or inside:
                yield heading, inside
            heading, inside = block, []
        else:
            inside.append(block)
    if heading is not None or inside:
        yield heading, inside


def _render_section(heading: Heading, content: str, anchors: Anchors, level: int) -> str:
    depth = heading.level - 2 + level
    title = f"<h{depth}>{prose(heading.text, anchors if heading.level < FOLDED else {})}</h{depth}>"
    return f"{title}{content}" if heading.level < FOLDED else fold(title, content)


def fold(title: str, content: str, *, anchor: str = "") -> str:
    name = f' id="{anchor}"' if anchor else ""
    return f'<details{name}><summary>{title}</summary><div class="inside">{content}</div></details>'


def _render_block(block: Block, anchors: Anchors, label: str) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{prose(block.text, anchors)}</h{block.level}>"
        case Text():
            return f"<p{_tone(block.tone)}>{prose(block.text, anchors)}</p>"
        case Bullets():
            items = "".join(f"<li{_tone(each.tone)}>{_bullet(each.text, anchors)}</li>" for each in block.items)
            return f"<ul>{items}</ul>" if items else ""
        case Picture():
            return f"<pre>{plain(chr(10).join(block.lines))}</pre>"
        case Grid():
            return _grid(block, anchors, label)


def _bullet(text: str, anchors: Anchors) -> str:
    """Where the documents write `label: words` the label stands out; a page is linked by its title."""
    source = SOURCE.fullmatch(text)
    if source is not None:
        before, title, address = source.groups(default="")
        return f'{plain(before)}<a href="{plain(address)}">{plain(title)}</a>'
    label = LABEL.match(text)
    if label is None:
        return prose(text, anchors)
    return f"<b>{prose(label[1], anchors)}:</b> {prose(text[label.end() :], anchors)}"


def _tone(name: str) -> str:
    return f' class="{name}"' if name else ""


# ---- tables ---------------------------------------------------------------------------------------------------------


def _grid(block: Grid, anchors: Anchors, label: str) -> str:
    """Roles are written out, as a phone shows some tables as cards and browsers then forget that they are tables."""
    head = "".join(
        f'<th scope="col" role="columnheader"{_kind(each)}>{plain(each.name)}</th>' for each in block.columns
    )
    tones = block.tones or ("",) * len(block.rows)
    rows = "".join(
        f'<tr role="row"{_tone(name)}>{"".join(_cells(row, block.columns, anchors))}</tr>'
        for row, name in zip(block.rows, tones, strict=True)
    )
    shape = "cards" if any(each.request for each in block.columns) else "wide" if len(block.columns) >= WIDE else ""
    return (
        f'<div class="scroll" role="group" aria-label="{plain(label)}, table">'
        f'<table role="table"{_tone(shape)}><caption>{plain(label)}</caption>'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead><tbody role="rowgroup">{rows}</tbody></table></div>'
    )


def _kind(column: Column) -> str:
    return ' class="number"' if column.number else ""


def _cells(row: tuple[str, ...], columns: tuple[Column, ...], anchors: Anchors) -> Iterator[str]:
    for text, column in zip(row, columns, strict=True):
        yield f'<td role="cell" data-label="{plain(column.name)}"{_kind(column)}>{_cell(text, column, anchors)}</td>'


def _cell(text: str, column: Column, anchors: Anchors) -> str:
    if text in anchors:
        return anchor_link(text, anchors)
    lines = text.split("\n")
    if column.request:
        words, *requests = lines
        return prose(words, anchors) + "".join(f'<span class="request">{key(each)}</span>' for each in requests)
    if column.code:
        return "<br>".join(key(each) for each in lines if each)
    return "<br>".join(prose(each, anchors) for each in lines)
