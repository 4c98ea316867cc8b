"""ListStreams, DescribeStream, GetShardIterator, GetRecords."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.engine.streams.describe import describe_stream, list_streams
from tablewright.engine.streams.read import get_records, get_shard_iterator

if TYPE_CHECKING:
    from tablewright.engine.context import Handler

HANDLERS: dict[str, Handler] = {
    "ListStreams": list_streams,
    "DescribeStream": describe_stream,
    "GetShardIterator": get_shard_iterator,
    "GetRecords": get_records,
}
