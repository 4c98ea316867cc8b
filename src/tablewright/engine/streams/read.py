"""GetShardIterator and GetRecords: reading a shard from a place on.

An iterator is the ARN, a version and the place: shard, number of the next record and the time of issue, for it expires
after fifteen minutes.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import md5
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import no_such_resource, validation
from tablewright.engine.store.streams import last_record, last_record_before, records
from tablewright.engine.streams.describe import (
    FIRST_NUMBER,
    known_stream,
    oldest_record,
    sequence_number,
    stream_arn,
)
from tablewright.errors import service_error
from tablewright.wire.limits import MAX_PAGE_BYTES, MAX_STREAM_RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.streams import Stream
    from tablewright.errors import ServiceError

Params = dict[str, Any]

ITERATOR_SECONDS = 900
BY_NUMBER = ("AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER")


class _Place(msgspec.Struct, frozen=True, array_like=True):
    """Where an iterator stands."""

    shard: str
    record: int
    issued: float


def get_shard_iterator(engine: EngineContext, params: Params) -> Params:
    number = _read_number(params)
    with engine.storage.reading():
        stream = known_stream(engine, params["StreamArn"])
        if params["ShardId"] != stream.shard:
            raise no_such_resource("Requested resource not found: Shard does not exist")
        record = STARTS[params["ShardIteratorType"]](engine, stream, params, number or 0)
        if number is not None and record < oldest_record(engine, stream):
            raise _trimmed()
    return {"ShardIterator": _write_iterator(engine, stream, record)}


def _read_number(params: Params) -> int | None:
    """The record a sequence number names, if the type of iterator takes one."""
    number, kind = params.get("SequenceNumber"), params["ShardIteratorType"]
    if (number is not None) != (kind in BY_NUMBER):
        raise validation(
            f"SequenceNumber must be specified when ShardIteratorType is {kind}"
            if number is None
            else f"SequenceNumber must not be specified when ShardIteratorType is {kind}"
        )
    if number is None:
        return None
    if not number.isdecimal():
        raise validation("Invalid SequenceNumber")
    return int(number) - FIRST_NUMBER


def _at_time(engine: EngineContext, stream: Stream, params: Params, _number: int) -> int:
    if "Timestamp" not in params:
        raise validation("Timestamp must be specified when ShardIteratorType is AT_TIMESTAMP")
    before = last_record_before(engine.storage.connection, stream.name, params["Timestamp"])
    return max(before + 1, oldest_record(engine, stream))


STARTS: dict[str, Callable[[EngineContext, Stream, Params, int], int]] = {
    "TRIM_HORIZON": lambda engine, stream, _params, _number: max(stream.first, oldest_record(engine, stream)),
    "LATEST": lambda engine, _stream, _params, _number: last_record(engine.storage.connection) + 1,
    "AT_SEQUENCE_NUMBER": lambda _engine, _stream, _params, number: number,
    "AFTER_SEQUENCE_NUMBER": lambda _engine, _stream, _params, number: number + 1,
    "AT_TIMESTAMP": _at_time,
}


def get_records(engine: EngineContext, params: Params) -> Params:
    limit = params.get("Limit", MAX_STREAM_RECORDS)
    arn, place = _read_iterator(params["ShardIterator"])
    if engine.clock() - place.issued > ITERATOR_SECONDS:
        raise service_error("ExpiredIteratorException", "Shard iterator is expired")
    with engine.storage.reading():
        stream = known_stream(engine, arn)
        if place.shard != stream.shard:
            raise no_such_resource("Requested resource not found: Shard does not exist")
        if stream.first <= place.record < oldest_record(engine, stream):
            raise _trimmed()
        found = _page(records(engine.storage.connection, stream.name, place.record, limit))
    reply: Params = {"Records": [_to_record(engine, stream, *each) for each in found]}
    following = found[-1][0] + 1 if found else place.record
    if stream.last is None or records(engine.storage.connection, stream.name, following, 1):
        reply["NextShardIterator"] = _write_iterator(engine, stream, following)
    return reply


def _page(found: list[tuple[int, float, bytes]]) -> list[tuple[int, float, bytes]]:
    """As many records as fit into a reply, and at least one."""
    size = 0
    for at, (_, _, data) in enumerate(found):
        size += len(data)
        if size > MAX_PAGE_BYTES and at:
            return found[:at]
    return found


def _to_record(engine: EngineContext, stream: Stream, number: int, at: float, data: bytes) -> Params:
    """A record as readers get it."""
    told = msgspec.json.decode(data)
    inside = {"ApproximateCreationDateTime": int(at), **told["dynamodb"], "SequenceNumber": sequence_number(number)}
    event = md5(f"{stream.name}/{number}".encode(), usedforsecurity=False).hexdigest()
    source = {"eventVersion": "1.1", "eventSource": "aws:dynamodb", "awsRegion": engine.region}
    return {"eventID": event, **told, **source, "dynamodb": inside}


def _trimmed() -> ServiceError:
    return service_error("TrimmedDataAccessException", "The data you are trying to access has been trimmed")


# ---- iterators -------------------------------------------------------------------------------------------------------


def _write_iterator(engine: EngineContext, stream: Stream, record: int) -> str:
    place = msgspec.json.encode(_Place(stream.shard, record, engine.clock()))
    return f"{stream_arn(engine, stream)}|1|{urlsafe_b64encode(place).decode()}"


def _read_iterator(text: str) -> tuple[str, _Place]:
    parts = text.split("|")
    if len(parts) != 3 or parts[1] != "1":
        raise validation("Invalid ShardIterator")
    try:
        return parts[0], msgspec.json.decode(urlsafe_b64decode(parts[2]), type=_Place)
    except (ValueError, msgspec.DecodeError):
        raise validation("Invalid ShardIterator") from None
