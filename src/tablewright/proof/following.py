"""The stream of a table followed as Lambda would do it: late, in batches of any length, and some of it again.

What is delivered is taken from the engine's own stream, in the form that the design asks for. A batch may be cut short:
its requests are sent up to some point, and then it comes again, whole or in halves. A batch that was done may come again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.steps.following import Change, follow, mark_key
from tablewright.proof.database import add_units, run_flow
from tablewright.proof.values import WRITTEN_AT
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from tablewright.design.model import Design
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.following import Following
    from tablewright.engine import Engine
    from tablewright.proof.items import Key

LONGEST = 7
"""Records in a batch: short ones, so that batches end in the middle of what belongs together."""


class NoStreamError(Exception):
    """A number is to be kept by a stream that tells nothing."""


class Follower(msgspec.Struct):
    """One table, and how far its stream was followed."""

    engine: Engine
    compiled: Compiled
    following: Following
    chance: Random
    place: str  # the iterator
    marks: set[Key] = msgspec.field(default_factory=set["Key"])
    delivered: int = 0
    again: int = 0
    wcu: float = 0.0

    def skip(self) -> None:
        """Records of what was stored by hand are nobody's business."""
        self._take()

    def catch_up(self, longest: int = LONGEST) -> None:
        """Everything that was written so far is delivered, in order, some of it more than once."""
        changes = self._take()
        while changes:
            size = self.chance.randint(1, longest)
            self._deliver(changes[:size])
            changes = changes[size:]

    def _deliver(self, batch: list[Change]) -> None:
        self.delivered += len(batch)
        fate = self.chance.randrange(4)
        if fate == 1:
            self._run(batch, most=self.chance.randint(1, 2))  # the function stops, and the batch comes again
        if fate == 2:
            self._run(batch)  # the function was done, and nobody heard of it
        halves = [batch[: len(batch) // 2], batch[len(batch) // 2 :]] if fate == 3 else []
        if fate == 3:
            self._run(halves[0])
        self.again += len(batch) * (fate in (1, 2)) + len(halves[0] if halves else ())
        for each in halves or [batch]:
            self._run(each)

    def _run(self, batch: list[Change], most: int | None = None) -> None:
        flow = follow(self.compiled.stored, self.following, batch, WRITTEN_AT)
        self.wcu += sum(add_units(run_flow(self.engine, flow, most)).values())
        pk, sk = self.following.key
        for each in batch:
            key = mark_key(self.following, each.id)
            self.marks.add((self.following.table, key[pk], key[sk]))

    def _take(self) -> list[Change]:
        """What is new in the stream."""
        found: list[Change] = []
        while True:
            reply = self.engine.call("GetRecords", {"ShardIterator": self.place})
            self.place = reply["NextShardIterator"]
            if not reply["Records"]:
                return found
            found += [_change_of(each) for each in reply["Records"]]


def _change_of(record: Mapping[str, Any]) -> Change:
    said = record["dynamodb"]
    old, new = (unmarshal_item(said[name]) if name in said else None for name in ("OldImage", "NewImage"))
    if old is None and new is None:
        raise NoStreamError(f"the stream shows {said['StreamViewType']}, and no images to tell what changed")
    return Change(record["eventID"], old, new)


def followers_of(design: Design, engine: Engine, compiled: Compiled, chance: Random) -> Iterator[Follower]:
    """One for every table that something is kept by."""
    for name, following in compiled.following.items():
        described = engine.call("DescribeTable", {"TableName": name})["Table"]
        if "LatestStreamArn" not in described:
            kept = ", ".join(each.name for each in design.items if each.kind == "trailing" and each.table == name)
            raise NoStreamError(f"{kept} is kept by the stream of {name}, which has none")
        stream = described["LatestStreamArn"]
        (shard,) = engine.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"]
        start = {"StreamArn": stream, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
        place = engine.call("GetShardIterator", start)["ShardIterator"]
        yield Follower(engine=engine, compiled=compiled, following=following, chance=chance, place=place)
