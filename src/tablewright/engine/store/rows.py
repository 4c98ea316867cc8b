"""Items in and out of the storage: the one place that keeps table, indexes and stream in step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from tablewright.engine.store.item import StoredItem, plain_of
from tablewright.engine.store.keys import partition_bytes, pick, sort_bytes
from tablewright.engine.store.values import to_text
from tablewright.wire.capacity import index_write_wcu
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.store.collections import Collections
    from tablewright.engine.store.storage import Storage
    from tablewright.engine.store.table import Index, Keys, Table

Plain = dict[str, Any]
Place: TypeAlias = tuple[bytes, bytes]
"""The key bytes of an item."""


class WriteContext(Protocol):
    """What is around a write: where it is stored, and who is told of it."""

    @property
    def storage(self) -> Storage: ...

    @property
    def collections(self) -> Collections: ...

    @property
    def instruments(self) -> object | None:
        """None, as a rule: then nobody has to be asked or told of index entries."""
        ...

    def admit_entries(self, table: Table, old: Plain | None, new: Plain | None) -> None:
        """Before a write, and only where there are instruments: raises when an index has no room for it."""
        ...

    def measure_write(self, table: Table, old: Plain | None, new: Plain | None, index_wcu: Mapping[str, float]) -> None:
        """After a write, and only where there are instruments."""
        ...

    def record_change(self, table: Table, old: Plain | None, new: Plain | None) -> None:
        """Tell the table's stream, if it has one."""
        ...


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


def find(storage: Storage, table: Table, key: Mapping[str, Any]) -> StoredItem | None:
    """The stored item with this key."""
    return find_at(storage, table, *table_key(table, key))


def find_at(storage: Storage, table: Table, h: bytes, r: bytes) -> StoredItem | None:
    """The stored item at these key bytes."""
    row = storage.find(table, h, r)
    return None if row is None else StoredItem(row.id, row.text, row.size)


def write(
    engine: WriteContext,
    table: Table,
    old: StoredItem | None,
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
        engine.admit_entries(table, plain_of(old), new)
    fresh: _Fresh | None = None
    if new is not None:
        if text is None:
            text = to_text(new) if old is None or changed is None else old.text_after(new, changed)
        fresh = _Fresh(new, text, item_size_bytes(new) if size is None else size, place or table_key(table, new))
    storage = engine.storage
    row = _store(storage, table, old, fresh)
    units = {index.name: _update_entry(storage, table, index, row, old, fresh, changed) for index in table.indexes}
    costs = {name: wcu for name, wcu in units.items() if wcu}
    if fresh is not None and table.lsi_count and fresh.size > before:
        engine.collections.check(storage, table, fresh.place[0], fresh.size)
    if table.stream is not None:
        engine.record_change(table, plain_of(old), new)
    if engine.instruments is not None:
        engine.measure_write(table, plain_of(old), new, costs)
    if fresh is None:
        return Written(before, 0, costs)
    return Written(before, fresh.size, costs, None if changed is None else fresh.text, changed or frozenset())


class _Fresh(msgspec.Struct, frozen=True):
    """An item as it is to be stored."""

    item: Plain
    text: bytes
    size: int
    place: Place


def _store(storage: Storage, table: Table, old: StoredItem | None, fresh: _Fresh | None) -> int:
    """The row the item was put into or taken from."""
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
    storage: Storage,
    table: Table,
    index: Index,
    row: int,
    old: StoredItem | None,
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
            return _resize_entry(storage, table, index, row, old, fresh)
    before = None if old is None else entry_of(table, index, old.item, old.size)
    after = None if fresh is None else entry_of(table, index, fresh.item, fresh.size)
    if before is None and after is None:
        return 0.0
    moved = before is not None and after is not None and before.key != after.key
    if before is not None and (after is None or moved):
        storage.drop_entry(table, index, before.key, was=before.size)
    if after is not None and (before is None or moved):
        storage.add_entry(table, index, after.key, row, after.size)
    elif before is not None and after is not None and after.size != before.size:
        storage.change_entry(table, index, after.key, row, after.size, was=before.size)
    return index_write_wcu(
        None if before is None else before.size, None if after is None else after.size, key_changed=moved
    )


def _resize_entry(storage: Storage, table: Table, index: Index, row: int, old: StoredItem, fresh: _Fresh) -> float:
    """An index of all attributes, none of whose keys changed: of the entry, only its size can be another."""
    if not _has_entry(table, index, fresh.item):
        return 0.0
    if fresh.size != old.size:
        key = _entry_key(table, index, fresh.item)
        storage.change_entry(table, index, key, row, fresh.size, was=old.size)
    return index_write_wcu(old.size, fresh.size)
