"""Streams and their records in the storage: what is kept of changes, under the streams' names.

A stream outlives its table, and its being switched off, by a day.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from tablewright.engine.store.checksums import damaged, text_checksum, text_fits
from tablewright.engine.store.table import Keys

if TYPE_CHECKING:
    from sqlite3 import Connection

    from tablewright.engine.store.table import Table


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """One shard's worth of records: those numbered `first` and up, and up to `last` once it is closed."""

    table: str
    label: str
    view: str
    keys: Keys
    first: int
    last: int | None = None
    closed: float | None = None
    trimmed: int = 0  # the last record that was too old to keep

    @property
    def name(self) -> str:
        """What its ARN ends with."""
        return _stream_name(self.table, self.label)

    @property
    def created(self) -> float:
        return datetime.fromisoformat(self.label).replace(tzinfo=UTC).timestamp()

    @property
    def shard(self) -> str:
        return f"shardId-{round(self.created * 1000):020d}-{crc32(self.name.encode()):08x}"


def _stream_name(table: str, label: str) -> str:
    return f"{table}/stream/{label}"


def enabled_stream(table: Table | None) -> str | None:
    """The name of the stream that a table writes to."""
    return None if table is None or table.stream is None else _stream_name(table.name, table.stream["label"])


# ---- descriptions ---------------------------------------------------------------------------------------------------

encode = msgspec.json.encode
decode_stream = msgspec.json.Decoder(Stream).decode

LAST_WITHOUT_CHECKSUM = "last record without checksum"


class _Change(msgspec.Struct):
    """What every record's text has."""

    dynamodb: dict[str, Any]


decode_change = msgspec.json.Decoder(_Change).decode

Record = tuple[int, float, bytes]
"""Number, time and text."""


def streams(connection: Connection) -> list[Stream]:
    """Every stream, by table and age."""
    found = connection.execute("select name, data, crc from streams order by name")
    return [_read_stream(connection, name, data, crc) for name, data, crc in found]


def _read_stream(connection: Connection, name: str, data: bytes, crc: int) -> Stream:
    if not text_fits(crc, data, name):
        raise damaged(path_of(connection), f"the description of stream {name!r}")
    return decode_stream(data)


def path_of(connection: Connection) -> str | None:
    """The file, for those who must tell of it."""
    path: str = connection.execute("pragma database_list").fetchone()[2]
    return path or None


def save_stream(connection: Connection, stream: Stream) -> None:
    data = encode(stream)
    sealed = (stream.name, data, text_checksum(data, stream.name))
    connection.execute("insert or replace into streams values (?, ?, ?)", sealed)


def drop_stream(connection: Connection, stream: Stream) -> None:
    """A stream whose records are gone."""
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
        "insert into records (table_id, at, stream, data, crc) values (?, ?, ?, ?, ?)",
        (table_id, at, stream, data, text_checksum(data, stream, at)),
    )


def records(connection: Connection, stream: str, start: int, limit: int) -> list[Record]:
    """The records of a stream with this number and later ones."""
    found = connection.execute(
        "select seq, at, data, crc from records where stream = ? and seq >= ? order by seq limit ?",
        (stream, start, limit),
    ).fetchall()
    for seq, at, data, crc in found:
        if not text_fits(crc, data, stream, at) and not _is_from_before(connection, seq, at, data, crc):
            raise damaged(path_of(connection), f"record {seq} of stream {stream!r}")
    return [(seq, at, data) for seq, at, data, _ in found]


def _is_from_before(connection: Connection, seq: int, at: Any, data: Any, crc: Any) -> bool:
    """Whether a record is of the time before checksums; of those, what cannot be read at all is damaged."""
    if crc is not None or not isinstance(at, float) or not isinstance(data, bytes):
        return False
    last = connection.execute("select value from facts where name = ?", (LAST_WITHOUT_CHECKSUM,)).fetchone()
    try:
        decode_change(data)
    except msgspec.DecodeError:
        return False
    return last is not None and seq <= last[0]


def last_record(connection: Connection) -> int:
    """The highest number that was ever given."""
    found = connection.execute("select seq from sqlite_sequence where name = 'records'").fetchone()
    last = 0 if found is None else found[0]
    if not isinstance(last, int):
        raise damaged(path_of(connection), "the number of the last stream record")
    return last


def remember_last_without_checksum(connection: Connection) -> None:
    """When checksums come to a file: later records must have them."""
    values = (LAST_WITHOUT_CHECKSUM, last_record(connection))
    connection.execute("insert or replace into facts values (?, ?)", values)


def last_record_before(connection: Connection, stream: str, at: float) -> int:
    """The number of the last record older than a time; 0 for none.

    Records are in the order of their times: it is searched for by halves, and not among all of them.
    """
    low, time = _record_from(connection, stream, 0)
    if not low or time >= at:
        return 0  # as a rule nothing is too old, and the oldest tells
    (high,) = connection.execute("select max(seq) from records where stream = ?", (stream,)).fetchone()
    while low < high:
        middle = (low + high + 1) // 2
        seq, time = _record_from(connection, stream, middle)
        low, high = (seq, high) if seq and time < at else (low, middle - 1)
    return low


def _record_from(connection: Connection, stream: str, start: int) -> tuple[int, float]:
    """Number and time of the first record from a number on."""
    found = records(connection, stream, start, 1)
    return found[0][:2] if found else (0, 0.0)


def trim_records(connection: Connection, stream: str, last: int, at_most: int) -> bool:
    """Drop the first records up to a number, not too many at once; whether none of them is left."""
    (end,) = connection.execute(
        "select max(seq) from (select seq from records where stream = ? and seq <= ? order by seq limit ?)",
        (stream, last, at_most),
    ).fetchone()
    if end is not None:
        connection.execute("delete from records where stream = ? and seq <= ?", (stream, end))
    first, _ = _record_from(connection, stream, 0)
    return not first or first > last
