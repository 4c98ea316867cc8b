"""A stream as the engine knows it. It outlives its table, and its being switched off, by a day."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from tablewright.engine.store.table import Keys

if TYPE_CHECKING:
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
