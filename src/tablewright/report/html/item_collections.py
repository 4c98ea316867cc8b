"""Item collections: one tab for the table and each index, sample items grouped by partition key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.design.wording import money
from tablewright.report.html.escape import anchor_link, anchors_of, json_text, key, plain
from tablewright.report.keys import field_text, items_in, projection_text
from tablewright.report.patterns import template_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.model import Design, Index, ItemKeys, ItemType, TableDesign
    from tablewright.design.values.templates import KeyTemplate

COLOURS = 10


def colour_of(design: Design, entity: str) -> int:
    """The same colour for all kinds of items of an entity, all over the page."""
    names = list(dict.fromkeys(each.entity for each in design.items))
    return names.index(entity) % COLOURS


def item_collections(design: Design) -> str:
    """Tabs; without scripts, and on paper, all of them below each other."""
    panels = [
        (f"{table.name} / {place}" if len(design.tables) > 1 else place, _panel(design, table, index))
        for table in design.tables
        for index, place in _places_of(table)
    ]
    tabs = "".join(
        f'<button type="button" role="tab" id="tab-{at}" aria-controls="panel-{at}" aria-selected="{_flag(at == 0)}"'
        f' tabindex="{0 if at == 0 else -1}">{plain(name)}</button>'
        for at, (name, _) in enumerate(panels)
    )
    bodies = "".join(
        f'<div role="tabpanel" id="panel-{at}" aria-labelledby="tab-{at}" tabindex="0"><h3>{plain(name)}</h3>'
        f"{body}</div>"
        for at, (name, body) in enumerate(panels)
    )
    return f'<div class="tabs" data-tabs><div role="tablist" aria-label="Table and indexes">{tabs}</div>{bodies}</div>'


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _places_of(table: TableDesign) -> list[tuple[Index | None, str]]:
    return [(None, "table"), *((each, each.name) for each in (*table.gsis, *table.lsis))]


def _panel(design: Design, table: TableDesign, index: Index | None) -> str:
    partitions: dict[str, list[tuple[ItemType, ItemKeys]]] = {}
    for item, keys in items_in(design, table, index.name if index else None):
        if item.kind != "embedded":
            partitions.setdefault(_partition_text(item, keys), []).append((item, keys))
    shown = "".join(_collection(design, index, partition, found) for partition, found in partitions.items())
    return _about(design, table, index) + (shown or "<p>Nothing lies here.</p>")


def _about(design: Design, table: TableDesign, index: Index | None) -> str:
    """The key, what an index holds, what it costs, and who asks it."""
    name = index.name if index else None
    pk, sk = (index.pk, index.sk) if index else ((table.pk,), (table.sk,))
    served = [
        each.id
        for each in design.patterns
        if any((step.table, step.index) == (table.name, name) for step in each.reads)
        or (name is None and any(step.table == table.name for step in each.writes))
    ]
    spent = [each.usd_per_month for each in design.cost.places if each.place == (name or "table")]
    said = {
        "partition key": f"<code>{plain(field_text(pk))}</code>",
        "sort key": f"<code>{plain(field_text(sk))}</code>" if sk else "",
        "projection": plain(projection_text(index)) if index else "",
        "on demand": f"{money(spent[0])} a month" if spent and len(design.tables) == 1 else "",
        "asked by": ", ".join(anchor_link(each, anchors_of(design)) for each in served) or "nobody",
    }
    shown = "".join(f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in said.items() if text)
    return f'<dl class="facts">{shown}</dl>'


# ---- collections ----------------------------------------------------------------------------------------------------


def _collection(design: Design, index: Index | None, partition: str, found: list[tuple[ItemType, ItemKeys]]) -> str:
    templates = ", ".join(dict.fromkeys(template_text(keys.pk) for _, keys in found))
    rows = "".join(_row(design, index, *pair) for pair in sorted(found, key=lambda pair: _sort_text(*pair)))
    quiet = f'<span class="quiet">{key(templates)}</span>' if templates != partition else ""
    return (
        f'<div class="collection"><div class="partition">{key(partition)}{quiet}</div>'
        f'<table role="table"><caption>Items under {plain(partition)}</caption><thead role="rowgroup"><tr role="row">'
        '<th role="columnheader" scope="col">type</th><th role="columnheader" scope="col">sort key</th>'
        '<th role="columnheader" scope="col">attributes</th></tr></thead>'
        f'<tbody role="rowgroup">{rows}</tbody></table></div>'
    )


def _row(design: Design, index: Index | None, item: ItemType, keys: ItemKeys) -> str:
    attributes = "".join(
        f'<span class="attribute"><b>{plain(name)}</b> {plain(_value_text(value))}</span>'
        for name, value in _projected_attributes(design, index, item)
    )
    sort, template = _sort_text(item, keys), template_text(keys.sk)
    lines = [key(sort)] if sort else []
    lines += [f'<span class="quiet">{key(template)}</span>'] if template not in ("", sort) else []
    lines += [f'<span class="quiet">one for every {plain(told)}</span>'] if (told := _one_for_every(keys)) else []
    return (
        f'<tr role="row" class="type type-{colour_of(design, item.entity)}"><td role="cell"><b>{plain(item.name)}</b>'
        f'{_kind_text(item)}</td><td role="cell">{"<br>".join(lines)}</td><td role="cell">{attributes}</td></tr>'
    )


def _kind_text(item: ItemType) -> str:
    return "" if item.kind == "entity" else f'<br><span class="quiet">{item.kind} of {plain(item.entity)}</span>'


def _one_for_every(keys: ItemKeys) -> str:
    """The attributes that distinguish the items of this type in one partition."""
    return ", ".join(dict.fromkeys((*keys.lead, *keys.rest)))


def _projected_attributes(design: Design, index: Index | None, item: ItemType) -> Iterator[tuple[str, Any]]:
    """The sample's attributes as far as the index holds them; keys and the type's mark are shown elsewhere."""
    native = {attribute.name for attribute in item.attributes}
    fields = {each.field for placed in item.keys for each in (*placed.pk, *placed.sk)} - native
    chosen = index.projection if index else None
    held = {"ALL": None, "INCLUDE": set(chosen.attributes), "KEYS_ONLY": set[str]()}[chosen.type] if chosen else None
    own = [name for table in design.tables if table.name == item.table for name in (table.pk.name, table.sk.name)]
    keys = {*own, *(each.name for each in (*index.pk, *index.sk))} if index else set[str]()
    for name, value in item.sample.items():
        hidden = name in fields or name in item.fixed
        if not hidden and (held is None or name in held or name in keys):
            yield name, value


def _partition_text(item: ItemType, keys: ItemKeys) -> str:
    """The sample's own partition key, so that items that lie together are shown together."""
    return _fill_key(item.sample, keys.pk) or template_text(keys.pk)


def _sort_text(item: ItemType, keys: ItemKeys) -> str:
    return _fill_key(item.sample, keys.sk) or template_text(keys.sk)


def _fill_key(sample: Mapping[str, Any], fields: tuple[KeyTemplate, ...]) -> str:
    return " + ".join(_value_text(sample[each.field]) for each in fields if each.field in sample)


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value, indent=None)
