"""Transactions of the last ten minutes in the storage, by their tokens.

A row is found by its token and by the token's checksum as well: by one of them, should the other be damaged, so that
damage does not look like a transaction that was never made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

from tablewright.engine.store.checksums import damaged, text_checksum
from tablewright.engine.store.streams import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection

Row = tuple[str, float, bytes, bytes, int, int]
"""Token, time, request, reply, and the checksums of the token and of all of it."""

COLUMNS = "token, at, request, reply, mark, crc"


def add_token(connection: Connection, token: str, at: float, request: bytes, reply: bytes) -> None:
    row = _sealed(token, at, request, reply)
    connection.execute(f"insert or replace into tokens ({COLUMNS}) values (?, ?, ?, ?, ?, ?)", row)


def find_token(connection: Connection, token: str) -> tuple[bytes, bytes] | None:
    """Request and reply of the transaction with this token; damage is reported."""
    query = f"select {COLUMNS} from tokens where token = ? or mark = ?"
    rows: list[Row] = connection.execute(query, (token, _mark(token))).fetchall()
    for row in rows:
        if not _fits(row):
            raise damaged(path_of(connection), _name(row))
    return next(((row[2], row[3]) for row in rows if row[0] == token), None)


def drop_tokens(connection: Connection, until: float) -> None:
    """Those from this time and before, but damaged ones: they may be younger than they seem."""
    rows: Iterator[Row] = connection.execute(f"select {COLUMNS} from tokens where at <= ?", (until,))
    old = [(row[0],) for row in rows if _fits(row)]
    connection.executemany("delete from tokens where token = ?", old)


def token_faults(connection: Connection) -> Iterator[str]:
    for row in connection.execute(f"select {COLUMNS} from tokens"):
        if not _fits(row):
            yield f"{_name(row)} is damaged"


def _sealed(token: str, at: float, request: bytes, reply: bytes) -> Row:
    """The row with its checksums."""
    return token, at, request, reply, _mark(token), text_checksum(request, token, at, reply)


def _mark(token: str) -> int:
    return crc32(token.encode())


def _fits(row: Any) -> bool:
    """Damage can also make a column one of another type."""
    try:
        return bool(_sealed(*row[:4]) == row)
    except (TypeError, AttributeError):
        return False


def _name(row: Row) -> str:
    return f"the transaction with token {row[0]!r}"
