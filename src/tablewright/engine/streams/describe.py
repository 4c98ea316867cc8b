"""ListStreams and DescribeStream: which streams there are, and what their shards hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import no_such_resource, validation
from tablewright.engine.store.streams import last_record_before, streams
from tablewright.engine.tables.describe import key_schema, table_arn
from tablewright.wire.limits import STREAM_RETENTION_SECONDS

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.streams import Stream
    from tablewright.errors import ServiceError

Params = dict[str, Any]

MAX_LISTED = 100
ARN = re.compile(r"arn:aws[\w-]*:dynamodb:[^:]*:[^:]*:table/([^/]+/stream/.+)")
FIRST_NUMBER = 10**20  # sequence numbers have at least 21 digits


def list_streams(engine: EngineContext, params: Params) -> Params:
    limit: int = params.get("Limit", MAX_LISTED)
    start = params.get("ExclusiveStartStreamArn")
    after = "" if start is None else _name_in(start)
    wanted = params.get("TableName")
    with engine.storage.reading():
        found = [stream for stream in _live_streams(engine) if wanted in (None, stream.table) and stream.name > after]
    reply: Params = {"Streams": [_summary(engine, stream) for stream in found[:limit]]}
    if len(found) > limit:
        reply["LastEvaluatedStreamArn"] = stream_arn(engine, found[limit - 1])
    return reply


def describe_stream(engine: EngineContext, params: Params) -> Params:
    with engine.storage.reading():
        stream = known_stream(engine, params["StreamArn"])
        told = {
            **_summary(engine, stream),
            "StreamStatus": "ENABLED" if stream.closed is None else "DISABLED",
            "StreamViewType": stream.view,
            "CreationRequestDateTime": stream.created,
            "KeySchema": key_schema(stream.keys),
            "Shards": _shards(engine, stream, params),
        }
    return {"StreamDescription": told}


def _summary(engine: EngineContext, stream: Stream) -> Params:
    return {"StreamArn": stream_arn(engine, stream), "TableName": stream.table, "StreamLabel": stream.label}


def _shards(engine: EngineContext, stream: Stream, params: Params) -> list[Params]:
    """The stream's only shard, unless the caller has got it already or asks for the children of one."""
    if params.get("ExclusiveStartShardId", "") >= stream.shard or "ShardFilter" in params:
        return []
    numbers = {"StartingSequenceNumber": sequence_number(max(stream.first, oldest_record(engine, stream)))}
    if stream.last is not None:
        numbers["EndingSequenceNumber"] = sequence_number(stream.last)
    return [{"ShardId": stream.shard, "SequenceNumberRange": numbers}]


def oldest_record(engine: EngineContext, stream: Stream) -> int:
    """The number of the first record that is kept: older ones may still be stored, but are not shown."""
    horizon = engine.clock() - STREAM_RETENTION_SECONDS
    return max(stream.trimmed, last_record_before(engine.storage.connection, stream.name, horizon)) + 1


def known_stream(engine: EngineContext, arn: str) -> Stream:
    name = _name_in(arn)
    found = next((stream for stream in _live_streams(engine) if stream.name == name), None)
    if found is None:
        raise _no_such_stream(arn)
    return found


def _live_streams(engine: EngineContext) -> list[Stream]:
    """All streams but those that ended more than a day ago."""
    horizon = engine.clock() - STREAM_RETENTION_SECONDS
    return [each for each in streams(engine.storage.connection) if each.closed is None or each.closed >= horizon]


def _no_such_stream(arn: str) -> ServiceError:
    return no_such_resource(f"Requested resource not found: Stream: {arn} not found")


def _name_in(arn: str) -> str:
    """The table and label in a stream's ARN."""
    found = ARN.fullmatch(arn)
    if found is None:
        raise validation("Invalid StreamArn")
    return found[1]


def stream_arn(engine: EngineContext, stream: Stream) -> str:
    return f"{table_arn(engine, stream.table)}/stream/{stream.label}"


def sequence_number(record: int) -> str:
    return str(FIRST_NUMBER + record)
