"""Sample items: one of every type, with values that respect types and enumerations and name each other's ids.

`pictures` shows the samples as people draw item collections: a box for each partition, its items by sort key.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.encoding import key_text
from tablewright.design.layout.names import shard_of, word
from tablewright.design.values.buckets import with_bucket
from tablewright.design.values.templates import SHARD
from tablewright.spec.conditions import fits
from tablewright.spec.model import NOW
from tablewright.spec.validation import make_valid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.design.model import Design, ItemAttribute, ItemKeys, ItemType
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import KeyStyle

Item = dict[str, Any]
MOST_SHOWN = 60
EXAMPLE = 3
"""The number of the values that are shown where a rule says what they are like."""
WRITTEN_AT = 1_773_480_413  # the timestamp below
SECONDS_PER_DAY = 86_400
BY_TYPE: dict[str, Any] = {
    "number": 42,
    "boolean": True,
    "timestamp": "2026-03-14T09:26:53.000Z",
    "binary": "c2FtcGxl",
    "map": {"note": "sample"},
    "list": ["sample"],
    "set": ["sample"],
}
BY_NAME = {
    "email": "ann@example.com",
    "name": "Ann-Example",
    "url": "https://example.com/1",
    "country": "DE",
    "zip": "10115",
    "date": "2026-03-14",
    "month": "2026-03",
    "year": "2026",
}
"""What text of such a name looks like; the first name that the attribute's ends with counts."""


def with_samples(
    items: Iterable[ItemType], facts: Facts, style: KeyStyle, ttl_attribute: str | None = None
) -> tuple[ItemType, ...]:
    return tuple(msgspec.structs.replace(item, sample=sample_of(item, facts, style, ttl_attribute)) for item in items)


def sample_of(item: ItemType, facts: Facts, style: KeyStyle, ttl_attribute: str | None) -> Item:
    own = {each.name: _sample_value(*_original(each, item.entity), facts) for each in item.attributes}
    own |= {
        name: value
        for keys in item.keys[::-1]
        if keys.when
        for name, value in keys.when.required.items()
        if value is not None
    }
    if ttl_attribute is not None and item.ttl_days is not None:
        own[ttl_attribute] = WRITTEN_AT + round(item.ttl_days * SECONDS_PER_DAY)
    return stored(item, own, style)


def _original(attribute: ItemAttribute, entity: str) -> tuple[ItemAttribute, str]:
    """What a copy is a copy of."""
    copy = attribute.copy_of
    return (
        (attribute, entity) if copy is None else (msgspec.structs.replace(attribute, name=copy.attribute), copy.entity)
    )


def _sample_value(attribute: ItemAttribute, entity: str, facts: Facts) -> Any:
    if attribute.values:
        return attribute.values[0]
    if attribute.default is not None and attribute.default != NOW:
        return attribute.default
    name, owner = _meant_by(attribute.name, entity, facts)
    meant = facts.spec.entities[owner].attributes.get(name)
    if meant is not None and meant.validate is not None:
        return make_valid(meant, EXAMPLE)
    if attribute.type not in ("string", "any"):
        return BY_TYPE[attribute.type]
    text = _text_like(name, owner)
    shared = any((entity, attribute.name) in group for group in facts.spec.unique)
    return f"{entity.lower()}-{text}" if shared else text  # no two entities may have the same


def _meant_by(name: str, entity: str, facts: Facts) -> tuple[str, str]:
    """The attribute whose value it is, and of which entity: a reference has the value of the id it names."""
    seen = {(entity, name)}
    while (parent := _named_by(name, entity, facts)) is not None:
        ids = facts.spec.entities[parent].id
        entity, name = parent, name if name in ids else ids[0]
        if (entity, name) in seen:
            break
        seen.add((entity, name))
    return name, entity


def _named_by(name: str, entity: str, facts: Facts) -> str | None:
    """The entity whose id an attribute holds; of several, the first."""
    attribute = facts.spec.entities[entity].attributes.get(name)
    several = () if attribute is None else attribute.references_any
    return facts.references[entity].get(name) or next(iter(several), None)


def _text_like(name: str, entity: str) -> str:
    for ending, value in BY_NAME.items():
        if name.lower().endswith(ending):
            return value
    about = re.sub(r"_?(id|Id|ID)$", "", name) or entity
    return word(about).lower().replace("_", "-") + "-1"


# ---- stored ---------------------------------------------------------------------------------------------------------


def stored(item: ItemType, values: Mapping[str, Any], style: KeyStyle) -> Item:
    """An item as it lies in the table: its attributes, its fixed ones and all its keys."""
    if item.kind == "embedded":
        return dict(values)
    keys = {field: text for each in item.keys for field, text in _key_fields_of(item, each, values, style).items()}
    return {**(_packed(item, values) if item.kind == "packed" else values), **item.fixed, **keys}


def _packed(item: ItemType, values: Mapping[str, Any]) -> Item:
    """One of those that lie in an item: an attribute of its own name."""
    rest = {name: value for name, value in values.items() if name not in item.id}
    shared = {name: value for name, value in values.items() if name in item.id and name != item.entry}
    return {**shared, str(values[item.entry]): rest}


def _key_fields_of(item: ItemType, keys: ItemKeys, values: Mapping[str, Any], style: KeyStyle) -> dict[str, str]:
    """The key fields of one place; none where the item is not in that index."""
    if keys.native or (keys.index is not None and any(name not in values for name in (*keys.partition, *keys.lead))):
        return {}
    if not fits(keys.when, values):
        return {}
    texts = {name: key_text(value, style) for name, value in with_bucket(values, keys.bucket).items()}
    if keys.shards > 1:
        texts[SHARD] = shard_of((texts[name] for name in item.id), keys.shards)
    return {each.field: each.template.fill(texts) for each in (*keys.pk, *keys.sk)}


# ---- pictures -------------------------------------------------------------------------------------------------------


def pictures(design: Design) -> list[str]:
    """A text picture of each place: the table first, then every index, with partitions and the items in them."""
    return [
        picture
        for table in design.tables
        for place in (None, *(each.name for each in (*table.gsis, *table.lsis)))
        if (picture := _picture_of(design, table.name, place))
    ]


def _picture_of(design: Design, table: str, index: str | None) -> str:
    rows = sorted(_rows_of(design, table, index))
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{table} / {index}" if index else table]
    previous = ""
    for pk, sk, attributes in rows:
        shown = pk if pk != previous else ""
        lines.append(f"{shown:<{widths[0]}} | {sk:<{widths[1]}} | {attributes}".rstrip())
        previous = pk
    return "\n".join(lines)


def _rows_of(design: Design, table: str, index: str | None) -> Iterator[tuple[str, str, str]]:
    for item in design.items:
        for keys in item.keys:
            if item.table != table or keys.index != index or any(each.field not in item.sample for each in keys.pk):
                continue
            pk, sk = (" ".join(str(item.sample[each.field]) for each in side) for side in (keys.pk, keys.sk))
            yield pk, sk, _shortened(_attributes_shown(item))


def _attributes_shown(item: ItemType) -> str:
    names = [each.name for each in item.attributes if each.name in item.sample]
    return f"{item.name}: " + ", ".join(f"{name}={item.sample[name]}" for name in names)


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
