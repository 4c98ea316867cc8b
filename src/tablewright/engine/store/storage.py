"""The file (or memory) everything is kept in: one SQLite database, one connection, one lock.

    tables      every table's description
    t<id>       its items: partition key bytes, sort key bytes, DynamoDB JSON, size
    t<id>_<n>   the entries of its index in slot n: index key bytes, table key bytes, the item's row, the entry's size
    totals      how many items and entries there are and what they weigh, so that nobody has to count
    streams     every stream's description
    records     stream records
    tokens      transactions of the last ten minutes, by their token
    facts       the file's format and counters

Every item, entry, description, record and token has a checksum (`checksums`), and is not given out if it does not fit.
Writes happen inside `writing()`, which is one SQLite transaction: all of it or nothing survives, whatever happens.
Another process may change the file at any time, so descriptions are read again whenever it did.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import no_such_table
from tablewright.engine.store.checksums import (
    damaged,
    entry_checksum,
    fits,
    item_checksum,
    item_name,
    text_checksum,
    text_fits,
)
from tablewright.engine.store.file import Durability, explain, open_connection
from tablewright.engine.store.forks import follow_forks
from tablewright.engine.store.streams import follow_table
from tablewright.engine.store.table import Index, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tablewright.engine.store.checksums import EntryKey

encode = msgspec.json.encode
decode_table = msgspec.json.Decoder(Table).decode

READ = "begin"
WRITE = "begin immediate"
ITEMS = -1
"""In place of an index's slot: the items of the table itself."""


class _Row(msgspec.Struct, frozen=True):
    """A stored item: its row number, its text in DynamoDB JSON, its size."""

    id: int
    text: bytes
    size: int


class _Transaction:
    """The lock, and an SQLite transaction unless this is part of a larger one or reads what only this process has.

    A class and not a generator, because every call goes through one.
    """

    __slots__ = ("_begin", "_end", "_is_open", "_storage")

    def __init__(self, storage: Storage, begin: str, end: str = "commit") -> None:
        self._storage = storage
        self._begin = begin
        self._end = end
        self._is_open = False

    def __enter__(self) -> None:
        storage = self._storage
        storage.lock.acquire()
        if storage.is_inside or (self._begin == READ and storage.is_known):
            return
        self._is_open = True
        try:
            storage.connection.execute(self._begin)
            storage.refresh()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        try:
            if self._is_open:
                self._finish(error)
        finally:
            self._storage.lock.release()

    def _finish(self, error: BaseException | None) -> None:
        if error is not None:
            self._undo(error)
            return
        try:
            self._storage.save_totals()
            self._storage.connection.execute(self._end)
        except BaseException as refused:
            self._undo(refused)
            raise

    def _undo(self, error: BaseException) -> None:
        storage = self._storage
        if storage.is_inside:
            storage.connection.execute("rollback")
        storage.forget()
        if isinstance(error, sqlite3.Error):
            raise explain(error, storage.path) from error


class Storage:
    """The database. Not for the faint of heart: callers hold the lock through `reading()` or `writing()`."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        durability: Durability = "normal",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = None if path is None else str(path)
        self.clock = clock
        self.lock = threading.RLock()
        self.durability: Durability = durability
        self.connection = self.connect()
        self.is_closed = False
        self._tables: dict[str, Table] = {}
        self._seen_version: Any = None
        self._counted: dict[tuple[int, int], list[int]] = {}

        follow_forks(self)

    def connect(self) -> sqlite3.Connection:
        return open_connection(self.path, self.durability)

    def close(self) -> None:
        with self.lock:
            self.is_closed = True
            self.connection.close()

    # ---- transactions --------------------------------------------------------------------------------------------

    def reading(self) -> AbstractContextManager[None]:
        """A consistent view for several reads."""
        return _Transaction(self, READ)

    def writing(self) -> AbstractContextManager[None]:
        """All of what happens inside, or nothing."""
        return _Transaction(self, WRITE)

    @contextmanager
    def trying(self) -> Generator[None]:
        """What happens inside is seen inside, and then undone."""
        with _Transaction(self, WRITE, end="rollback"):
            yield
            self.forget()

    @property
    def is_known(self) -> bool:
        """Whether descriptions are as they were read: nobody else can change what is in memory."""
        return self.path is None and self._seen_version is not None

    @property
    def is_inside(self) -> bool:
        """Whether a transaction is under way; in a closed database none is."""
        try:
            return self.connection.in_transaction
        except sqlite3.ProgrammingError:
            return False

    def forget(self) -> None:
        """Descriptions may not be what they seem; read them before they are used again."""
        self._seen_version = None
        self._counted.clear()

    def refresh(self) -> None:
        """Read the descriptions again if another process may have changed them."""
        if self.is_known:
            return
        version = self.connection.execute("pragma data_version").fetchone()[0]
        if version != self._seen_version:
            rows = self.connection.execute("select name, data, crc from tables")
            self._tables = {name: self._read_table(name, data, crc) for name, data, crc in rows}
            self._seen_version = version

    def _read_table(self, name: str, data: bytes, crc: int) -> Table:
        if not text_fits(crc, data, name):
            raise damaged(self.path, f"the description of table {name!r}")
        return decode_table(data)

    # ---- descriptions --------------------------------------------------------------------------------------------

    @property
    def tables(self) -> dict[str, Table]:
        return self._tables

    def table(self, name: str) -> Table:
        found = self._tables.get(name)
        if found is None:
            raise no_such_table()
        return found

    def add_table(self, table: Table) -> Table:
        """Make room for a new table; its id is given here."""
        execute = self.connection.execute
        cursor = execute("insert into tables (name, data) values (?, ?)", (table.name, b""))
        table = msgspec.structs.replace(table, id=cursor.lastrowid or 0, sealed=True)
        execute(
            f"create table t{table.id} (id integer primary key, h blob not null, r blob not null, item blob not null,"
            " size integer not null, crc integer)"
        )
        self.set_totals(table, ITEMS, 0, 0)
        execute(f"create unique index t{table.id}_key on t{table.id} (h, r)")
        for index in table.indexes:
            self.add_index(table, index)
        self.save_table(table)
        return table

    def save_table(self, table: Table) -> None:
        follow_table(self.connection, self._tables.get(table.name), table, self.clock())
        data = encode(table)
        sealed = (data, text_checksum(data, table.name), table.id)
        self.connection.execute("update tables set data = ?, crc = ? where id = ?", sealed)
        self._tables[table.name] = table

    def drop_table(self, table: Table) -> None:
        for index in table.indexes:
            self.drop_index(table, index)
        self.connection.execute(f"drop table t{table.id}")
        self.connection.execute("delete from tables where id = ?", (table.id,))
        self.connection.execute("delete from totals where table_id = ?", (table.id,))
        follow_table(self.connection, table, None, self.clock())
        del self._tables[table.name]

    def add_index(self, table: Table, index: Index) -> None:
        self.connection.execute(
            f"create table t{table.id}_{index.slot} (gh blob not null, gr blob not null, h blob not null,"
            " r blob not null, id integer not null, size integer not null, crc integer,"
            " primary key (gh, gr, h, r)) without rowid"
        )
        self.set_totals(table, index.slot, 0, 0)

    def drop_index(self, table: Table, index: Index) -> None:
        self.connection.execute(f"drop table t{table.id}_{index.slot}")
        self.connection.execute("delete from totals where table_id = ? and slot = ?", (table.id, index.slot))

    # ---- totals --------------------------------------------------------------------------------------------------

    def totals(self, table: Table, slot: int = ITEMS) -> tuple[int, int] | None:
        """How many items (or entries of an index) there are and their bytes; None when nobody counted them yet."""
        found: tuple[int, int] | None = self.connection.execute(
            "select items, bytes from totals where table_id = ? and slot = ?", (table.id, slot)
        ).fetchone()
        more, size = self._counted.get((table.id, slot), (0, 0))
        return None if found is None else (found[0] + more, found[1] + size)

    def set_totals(self, table: Table, slot: int, items: int, size: int) -> None:
        self.connection.execute("insert or replace into totals values (?, ?, ?, ?)", (table.id, slot, items, size))

    def save_totals(self) -> None:
        """At the end of a transaction, as part of it: what it added and took away."""
        if self._counted:
            changes = [(*change, *place) for place, change in self._counted.items() if change != [0, 0]]
            self._counted.clear()
            if changes:
                self.connection.executemany(
                    "update totals set items = items + ?, bytes = bytes + ? where table_id = ? and slot = ?", changes
                )

    def _count(self, table: Table, slot: int, items: int, size: int) -> None:
        counted = self._counted.get((table.id, slot))
        if counted is None:
            self._counted[table.id, slot] = [items, size]
        else:
            counted[0] += items
            counted[1] += size

    # ---- items ---------------------------------------------------------------------------------------------------

    def find(self, table: Table, h: bytes, r: bytes) -> _Row | None:
        found = self.connection.execute(
            f"select id, item, size, crc from t{table.id} where h = ? and r = ?", (h, r)
        ).fetchone()
        if found is None:
            return None
        row, text, size, crc = found
        self.check(table, h, r, text, size, crc)
        return _Row(row, text, size)

    def check(self, table: Table, h: bytes, r: bytes, text: bytes, size: int, crc: int | None) -> None:
        """Refuse an item that is not what was written."""
        if not fits(table, h, r, text, size, crc):
            raise damaged(self.path, item_name(table, h, r))

    def insert(self, table: Table, h: bytes, r: bytes, text: bytes, size: int) -> int:
        cursor = self.connection.execute(
            f"insert into t{table.id} (h, r, item, size, crc) values (?, ?, ?, ?, ?)",
            (h, r, text, size, item_checksum(h, r, text, size)),
        )
        self._count(table, ITEMS, 1, size)
        return cursor.lastrowid or 0

    def replace(self, table: Table, row: int, h: bytes, r: bytes, text: bytes, size: int, *, was: int) -> None:
        """Another text in a row whose item had the size `was`."""
        self.connection.execute(
            f"update t{table.id} set item = ?, size = ?, crc = ? where id = ?",
            (text, size, item_checksum(h, r, text, size), row),
        )
        self._count(table, ITEMS, 0, size - was)

    def delete(self, table: Table, row: int, *, was: int) -> None:
        self.connection.execute(f"delete from t{table.id} where id = ?", (row,))
        self._count(table, ITEMS, -1, -was)

    def add_entry(self, table: Table, index: Index, key: EntryKey, row: int, size: int) -> None:
        """A new entry."""
        self.connection.execute(
            f"insert into t{table.id}_{index.slot} values (?, ?, ?, ?, ?, ?, ?)",
            (*key, row, size, entry_checksum(key, size)),
        )
        self._count(table, index.slot, 1, size)

    def change_entry(self, table: Table, index: Index, key: EntryKey, row: int, size: int, *, was: int) -> None:
        """The entry with another size; one that was passed over when the index was filled is new."""
        cursor = self.connection.execute(
            f"update t{table.id}_{index.slot} set id = ?, size = ?, crc = ?"
            " where gh = ? and gr = ? and h = ? and r = ?",
            (row, size, entry_checksum(key, size), *key),
        )
        if cursor.rowcount:
            self._count(table, index.slot, 0, size - was)
        else:
            self.add_entry(table, index, key, row, size)

    def drop_entry(self, table: Table, index: Index, key: EntryKey, *, was: int) -> None:
        cursor = self.connection.execute(
            f"delete from t{table.id}_{index.slot} where gh = ? and gr = ? and h = ? and r = ?", key
        )
        if cursor.rowcount:
            self._count(table, index.slot, -1, -was)
