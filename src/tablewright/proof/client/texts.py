"""Templates filled with values, as `design.json` describes it: nothing but its texts and its key style is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

from tablewright.design.buckets import with_bucket
from tablewright.design.encoding import key_text
from tablewright.design.templates import DELIMITER, SHARD
from tablewright.design.when import fits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.buckets import Bucket
    from tablewright.design.model import ItemKeys
    from tablewright.design.templates import Template
    from tablewright.spec.model import KeyStyle


def filled(template: Template, values: Mapping[str, Any], style: KeyStyle) -> str:
    """The text up to the first value that is absent, where a key ends."""
    known = {name: values[name] for name in template.names if values.get(name) is not None}
    return template.fill(
        {name: str(value) if name == SHARD else key_text(value, style) for name, value in known.items()}
    )


def missing(template: Template, values: Mapping[str, Any]) -> list[str]:
    return [name for name in template.names if values.get(name) is None]


def shard(id_values: tuple[Any, ...], shards: int, style: KeyStyle) -> str:
    return str(crc32(DELIMITER.join(key_text(value, style) for value in id_values).encode()) % shards)


def derived(
    values: Mapping[str, Any], ids: tuple[str, ...], shards: int, bucket: Bucket | None, style: KeyStyle
) -> Mapping[str, Any]:
    """The same values with the shard and the bucket that follow from them, where there are such and they can."""
    found = with_bucket(values, bucket)
    if shards == 1 or any(values.get(name) is None for name in ids):
        return found
    return {**found, SHARD: shard(tuple(values[name] for name in ids), shards, style)}


def leading(keys: ItemKeys) -> tuple[str, ...]:
    """The attributes without which an item is not in an index."""
    return (*keys.partition, *keys.lead, *((keys.bucket.attribute,) if keys.bucket else ()))


def is_keyed(keys: ItemKeys, item: Mapping[str, Any]) -> bool:
    """Whether an item is in the place at all: in an index only with partition and lead, and as `when` says."""
    return keys.index is None or (all(item.get(name) is not None for name in leading(keys)) and fits(keys.when, item))


def key_values(keys: ItemKeys, id_names: tuple[str, ...], item: Mapping[str, Any], style: KeyStyle) -> dict[str, str]:
    """The key fields of an item in one place; none where it is not there, or where attributes are the key."""
    if keys.native or not is_keyed(keys, item):
        return {}
    values = derived(item, id_names, keys.shards, keys.bucket, style)
    return {each.field: filled(each.template, values, style) for each in (*keys.pk, *keys.sk)}
