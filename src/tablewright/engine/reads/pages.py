"""One page of a table or index: rows in key order from one place on, until the limit or a megabyte is reached.

Rows are found by ranges of key bytes and taken from the cursor one by one, so that a page costs what it holds, however
large the table is and however far behind the page lies.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import validation
from tablewright.engine.reads.checked import check_rows
from tablewright.engine.reads.key_range import Stretch, statement
from tablewright.engine.reads.page_limit import Room
from tablewright.engine.store.rows import key_pair, table_key
from tablewright.engine.store.table import Index, Table
from tablewright.engine.tables.status import pending
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Keys

FIRST_ROWS = 8
MOST_ROWS = 500
UNLIMITED_ROWS = 2**31

Row = tuple[Any, ...]
"""A text, the size of the item, that of its entry in the index (for the table: of the item), and its sort key's bytes.

Behind them stands what it takes to check that (`reads.checked`).
"""


item_size: Callable[[Row], int] = itemgetter(1)
entry_size: Callable[[Row], int] = itemgetter(2)


class Source(msgspec.Struct, frozen=True):
    """What is read: a table, or one of its indexes."""

    table: Table
    index: Index | None = None

    @property
    def keys(self) -> Keys:
        return self.table.keys if self.index is None else self.index.keys

    @property
    def index_name(self) -> str | None:
        return None if self.index is None else self.index.name

    @property
    def projected(self) -> frozenset[str] | None:
        """The attributes that are there; None for all."""
        return None if self.index is None else self.index.projected(self.table.keys)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("h", "r") if self.index is None else ("e.gh", "e.gr", "e.h", "e.r")

    @property
    def key_names(self) -> tuple[str, ...]:
        """What a starting key consists of, the keys of the table first."""
        names = self.table.keys.names
        return names if self.index is None else tuple(dict.fromkeys((*names, *self.index.keys.names)))

    @property
    def has_one_item_each(self) -> bool:
        """Whether a partition is one item at most: that of a table without sort key."""
        return self.index is None and not self.keys.sk

    def position(self, item: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Where an item stands in the order of the columns."""
        own = table_key(self.table, item)
        if self.index is None:
            return own
        pair = key_pair(self.index.keys, item)
        assert pair is not None
        return (*pair, *own)


def find_source(engine: Engine, params: Mapping[str, Any]) -> Source:
    """The table, or the index of it, that a request names."""
    table = engine.table(params["TableName"])
    name = params.get("IndexName")
    if name is None:
        return Source(table)
    index = table.index(name)
    if index is None:
        raise validation(f"The table does not have the specified index: {name}")
    if index.kind == "gsi" and params.get("ConsistentRead"):
        raise validation("Consistent reads are not supported on global secondary indexes")
    if pending(engine, table).get("indexes", {}).get(name) == "CREATING":
        raise validation(f"Cannot read from backfilling global secondary index: {name}")
    return Source(table, index)


class Page(msgspec.Struct, frozen=True):
    rows: list[Row]
    complete: bool
    """Whether the stretch ended before the page was full."""


def read_page(engine: Engine, source: Source, stretch: Stretch, *, limit: int | None, whole_items: bool) -> Page:
    """The rows of a page; `whole_items` says that a megabyte is counted in items, not in entries of the index."""
    cursor = engine.storage.connection.execute(*statement(source, stretch))
    rows: list[Row] = []
    size_of = item_size if whole_items else entry_size
    room = Room(source, None if whole_items else source.projected)
    left, several = limit or UNLIMITED_ROWS, FIRST_ROWS
    while left and not room.is_full:
        several = min(several, left)
        some: list[Row] = cursor.fetchmany(several)
        check_rows(engine.storage, source, stretch, some)
        rows += room.take(some)
        if len(some) < several and not room.is_full:
            return Page(rows, complete=True)
        left -= several
        several = min(MOST_ROWS, 1 + MAX_PAGE_BYTES * several // (sum(map(size_of, some)) + 1))  # about a page
    cursor.close()
    return Page(rows, complete=False)
