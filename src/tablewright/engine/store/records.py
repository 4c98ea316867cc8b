"""Streams and their records in the storage: what is kept of changes, under the streams' names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.engine.store.stream import Stream, enabled_stream

if TYPE_CHECKING:
    from sqlite3 import Connection

    from tablewright.engine.store.table import Table

encode = msgspec.json.encode
decode_stream = msgspec.json.Decoder(Stream).decode

Record = tuple[int, float, bytes]
"""Number, time and text."""


def streams(connection: Connection) -> list[Stream]:
    """Every stream, by table and age."""
    return [decode_stream(data) for (data,) in connection.execute("select data from streams order by name")]


def save_stream(connection: Connection, stream: Stream) -> None:
    connection.execute("insert or replace into streams values (?, ?)", (stream.name, encode(stream)))


def drop_stream(connection: Connection, stream: Stream) -> None:
    connection.execute("delete from records where stream = ?", (stream.name,))
    connection.execute("delete from streams where name = ?", (stream.name,))


def follow_table(connection: Connection, before: Table | None, after: Table | None, now: float) -> None:
    """Close and open streams as a table's settings change (None: before it was made, after it was dropped)."""
    old, new = enabled_stream(before), enabled_stream(after)
    if old == new:
        return
    last = last_record(connection)
    if old is not None:
        open_one = next((stream for stream in streams(connection) if stream.name == old), None)
        if open_one is not None:
            save_stream(connection, msgspec.structs.replace(open_one, closed=now, last=max(last, open_one.first)))
    if after is not None and after.stream is not None:
        view, label = after.stream["StreamViewType"], after.stream["label"]
        save_stream(connection, Stream(table=after.name, label=label, view=view, keys=after.keys, first=last + 1))


# ---- records -----------------------------------------------------------------------------------------------------


def add_record(connection: Connection, table_id: int, stream: str, at: float, data: bytes) -> None:
    connection.execute(
        "insert into records (table_id, at, stream, data) values (?, ?, ?, ?)", (table_id, at, stream, data)
    )


def records(connection: Connection, stream: str, start: int, limit: int) -> list[Record]:
    """The records of a stream with this number and later ones."""
    return connection.execute(
        "select seq, at, data from records where stream = ? and seq >= ? order by seq limit ?", (stream, start, limit)
    ).fetchall()


def last_record(connection: Connection) -> int:
    """The highest number that was ever given."""
    found = connection.execute("select seq from sqlite_sequence where name = 'records'").fetchone()
    return 0 if found is None else found[0]


def last_record_before(connection: Connection, stream: str, at: float) -> int:
    """The number of the last record older than a time; 0 for none. Records are in the order of their times."""
    oldest: Record | None = connection.execute(
        "select seq, at, data from records where stream = ? order by seq limit 1", (stream,)
    ).fetchone()
    if oldest is None or oldest[1] >= at:
        return 0  # as a rule nothing is too old, and the oldest tells
    found = connection.execute("select max(seq) from records where stream = ? and at < ?", (stream, at)).fetchone()
    return found[0] or 0


def trim_records(connection: Connection, stream: str, at: float) -> int:
    """Drop records older than a time; the answer is the number of the last of them, 0 for none."""
    last = last_record_before(connection, stream, at)
    if last:
        connection.execute("delete from records where stream = ? and seq <= ?", (stream, last))
    return last
