"""Entities and relationships as a diagram: parents to the left of their children, lines with a fork where many end."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.wording import amount
from tablewright.report.html.escape import plain
from tablewright.report.html.graph_layout import lay_out
from tablewright.report.html.item_collections import colour_of
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.model import Design
    from tablewright.report.html.graph_layout import Cell, GraphLayout
    from tablewright.spec.model import Spec

End: TypeAlias = Literal["1", "N"]

BOX, LINE, HEAD, COLUMN, MARGIN = 186, 17, 27, 278, 18
MOST_LINES, FEW_LINES, MANY_ENTITIES = 8, 5, 10
LETTERS = 24
LOOP = 24
ENDS: Mapping[str, tuple[End, End]] = {"one-to-one": ("1", "1"), "one-to-many": ("1", "N"), "many-to-many": ("N", "N")}


class _Line(msgspec.Struct, frozen=True):
    """From parent to child, how many at each end, and how many usually."""

    source: str
    target: str
    near: End
    far: End
    usual: float | None = None


class _Port(msgspec.Struct, frozen=True):
    """Where a line meets a box; `side` is 1 on the right and -1 on the left."""

    x: float
    y: float
    side: int


def entity_diagram(design: Design) -> str:
    spec = read_spec(design.spec)
    lines = list(_lines_of(spec))
    names = list(dict.fromkeys([*spec.entities, *(end for each in lines for end in (each.source, each.target))]))
    texts = {name: _box_lines(spec, name, many=len(names) > MANY_ENTITIES) for name in names}
    drawn = [each for each in lines if each.source != each.target]
    layout = lay_out(names, [(each.source, each.target) for each in drawn], lambda name: _height_of(texts[name]))
    loops = [each for each in lines if each.source == each.target]
    inside = (
        "".join(_edges(drawn, layout, texts))
        + "".join(_loop(each, layout, texts) for each in loops)
        + "".join(_box(design, name, texts[name], _top_left(name, layout, texts)) for name in names)
    )
    return _picture(design, inside, lines, layout, texts)


def _picture(
    design: Design, inside: str, lines: list[_Line], layout: GraphLayout, texts: Mapping[str, list[str]]
) -> str:
    width = COLUMN * (len(layout.columns) - 1) + BOX + 2 * MARGIN + LOOP
    height = max(_top_left(name, layout, texts)[1] + _height_of(texts[name]) for name in texts) + MARGIN
    title = f"Entities and relationships of {design.title or design.name}"
    said = "; ".join(f"{each.source} {each.near} to {each.far} {each.target}" for each in lines)
    return (
        f'<figure class="diagram"><div class="scroll" role="group" aria-label="Diagram of entities">'
        f'<svg class="relations" role="img" viewBox="0 0 {width} {height:.0f}" width="{width}" height="{height:.0f}"'
        f' style="min-width:{width * 0.62:.0f}px" aria-label="{plain(f"{title}: {said}" if said else title)}">'
        f"<title>{plain(title)}</title>{inside}</svg></div>"
        '<figcaption class="quiet">● part of the id; a line forks where many end, with their usual number;'
        " dashed: known by name only, not stored.</figcaption></figure>"
    )


def _lines_of(spec: Spec) -> Iterator[_Line]:
    for each in spec.relationships:
        if each.via is None:
            yield _Line(each.source, each.target, *ENDS[each.kind], each.avg)
        else:
            yield _Line(each.source, each.via, "1", "N", each.avg)
            yield _Line(each.target, each.via, "1", "N")


# ---- boxes ----------------------------------------------------------------------------------------------------------


def _box_lines(spec: Spec, name: str, *, many: bool) -> list[str]:
    entity = spec.entities.get(name)
    if entity is None:
        return ["not stored"]
    names = [*(f"● {each}" for each in entity.id), *(each for each in entity.attributes if each not in entity.id)]
    most = FEW_LINES if many else MOST_LINES
    return names if len(names) <= most + 1 else [*names[:most], f"and {len(names) - most} more"]


def _height_of(lines: list[str]) -> float:
    return HEAD + LINE * len(lines) + 8


def _top_left(name: str, layout: GraphLayout, texts: Mapping[str, list[str]]) -> tuple[float, float]:
    cell = (name, 0)
    return MARGIN + COLUMN * layout.column_of[cell], MARGIN + layout.centre[cell] - _height_of(texts[name]) / 2


def _box(design: Design, name: str, lines: list[str], at: tuple[float, float]) -> str:
    x, y = at
    stored = any(item.entity == name for item in design.items)
    kind = f"type-{colour_of(design, name)}" if stored else "unstored"
    inside = "".join(
        f'<text x="{x + 10:.1f}" y="{y + HEAD + LINE * number + 12:.1f}">{plain(clip(line))}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<g class="entity {kind}"><title>{plain(name)}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{BOX}" height="{_height_of(lines):.0f}" rx="6"/>'
        f'<text class="name" x="{x + 10:.1f}" y="{y + 18:.1f}">{plain(clip(name, LETTERS - 3))}</text>{inside}</g>'
    )


def clip(text: str, room: int = LETTERS) -> str:
    """Cut where the box ends; Chinese and the like are twice as wide."""
    taken, shown = 0, ""
    for letter in text:
        taken += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if taken > room:
            return f"{shown[:-1]}…"
        shown += letter
    return shown


# ---- lines ----------------------------------------------------------------------------------------------------------


def _edges(lines: list[_Line], layout: GraphLayout, texts: Mapping[str, list[str]]) -> Iterator[str]:
    ports = _ports_of(layout, texts)
    for number, (line, way) in enumerate(zip(lines, layout.ways, strict=True)):
        turned = way[0][0] != line.source
        left, right = ports[number, 1], ports[number, -1]
        near, far = (right, left) if turned else (left, right)
        words = f"{line.source} {line.near} to {line.far} {line.target}"
        yield (
            f'<g class="edge"><title>{plain(words)}</title><path d="{_curve(left, right, way, layout)}"/>'
            f"{_mark(near, line.near)}{_mark(far, line.far)}{_usual_text(line, far)}</g>"
        )


def _ports_of(layout: GraphLayout, texts: Mapping[str, list[str]]) -> dict[tuple[int, int], _Port]:
    """Lines meet a side of a box below each other, in the order of where they come from."""
    sides: dict[tuple[str, int], list[tuple[float, int]]] = {}
    for number, way in enumerate(layout.ways):
        sides.setdefault((way[0][0], 1), []).append((layout.centre[way[1]], number))
        sides.setdefault((way[-1][0], -1), []).append((layout.centre[way[-2]], number))
    found: dict[tuple[int, int], _Port] = {}
    for (name, side), met in sides.items():
        x, y = _top_left(name, layout, texts)
        step = _height_of(texts[name]) / (len(met) + 1)
        for place, (_, number) in enumerate(sorted(met), 1):
            found[number, side] = _Port(x + (BOX if side == 1 else 0), y + step * place, side)
    return found


def _curve(left: _Port, right: _Port, way: tuple[Cell, ...], layout: GraphLayout) -> str:
    path, x, y = f"M{left.x:.1f} {left.y:.1f}", left.x, left.y
    for cell in way[1:-1]:
        start, at = MARGIN + COLUMN * layout.column_of[cell], MARGIN + layout.centre[cell]
        path += _bend(x, y, start, at) + f"H{start + BOX:.1f}"
        x, y = start + BOX, at
    return path + _bend(x, y, right.x, right.y)


def _bend(x: float, y: float, end_x: float, end_y: float) -> str:
    half = (end_x - x) / 2
    return f"C{x + half:.1f} {y:.1f} {end_x - half:.1f} {end_y:.1f} {end_x:.1f} {end_y:.1f}"


def _mark(port: _Port, end: End) -> str:
    """A fork where many end, a bar where one does."""
    x = port.x + 11 * port.side
    if end == "1":
        return f'<path d="M{x:.1f} {port.y - 5:.1f}V{port.y + 5:.1f}"/>'
    return f'<path d="M{port.x:.1f} {port.y - 6:.1f}L{x:.1f} {port.y:.1f}L{port.x:.1f} {port.y + 6:.1f}"/>'


def _usual_text(line: _Line, port: _Port) -> str:
    if line.usual is None or line.far != "N":
        return ""
    anchor = "start" if port.side == 1 else "end"
    at = f'x="{port.x + 15 * port.side:.1f}" y="{port.y - 5:.1f}"'
    return f'<text {at} text-anchor="{anchor}">{amount(line.usual)}</text>'


def _loop(line: _Line, layout: GraphLayout, texts: Mapping[str, list[str]]) -> str:
    """From an entity to itself, round its upper right corner, where no other line passes."""
    x, y = _top_left(line.source, layout, texts)
    corner, start = x + BOX, x + BOX - LOOP
    path = f"M{start:.1f} {y:.1f}V{y - 13:.1f}H{corner + LOOP:.1f}V{y + 9:.1f}H{corner:.1f}"
    bar = f'<path d="M{start - 5:.1f} {y - 8:.1f}h10"/>'
    fork = f'<path d="M{start - 6:.1f} {y:.1f}l6 -11l6 11"/>'
    words = f"{line.source} {line.near} to {line.far} {line.target}"
    end = _Port(corner, y + 9, 1)
    usual = (
        "" if line.usual is None else f'<text x="{corner + LOOP + 4:.1f}" y="{y + 2:.1f}">{amount(line.usual)}</text>'
    )
    marks = (bar if line.near == "1" else fork) + _mark(end, line.far) + usual
    return f'<g class="edge"><title>{plain(words)}</title><path d="{path}"/>{marks}</g>'
