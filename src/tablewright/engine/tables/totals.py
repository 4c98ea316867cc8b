"""How many items there are and what they weigh. Every transaction keeps the totals, so that nobody waits for a count.

A file from before they were kept is counted once, when the first description of a table is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.store.storage import ITEMS

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Index, Table


def table_totals(engine: Engine, table: Table) -> tuple[int, int]:
    """Items and their bytes."""
    return engine.storage.totals(table) or counted(engine, f"t{table.id}")


def index_totals(engine: Engine, table: Table, index: Index) -> tuple[int, int]:
    """Entries and their bytes."""
    return engine.storage.totals(table, index.slot) or counted(engine, f"t{table.id}_{index.slot}")


def counted(engine: Engine, rows: str) -> tuple[int, int]:
    query = f"select count(*), coalesce(sum(size), 0) from {rows}"
    count, size = engine.storage.connection.execute(query).fetchone()
    return count, size


def keep_totals(engine: Engine, name: str) -> None:
    """Count what was never counted, and keep it."""
    with engine.storage.reading():
        table = engine.storage.tables.get(name)
        if table is None or not _uncounted(engine, table):
            return
    with engine.storage.writing():
        table = engine.storage.tables.get(name)
        if table is None:
            return
        for slot in _uncounted(engine, table):
            rows = f"t{table.id}" if slot == ITEMS else f"t{table.id}_{slot}"
            engine.storage.set_totals(table, slot, *counted(engine, rows))


def _uncounted(engine: Engine, table: Table) -> list[int]:
    slots = [ITEMS, *(index.slot for index in table.indexes)]
    return [slot for slot in slots if engine.storage.totals(table, slot) is None]
