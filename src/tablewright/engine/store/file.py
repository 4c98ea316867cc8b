"""Opening the file: it is ours or new, or it is left exactly as it is; and what went wrong is told with a remedy."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Literal, TypeAlias

from tablewright.engine.store.checksums import text_checksum
from tablewright.engine.store.streams import remember_last_without_checksum
from tablewright.engine.store.times import add_functions
from tablewright.engine.store.tokens import add_token
from tablewright.errors import TablewrightError

Durability: TypeAlias = Literal["normal", "full"]

FORMAT = 2
BEFORE_CHECKSUMS = 1
MARK = 0x54626C77  # "Tblw", SQLite's application_id of our files
SQLITE_HEAD = b"SQLite format 3\0"
SQLITE_HEAD_BYTES = 100
MARK_PLACE = 68
BUSY_SECONDS = 30
TABLES = """
create table if not exists facts (name text primary key, value);
create table if not exists tables (id integer primary key autoincrement, name text unique not null, data blob not null,
    crc integer);
create table if not exists totals (table_id integer not null, slot integer not null, items integer not null,
    bytes integer not null, primary key (table_id, slot)) without rowid;
create table if not exists streams (name text primary key, data blob not null, crc integer);
create table if not exists records (seq integer primary key autoincrement, table_id integer not null, at real not null,
    stream text not null, data blob not null, crc integer);
create table if not exists tokens (token text primary key, at real not null, request blob not null,
    reply blob not null, mark integer, crc integer);
"""
INDEXES = """
create index if not exists records_of on records (stream, seq);
create index if not exists tokens_by_age on tokens (at);
create index if not exists tokens_by_mark on tokens (mark);
"""

REMEDIES = {
    "SQLITE_FULL": "the disk is full; make room and try again",
    "SQLITE_IOERR": "the disk refused (is it full, or gone?)",
    "SQLITE_READONLY": "it may not be written; the file and its folder must be writable",
    "SQLITE_CANTOPEN": "it cannot be opened; its folder must exist and be writable",
    "SQLITE_PERM": "it may not be opened; the file and its folder must be readable and writable",
    "SQLITE_NOTADB": "it is not a database; choose another file",
    "SQLITE_CORRUPT": "it is damaged; use a copy",
    "SQLITE_BUSY": f"another process has been writing for {BUSY_SECONDS} seconds; try again when it is done",
    "SQLITE_LOCKED": f"another process has been writing for {BUSY_SECONDS} seconds; try again when it is done",
    "SQLITE_NOMEM": "there is no memory left",
}


def open_connection(path: str | None, durability: Durability) -> sqlite3.Connection:
    """Open (or make) the database."""
    if durability not in ("normal", "full"):
        raise TablewrightError(f"durability is {durability!r}, but must be normal or full")
    try:
        connection = sqlite3.connect(
            path or ":memory:",
            isolation_level=None,
            check_same_thread=False,
            cached_statements=512,
            timeout=BUSY_SECONDS,
        )
    except sqlite3.Error as error:
        raise explain(error, path) from error
    try:
        add_functions(connection)
        _prepare(connection, path, durability)
    except sqlite3.Error as error:
        connection.close()
        raise explain(error, path) from error
    except UnicodeDecodeError as error:  # the schema is damaged, and SQLite says so in the damaged words
        connection.close()
        raise explain(sqlite3.DatabaseError(ascii(error.object)), path, "SQLITE_CORRUPT") from error
    except TablewrightError:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: str | None, durability: Durability) -> None:
    """Look before touching: not even the journal mode of somebody else's file is changed."""
    _check_owner(connection, path)
    if path is not None:
        _switch_to_wal(connection)
    connection.execute(f"pragma synchronous = {durability if path is not None else 'off'}")
    connection.execute("pragma cache_size = -65536")
    connection.execute("pragma temp_store = memory")
    connection.execute("begin immediate")
    _check_owner(connection, path)
    _run_all(connection, TABLES)
    connection.execute(f"pragma application_id = {MARK}")
    connection.execute("insert or ignore into facts values ('format', ?)", (FORMAT,))
    if _stored_format(connection) == BEFORE_CHECKSUMS:
        _add_checksums(connection)
    _check_format(connection, path)
    _run_all(connection, INDEXES)
    connection.execute("commit")


def _run_all(connection: sqlite3.Connection, script: str) -> None:
    """Not `executescript`, which would end the transaction."""
    for statement in script.split(";"):
        connection.execute(statement)


def _check_owner(connection: sqlite3.Connection, path: str | None) -> None:
    """A file is ours when it carries our mark, or has nothing in it yet."""
    mark = connection.execute("pragma application_id").fetchone()[0]
    used = connection.execute("select 1 from sqlite_master limit 1").fetchone()
    if mark != MARK and (mark or used):
        raise TablewrightError(f"{path} is an SQLite database of somebody else; choose another file")


def is_ours(path: Path) -> bool:
    """Whether there is a file that carries our mark; it is read where SQLite keeps it, and not opened."""
    try:
        with path.open("rb") as file:
            head = file.read(MARK_PLACE + 4)
    except OSError:
        return False
    return head.startswith(SQLITE_HEAD) and head[MARK_PLACE:] == MARK.to_bytes(4, "big")


def is_blank(path: Path) -> bool:
    """Whether there is nothing in a file, neither ours nor somebody else's: who only reads must not begin there.

    SQLite is not asked about a file without its head: it would take that for new, and throw away the log beside it.
    """
    if path.stat().st_size < SQLITE_HEAD_BYTES:
        return True
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
            marked = connection.execute("pragma application_id").fetchone()[0]
            return not marked and connection.execute("select 1 from sqlite_master limit 1").fetchone() is None
    except (sqlite3.Error, UnicodeDecodeError):
        return False  # whoever opens it will tell


def _stored_format(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("select value from facts where name = 'format'").fetchone()[0]
    return found


def _add_checksums(connection: sqlite3.Connection) -> None:
    """Make room for them, and read no row but descriptions and tokens, however large the file is.

    Items and entries have checksums from their next change on, and are counted when somebody asks how many there are.
    """
    execute = connection.execute
    found = execute("select name from sqlite_master where type = 'table' and name glob 't[0-9]*'").fetchall()
    for (name,) in [*found, ("tables",), ("streams",), ("records",)]:
        execute(f"alter table {name} add column crc integer")
    for kind in ("tables", "streams"):
        rows = execute(f"select name, data from {kind}").fetchall()
        sealed = [(text_checksum(data, name), name) for name, data in rows]
        connection.executemany(f"update {kind} set crc = ? where name = ?", sealed)
    _seal_tokens(connection)
    remember_last_without_checksum(connection)
    execute("update facts set value = ? where name = 'format'", (FORMAT,))


def _seal_tokens(connection: sqlite3.Connection) -> None:
    """These are few: they go after ten minutes."""
    for column in ("mark", "crc"):
        connection.execute(f"alter table tokens add column {column} integer")
    for row in connection.execute("select token, at, request, reply from tokens").fetchall():
        add_token(connection, *row)


def _check_format(connection: sqlite3.Connection, path: str | None) -> None:
    found = _stored_format(connection)
    if found != FORMAT:
        raise TablewrightError(
            f"{path} was written by another version (format {found}); this one reads format {FORMAT}"
        )


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Several processes may open a new file at once, and this switch does not wait for the others by itself."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def explain(error: sqlite3.Error, path: str | None, name: str = "") -> TablewrightError:
    """What went wrong with the file, what to do, and that nothing was half-written."""
    where = "the database in memory" if path is None else str(Path(path).absolute())
    name = name or getattr(error, "sqlite_errorname", "")
    remedy = next((text for code, text in REMEDIES.items() if name.startswith(code)), "")
    told = f"{where}: {error}" if not remedy else f"{where}: {remedy} ({error})"
    return TablewrightError(f"{told}. The change was not made, and what was there before still is.")
