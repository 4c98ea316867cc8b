"""Items in and out of the storage: the one place that keeps table, indexes and stream in step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.engine.store.keys import partition_bytes, pick, sort_bytes
from tablewright.engine.store.stored import Stored, plain_of
from tablewright.engine.store.values import to_text
from tablewright.wire.capacity import index_write_wcu
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Index, Keys, Table

Plain = dict[str, Any]
Place: TypeAlias = tuple[bytes, bytes]
"""The key bytes of an item."""


class Written(msgspec.Struct, frozen=True):
    """What a write did: sizes before and after (0 for none) and the units it cost in each index.

    `text` is that of an item whose attributes `changed` compared with another one; None if there were not two.
    """

    before_bytes: int
    after_bytes: int
    index_wcu: dict[str, float]
    text: bytes | None = None
    changed: set[str] | frozenset[str] = frozenset()


def key_pair(keys: Keys, item: Mapping[str, Any]) -> tuple[bytes, bytes] | None:
    """The key bytes of an item for the table or an index; None when it lacks a key attribute."""
    pk, sk = pick(item, keys.pk), pick(item, keys.sk)
    if pk is None or sk is None:
        return None
    return partition_bytes(pk), sort_bytes(sk, of=len(keys.sk))


def table_key(table: Table, item: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """The key bytes of an item that is known to have its keys."""
    keys = table.keys
    return (
        partition_bytes([item[name] for name in keys.pk]),
        sort_bytes([item[name] for name in keys.sk], of=len(keys.sk)),
    )


def find(engine: Engine, table: Table, key: Mapping[str, Any]) -> Stored | None:
    """The stored item with this key."""
    return find_at(engine, table, *table_key(table, key))


def find_at(engine: Engine, table: Table, h: bytes, r: bytes) -> Stored | None:
    """The stored item at these key bytes."""
    row = engine.storage.find(table, h, r)
    return None if row is None else Stored(row.id, row.text, row.size)


def write(
    engine: Engine,
    table: Table,
    old: Stored | None,
    new: Plain | None,
    size: int | None = None,
    place: Place | None = None,
    text: bytes | None = None,
) -> Written:
    """Put an item in place of an old one (or take it away, with `new` None), indexes and stream included.

    `size`, `place` and `text` are the size, the key bytes and the canonical text of the new item, for callers that know
    them. A write that changes nothing leaves no trace.
    """
    before = 0 if old is None else old.size
    changed: set[str] | None = None
    if old is not None and new is not None:
        changed = old.changed_names(new, text)
    if (old is None and new is None) or (changed is not None and not changed):
        return Written(before, before, {})
    if engine.instruments is not None:
        engine.instruments.admit_entries(engine, table, plain_of(old), new)
    fresh: _Fresh | None = None
    if new is not None:
        if text is None:
            text = to_text(new) if old is None or changed is None else old.text_after(new, changed)
        fresh = _Fresh(new, text, item_size_bytes(new) if size is None else size, place or table_key(table, new))
    row = _store(engine, table, old, fresh)
    units = {index.name: _update_entry(engine, table, index, row, old, fresh, changed) for index in table.indexes}
    costs = {name: wcu for name, wcu in units.items() if wcu}
    if fresh is not None and table.lsi_count and fresh.size > before:
        engine.collections.check(engine.storage, table, fresh.place[0], fresh.size)
    if table.stream is not None:
        engine.record_change(table, plain_of(old), new)
    if engine.instruments is not None:
        engine.instruments.changed(engine, table, plain_of(old), new, costs)
    if fresh is None:
        return Written(before, 0, costs)
    return Written(before, fresh.size, costs, None if changed is None else fresh.text, changed or frozenset())


class _Fresh(msgspec.Struct, frozen=True):
    """An item as it is to be stored."""

    item: Plain
    text: bytes
    size: int
    place: Place


def _store(engine: Engine, table: Table, old: Stored | None, fresh: _Fresh | None) -> int:
    """The row the item was put into or taken from."""
    storage = engine.storage
    if fresh is None:
        if old is not None:
            storage.delete(table, old.row, was=old.size)
        return 0 if old is None else old.row
    if old is None:
        return storage.insert(table, *fresh.place, fresh.text, fresh.size)
    storage.replace(table, old.row, *fresh.place, fresh.text, fresh.size, was=old.size)
    return old.row


class Entry(msgspec.Struct, frozen=True):
    """An item as one index sees it."""

    key: tuple[bytes, bytes, bytes, bytes]
    view: Plain
    size: int


def entry_of(table: Table, index: Index, item: Plain | None, size: int | None = None) -> Entry | None:
    """The entry an item (of this size, if that is known) has in an index; None when there is none."""
    if item is None or not _has_entry(table, index, item):
        return None
    names = index.projected(table.keys)
    if names is None:
        return Entry(_entry_key(table, index, item), item, item_size_bytes(item) if size is None else size)
    view = {name: value for name, value in item.items() if name in names}
    return Entry(_entry_key(table, index, item), view, item_size_bytes(view))


def _has_entry(table: Table, index: Index, item: Plain) -> bool:
    """Not when the item lacks one of the index's keys, or has it empty or of another type."""
    types = table.types
    for name in index.keys.names:
        value = item.get(name)
        if value is None or type_code(value) != types[name] or value in ("", b""):
            return False
    return True


def _entry_key(table: Table, index: Index, item: Plain) -> tuple[bytes, bytes, bytes, bytes]:
    """Where the entry of an item that has one is found."""
    keys = index.keys
    gh = partition_bytes([item[name] for name in keys.pk])
    return (gh, sort_bytes([item[name] for name in keys.sk], of=len(keys.sk)), *table_key(table, item))


def _update_entry(
    engine: Engine,
    table: Table,
    index: Index,
    row: int,
    old: Stored | None,
    fresh: _Fresh | None,
    changed: set[str] | None,
) -> float:
    """Let one index follow a write; the answer is what that cost.

    `changed` are the attributes in which two items differ. Where they are no keys of the index, its entry stays where
    it is.
    """
    names = index.projected(table.keys)
    if old is not None and fresh is not None and changed is not None:
        if names is not None and changed.isdisjoint(names):
            return 0.0
        if names is None and changed.isdisjoint(index.keys.names):
            return _resize_entry(engine, table, index, row, old, fresh)
    before = None if old is None else entry_of(table, index, old.item, old.size)
    after = None if fresh is None else entry_of(table, index, fresh.item, fresh.size)
    if before is None and after is None:
        return 0.0
    moved = before is not None and after is not None and before.key != after.key
    if before is not None and (after is None or moved):
        engine.storage.drop_entry(table, index, before.key, was=before.size)
    if after is not None and (before is None or moved):
        engine.storage.add_entry(table, index, after.key, row, after.size)
    elif before is not None and after is not None and after.size != before.size:
        engine.storage.change_entry(table, index, after.key, row, after.size, was=before.size)
    return index_write_wcu(
        None if before is None else before.size, None if after is None else after.size, key_changed=moved
    )


def _resize_entry(engine: Engine, table: Table, index: Index, row: int, old: Stored, fresh: _Fresh) -> float:
    """An index of all attributes, none of whose keys changed: of the entry, only its size can be another."""
    if not _has_entry(table, index, fresh.item):
        return 0.0
    if fresh.size != old.size:
        key = _entry_key(table, index, fresh.item)
        engine.storage.change_entry(table, index, key, row, fresh.size, was=old.size)
    return index_write_wcu(old.size, fresh.size)
