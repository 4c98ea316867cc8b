"""Stored items: how an instance of an entity is stored in the tables of a design.

This is a second opinion: nothing of `design.steps`, which writes the items, is used.
"""

from __future__ import annotations

from decimal import Decimal
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

from tablewright.design.encoding import key_text
from tablewright.design.tables import table_of
from tablewright.design.values.buckets import with_bucket
from tablewright.design.values.templates import DELIMITER, SHARD
from tablewright.proof.application.reads import step_below
from tablewright.proof.application.state import SECONDS_PER_DAY, exact_sum
from tablewright.proof.values import WRITTEN_AT
from tablewright.spec.conditions import fits
from tablewright.wire.numbers import to_decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.design.model import Design, ItemKeys, ItemType
    from tablewright.design.values.buckets import Bucket
    from tablewright.design.values.templates import Template
    from tablewright.spec.model import KeyStyle, Top

Item = dict[str, Any]
Instances: TypeAlias = "Mapping[str, Iterable[Item]]"
Key: TypeAlias = tuple[str, Any, Any]  # table, partition key, sort key
DECIMALS = 6
"""That plain keys have of a number."""


def types_of(design: Design, entity: str) -> list[ItemType]:
    """The item itself first."""
    return [each for each in design.items if each.entity == entity]


def item_type(design: Design, name: str) -> ItemType:
    return next(each for each in design.items if each.name == name)


def image(design: Design, item: ItemType, instance: Mapping[str, Any], instances: Instances) -> Item | None:
    """The item of one type that an instance is stored as; totals and maps depend on all instances.

    None where an instance would lie in one that is not there.
    """
    if item.top is not None:
        return _top(design, item, item.top, instance, instances)
    if item.kind in ("total", "trailing"):
        return _total(design, item, instance, instances)
    if item.kind == "latest":
        return _stored(item, _newest(design, item, instance, instances), design.key_style)
    if item.kind == "embedded":
        holding = _holding(design, item, instance, instances)
        return None if holding is None else image(design, item_type(design, item.holder), holding, instances)
    if item.kind == "packed":
        return _packed(design, item, instance, instances)
    maps = {
        each.inside: _entries(design, each, instance, instances) for each in design.items if each.holder == item.name
    }
    whole = {**instance, **_copied(item, instance, instances)}
    return {**_stored(item, whole, design.key_style), **maps}


def _copied(item: ItemType, instance: Mapping[str, Any], instances: Instances) -> Item:
    """What an item keeps of others, as these have it."""
    found: Item = {}
    for each in item.attributes:
        if each.copy_of is not None:
            ours = {theirs: instance.get(own) for theirs, own in each.copy_of.by.items()}
            named = (one for one in instances[each.copy_of.entity] if all(one[t] == v for t, v in ours.items()))
            parent = next(named, None)
            found[each.name] = None if parent is None else parent.get(each.copy_of.attribute)
    return found


def key_in(design: Design, item: ItemType, instance: Mapping[str, Any]) -> Key | None:
    """The key of that item; None where an attribute of the key is absent.

    Nor is there a number of a group that no key can hold, where no write is refused for it: nobody can ask for it.
    """
    keys, instance = next(each for each in item.keys if each.index is None), with_steps(item, instance)
    values = [instance.get(name) for name in (*keys.partition, *keys.lead, *keys.rest)]
    if None in values or (item.kind == "trailing" and any(_is_refused(each, design.key_style) for each in values)):
        return None
    fields = _key_values(keys, item.id, instance, design.key_style)
    table = table_of(design, item.table)
    return item.table, fields[table.pk.name], fields[table.sk.name]


def with_steps(item: ItemType, instance: Mapping[str, Any]) -> Mapping[str, Any]:
    """An instance with the steps that its numbers lie in, where a total is by these."""
    said = {each.name: each.step_of for each in item.attributes if each.step_of is not None}
    found = {name: step_below(instance.get(step.attr), step.size) for name, step in said.items()}
    return {**instance, **{name: value for name, value in found.items() if value is not None}}


def _total(design: Design, item: ItemType, instance: Mapping[str, Any], instances: Instances) -> Item:
    """The total over all instances of a group."""
    own = with_steps(item, instance)
    group = {name: own[name] for name in item.id}
    every = (with_steps(item, each) for each in instances[item.entity])
    members = [each for each in every if all(each.get(name) == group[name] for name in group)]
    sums = {
        name: exact_sum(each.get(said.attribute) or 0 for each in members) if said.attribute else len(members)
        for name, said in item.totals.items()
    }
    return _stored(item, {**group, **sums}, design.key_style)


def _top(design: Design, item: ItemType, top: Top, instance: Mapping[str, Any], instances: Instances) -> Item:
    """The first instances of a group: sorted by what counts least first, since sorting keeps what was before."""
    group = {name: instance[name] for name in item.id}
    members = [each for each in instances[item.entity] if all(each.get(name) == group[name] for name in group)]
    ids = next(each.id for each in design.items if each.entity == item.entity and each.kind == "entity")
    members.sort(key=lambda each: tuple(each[name] for name in ids))
    for said in reversed(top.sort):
        members.sort(key=itemgetter(said.attr), reverse=said.order == "desc")
    width = len(str(top.most - 1))
    entries = {
        f"{at:0{width}}": {name: each[name] for name in top.shows if name in each}
        for at, each in enumerate(members[: top.most])
    }
    return _stored(item, {**group, top.inside: entries}, design.key_style)


def _newest(design: Design, item: ItemType, instance: Mapping[str, Any], instances: Instances) -> Mapping[str, Any]:
    """The newest instance of a group; of several that are as new, the one with the greatest id."""
    members = (each for each in instances[item.entity] if all(each[name] == instance[name] for name in item.id))
    ids = types_of(design, item.entity)[0].id
    return max(members, key=lambda each: (each[item.newest_by], *(each[name] for name in ids)))


# ---- embedded instances -------------------------------------------------------------------------------------------


def references(design: Design, item: ItemType) -> dict[str, str]:
    """By attribute of the holder: the attribute of an embedded instance with the same value."""
    holder = item_type(design, item.holder)
    theirs, ours = (next(each for each in kind.keys if each.index is None) for kind in (holder, item))
    pairs = zip((*theirs.partition, *theirs.lead, *theirs.rest), (*ours.partition, *ours.lead, *ours.rest), strict=True)
    return dict(pairs)


def _holding(design: Design, item: ItemType, instance: Mapping[str, Any], instances: Instances) -> Item | None:
    """The instance that holds an embedded one."""
    named = references(design, item)
    holders = instances[item_type(design, item.holder).entity]
    fitting = (each for each in holders if all(each.get(t) == instance.get(o) for t, o in named.items()))
    return next(fitting, None)


def _entries(design: Design, item: ItemType, holder: Mapping[str, Any], instances: Instances) -> dict[str, Item]:
    """The map of the instances embedded in another."""
    named = references(design, item)
    return {
        str(each[item.entry]): {a.name: each[a.name] for a in item.attributes if a.name in each}
        for each in instances[item.entity]
        if all(holder.get(theirs) == each.get(ours) for theirs, ours in named.items())
    }


def _packed(design: Design, item: ItemType, instance: Mapping[str, Any], instances: Instances) -> Item:
    """The item of all instances under one key: what they share, and each by the name that tells it apart."""
    shared = {name: instance[name] for name in item.id if name != item.entry}
    bucket = item.table_keys.bucket
    assert bucket is not None
    period = bucket.of(instance)
    own = [each.name for each in item.attributes if each.name not in item.id]
    entries = {
        str(each[item.entry]): {name: each[name] for name in own if name in each}
        for each in instances[item.entity]
        if bucket.of(each) == period and all(each[name] == value for name, value in shared.items())
    }
    keys = _key_values(item.table_keys, item.id, instance, design.key_style)
    return {**entries, **shared, **item.fixed, **keys}


def _stored(item: ItemType, instance: Mapping[str, Any], style: KeyStyle, now: int = WRITTEN_AT) -> Item:
    """The attributes of the type, its fixed ones and its keys."""
    own = {each.name: instance[each.name] for each in item.attributes if instance.get(each.name) is not None}
    fields = [_key_values(keys, item.id, instance, style) for keys in item.keys]
    return {
        **own,
        **expiry(item, instance, now),
        **item.fixed,
        **{name: text for each in fields for name, text in each.items()},
    }


def expiry(item: ItemType, instance: Mapping[str, Any], now: int) -> Item:
    """The time to live; an item that moves keeps the one it has."""
    if item.ttl_attribute is None or item.ttl_days is None:
        return {}
    return {item.ttl_attribute: instance.get(item.ttl_attribute, now + round(item.ttl_days * SECONDS_PER_DAY))}


def labels_of(design: Design) -> dict[Any, str]:
    """By the value of the type field: the entity. An embedded item goes by the name of its type."""
    label = design.encoding.type_field
    return {each.fixed.get(label, each.name): each.entity for each in design.items}


def hidden_names(design: Design) -> frozenset[str]:
    """Fields that are no attributes of the application: composed keys, constants, ttl, embedded items, copies."""
    templates = [t for each in design.items for keys in each.keys if not keys.native for t in (*keys.pk, *keys.sk)]
    constant = [name for each in design.items for name in (*each.fixed, each.inside)]
    expiring = [each.ttl_attribute for each in design.items if each.ttl_attribute]
    copies = [a.name for each in design.items for a in each.attributes if a.copy_of is not None]
    return frozenset({*(each.field for each in templates), *constant, *expiring, *copies})


# ---- keys -----------------------------------------------------------------------------------------------------------


def key_value(template: Template, values: Mapping[str, Any], style: KeyStyle) -> Any:
    """The key as text, up to the first absent value; a template of nothing but a name is the value itself."""
    if template.only_name is not None:
        return values[template.only_name]
    known = {name: values[name] for name in template.names if values.get(name) is not None}
    return template.fill(
        {name: str(value) if name == SHARD else key_text(value, style) for name, value in known.items()}
    )


def derive(
    values: Mapping[str, Any], ids: tuple[str, ...], shards: int, bucket: Bucket | None, style: KeyStyle
) -> Mapping[str, Any]:
    """The values with the shard and the bucket that follow from them."""
    found = with_bucket(values, bucket)
    if shards == 1 or any(values.get(name) is None for name in ids):
        return found
    text = DELIMITER.join(key_text(values[name], style) for name in ids)
    return {**found, SHARD: str(crc32(text.encode()) % shards)}


def _is_keyed(keys: ItemKeys, item: Mapping[str, Any]) -> bool:
    """Whether an item is in the table or index: in an index only with its key attributes, and if `when` holds."""
    needed = (*keys.partition, *keys.lead, *((keys.bucket.attribute,) if keys.bucket else ()))
    return keys.index is None or (all(item.get(name) is not None for name in needed) and fits(keys.when, item))


def _key_values(keys: ItemKeys, id_names: tuple[str, ...], item: Mapping[str, Any], style: KeyStyle) -> dict[str, str]:
    """The key fields of an item in the table or an index; none where it is not there or has native keys."""
    if keys.native or not _is_keyed(keys, item):
        return {}
    values = derive(item, id_names, keys.shards, keys.bucket, style)
    return {each.field: key_value(each.template, values, style) for each in (*keys.pk, *keys.sk)}


def _is_refused(value: Any, style: KeyStyle) -> bool:
    """Of what keys may refuse, what they do: whole numbers of up to 16 digits are held."""
    if style == "electrodb" and isinstance(value, int | Decimal) and 0 <= value < 10**16 and value == int(value):
        return False
    return may_refuse(value, style)


def may_refuse(value: Any, style: KeyStyle) -> bool:
    """Whether keys of a style cannot hold a value. Plain ones escape everything but nothing."""
    if isinstance(value, str):
        return not value or (style == "electrodb" and "#" in value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return False
    exact = to_decimal(value)
    if style == "electrodb":
        return exact.copy_abs() >= 10**15
    return abs(exact) >= 10**20 or exact.scaleb(DECIMALS) % 1 != 0
