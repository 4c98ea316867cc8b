"""The file (or memory) everything is kept in: one SQLite database, one connection, one lock.

    tables      every table's description
    t<id>       its items: partition key bytes, sort key bytes, DynamoDB JSON, size
    t<id>_<n>   the entries of its index in slot n: index key bytes, table key bytes, the item's row, the entry's size
    streams     every stream's description
    records     stream records
    tokens      transactions of the last ten minutes, by their token
    facts       the file's format and counters

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
from tablewright.engine.store.forking import follow_forks
from tablewright.engine.store.opening import Durability, explained, open_connection
from tablewright.engine.store.records import follow_table
from tablewright.engine.store.table import Index, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager
    from pathlib import Path

encode = msgspec.json.encode
decode_table = msgspec.json.Decoder(Table).decode

READ = "begin"
WRITE = "begin immediate"


class Row(msgspec.Struct, frozen=True):
    """A stored item: its row number, its text in DynamoDB JSON, its size."""

    id: int
    text: bytes
    size: int


class Transaction:
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
            raise explained(error, storage.path) from error


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
        return Transaction(self, READ)

    def writing(self) -> AbstractContextManager[None]:
        """All of what happens inside, or nothing."""
        return Transaction(self, WRITE)

    @contextmanager
    def trying(self) -> Generator[None]:
        """What happens inside is seen inside, and then undone."""
        with Transaction(self, WRITE, end="rollback"):
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

    def refresh(self) -> None:
        """Read the descriptions again if another process may have changed them."""
        if self.is_known:
            return
        version = self.connection.execute("pragma data_version").fetchone()[0]
        if version != self._seen_version:
            rows = self.connection.execute("select data from tables")
            self._tables = {table.name: table for table in (decode_table(data) for (data,) in rows)}
            self._seen_version = version

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
        table = msgspec.structs.replace(table, id=cursor.lastrowid or 0)
        execute(
            f"create table t{table.id} (id integer primary key, h blob not null, r blob not null, item blob not null,"
            " size integer not null)"
        )
        execute(f"create unique index t{table.id}_key on t{table.id} (h, r)")
        for index in table.indexes:
            self.add_index(table, index)
        self.save_table(table)
        return table

    def save_table(self, table: Table) -> None:
        follow_table(self.connection, self._tables.get(table.name), table, self.clock())
        self.connection.execute("update tables set data = ? where id = ?", (encode(table), table.id))
        self._tables[table.name] = table

    def drop_table(self, table: Table) -> None:
        for index in table.indexes:
            self.drop_index(table, index)
        self.connection.execute(f"drop table t{table.id}")
        self.connection.execute("delete from tables where id = ?", (table.id,))
        follow_table(self.connection, table, None, self.clock())
        del self._tables[table.name]

    def add_index(self, table: Table, index: Index) -> None:
        self.connection.execute(
            f"create table t{table.id}_{index.slot} (gh blob not null, gr blob not null, h blob not null,"
            " r blob not null, id integer not null, size integer not null, primary key (gh, gr, h, r)) without rowid"
        )

    def drop_index(self, table: Table, index: Index) -> None:
        self.connection.execute(f"drop table t{table.id}_{index.slot}")

    # ---- items ---------------------------------------------------------------------------------------------------

    def find(self, table: Table, h: bytes, r: bytes) -> Row | None:
        found = self.connection.execute(
            f"select id, item, size from t{table.id} where h = ? and r = ?", (h, r)
        ).fetchone()
        return None if found is None else Row(*found)

    def insert(self, table: Table, h: bytes, r: bytes, text: bytes, size: int) -> int:
        cursor = self.connection.execute(
            f"insert into t{table.id} (h, r, item, size) values (?, ?, ?, ?)", (h, r, text, size)
        )
        return cursor.lastrowid or 0

    def replace(self, table: Table, row: int, text: bytes, size: int) -> None:
        self.connection.execute(f"update t{table.id} set item = ?, size = ? where id = ?", (text, size, row))

    def delete(self, table: Table, row: int) -> None:
        self.connection.execute(f"delete from t{table.id} where id = ?", (row,))

    def add_entry(
        self, table: Table, index: Index, key: tuple[bytes, bytes, bytes, bytes], row: int, size: int
    ) -> None:
        self.connection.execute(
            f"insert or replace into t{table.id}_{index.slot} values (?, ?, ?, ?, ?, ?)", (*key, row, size)
        )

    def drop_entry(self, table: Table, index: Index, key: tuple[bytes, bytes, bytes, bytes]) -> None:
        self.connection.execute(
            f"delete from t{table.id}_{index.slot} where gh = ? and gr = ? and h = ? and r = ?", key
        )
