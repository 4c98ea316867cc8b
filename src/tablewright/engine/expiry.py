"""Time to live: items whose time has come are deleted, as the service does it, in the stream but for free.

Expired items are found through an index on the time itself, which SQLite keeps; it is made when the first sweep meets a
table with a time to live, and dropped when that is over.
"""

from __future__ import annotations

from hashlib import md5
from typing import TYPE_CHECKING, Any

from tablewright.engine.store import rows
from tablewright.engine.store.item import StoredItem
from tablewright.engine.store.times import time_in

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.storage import Storage
    from tablewright.engine.store.table import Table

OLDEST_SECONDS = 5 * 365 * 86_400
"""Times further back than five years are taken for a mistake, and their items are kept."""
BATCH = 1000
FOUND = "select id, h, r, item, size, crc"


def expire(engine: EngineContext, *, at_most: int | None = None) -> int:
    """Delete what has expired (or the first `at_most` of it); the answer is how many items."""
    gone = 0
    with engine.storage.reading():
        names = [table.name for table in engine.storage.tables.values() if table.ttl is not None]
    for name in names:
        while at_most is None or gone < at_most:
            deleted = _expire_batch(engine, name, BATCH if at_most is None else min(BATCH, at_most - gone))
            gone += deleted
            if deleted < BATCH:
                break
    return gone


def _expire_batch(engine: EngineContext, name: str, count: int) -> int:
    """One transaction's worth. As a rule nothing has expired, and then other writers are not kept waiting."""
    with engine.storage.reading():
        table = engine.storage.tables.get(name)
        if table is None or (_is_ready(engine.storage, table) and not _find_expired(engine, table, 1)):
            return 0
    with engine.storage.writing(), engine.as_service():
        table = engine.storage.tables.get(name)
        if table is None:
            return 0
        _follow_index(engine.storage, table)
        found = _find_expired(engine, table, count)
        for stored in found:
            rows.write(engine, table, stored, None)
    return len(found)


def _find_expired(engine: EngineContext, table: Table, count: int) -> list[StoredItem]:
    """Items whose time has come, the longest overdue first."""
    if table.ttl is None:
        return []
    now = engine.clock()
    path = time_in(table.ttl)
    found = engine.storage.connection.execute(
        f"{FOUND} from t{table.id} where {path} is not null and {path} > ? and {path} <= ? limit ?",
        (now - OLDEST_SECONDS, now, count),
    )
    return [_read_row(engine, table, *each) for each in found]


def _read_row(engine: EngineContext, table: Table, row: int, *kept: Any) -> StoredItem:
    """A row as an item that is what was written."""
    engine.storage.check(table, *kept)
    _, _, text, size, _ = kept
    return StoredItem(row, text, size)


def _is_ready(storage: Storage, table: Table) -> bool:
    """Whether the index on the time is there."""
    return _indexes_of(storage, table) == _wanted_indexes(table)


def _follow_index(storage: Storage, table: Table) -> None:
    """Make the index on the time, and drop that of another attribute which was the time before."""
    found, wanted = _indexes_of(storage, table), _wanted_indexes(table)
    for name in found - wanted:
        storage.connection.execute(f"drop index {name}")
    for name in wanted - found:
        path = time_in(table.ttl or "")
        storage.connection.execute(f"create index {name} on t{table.id} ({path}) where {path} is not null")


def _indexes_of(storage: Storage, table: Table) -> set[str]:
    asked = "select name from sqlite_master where type = 'index' and tbl_name = ? and name glob ?"
    return {name for (name,) in storage.connection.execute(asked, (f"t{table.id}", f"t{table.id}_expiry_*"))}


def _wanted_indexes(table: Table) -> set[str]:
    """One whose name tells the attribute."""
    if table.ttl is None:
        return set()
    mark = md5(table.ttl.encode(), usedforsecurity=False).hexdigest()[:12]
    return {f"t{table.id}_expiry_{mark}"}
