"""Item types: where they lie, how they are keyed, what their templates are filled from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.check.names import attribute_faults, quote, repeated, template_faults, unknown
from tablewright.design.values.templates import BUCKET, SHARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.check.names import Fault
    from tablewright.design.model import Design, ItemKeys, ItemType, TableDesign


def item_faults(design: Design) -> Iterator[Fault]:
    yield from repeated("items", (each.name for each in design.items))
    entities = [each.name for each in design.items if each.kind in ("entity", "embedded", "packed")]
    for at, item in enumerate(design.items):
        place = f"items[{at}]"
        yield from attribute_faults(f"{place}.name", item.name)
        yield from attribute_faults(f"{place}.entity", item.entity)
        yield from unknown(f"{place}.entity", "entity", item.entity, entities)
        yield from unknown(f"{place}.table", "table", item.table, (each.name for each in design.tables))
        yield from _content_faults(place, item, design)
        yield from _stored_faults(place, item, design)
        yield from _trailing_faults(place, item, design)
        table = next((each for each in design.tables if each.name == item.table), None)
        for number, keys in enumerate(item.keys):
            if table is not None:
                yield from _keys_faults(f"{place}.keys[{number}]", keys, item, table, design)


def _content_faults(place: str, item: ItemType, design: Design) -> Iterator[Fault]:
    names = [each.name for each in item.attributes]
    yield from repeated(f"{place}.attributes", names)
    for name in (*names, *item.fixed, *item.sample):
        yield from attribute_faults(f"{place}: an attribute", name)
    for name in item.id:
        yield from unknown(f"{place}.id", "attribute", name, names)
    if item.newest_by or item.kind == "latest":
        yield from unknown(f"{place}.newest_by", "attribute", item.newest_by, names)
    for name, said in item.totals.items():
        yield from unknown(f"{place}.totals", "attribute", name, names)
        if said.attribute:
            yield from attribute_faults(f"{place}.totals.{name}", said.attribute)
    if item.kind == "embedded":
        yield from unknown(f"{place}.holder", "item type", item.holder, (each.name for each in design.items))
        yield from unknown(f"{place}.entry", "attribute", item.entry, names)
        yield from attribute_faults(f"{place}.inside", item.inside)
    elif not any(each.index is None for each in item.keys):
        yield f"{place}.keys", "one of its keys is the table's, without an index"
    if item.kind == "packed":
        yield from _packed_faults(place, item)


def _packed_faults(place: str, item: ItemType) -> Iterator[Fault]:
    """Entries are told apart by a part of the id, of which the keys have the beginning."""
    yield from unknown(f"{place}.entry", "attribute of the id", item.entry, item.id)
    if item.entries < 1:
        yield f"{place}.entries", "an item of packed ones has at least 1, usually"
    for number, keys in enumerate(item.keys):
        if keys.bucket is None or keys.bucket.attribute != item.entry or keys.shards > 1:
            yield f"{place}.keys[{number}].bucket", f"is what {quote(item.entry)} begins with, and there are no shards"


def _trailing_faults(place: str, item: ItemType, design: Design) -> Iterator[Fault]:
    """What the stream keeps needs one, and items whose changes it tells."""
    if item.kind != "trailing":
        return
    beside = [each for each in design.items if each.table == item.table and each.kind == "entity"]
    if item.entity not in {each.entity for each in beside}:
        yield (
            f"{place}.entity",
            f"a trailing total is kept by the changes of items in its table, and {item.entity} has none",
        )
    yield from _top_faults(f"{place}.top", item, design)
    for at, each in enumerate(item.attributes):
        if each.step_of is not None and each.step_of.size < 1:
            yield f"{place}.attributes[{at}].step_of", "a step is 1 at least"
    table = next((each for each in design.tables if each.name == item.table), None)
    if table is not None and table.stream != "NEW_AND_OLD_IMAGES":
        yield f"{place}.kind", f"is kept by the stream of {table.name}, which has to be NEW_AND_OLD_IMAGES"


def _top_faults(place: str, item: ItemType, design: Design) -> Iterator[Fault]:
    """A list shows and is ordered by what its entity has, and shows who is in it."""
    top, own = item.top, next((each for each in design.items if each.name == item.entity), None)
    if top is None or own is None:
        return
    known = [each.name for each in own.attributes]
    for name in (*top.shows, *(each.attr for each in top.sort)):
        yield from unknown(place, "attribute", name, known)
    missing = [name for name in (*own.id, *(each.attr for each in top.sort)) if name not in top.shows]
    if missing:
        yield (
            f"{place}.shows",
            f"lacks {', '.join(map(quote, dict.fromkeys(missing)))}, by which entries are told apart and ordered",
        )
    if top.most < 1 or not top.sort:
        yield place, "has the first items in an order: `most` is 1 at least, and `sort` has an attribute"
    if item.inside != top.inside or top.inside not in {each.name for each in item.attributes}:
        yield f"{place}.inside", "is the attribute of the item in which the list lies, as `inside` of the item says too"


def _stored_faults(place: str, item: ItemType, design: Design) -> Iterator[Fault]:
    """What generated code takes from a type as it is stored: its name, and the key of its sample."""
    if item.kind == "embedded":
        return
    if design.encoding.type_field not in item.fixed:
        yield f"{place}.fixed", f"has no {quote(design.encoding.type_field)}, the name of the type"
    own = next((each for each in item.keys if each.index is None), None)
    for each in (*own.pk, *own.sk) if own is not None and item.sample else ():
        if each.field not in item.sample:
            yield f"{place}.sample", f"has no {quote(each.field)}, which is part of the key"
    sets = [
        each.name for each in item.attributes if each.type == "set" and isinstance(item.sample.get(each.name), list)
    ]
    for name in sets:
        if any(isinstance(member, dict | list) for member in item.sample[name]):
            yield f"{place}.sample.{name}", "is a set, which holds texts or numbers"


def _keys_faults(place: str, keys: ItemKeys, item: ItemType, table: TableDesign, design: Design) -> Iterator[Fault]:
    indexes = {each.name: each for each in (*table.gsis, *table.lsis)}
    if keys.index is not None and keys.index not in indexes:
        yield from unknown(f"{place}.index", "index", keys.index, indexes)
        return
    index = indexes.get(keys.index or "")
    fields = [each.name for each in (*index.pk, *index.sk)] if index else [table.pk.name, table.sk.name]
    known = {*names_in(item, design), SHARD, BUCKET}
    for each in (*keys.pk, *keys.sk):
        yield from unknown(f"{place}: a field", "key field", each.field, fields)
        yield from template_faults(f"{place}.{each.field}", each.template, known)
    wanted = bool(index.sk) if index else True
    if wanted and not keys.sk and (index is None or design.key_style == "electrodb"):
        yield f"{place}.sk", "has no template, and the place has a sort key"
    for name in (*keys.partition, *keys.lead, *keys.rest, *(keys.when.attributes if keys.when else ())):
        yield from unknown(f"{place}: what it is made of", "attribute", name, known)
    if not keys.pk or keys.shards < 1:
        yield place, "a key has templates for its partition, and at least one shard"
    if keys.bucket is not None:
        yield from unknown(f"{place}.bucket", "attribute", keys.bucket.attribute, sorted(known))
    yield from _when_faults(f"{place}.when", keys)


def names_in(item: ItemType, design: Design) -> list[str]:
    """What an item's keys may be made of: an entry's are those of the item that holds it."""
    held = [each for each in design.items if item.kind == "embedded" and each.name == item.holder]
    return [each.name for one in (item, *held) for each in one.attributes]


def _when_faults(place: str, keys: ItemKeys) -> Iterator[Fault]:
    """What an index demands of its items is that attributes are there, or have certain values."""
    try:
        slots = keys.when.slots if keys.when and keys.when.required else ()
    except ValueError as error:
        yield place, str(error)
    else:
        if slots:
            yield place, f"has no parameters, and {quote(slots[0])} is one"
