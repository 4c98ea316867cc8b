"""Records of changes: what a write leaves in its table's stream, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.store.streams import (
    add_record,
    drop_stream,
    enabled_stream,
    last_record,
    last_record_before,
    save_stream,
    streams,
    trim_records,
)
from tablewright.wire.limits import STREAM_RETENTION_SECONDS
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from sqlite3 import Connection

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.streams import Stream
    from tablewright.engine.store.table import Table

Plain = dict[str, Any]

NEW_IMAGES = ("NEW_IMAGE", "NEW_AND_OLD_IMAGES")
OLD_IMAGES = ("OLD_IMAGE", "NEW_AND_OLD_IMAGES")
SERVICE = {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}

encode = msgspec.json.encode


def record(engine: EngineContext, table: Table, old: Plain | None, new: Plain | None, *, by_service: bool) -> None:
    """Write the record of one change; `rows.write` comes here only when something changed."""
    name = enabled_stream(table)
    if name is None:
        return
    assert table.stream is not None
    told = _change(table, table.stream["StreamViewType"], old, new)
    if by_service:
        told["userIdentity"] = SERVICE
    add_record(engine.storage.connection, table.id, name, engine.clock(), encode(told))


def _change(table: Table, view: str, old: Plain | None, new: Plain | None) -> Plain:
    """The record but for its number and date: they are known when it is stored, and added when it is read."""
    item = new if old is None else old
    assert item is not None
    parts = {"Keys": {name: item[name] for name in table.keys.names}}
    if new is not None and view in NEW_IMAGES:
        parts["NewImage"] = new
    if old is not None and view in OLD_IMAGES:
        parts["OldImage"] = old
    size = sum(item_size_bytes(part) for part in parts.values())
    images = {name: marshal_item(part) for name, part in parts.items()}
    event = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
    return {"eventName": event, "dynamodb": {**images, "SizeBytes": size, "StreamViewType": view}}


def trim(engine: EngineContext, at_most: int) -> None:
    """Drop records older than a day, and streams that were closed a day ago; no more than `at_most` records each."""
    horizon = engine.clock() - STREAM_RETENTION_SECONDS
    connection = engine.storage.connection
    with engine.storage.reading():
        old = [each for each in streams(connection) if _is_over(each, horizon) or _too_old(engine, each, horizon)]
    if old:
        with engine.storage.writing():
            for stream in old:
                _trim_stream(connection, stream, horizon, at_most)


def _is_over(stream: Stream, horizon: float) -> bool:
    return stream.closed is not None and stream.closed < horizon


def _too_old(engine: EngineContext, stream: Stream, horizon: float) -> int:
    return last_record_before(engine.storage.connection, stream.name, horizon)


def _trim_stream(connection: Connection, stream: Stream, horizon: float, at_most: int) -> None:
    """What is too old is said to be gone at once, and goes little by little."""
    over = _is_over(stream, horizon)
    last = last_record(connection) if over else last_record_before(connection, stream.name, horizon)
    is_empty = trim_records(connection, stream.name, last, at_most)
    if over and is_empty:
        drop_stream(connection, stream)
    elif last > stream.trimmed:
        save_stream(connection, msgspec.structs.replace(stream, trimmed=last))
