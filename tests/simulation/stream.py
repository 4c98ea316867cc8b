"""Every change of every item in the order it was made, as the table's stream tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tablewright.wire.values import unmarshal_item
from tests.simulation.story import Story

Item = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """An item before and after; `second` is when, without fractions, as DynamoDB tells it."""

    second: int
    old: Item | None
    new: Item | None


def changes(story: Story, table: str) -> Iterator[Change]:
    engine = story.world.engine
    arn = engine.call("DescribeTable", {"TableName": table})["Table"]["LatestStreamArn"]
    for shard in engine.call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"]:
        asked = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        iterator = engine.call("GetShardIterator", asked)["ShardIterator"]
        while iterator:
            found = engine.call("GetRecords", {"ShardIterator": iterator})
            yield from (_change(record["dynamodb"]) for record in found["Records"])
            iterator = found.get("NextShardIterator") if found["Records"] else None


def _change(record: Item) -> Change:
    old, new = (record.get(name) for name in ("OldImage", "NewImage"))
    at = int(record["ApproximateCreationDateTime"])
    return Change(at, old and unmarshal_item(old), new and unmarshal_item(new))
