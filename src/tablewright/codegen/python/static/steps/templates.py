"""Key templates: literal texts with `{name}` between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from zlib import crc32

from .model import Inputs, Item, ItemKeys, ItemType, Stored

NAME = re.compile(r"\{([^{}]+)\}")
SHARD = "_shard"
BUCKET = "_bucket"


def filled(stored: Stored, template: str, values: Inputs) -> str:
    """The text up to the first value that is absent, where a key ends."""
    text, at = "", 0
    for match in NAME.finditer(template):
        text += template[at : match.start()]
        name = match.group(1)
        value = values.get(name)
        if value is None:
            return text
        text += value if name == SHARD else stored.key_text(value)
        at = match.end()
    return text + template[at:]


def is_complete(template: str, values: Inputs) -> bool:
    return all(values.get(name) is not None for name in NAME.findall(template))


def only_name(template: Any) -> str | None:
    """The name, where a template is nothing but one."""
    match = NAME.fullmatch(template) if isinstance(template, str) else None
    return match.group(1) if match else None


def key_value(stored: Stored, template: str, values: Inputs) -> Any:
    if not is_complete(template, values):
        raise ValueError(f"{template}: a value is missing")
    name = only_name(template)
    return filled(stored, template, values) if name is None else values[name]


def keys_in(stored: Stored, keys: ItemKeys, kind: ItemType, item: Inputs) -> Item:
    """The key fields of an item in one place; none where it is not there."""
    is_there = all(item.get(name) is not None for name in keys.needs)
    if keys.index is not None and not (is_there and keys.admits(item)):
        return {}
    values = derived(stored, item, kind.id, keys.shards, keys.bucket)
    return {
        field: filled(stored, template, values)
        for field, template in keys.fields.items()
    }


def stored_item(stored: Stored, kind: ItemType, thing: Inputs, now: int) -> Item:
    """The attributes that are there, the fixed ones, the keys of every place, and when
    it goes: as it was said before, or counted from `now`, seconds since 1970.
    """
    item = {
        name: thing[name] for name in kind.attributes if thing.get(name) is not None
    }
    item.update(kind.fixed)
    for keys in kind.keys:
        item.update(keys_in(stored, keys, kind, thing))
    if kind.expires:
        item[kind.expires] = thing.get(kind.expires, now + kind.lifetime_seconds)
    return item


# ---- shards and buckets --------------------------------------------------------------


def derived(
    stored: Stored,
    values: Inputs,
    id_names: tuple[str, ...],
    shards: int,
    bucket: str | None,
) -> Inputs:
    """The same values with the shard and the bucket that follow from them."""
    found = with_bucket(values, bucket)
    if shards == 1 or any(values.get(name) is None for name in id_names):
        return found
    text = "#".join(stored.key_text(values[name]) for name in id_names)
    return {**found, SHARD: str(crc32(text.encode()) % shards)}


def with_bucket(values: Inputs, bucket: str | None) -> Inputs:
    name, _, length = (bucket or "").partition(":")
    if not length or values.get(name) is None:
        return values
    return {**values, BUCKET: str(values[name])[: int(length)]}


def buckets_between(low: str, high: str, bucket: str) -> list[str]:
    """All buckets from one timestamp to the other: `2026-01`, `2026-02`, ..."""
    length = int(bucket.partition(":")[2])
    first, last = low[:length], high[:length]
    return [each for each in periods(first, last, length) if first <= each <= last]


def periods(first: str, last: str, length: int) -> Iterator[str]:
    """Those of whole years, or of whole days."""
    if length <= 7:
        for year in range(int(first[:4]), int(last[:4]) + 1):
            months = (f"{year:04d}-{month:02d}" for month in range(1, 13))
            yield from [f"{year:04d}"] if length == 4 else months
        return
    day = date.fromisoformat(first[:10])
    while day.isoformat() <= last[:10]:
        hours = (f"{day.isoformat()}T{hour:02d}" for hour in range(24))
        yield from [day.isoformat()] if length == 10 else hours
        day += timedelta(days=1)
