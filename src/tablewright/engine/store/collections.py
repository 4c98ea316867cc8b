"""Item collections: all items of one partition of a table with local indexes, together with their entries there.

A collection may hold 10 GB. Whether it is full is looked up rarely: never while the whole database is too small for
that, and afterwards only when what was left at the last look may be used up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import service_error
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES

if TYPE_CHECKING:
    from tablewright.engine.store.storage import Storage
    from tablewright.engine.store.table import Table

REMEMBERED = 10_000
FULL = "ItemCollectionSizeLimitExceeded"
FULL_MESSAGE = "Collection size exceeded."


class Collections:
    """What is known of how much collections can still grow."""

    def __init__(self, limit_bytes: int = MAX_ITEM_COLLECTION_BYTES) -> None:
        self.limit_bytes = limit_bytes
        self._left: dict[tuple[int, bytes], int] = {}

    def check(self, storage: Storage, table: Table, h: bytes, size: int) -> None:
        """Called after an item of this size was written and had grown; refuses it when there is no room for it."""
        copies = 1 + table.lsi_count
        known, most = (table.id, h), size * copies
        left = self._left.pop(known, None)
        if left is None and _stored_bytes(storage) * copies <= self.limit_bytes:
            return
        if left is None or left < most:
            left, most = self.limit_bytes - collection_bytes(storage, table, h), 0
            if left < 0:
                raise service_error(f"{FULL}Exception", FULL_MESSAGE)
        if len(self._left) >= REMEMBERED:
            self._left.clear()
        self._left[known] = left - most


def _stored_bytes(storage: Storage) -> int:
    """What the database takes: an item's text is never shorter than its size."""
    execute = storage.connection.execute
    return int(execute("pragma page_count").fetchone()[0] * execute("pragma page_size").fetchone()[0])


def collection_bytes(storage: Storage, table: Table, h: bytes) -> int:
    """The size of one collection."""
    execute = storage.connection.execute
    tables = [f"t{table.id}", *(f"t{table.id}_{index.slot}" for index in table.indexes if index.kind == "lsi")]
    column = dict.fromkeys(tables, "gh") | {tables[0]: "h"}
    queries = (f"select total(size) from {name} where {column[name]} = ?" for name in tables)
    return int(sum(execute(query, (h,)).fetchone()[0] for query in queries))
