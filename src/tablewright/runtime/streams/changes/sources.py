"""What was delivered: the records of a Lambda event, of a GetRecords reply, or of a plain list.

A record that cannot be read is a delivery all the same. It fails when its turn comes, like a handler that fails, so
that those before it are not delivered again.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.streams.changes.record import StreamRecord, record_of_kinesis, record_of_stream

Delivered: TypeAlias = Mapping[str, Any] | Iterable[Mapping[str, Any] | StreamRecord]
"""A Lambda event, a reply of GetRecords, or the records in it."""


class Delivery(msgspec.Struct, frozen=True):
    """One record, or why it cannot be read; `sequence` is what the deliverer calls its place."""

    sequence: str
    record: StreamRecord | None = None
    fault: Exception | None = None


def stream_records(source: Delivered) -> list[StreamRecord]:
    """The changes in a Lambda event of DynamoDB Streams or Kinesis, in a reply of GetRecords, or in a list of records.

    A record that cannot be read raises what is wrong with it.
    """
    return [read(delivery) for delivery in deliveries(source)]


def read(delivery: Delivery) -> StreamRecord:
    if delivery.record is None:
        raise delivery.fault or RequestError("a delivery without a record", code=2002)
    return delivery.record


def deliveries(source: Delivered) -> list[Delivery]:
    if isinstance(source, Mapping):
        source = _records_in(cast("Mapping[str, Any]", source))
    return [_deliver(each) for each in source]


def _records_in(event: Mapping[str, Any]) -> list[Any]:
    found: Any = event.get("Records")
    if isinstance(found, list):
        return found  # pyright: ignore[reportUnknownVariableType]
    known = ", ".join(map(str, event)) or "nothing"
    raise RequestError(
        f"this event has no list of Records, it has: {known}; give what a DynamoDB stream or a Kinesis stream "
        "sends to a Lambda function, or the records themselves",
        code=2002,
    )


def _deliver(told: Any) -> Delivery:
    if isinstance(told, StreamRecord):
        return Delivery(told.sequence, told)
    if not isinstance(told, Mapping):
        return Delivery("", fault=RequestError(f"{told!r:.60} is no record of a stream", code=2002))
    given = cast("Mapping[str, Any]", told)
    sequence = _sequence_of(given)
    try:
        return Delivery(sequence, _to_record(given, sequence))
    except (KeyError, TypeError, ValueError, AttributeError, msgspec.MsgspecError, RequestError) as fault:
        return Delivery(sequence, fault=_unreadable(sequence, fault))


def _to_record(told: Mapping[str, Any], sequence: str) -> StreamRecord:
    if "dynamodb" in told:
        return record_of_stream(told)
    carried: Mapping[str, Any] = told.get("kinesis", told)  # EventBridge Pipes leave the wrapping out
    if "data" in carried:
        return record_of_kinesis(b64decode(carried["data"]), sequence)
    raise RequestError('it has neither "dynamodb" nor "kinesis"', code=2002)


def _sequence_of(told: Mapping[str, Any]) -> str:
    """The number that Lambda wants back for a record that failed."""
    for member, name in (("dynamodb", "SequenceNumber"), ("kinesis", "sequenceNumber")):
        inside: Any = told.get(member)
        if isinstance(inside, Mapping):
            return str(cast("Mapping[str, Any]", inside).get(name, ""))
    return str(told.get("sequenceNumber", ""))


def _unreadable(sequence: str, fault: Exception) -> Exception:
    what = fault.message if isinstance(fault, RequestError) else f"{type(fault).__name__}: {fault}"
    error = RequestError(f"record {sequence or 'without a number'} cannot be read: {what}", code=2002)
    error.__cause__ = fault
    return error
