"""The Streams API as operations: find a table's stream, list its shards, read one shard from a place on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.errors import RequestError, ServiceError
from tablewright.runtime.flow import Pause
from tablewright.runtime.tables.wait import ask, described

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow

Params: TypeAlias = dict[str, Any]


class Place(msgspec.Struct, frozen=True):
    """Where in a shard to begin."""

    kind: Literal["TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"]
    sequence: str | None = None

    def params(self) -> Params:
        number = {} if self.sequence is None else {"SequenceNumber": self.sequence}
        return {"ShardIteratorType": self.kind, **number}


OLDEST = Place("TRIM_HORIZON")
LATEST = Place("LATEST")


class FindStream(msgspec.Struct, frozen=True):
    """The ARN of a table's stream."""

    table: str

    def params(self) -> Params:
        return {"TableName": self.table}

    def flow(self) -> Flow[str]:
        table = yield from described(self.table)
        if table is None:
            raise RequestError(
                f'there is no table "{self.table}"; make it with db.create(service, stream=...)', code=2003
            )
        arn: str | None = table.get("LatestStreamArn")
        if arn is None:
            remedy = 'make it with db.create(service, stream="new_and_old_images"), or switch its stream on'
            raise RequestError(f'the table "{self.table}" has no stream; {remedy}', code=2003)
        return arn


class Listed(msgspec.Struct, frozen=True):
    """The shards of a stream, and whether it has ended."""

    shards: tuple[Params, ...]
    is_over: bool


class ListShards(msgspec.Struct, frozen=True):
    """Describes a stream, all pages of it."""

    stream: str

    def params(self) -> Params:
        return {"StreamArn": self.stream}

    def flow(self) -> Flow[Listed]:
        shards: list[Params] = []
        params = self.params()
        while True:
            reply = yield from _ask_streams("DescribeStream", **params)
            told: Params = reply["StreamDescription"]
            shards += told.get("Shards", ())
            if "LastEvaluatedShardId" not in told:
                return Listed(tuple(shards), told.get("StreamStatus") == "DISABLED")
            params = {**params, "ExclusiveStartShardId": told["LastEvaluatedShardId"]}


class ShardPage(msgspec.Struct, frozen=True):
    """Records, and the iterator to go on with; None at the end of the shard."""

    records: list[Params]
    iterator: str | None


class ReadShard(msgspec.Struct, frozen=True):
    """One page of a shard: by an iterator, or from a place on where there is none or it has expired."""

    stream: str
    shard: str
    place: Place
    iterator: str | None = None

    def params(self) -> Params:
        return {"StreamArn": self.stream, "ShardId": self.shard, **self.place.params()}

    def flow(self) -> Flow[ShardPage]:
        try:
            iterator = self.iterator or (yield from self.begin())
            try:
                reply = yield from _ask_streams("GetRecords", ShardIterator=iterator)
            except ServiceError as error:
                if error.name != "ExpiredIteratorException" or self.place == LATEST:
                    raise
                reply = yield from _ask_streams("GetRecords", ShardIterator=(yield from self.begin()))
        except ServiceError as error:
            if error.name != "TrimmedDataAccessException":
                raise
            raise RequestError(
                f"the changes behind {self.place.sequence} in {self.shard} are gone: streams keep them for a day; "
                "to go on with what is left, checkpoints.forget() and read the table for what was missed",
                code=2002,
            ) from error
        return ShardPage(reply["Records"], reply.get("NextShardIterator"))

    def begin(self) -> Flow[str]:
        reply = yield from _ask_streams("GetShardIterator", **self.params())
        iterator: str = reply["ShardIterator"]
        return iterator


class Wait(msgspec.Struct, frozen=True):
    """Lets time pass, as the database lets it."""

    seconds: float

    def params(self) -> Params:
        return {}

    def flow(self) -> Flow[None]:
        yield Pause(self.seconds)


def _ask_streams(action: str, **params: Any) -> Flow[Params]:
    try:
        return (yield from ask(action, **params))
    except ServiceError as error:
        if error.name != "UnknownOperationException":
            raise
        remedy = 'give client=boto3.client("dynamodbstreams")'
        raise RequestError(
            f"streams are not read where the table is, but by a service of their own; {remedy}"
        ) from error
