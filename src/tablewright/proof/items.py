"""Stored items: what a thing of the application must become in the tables of a design.

This is a second opinion: nothing of `design.steps`, which writes the items, is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

from tablewright.design.buckets import with_bucket
from tablewright.design.encoding import key_text
from tablewright.design.tables import table_of
from tablewright.design.templates import DELIMITER, SHARD
from tablewright.design.when import fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.buckets import Bucket
    from tablewright.design.model import Design, ItemKeys, ItemType
    from tablewright.design.templates import Template
    from tablewright.spec.model import KeyStyle

Item = dict[str, Any]
Things: TypeAlias = "Mapping[str, Iterable[Item]]"
SECONDS_PER_DAY = 86_400
WRITTEN_AT = 4_102_444_800
"""Proofs happen in the year 2100, so that no database finds anything to expire."""
Key: TypeAlias = tuple[str, Any, Any]  # table, partition key, sort key


def types_of(design: Design, entity: str) -> list[ItemType]:
    """The item itself first."""
    return [each for each in design.items if each.entity == entity]


def item_type(design: Design, name: str) -> ItemType:
    return next(each for each in design.items if each.name == name)


def image(design: Design, item: ItemType, thing: Mapping[str, Any], things: Things) -> Item:
    """What is stored of a thing under one type, beside all things there are."""
    if item.kind == "total":
        return total(design, item, thing, things)
    if item.kind == "embedded":
        holder = item_type(design, item.holder)
        return image(design, holder, holding(design, item, thing, things), things)
    maps = {each.inside: entries(design, each, thing, things) for each in design.items if each.holder == item.name}
    return {**stored(item, thing, design.key_style), **maps}


def key_in(design: Design, item: ItemType, thing: Mapping[str, Any]) -> Key | None:
    """Where a thing is stored under a type; None where it is not, for want of an attribute of the key."""
    keys = next(each for each in item.keys if each.index is None)
    if any(thing.get(name) is None for name in (*keys.partition, *keys.lead, *keys.rest)):
        return None
    fields = key_values(keys, item.id, thing, design.key_style)
    table = table_of(design, item.table)
    return item.table, fields[table.pk.name], fields[table.sk.name]


def total(design: Design, item: ItemType, thing: Mapping[str, Any], things: Things) -> Item:
    """What all things of a group come to."""
    group = {name: thing[name] for name in item.id}
    members = [each for each in things[item.entity] if all(each.get(name) == group[name] for name in group)]
    sums = {
        name: sum(each.get(said.attribute) or 0 for each in members) if said.attribute else len(members)
        for name, said in item.totals.items()
    }
    return stored(item, {**group, **sums}, design.key_style)


# ---- things inside others -------------------------------------------------------------------------------------------


def references(design: Design, item: ItemType) -> dict[str, str]:
    """By attribute of the holder: the attribute of an embedded thing that holds it."""
    holder = item_type(design, item.holder)
    theirs, ours = (next(each for each in kind.keys if each.index is None) for kind in (holder, item))
    pairs = zip((*theirs.partition, *theirs.lead, *theirs.rest), (*ours.partition, *ours.lead, *ours.rest), strict=True)
    return dict(pairs)


def holding(design: Design, item: ItemType, thing: Mapping[str, Any], things: Things) -> Item:
    """The thing that an embedded one lies in."""
    named = references(design, item)
    return next(
        each
        for each in things[item_type(design, item.holder).entity]
        if all(each.get(theirs) == thing.get(ours) for theirs, ours in named.items())
    )


def entries(design: Design, item: ItemType, holder: Mapping[str, Any], things: Things) -> dict[str, Item]:
    """The map of what lies in a thing."""
    named = references(design, item)
    return {
        str(each[item.entry]): dict(each)
        for each in things[item.entity]
        if all(holder.get(theirs) == each.get(ours) for theirs, ours in named.items())
    }


def stored(item: ItemType, thing: Mapping[str, Any], style: KeyStyle, now: int = WRITTEN_AT) -> Item:
    """The attributes of the type, its fixed ones and its keys."""
    own = {each.name: thing[each.name] for each in item.attributes if thing.get(each.name) is not None}
    fields = [key_values(keys, item.id, thing, style) for keys in item.keys]
    return {
        **own,
        **expiry(item, thing, now),
        **item.fixed,
        **{name: text for each in fields for name, text in each.items()},
    }


def expiry(item: ItemType, thing: Mapping[str, Any], now: int) -> Item:
    """When the item goes: what it said before, where it moves."""
    if item.ttl_attribute is None or item.ttl_days is None:
        return {}
    return {item.ttl_attribute: thing.get(item.ttl_attribute, now + round(item.ttl_days * SECONDS_PER_DAY))}


def labels_of(design: Design) -> dict[Any, str]:
    """By what stored items say they are: the entity. What lies in another item is called by the name of its type."""
    label = design.encoding.type_field
    return {each.fixed.get(label, each.name): each.entity for each in design.items}


def hidden_names(design: Design) -> frozenset[str]:
    """Fields that no application knows: composed keys, constant ones, times to live, maps of what lies inside."""
    templates = [t for each in design.items for keys in each.keys if not keys.native for t in (*keys.pk, *keys.sk)]
    constant = [name for each in design.items for name in (*each.fixed, each.inside)]
    expiring = [each.ttl_attribute for each in design.items if each.ttl_attribute]
    return frozenset({*(each.field for each in templates), *constant, *expiring})


# ---- keys -----------------------------------------------------------------------------------------------------------


def key_value(template: Template, values: Mapping[str, Any], style: KeyStyle) -> Any:
    """Text that ends at the first value that is absent; a template of nothing but a name is the value as it is."""
    if template.only_name is not None:
        return values[template.only_name]
    known = {name: values[name] for name in template.names if values.get(name) is not None}
    return template.fill(
        {name: str(value) if name == SHARD else key_text(value, style) for name, value in known.items()}
    )


def derive(
    values: Mapping[str, Any], ids: tuple[str, ...], shards: int, bucket: Bucket | None, style: KeyStyle
) -> Mapping[str, Any]:
    """The same values with the shard and the bucket that follow from them, where there are such and they can."""
    found = with_bucket(values, bucket)
    if shards == 1 or any(values.get(name) is None for name in ids):
        return found
    text = DELIMITER.join(key_text(values[name], style) for name in ids)
    return {**found, SHARD: str(crc32(text.encode()) % shards)}


def is_keyed(keys: ItemKeys, item: Mapping[str, Any]) -> bool:
    """Whether an item is in the place at all: in an index only with partition and lead, and as `when` says."""
    needed = (*keys.partition, *keys.lead, *((keys.bucket.attribute,) if keys.bucket else ()))
    return keys.index is None or (all(item.get(name) is not None for name in needed) and fits(keys.when, item))


def key_values(keys: ItemKeys, id_names: tuple[str, ...], item: Mapping[str, Any], style: KeyStyle) -> dict[str, str]:
    """The key fields of an item in one place; none where it is not there, or where attributes are the key."""
    if keys.native or not is_keyed(keys, item):
        return {}
    values = derive(item, id_names, keys.shards, keys.bucket, style)
    return {each.field: key_value(each.template, values, style) for each in (*keys.pk, *keys.sk)}
