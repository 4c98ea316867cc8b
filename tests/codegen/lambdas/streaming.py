"""A table with a stream on the embedded engine, and what Lambda would make of its records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tablewright.design.steps.compile import compile_design
from tablewright.design.tables import definition
from tablewright.engine import Engine
from tablewright.engine.simulation import Clock
from tablewright.proof.database import run_write
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from tablewright.design.model import Design


class Scene:
    """An engine, its clock, and the records of its stream."""

    def __init__(self, engine: Engine, clock: Clock, design: Design) -> None:
        self.engine, self.clock, self.design = engine, clock, design

    def put(self, entity: str, **attributes: Any) -> None:
        """By the design's own put, with everything that it writes along."""
        pattern = next(each for each in self.design.patterns if each.op == "put" and each.entities == (entity,))
        assert run_write(self.engine, compile_design(self.design), pattern.id, attributes).result == "written"

    def expire(self, label: str, **attributes: Any) -> None:
        """Items like these are given a time that has passed, and DynamoDB deletes them."""
        table = self.design.tables[0]
        assert table.ttl_attribute is not None
        for item in self.items(label):
            if marshal_item(attributes).items() <= item.items():
                key = {name: item[name] for name in (table.pk.name, table.sk.name)}
                self.engine.call(
                    "UpdateItem",
                    {
                        "TableName": table.name,
                        "Key": key,
                        "UpdateExpression": "SET #t = :t",
                        "ExpressionAttributeNames": {"#t": table.ttl_attribute},
                        "ExpressionAttributeValues": {":t": {"N": str(int(self.clock()) - 10)}},
                    },
                )
        assert self.engine.expire() > 0

    def items(self, label: str | None = None) -> list[dict[str, Any]]:
        field = self.design.encoding.type_field
        found = self.engine.call("Scan", {"TableName": self.design.tables[0].name})["Items"]
        return [each for each in found if label is None or each.get(field, {}).get("S") == label]

    def records(self) -> list[dict[str, Any]]:
        """All that the stream has, oldest first, as Lambda gives them."""
        name = self.design.tables[0].name
        arn = self.engine.call("DescribeTable", {"TableName": name})["Table"]["LatestStreamArn"]
        described = self.engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]
        found: list[dict[str, Any]] = []
        for shard in described["Shards"]:
            asked = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
            at = self.engine.call("GetShardIterator", asked)["ShardIterator"]
            while at:
                reply = self.engine.call("GetRecords", {"ShardIterator": at})
                found += reply["Records"]
                at = reply.get("NextShardIterator") if reply["Records"] else None
        return [lambda_record(each) for each in found]


def lambda_record(record: dict[str, Any]) -> dict[str, Any]:
    """Lambda writes the names of an identity small."""
    plain = json.loads(json.dumps(record, default=str))
    identity = plain.get("userIdentity")
    return {**plain, "userIdentity": identity and {"type": identity["Type"], "principalId": identity["PrincipalId"]}}


@contextmanager
def streamed(design: Design) -> Iterator[Scene]:
    clock = Clock()
    with Engine(clock=clock) as engine:
        (table,) = design.tables
        assert table.stream == "NEW_AND_OLD_IMAGES"
        stream = {"StreamEnabled": True, "StreamViewType": table.stream}
        engine.call("CreateTable", {**definition(table), "StreamSpecification": stream})
        if table.ttl_attribute is not None:
            said = {"AttributeName": table.ttl_attribute, "Enabled": True}
            engine.call("UpdateTimeToLive", {"TableName": table.name, "TimeToLiveSpecification": said})
        yield Scene(engine, clock, design)
