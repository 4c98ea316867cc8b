"""How many items there are and what they weigh. Every transaction keeps the totals, so that nobody waits for a count.

A file from before they were kept is counted once, when the first description of a table is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.store.storage import ITEMS

if TYPE_CHECKING:
    from tablewright.engine.store.storage import Storage
    from tablewright.engine.store.table import Index, Table


def table_totals(storage: Storage, table: Table) -> tuple[int, int]:
    """Items and their bytes."""
    return storage.totals(table) or count_rows(storage, f"t{table.id}")


def index_totals(storage: Storage, table: Table, index: Index) -> tuple[int, int]:
    """Entries and their bytes."""
    return storage.totals(table, index.slot) or count_rows(storage, f"t{table.id}_{index.slot}")


def count_rows(storage: Storage, rows: str) -> tuple[int, int]:
    query = f"select count(*), coalesce(sum(size), 0) from {rows}"
    count, size = storage.connection.execute(query).fetchone()
    return count, size


def keep_totals(storage: Storage, name: str) -> None:
    """Count what was never counted, and keep it."""
    with storage.reading():
        table = storage.tables.get(name)
        if table is None or not _find_uncounted(storage, table):
            return
    with storage.writing():
        table = storage.tables.get(name)
        if table is None:
            return
        for slot in _find_uncounted(storage, table):
            rows = f"t{table.id}" if slot == ITEMS else f"t{table.id}_{slot}"
            storage.set_totals(table, slot, *count_rows(storage, rows))


def _find_uncounted(storage: Storage, table: Table) -> list[int]:
    slots = [ITEMS, *(index.slot for index in table.indexes)]
    return [slot for slot in slots if storage.totals(table, slot) is None]
