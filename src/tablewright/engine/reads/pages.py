"""One page of a table or index: rows in key order from one place on, until the limit or a megabyte is reached.

Rows are found by ranges of key bytes and taken from the cursor one by one, so that a page costs what it holds, however
large the table is and however far behind the page lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.rows import key_pair, table_key
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.engine import Engine
    from tablewright.engine.reads.ranges import Limits
    from tablewright.engine.table import Index, Keys, Table

Row = tuple[bytes, int, int]
"""A text, the size of the item, the size of its entry in the index (that of the item for the table itself)."""


class Source(msgspec.Struct, frozen=True):
    """What is read: a table, or one of its indexes."""

    table: Table
    index: Index | None = None

    @property
    def keys(self) -> Keys:
        return self.table.keys if self.index is None else self.index.keys

    @property
    def columns(self) -> tuple[str, ...]:
        return ("h", "r") if self.index is None else ("e.gh", "e.gr", "e.h", "e.r")

    @property
    def key_names(self) -> tuple[str, ...]:
        """What a starting key consists of, the keys of the table first."""
        names = self.table.keys.names
        return names if self.index is None else tuple(dict.fromkeys((*names, *self.index.keys.names)))

    def position(self, item: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Where an item stands in the order of the columns."""
        own = table_key(self.table, item)
        if self.index is None:
            return own
        pair = key_pair(self.index.keys, item)
        assert pair is not None
        return (*pair, *own)


class Stretch(msgspec.Struct, frozen=True):
    """The part of a source to read: columns fixed to values, the next one between limits, behind a starting point."""

    fixed: tuple[bytes, ...]
    limits: Limits
    after: tuple[bytes, ...] | None = None
    forward: bool = True


class Page(msgspec.Struct, frozen=True):
    rows: list[Row]
    complete: bool
    """Whether the stretch ended before the page was full."""


def read_page(engine: Engine, source: Source, stretch: Stretch, *, limit: int | None, whole_items: bool) -> Page:
    """The rows of a page; `whole_items` says that a megabyte is counted in items, not in entries of the index."""
    sql, args = statement(source, stretch)
    rows: list[Row] = []
    measure = 1 if whole_items else 2
    left, room = limit or -1, MAX_PAGE_BYTES
    for row in engine.storage.connection.execute(sql, args):
        rows.append(row)
        room -= row[measure]
        if len(rows) == left or room <= 0:
            return Page(rows, complete=False)
    return Page(rows, complete=True)


def statement(source: Source, stretch: Stretch) -> tuple[str, list[bytes]]:
    columns, at = source.columns, len(stretch.fixed)
    terms = [f"{column} = ?" for column in columns[:at]]
    args = list(stretch.fixed)
    low, high = stretch.limits
    if stretch.after is not None:  # it lies between the limits and takes the place of one, so that SQLite seeks it
        rest = columns[at:]
        sign = ">" if stretch.forward else "<"
        terms.append(f"({', '.join(rest)}) {sign} ({', '.join('?' * len(rest))})")
        args += stretch.after[at:]
        low, high = (("", b""), high) if stretch.forward else (low, ("", b""))
    for sign, end in (low, high):
        if sign:
            terms.append(f"{columns[at]} {sign} ?")
            args.append(end)
    where = f" where {' and '.join(terms)}" if terms else ""
    direction = "" if stretch.forward else " desc"
    order = ", ".join(f"{column}{direction}" for column in columns[at:])
    return f"{selected(source)}{where} order by {order}", args


def selected(source: Source) -> str:
    table, index = source.table, source.index
    if index is None:
        return f"select item, size, size from t{table.id}"
    entries = f"t{table.id}_{index.slot} e"
    # a cross join, so that SQLite walks the entries and not the items
    return f"select i.item, i.size, e.size from {entries} cross join t{table.id} i on i.id = e.id"
