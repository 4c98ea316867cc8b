"""Item collections in colour: one view for the table and each index, sample items grouped by partition key."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, cast

from tablewright.architect.document.keys import items_in
from tablewright.architect.document.words import template_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.design.model import Design, ItemKeys, ItemType, TableDesign

COLOURS = 10


def colour_of(design: Design, entity: str) -> int:
    """The same colour for all kinds of items of an entity, all over the page."""
    names = list(dict.fromkeys(each.entity for each in design.items))
    return names.index(entity) % COLOURS


def views(design: Design) -> str:
    """Tabs; without scripts, and on paper, all of them below each other."""
    panels = [
        (f"{table.name} / {place}" if len(design.tables) > 1 else place, panel(design, table, index))
        for table in design.tables
        for index, place in places_of(table)
    ]
    tabs = "".join(
        f'<button role="tab" id="tab-{at}" aria-controls="panel-{at}" aria-selected="{"true" if at == 0 else "false"}"'
        f' tabindex="{0 if at == 0 else -1}">{escape(name)}</button>'
        for at, (name, _) in enumerate(panels)
    )
    bodies = "".join(
        f'<div role="tabpanel" id="panel-{at}" aria-labelledby="tab-{at}" tabindex="0"><h3>{escape(name)}</h3>'
        f"{body}</div>"
        for at, (name, body) in enumerate(panels)
    )
    return f'<div class="tabs" data-tabs><div role="tablist" aria-label="Places">{tabs}</div>{bodies}</div>'


def places_of(table: TableDesign) -> list[tuple[str | None, str]]:
    return [(None, "table"), *((each.name, each.name) for each in (*table.gsis, *table.lsis))]


def panel(design: Design, table: TableDesign, index: str | None) -> str:
    partitions: dict[str, list[tuple[ItemType, ItemKeys]]] = {}
    for item, keys in items_in(design, table, index):
        partitions.setdefault(partition_text(item, keys), []).append((item, keys))
    if not partitions:
        return "<p>Nothing lies here.</p>"
    return "".join(collection(design, key, found) for key, found in partitions.items())


def partition_text(item: ItemType, keys: ItemKeys) -> str:
    """The sample's own partition key, so that items that lie together are shown together."""
    return filled(item.sample, keys, part="pk") or template_text(keys.pk)


def filled(sample: Mapping[str, Any], keys: ItemKeys, *, part: str) -> str:
    fields = keys.pk if part == "pk" else keys.sk
    return " + ".join(shown(sample[each.field]) for each in fields if each.field in sample)


def collection(design: Design, key: str, found: list[tuple[ItemType, ItemKeys]]) -> str:
    templates = ", ".join(dict.fromkeys(template_text(keys.pk) for _, keys in found))
    rows = "".join(row(design, item, keys) for item, keys in sorted(found, key=lambda pair: sort_text(*pair)))
    return (
        f'<div class="collection"><div class="partition"><code>{escape(key)}</code>'
        f'<span class="quiet">{escape(templates)}</span></div><table><caption>{escape(templates)}</caption>'
        '<thead class="visually-hidden"><tr><th scope="col">type</th><th scope="col">sort key</th>'
        f'<th scope="col">attributes</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def sort_text(item: ItemType, keys: ItemKeys) -> str:
    return filled(item.sample, keys, part="sk") or template_text(keys.sk)


def row(design: Design, item: ItemType, keys: ItemKeys) -> str:
    fields = {each.field for own in item.keys for each in (*own.pk, *own.sk)} | set(item.fixed)
    attributes = "".join(
        f'<span class="attribute"><b>{escape(name)}</b> {escape(shown(value))}</span>'
        for name, value in item.sample.items()
        if name not in fields
    )
    return (
        f'<tr class="type type-{colour_of(design, item.entity)}"><td><span class="tag">{escape(item.name)}</span></td>'
        f'<td><code>{escape(sort_text(item, keys))}</code><br><span class="quiet">'
        f"{escape(template_text(keys.sk))}</span></td><td>{attributes}</td></tr>"
    )


def shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=plain)


def plain(value: Any) -> Any:
    """What JSON has no words for: sets in order, everything else as text."""
    return sorted(cast("set[str]", value)) if isinstance(value, set) else str(value)
