"""The stream of a table followed as Lambda would do it: late, in batches of any length, and some of it again.

What is delivered is taken from the engine's own stream, in the form that the design asks for. A batch may be cut short:
its requests are sent up to some point, and then it comes again, whole or in halves. What was done may come again, too.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.steps.compile import Compiled
from tablewright.design.steps.following import Following, follow, mark_key
from tablewright.design.steps.tops import Change
from tablewright.engine import Engine
from tablewright.proof.database import add_units, run_flow
from tablewright.proof.items import Key
from tablewright.proof.values import WRITTEN_AT
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LONGEST = 7
"""Records in a batch: short ones, so that batches end in the middle of what belongs together."""
LATEST, AGAIN = 60, 12
"""Of the last records some may come again one by one, when all behind them are done."""


class NoStreamError(Exception):
    """A number is to be kept by a stream that tells nothing."""


class Follower(msgspec.Struct):
    """One table, and how far its stream was followed."""

    engine: Engine
    compiled: Compiled
    following: Following
    chance: Random
    place: str  # the iterator; empty where the table has no stream
    marks: set[Key] = msgspec.field(default_factory=set[Key])
    done: list[Change] = msgspec.field(default_factory=list[Change])  # the last ones
    wcu: float = 0.0  # that everything took, with what came again

    def skip(self) -> None:
        """Records of what was stored by hand are nobody's business."""
        self._take()

    def catch_up(self, longest: int = LONGEST) -> None:
        """Everything that was written so far is delivered, in order, some of it more than once."""
        changes = self._take()
        self.done = [*self.done, *changes][-LATEST:]
        while changes:
            size = self.chance.randint(1, longest)
            self._deliver(changes[:size])
            changes = changes[size:]
        if self.chance.randrange(4) == 0:
            for each in self.chance.sample(self.done, min(len(self.done), AGAIN)):
                self._run([each])  # something old, and nothing behind it

    def _deliver(self, batch: list[Change]) -> None:
        half = len(batch) // 2
        match self.chance.randrange(4):
            case 1:  # the function stops in the middle
                self._run(batch, most=self.chance.randint(1, 2))
            case 2:  # it was done, and nobody heard of it
                self._run(batch)
            case 3:  # the first half was done
                self._run(batch[:half])
            case _:
                pass
        self._run(batch)

    def _run(self, batch: list[Change], most: int | None = None) -> None:
        flow = follow(self.compiled.stored, self.following, batch, WRITTEN_AT)
        self.wcu += sum(add_units(run_flow(self.engine, flow, most)).values())
        pk, sk = self.following.key
        for each in batch:
            key = mark_key(self.following, each.id)
            self.marks.add((self.following.table, key[pk], key[sk]))

    def _take(self) -> list[Change]:
        """What is new in the stream."""
        if not self.place:
            raise NoStreamError(f"totals are kept by the stream of {self.following.table}, which has none")
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


def followers_of(engine: Engine, compiled: Compiled, chance: Random) -> Iterator[Follower]:
    """One for every table that something is kept by."""
    for name, following in compiled.following.items():
        place = _beginning(engine, name)
        yield Follower(engine=engine, compiled=compiled, following=following, chance=chance, place=place)


def _beginning(engine: Engine, table: str) -> str:
    described = engine.call("DescribeTable", {"TableName": table})["Table"]
    if "LatestStreamArn" not in described:
        return ""
    stream = described["LatestStreamArn"]
    (shard,) = engine.call("DescribeStream", {"StreamArn": stream})["StreamDescription"]["Shards"]
    start = {"StreamArn": stream, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    iterator: str = engine.call("GetShardIterator", start)["ShardIterator"]
    return iterator
