"""Entities and relationships as a diagram: parents to the left of their children, as far as there are parents."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.spec.read import read_spec
from tablewright.codegen.document.views import colour_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.design.model import Design
    from tablewright.architect.spec.model import RelationshipSpec, Spec

BOX = 190
LINE = 17
HEAD = 26
GAP_X = 90
GAP_Y = 26
MOST_ATTRIBUTES = 8
ENDS = {"one-to-one": ("1", "1"), "one-to-many": ("1", "N"), "many-to-many": ("N", "N")}


class Placed(msgspec.Struct, frozen=True):
    """A box: where it is and what it says."""

    name: str
    x: float
    y: float
    lines: tuple[str, ...]
    stored: bool

    @property
    def height(self) -> float:
        return HEAD + LINE * len(self.lines) + 6


def diagram(design: Design) -> str:
    spec = read_spec(design.spec)
    boxes = placed(spec)
    width = max((each.x + BOX for each in boxes.values()), default=0) + 10
    height = max((each.y + each.height for each in boxes.values()), default=0) + 10
    title = f"Entities and relationships of {design.title or design.name}"
    shown = "".join(edge(each, boxes) for each in spec.relationships)
    shown += "".join(box(design, each) for each in boxes.values())
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="diagram">'
        f'<svg class="relations" role="img" viewBox="0 0 {width:.0f} {height:.0f}" style="max-width:{width:.0f}px"'
        f' aria-label="{escape(title)}"><title>{escape(title)}</title>{shown}</svg></div>'
    )


def placed(spec: Spec) -> dict[str, Placed]:
    ranks = ranks_of(spec)
    columns: dict[int, float] = {}
    found: dict[str, Placed] = {}
    for name in sorted(ranks, key=lambda each: (ranks[each], list(ranks).index(each))):
        rank = ranks[name]
        y = columns.get(rank, 10.0)
        entity = spec.entities.get(name)
        lines: tuple[str, ...] = ("not stored",)
        if entity is not None:
            names = [*entity.id, *(each for each in entity.attributes if each not in entity.id)]
            more = [f"and {len(names) - MOST_ATTRIBUTES} more"] if len(names) > MOST_ATTRIBUTES else []
            lines = tuple([("● " if each in entity.id else "") + each for each in names[:MOST_ATTRIBUTES]] + more)
        found[name] = Placed(name, 10.0 + rank * (BOX + GAP_X), y, lines, entity is not None)
        columns[rank] = y + found[name].height + GAP_Y
    return found


def ranks_of(spec: Spec) -> dict[str, int]:
    """The longest way from an entity without parents; circles are cut where they close."""
    names = dict.fromkeys([*spec.entities, *(end for each in spec.relationships for end in (each.source, each.target))])
    arrows = [
        (source, target)
        for each in spec.relationships
        for source, target in (
            [(each.source, each.via), (each.target, each.via)] if each.via else [(each.source, each.target)]
        )
        if source != target
    ]
    ranks = dict.fromkeys(names, 0)
    for _ in names:
        for source, target in arrows:
            if ranks[target] <= ranks[source] < len(names) - 1 and (target, source) not in arrows:
                ranks[target] = min(ranks[source] + 1, len(names) - 1)
    present = sorted(set(ranks.values()))
    return {name: present.index(rank) for name, rank in ranks.items()}


def box(design: Design, each: Placed) -> str:
    kind = f"type-{colour_of(design, each.name)}" if is_item(design, each.name) else "unstored"
    lines = "".join(
        f'<text x="{each.x + 10}" y="{each.y + HEAD + LINE * at + 12}">{escape(line)}</text>'
        for at, line in enumerate(each.lines)
    )
    return (
        f'<g class="entity {kind}"><rect x="{each.x}" y="{each.y}" width="{BOX}" height="{each.height}" rx="6"/>'
        f'<text class="name" x="{each.x + 10}" y="{each.y + 18}">{escape(each.name)}</text>{lines}</g>'
    )


def is_item(design: Design, name: str) -> bool:
    return any(item.entity == name for item in design.items)


def edge(each: RelationshipSpec, boxes: Mapping[str, Placed]) -> str:
    if each.via is not None and each.via in boxes:
        halves = ((each.source, each.via), (each.target, each.via))
        return "".join(curve(boxes[source], boxes[target], "1", "N") for source, target in halves)
    near, far = ENDS[each.kind]
    return curve(boxes[each.source], boxes[each.target], near, far)


def curve(source: Placed, target: Placed, near: str, far: str) -> str:
    right = target.x >= source.x
    x1, y1 = source.x + (BOX if right else 0), source.y + HEAD / 2
    x2, y2 = target.x + (0 if right and target.x != source.x else BOX), target.y + HEAD / 2
    bend = GAP_X * (0.6 if right else -0.6)
    end = bend if target.x == source.x else -bend
    words = f"{source.name} {near} to {far} {target.name}"
    return (
        f'<g class="edge"><title>{escape(words)}</title>'
        f'<path d="M{x1} {y1} C{x1 + bend:.1f} {y1}, {x2 + end:.1f} {y2}, {x2} {y2}"/>'
        f'<text x="{x1 + (6 if right else -14)}" y="{y1 - 4}">{near}</text>'
        f'<text x="{x2 + (-14 if right and target.x != source.x else 6)}" y="{y2 - 4}">{far}</text></g>'
    )
