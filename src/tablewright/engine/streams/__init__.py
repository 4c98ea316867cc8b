"""ListStreams, DescribeStream, GetShardIterator, GetRecords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.streams.describe import describe_stream, list_streams
from tablewright.engine.streams.read import get_records, get_shard_iterator

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.engine import Engine

HANDLERS: dict[str, Callable[[Engine, dict[str, Any]], dict[str, Any]]] = {
    "ListStreams": list_streams,
    "DescribeStream": describe_stream,
    "GetShardIterator": get_shard_iterator,
    "GetRecords": get_records,
}
