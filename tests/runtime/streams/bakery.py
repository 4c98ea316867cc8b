"""A service whose changes the tests follow, and its stream in the forms that Lambda delivers."""

from __future__ import annotations

import base64
import json
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tablewright.engine import Engine
from tablewright.engine.simulation import Clock

bakery = tw.Service("bakery", table="bakery")


class Crumbs(tw.Map):
    kind: Attr[str]
    grams: Attr[int] = attr(default=1, field="g")


def loaf_from_1(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "status": item["state"]}


class Loaf(tw.Entity, service=bakery, name="loaf", version="2", key_version="2", upgrades={"1": loaf_from_1}):
    """Bread."""

    oven: Attr[str]
    loaf: Attr[str]
    status: Attr[str] = attr(default="dough")
    weight: Attr[float] = attr(default=1.0)
    seeds: Attr[set[str]] = attr(default_factory=set)
    crumbs: Attr[Crumbs | None] = attr(default=None)
    baker_name: Attr[str | None] = attr(default=None, field="by")
    secret: Attr[str | None] = attr(default=None, hidden=True)
    expires: Attr[int | None] = attr(default=None)

    @tw.primary
    def key(self, oven: str, *, loaf: str) -> None:
        """One loaf."""

    @tw.index("gsi1")
    def by_status(self, status: str, *, loaf: str = tw.ANY) -> None:
        """Loaves in a state."""


class Cake(tw.Entity, service=bakery, name="cake"):
    """Sweet."""

    cake: Attr[str]
    layers: Attr[int] = attr(default=1)

    @tw.primary
    def key(self, cake: str) -> None:
        """One cake."""


def open_bakery(stream: Any = "new_and_old_images", **settings: Any) -> tw.Database:
    """A database with a clock that stands still."""
    db = tw.Database.embedded(engine=Engine(clock=Clock()))
    db.create(bakery, stream=stream, **settings)
    return db


def engine_of(db: tw.Database | tw.AsyncDatabase) -> Any:
    return db.transport.engine  # type: ignore[union-attr]


def clock_of(db: tw.Database | tw.AsyncDatabase) -> Clock:
    clock: Clock = engine_of(db).clock
    return clock


def stream_arn(db: tw.Database) -> str:
    arn: str = engine_of(db).call("DescribeTable", {"TableName": "bakery"})["Table"]["LatestStreamArn"]
    return arn


def told(db: tw.Database) -> list[dict[str, Any]]:
    """All records of the table's stream, as GetRecords gives them."""
    engine, arn = engine_of(db), stream_arn(db)
    (shard,) = engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]
    params = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    iterator = engine.call("GetShardIterator", params)["ShardIterator"]
    found: list[dict[str, Any]] = []
    while True:
        reply = engine.call("GetRecords", {"ShardIterator": iterator})
        if not reply["Records"]:
            return found
        found += reply["Records"]
        iterator = reply["NextShardIterator"]


def lambda_event(db: tw.Database) -> dict[str, Any]:
    """The same as Lambda delivers it."""
    return {"Records": [{**record, "eventSourceARN": stream_arn(db)} for record in told(db)]}


def kinesis_event(records: list[dict[str, Any]], *, unit: str = "MICROSECOND") -> dict[str, Any]:
    """Records as Kinesis Data Streams for DynamoDB carries them; their order is their time."""
    return {"Records": [kinesis_record(at, record, unit) for at, record in enumerate(records)]}


def kinesis_record(at: int, record: dict[str, Any], unit: str = "MICROSECOND") -> dict[str, Any]:
    inside = {
        name: value for name, value in record["dynamodb"].items() if name not in ("SequenceNumber", "StreamViewType")
    }
    inside |= {"ApproximateCreationDateTime": 1_767_225_600_000_000 + at, "ApproximateCreationDateTimePrecision": unit}
    data = {
        "awsRegion": "us-east-1",
        "eventID": record["eventID"],
        "eventName": record["eventName"],
        "userIdentity": record.get("userIdentity"),
        "recordFormat": "application/json",
        "tableName": "bakery",
        "dynamodb": inside,
        "eventSource": "aws:dynamodb",
    }
    carried = {"sequenceNumber": f"k{at:03}", "data": base64.b64encode(json.dumps(data).encode()).decode()}
    return {"kinesis": carried, "eventSource": "aws:kinesis", "eventName": "aws:kinesis:record"}
