"""One change of one item, as DynamoDB tells it; whichever way it came.

Three ways bring the same record: DynamoDB Streams to a Lambda function, Kinesis Data Streams for DynamoDB to a Lambda
function, and GetRecords of the Streams API. They differ in how they spell times and who deleted, and in one promise:
Streams keeps the changes of an item in order and tells each once, Kinesis does neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias, cast

import msgspec

from tablewright.errors import RequestError
from tablewright.wire.values import marshal_item, unmarshal_item

Plain: TypeAlias = dict[str, Any]
ChangeKind: TypeAlias = Literal["INSERT", "MODIFY", "REMOVE"]

KINDS = ("INSERT", "MODIFY", "REMOVE")
SERVICE = ("service", "dynamodb.amazonaws.com")
"""Who deletes what has expired: the type and the principal of `userIdentity`."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECONDS = {"MILLISECOND": 1_000, "MICROSECOND": 1}
"""By the precision that a Kinesis record names: how many microseconds its unit has."""


class StreamRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A change with plain values, before anybody asked whose item it is.

    `old` and `new` are the item before and after, None where there was none or the stream's `view` leaves it out.
    `by_service` tells that DynamoDB deleted the item because it had expired. Without `is_ordered` the record may have
    come twice, or behind a newer one of the same item.
    """

    id: str
    change: ChangeKind
    keys: Plain
    old: Plain | None = None
    new: Plain | None = None
    view: str | None = None
    sequence: str = ""
    microseconds: int | None = None  # since 1970, when the change was made
    table: str | None = None
    by_service: bool = False
    is_ordered: bool = True

    @property
    def at(self) -> datetime | None:
        """When the change was made, about; Streams tell whole seconds."""
        return None if self.microseconds is None else EPOCH + timedelta(microseconds=self.microseconds)

    @property
    def item(self) -> str:
        """A text for the item that changed: equal for equal keys."""
        return _item_text(self.table, self.keys)


def _item_text(table: str | None, keys: Plain) -> str:
    typed = marshal_item(keys)
    return msgspec.json.encode([table, sorted(typed.items())]).decode()


def record_of_stream(told: Mapping[str, Any]) -> StreamRecord:
    """A record of DynamoDB Streams, from Lambda or from GetRecords."""
    inside: Mapping[str, Any] = told["dynamodb"]
    return StreamRecord(
        sequence=inside.get("SequenceNumber", ""),
        microseconds=_from_seconds(inside.get("ApproximateCreationDateTime")),
        view=inside.get("StreamViewType"),
        table=_table_in(told.get("eventSourceARN")),
        **_what_changed(told, inside),
    )


def record_of_kinesis(text: bytes, sequence: str) -> StreamRecord:
    """A record that Kinesis Data Streams for DynamoDB carries; both images are always there."""
    told: Any = msgspec.json.decode(text)
    if not isinstance(told, dict) or not isinstance(cast(Plain, told).get("dynamodb"), dict):
        raise RequestError("this Kinesis record holds no change of a DynamoDB table", code=2002)
    change = cast(Plain, told)
    inside: Plain = change["dynamodb"]
    unit = MICROSECONDS[inside.get("ApproximateCreationDateTimePrecision", "MILLISECOND")]
    made = inside.get("ApproximateCreationDateTime")
    return StreamRecord(
        sequence=sequence,
        microseconds=None if made is None else int(made) * unit,
        view="NEW_AND_OLD_IMAGES",
        table=change.get("tableName"),
        is_ordered=False,
        **_what_changed(change, inside),
    )


def _what_changed(told: Mapping[str, Any], inside: Mapping[str, Any]) -> dict[str, Any]:
    """What both kinds of records say alike."""
    kind = told.get("eventName")
    if kind not in KINDS:
        raise RequestError(f"eventName is {kind!r}, but a change is one of {', '.join(KINDS)}", code=2002)
    return {
        "id": told.get("eventID") or inside.get("SequenceNumber", ""),
        "change": kind,
        "keys": unmarshal_item(inside["Keys"]),
        "old": _image(inside, "OldImage"),
        "new": _image(inside, "NewImage"),
        "by_service": _is_service(told.get("userIdentity")),
    }


def _image(inside: Mapping[str, Any], name: str) -> Plain | None:
    found = inside.get(name)
    return None if found is None else unmarshal_item(found)


def _is_service(identity: Any) -> bool:
    """Lambda writes `principalId`, the Streams API `PrincipalId`, and Kinesis null for everybody else."""
    if not isinstance(identity, Mapping):
        return False
    told = {name.lower(): value for name, value in cast("Mapping[str, Any]", identity).items()}
    return (str(told.get("type")).lower(), told.get("principalid")) == SERVICE


def _from_seconds(made: Any) -> int | None:
    """The Streams API tells seconds; botocore turns them into datetimes, JSON turns those into text."""
    if made is None:
        return None
    if isinstance(made, str):
        made = datetime.fromisoformat(made)
    if isinstance(made, datetime):
        return (made - EPOCH) // timedelta(microseconds=1)
    return round(float(made) * 1_000_000)


def _table_in(arn: Any) -> str | None:
    """The table's name in the ARN of its stream, `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL`."""
    parts = str(arn or "").partition(":table/")[2].split("/")
    return parts[0] or None
