"""Items in and out of the storage: the one place that keeps table, indexes and stream in step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.store.keys import partition_bytes, pick, sort_bytes
from tablewright.engine.store.values import from_text, to_text
from tablewright.wire.capacity import index_write_wcu
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import marshal, type_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Index, Keys, Table

Plain = dict[str, Any]


class Stored:
    """An item as it is found: its row, its text and its size; its plain values when somebody asks for them."""

    __slots__ = ("_item", "row", "size", "text")

    def __init__(self, row: int, text: bytes, size: int) -> None:
        self.row = row
        self.text = text
        self.size = size
        self._item: Plain | None = None

    @property
    def item(self) -> Plain:
        if self._item is None:
            self._item = from_text(self.text)
        return self._item


def plain_of(stored: Stored | None) -> Plain | None:
    return None if stored is None else stored.item


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
    place: tuple[bytes, bytes] | None = None,
    text: bytes | None = None,
) -> Written:
    """Put an item in place of an old one (or take it away, with `new` None), indexes and stream included.

    `size`, `place` and `text` are the size, the key bytes and the canonical text of the new item, for callers that know
    them. A write that changes nothing leaves no trace.
    """
    before = old.size if old is not None else 0
    after = 0 if new is None else item_size_bytes(new) if size is None else size
    if not table.indexes and table.stream is None and engine.instruments is None:
        _store(engine, table, old, new, after, place, text)
        return Written(before, after, {})
    old_item = plain_of(old)
    changed = changed_names(old_item, new)
    if not changed:
        return Written(before, after, {})
    instruments = engine.instruments
    if instruments is not None:
        instruments.admit_entries(engine, table, old_item, new)
    row = _store(engine, table, old, new, after, place, text)
    units = {index.name: update_entry(engine, table, index, row, old_item, new, changed) for index in table.indexes}
    costs = {name: wcu for name, wcu in units.items() if wcu}
    if table.stream is not None:
        engine.record_change(table, old_item, new)
    if instruments is not None:
        instruments.changed(engine, table, old_item, new, costs)
    return Written(before, after, costs)


def _store(
    engine: Engine,
    table: Table,
    old: Stored | None,
    new: Plain | None,
    size: int,
    place: tuple[bytes, bytes] | None,
    text: bytes | None,
) -> int:
    """The row the item was put into or taken from."""
    storage = engine.storage
    if new is None:
        if old is not None:
            storage.delete(table, old.row)
        return 0 if old is None else old.row
    if old is None:
        h, r = place or table_key(table, new)
        return storage.insert(table, h, r, text or to_text(new), size)
    storage.replace(table, old.row, text or to_text(new), size)
    return old.row


def changed_names(old: Plain | None, new: Plain | None) -> set[str]:
    """The attributes a write adds, removes or gives another value."""
    before, after = old or {}, new or {}
    changed = before.keys() ^ after.keys()
    for name in before.keys() & after.keys():
        if not _is_same(before[name], after[name]):
            changed.add(name)
    return changed


def _is_same(left: Any, right: Any) -> bool:
    """Equal and of the same types: to Python, True is 1."""
    if left is right:
        return True
    if left != right or type(left) is not type(right):
        return False
    return not isinstance(left, dict | list) or marshal(left) == marshal(right)


class Entry(msgspec.Struct, frozen=True):
    """An item as one index sees it."""

    key: tuple[bytes, bytes, bytes, bytes]
    view: Plain
    size: int


def entry_of(table: Table, index: Index, item: Plain | None) -> Entry | None:
    """The entry an item has in an index; None when it lacks one of the index's keys, or has it of another type."""
    if item is None:
        return None
    types = table.types
    for name in index.keys.names:
        value = item.get(name)
        if value is None or type_code(value) != types[name] or value in ("", b""):
            return None
    pair = key_pair(index.keys, item)
    if pair is None:
        return None
    names = index.projected(table.keys)
    view = item if names is None else {name: value for name, value in item.items() if name in names}
    return Entry((*pair, *table_key(table, item)), view, item_size_bytes(view))


def update_entry(
    engine: Engine, table: Table, index: Index, row: int, old: Plain | None, new: Plain | None, changed: set[str]
) -> float:
    """Let one index follow a write that changed these attributes; the answer is what that cost."""
    names = index.projected(table.keys)
    if old is not None and new is not None and names is not None and changed.isdisjoint(names):
        return 0.0
    before, after = entry_of(table, index, old), entry_of(table, index, new)
    if before is None and after is None:
        return 0.0
    moved = before is not None and after is not None and before.key != after.key
    if before is not None and (after is None or moved):
        engine.storage.drop_entry(table, index, before.key)
    if after is not None:
        engine.storage.add_entry(table, index, after.key, row, after.size)
    return index_write_wcu(
        None if before is None else before.size, None if after is None else after.size, key_changed=moved
    )


def collection_bytes(engine: Engine, table: Table, h: bytes) -> int:
    """The size of an item collection: all items of a partition with their entries in local indexes."""
    execute = engine.storage.connection.execute
    tables = [f"t{table.id}", *(f"t{table.id}_{index.slot}" for index in table.indexes if index.kind == "lsi")]
    column = dict.fromkeys(tables, "gh") | {tables[0]: "h"}
    queries = (f"select total(size) from {name} where {column[name]} = ?" for name in tables)
    return int(sum(execute(query, (h,)).fetchone()[0] for query in queries))
