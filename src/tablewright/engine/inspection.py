"""A whole file looked through: every item, every entry, every record, token and total. It takes as long as the file is.

Reading finds damage in what is read. Only this finds what can no longer be found: an entry whose key was damaged is not
where anybody looks for it.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING

from tablewright.engine.store.checksums import EntryKey, entry_fits, fits, item_name
from tablewright.engine.store.rows import entry_of, table_key
from tablewright.engine.store.storage import ITEMS
from tablewright.engine.store.streams import last_record, records, streams
from tablewright.engine.store.tokens import token_faults
from tablewright.engine.store.values import from_text
from tablewright.engine.tables.totals import count_rows
from tablewright.errors import TablewrightError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Index, Table

RECORDS_AT_A_TIME = 1000


def inspect(engine: Engine) -> Iterator[str]:
    """What is wrong with the file, a sentence for each fault; nothing when all is well."""
    yield from _report(_faults(engine))


def _faults(engine: Engine) -> Iterator[str]:
    with engine.storage.reading():
        yield from _sqlite_faults(engine)
        for table in engine.storage.tables.values():
            yield from _report(_item_faults(engine, table))
            for index in table.indexes:
                yield from _report(_entry_faults(engine, table, index))
            yield from _report(_total_faults(engine, table))
        yield from _report(_record_faults(engine))
        yield from _report(token_faults(engine.storage.connection))


def _report(faults: Iterator[str]) -> Iterator[str]:
    """The faults, and the one that ends the search for more of them."""
    try:
        yield from faults
    except sqlite3.Error as error:
        yield f"SQLite cannot read on: {error}"
    except TablewrightError as error:
        yield error.message


def _sqlite_faults(engine: Engine) -> Iterator[str]:
    with suppress(sqlite3.Error):  # what it cannot read is met again below
        for (told,) in engine.storage.connection.execute("pragma integrity_check"):
            if told != "ok":
                yield f"SQLite: {told}"


def _item_faults(engine: Engine, table: Table) -> Iterator[str]:
    """Items that are not what was written, or lack an entry that they should have."""
    for row, h, r, text, size, crc in engine.storage.connection.execute(
        f"select id, h, r, item, size, crc from t{table.id}"
    ):
        name = item_name(table, h, r)
        if not fits(table, h, r, text, size, crc):
            yield f"{name} is damaged"
            continue
        item = from_text(text)
        if table_key(table, item) != (h, r):
            yield f"{name} has another key inside"
        for index in table.indexes:
            entry = entry_of(table, index, item)
            if entry is not None and not _has_entry(engine, table, index, entry.key, row):
                yield f"the entry in index {index.name!r} of {name} is missing"


def _has_entry(engine: Engine, table: Table, index: Index, key: EntryKey, row: int) -> bool:
    found: tuple[int] | None = engine.storage.connection.execute(
        f"select id from t{table.id}_{index.slot} where gh = ? and gr = ? and h = ? and r = ?", key
    ).fetchone()
    return found is not None and found[0] == row


def _entry_faults(engine: Engine, table: Table, index: Index) -> Iterator[str]:
    """Entries that are not what was written, or lead nowhere."""
    rows = f"t{table.id}_{index.slot} e left join t{table.id} i on i.id = e.id and i.h = e.h and i.r = e.r"
    found = engine.storage.connection.execute(f"select e.gh, e.gr, e.h, e.r, e.size, e.crc, i.id from {rows}")
    for gh, gr, h, r, size, crc, item in found:
        name = f"the entry in index {index.name!r} of {item_name(table, h, r)}"
        if not entry_fits(table, (gh, gr, h, r), size, crc):
            yield f"{name} is damaged"
        elif item is None:
            yield f"{name} leads to no item"


def _total_faults(engine: Engine, table: Table) -> Iterator[str]:
    for slot, name in [(ITEMS, "items"), *((index.slot, f"entries of {index.name!r}") for index in table.indexes)]:
        kept = engine.storage.totals(table, slot)
        rows = f"t{table.id}" if slot == ITEMS else f"t{table.id}_{slot}"
        there = count_rows(engine.storage, rows)
        if kept is not None and kept != there:
            yield f"the {name} of table {table.name!r} are {there[0]}, but {kept[0]} are told"


def _record_faults(engine: Engine) -> Iterator[str]:
    connection = engine.storage.connection
    last = last_record(connection)
    for stream in streams(connection):
        start = stream.first
        while start <= last and (found := records(connection, stream.name, start, RECORDS_AT_A_TIME)):
            start = found[-1][0] + 1
    yield from ()
