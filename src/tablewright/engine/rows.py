"""Items in and out of the storage: the one place that keeps table, indexes and stream in step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.keys import partition_bytes, pick, sort_bytes
from tablewright.engine.values import from_text, to_text
from tablewright.wire.capacity import index_write_wcu
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.engine import Engine
    from tablewright.engine.table import Index, Keys, Table

Plain = dict[str, Any]


class Stored(msgspec.Struct, frozen=True):
    """An item as it is found: its row, its text, its plain values and its size."""

    row: int
    text: bytes
    item: Plain
    size: int


class Written(msgspec.Struct, frozen=True):
    """What a write did: sizes before and after (0 for none) and the units it cost in each index."""

    before_bytes: int
    after_bytes: int
    index_wcu: dict[str, float]


def key_pair(keys: Keys, item: Mapping[str, Any]) -> tuple[bytes, bytes] | None:
    """The key bytes of an item for the table or an index; None when it lacks a key attribute."""
    pk, sk = pick(item, keys.pk), pick(item, keys.sk)
    if pk is None or sk is None:
        return None
    return partition_bytes(pk), sort_bytes(sk, of=len(keys.sk))


def table_key(table: Table, item: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """The key bytes of an item that is known to have its keys."""
    pair = key_pair(table.keys, item)
    assert pair is not None
    return pair


def find(engine: Engine, table: Table, key: Mapping[str, Any]) -> Stored | None:
    """The stored item with this key."""
    row = engine.storage.find(table, *table_key(table, key))
    return None if row is None else Stored(row.id, row.text, from_text(row.text), row.size)


def write(engine: Engine, table: Table, old: Stored | None, new: Plain | None) -> Written:
    """Put an item in place of an old one (or take it away, with `new` None), indexes and stream included."""
    storage = engine.storage
    before, after = (old.size if old else 0), (0 if new is None else item_size_bytes(new))
    row = old.row if old else 0
    if new is not None and old is not None:
        storage.replace(table, row, to_text(new), after)
    elif new is not None:
        row = storage.insert(table, *table_key(table, new), to_text(new), after)
    elif old is not None:
        storage.delete(table, row)
    old_item = old.item if old else None
    units = {index.name: update_entry(engine, table, index, row, old_item, new) for index in table.indexes}
    engine.record_change(table, old_item, new)
    return Written(before, after, {name: wcu for name, wcu in units.items() if wcu})


class Entry(msgspec.Struct, frozen=True):
    """An item as one index sees it."""

    key: tuple[bytes, bytes, bytes, bytes]
    view: Plain
    size: int


def entry_of(table: Table, index: Index, item: Plain | None) -> Entry | None:
    """The entry an item has in an index; None when it lacks one of the index's keys."""
    pair = None if item is None else key_pair(index.keys, item)
    if item is None or pair is None:
        return None
    names = index.projected(table.keys)
    view = item if names is None else {name: value for name, value in item.items() if name in names}
    return Entry((*pair, *table_key(table, item)), view, item_size_bytes(view))


def update_entry(engine: Engine, table: Table, index: Index, row: int, old: Plain | None, new: Plain | None) -> float:
    """Let one index follow a write; the answer is what that cost."""
    before, after = entry_of(table, index, old), entry_of(table, index, new)
    if before is None and after is None:
        return 0.0
    moved = before is not None and after is not None and before.key != after.key
    if before is not None and (after is None or moved):
        engine.storage.drop_entry(table, index, before.key)
    if after is not None:
        engine.storage.add_entry(table, index, after.key, row, after.size)
    return index_write_wcu(
        None if before is None else before.size,
        None if after is None else after.size,
        key_changed=moved,
        view_changed=before is None or after is None or before.view != after.view,
    )
