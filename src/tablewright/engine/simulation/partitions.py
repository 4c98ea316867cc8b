"""The partitions behind a table: ranges of the hash, each with its own limits, split by size and by heat.

A request must find units in two places: in the bucket of its table (or GSI), filled at the provisioned rate and holding
up to 300 s of it, or at the on-demand rate; and in the bucket of its partition, 3,000 read and 1,000 write units a
second. A bucket lets a request through while anything is left and may then owe: the size of an answer is known only
afterwards, as with the service.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.engine.simulation.buckets import Bucket, Peak
from tablewright.engine.simulation.throttling import Limits, limits_of, throttle_fault
from tablewright.engine.store.keys import HASH_BYTES
from tablewright.wire.limits import MAX_PARTITION_BYTES, PARTITION_RCU, PARTITION_WCU

if TYPE_CHECKING:
    from tablewright.engine.capacity import Direction
    from tablewright.engine.context import EngineContext
    from tablewright.engine.simulation.account import Charge
    from tablewright.engine.store.table import Table

SPACE = 256**HASH_BYTES
HOT_SECONDS = 60
"""A partition that had to refuse for this long is split."""
CALM_SECONDS = 10
"""Refusals further apart than this are not one heat."""
MAX_KEYS = 10_000
"""So many keys of a partition are remembered with their heat."""


class Partition(msgspec.Struct):
    """A range of the hash space from `start` up to the next partition's start, and its heat since it was made."""

    start: int
    read: Bucket
    write: Bucket
    size: int = 0
    rcu: float = 0.0
    wcu: float = 0.0
    throttled: int = 0
    hot_since: float | None = None
    hot_last: float = 0.0
    keys: dict[bytes, float] = {}  # units by partition key since the last split: where the heat is

    def bucket(self, kind: Direction) -> Bucket:
        return self.read if kind == "read" else self.write


class _Resource(msgspec.Struct):
    """A table or GSI: its own buckets and its partitions in the order of their ranges."""

    limits: Limits
    read: Bucket
    write: Bucket
    partitions: list[Partition]
    read_peak: Peak
    write_peak: Peak

    def bucket(self, kind: Direction) -> Bucket:
        return self.read if kind == "read" else self.write

    def peak(self, kind: Direction) -> Peak:
        return self.read_peak if kind == "read" else self.write_peak

    def at(self, partition: bytes) -> Partition:
        place = int.from_bytes(partition[:HASH_BYTES], "big")
        return self.partitions[bisect_right(self.partitions, place, key=lambda each: each.start) - 1]


class Partitions:
    """The model of every table and GSI, made when it is first touched."""

    def __init__(
        self,
        *,
        max_bytes: int = MAX_PARTITION_BYTES,
        hot_seconds: float = HOT_SECONDS,
        partition_rcu: float = PARTITION_RCU,
        partition_wcu: float = PARTITION_WCU,
    ) -> None:
        self.max_bytes, self.hot_seconds = max_bytes, hot_seconds
        self.partition_rcu, self.partition_wcu = partition_rcu, partition_wcu
        self._resources: dict[tuple[str, str | None], _Resource] = {}

    def of(self, table: Table, index: str | None, now: float) -> _Resource:
        """The resource a request is served from: an LSI lives in its table's partitions."""
        found = None if index is None else table.index(index)
        name = None if found is None or found.kind == "lsi" else found.name
        resource = self._resources.get((table.uuid, name))
        limits = limits_of(table, name)
        if resource is not None and table.billing == "PAY_PER_REQUEST":
            limits = limits.grow_to_peak(resource.read_peak.known(now), resource.write_peak.known(now))
        if resource is None:
            resource = self._resources[table.uuid, name] = self._make(limits, min(now, table.created))
        elif resource.limits != limits:
            self._retune(resource, limits, now)
        return resource

    def parts(self, engine: EngineContext, table: str, index: str | None = None) -> list[Partition]:
        """The partitions of a table or index as they are now, with what each has served and refused."""
        with engine.storage.reading():
            found = engine.table(table)
        return list(self.of(found, index, engine.clock()).partitions)

    def admit(
        self, engine: EngineContext, table: Table, index: str | None, partition: bytes | None, kind: Direction
    ) -> None:
        now = engine.clock()
        resource = self.of(table, index, now)
        if not resource.bucket(kind).open(now):
            raise throttle_fault(engine, table, index, kind, "table")
        if partition is None:
            return
        part = resource.at(partition)
        if not part.bucket(kind).open(now):
            self._count_refusal(resource, part, now)
            raise throttle_fault(engine, table, index, kind, "partition")

    def charge(self, table: Table, charge: Charge, now: float) -> None:
        resource = self.of(table, charge.index, now)
        resource.bucket(charge.kind).take(charge.units, now)
        resource.peak(charge.kind).add(charge.units, now)
        if charge.partition is None:
            return
        part = resource.at(charge.partition)
        part.bucket(charge.kind).take(charge.units, now)
        if charge.kind == "read":
            part.rcu += charge.units
        else:
            part.wcu += charge.units
        _remember(part, charge.partition, charge.units)

    def grow(self, table: Table, index: str | None, partition: bytes, by_bytes: int, now: float) -> None:
        """An item came, went or changed its size."""
        resource = self.of(table, index, now)
        part = resource.at(partition)
        part.size += by_bytes
        if part.size > self.max_bytes:
            self._split(resource, part, self._middle(resource, part), now)

    # ---- making and splitting ------------------------------------------------------------------------------------

    def _make(self, limits: Limits, now: float) -> _Resource:
        """Buckets fill since the table was made, touched or not."""
        count = max(1, self._needed(limits))
        parts = [self._part(SPACE * at // count, now) for at in range(count)]
        read, write = (Bucket(rate, limits.seconds, now) for rate in (limits.read, limits.write))
        return _Resource(limits, read, write, parts, Peak(now), Peak(now))

    def _needed(self, limits: Limits) -> int:
        """Partitions are as many as the throughput needs."""
        return ceil(max(limits.read / self.partition_rcu, limits.write / self.partition_wcu))

    def _retune(self, resource: _Resource, limits: Limits, now: float) -> None:
        """More throughput brings more partitions; less never takes any away."""
        resource.limits = limits
        resource.read.retune(limits.read, limits.seconds, now)
        resource.write.retune(limits.write, limits.seconds, now)
        while len(resource.partitions) < self._needed(limits):
            widest = max(resource.partitions, key=lambda each: self._end(resource, each) - each.start)
            self._split(resource, widest, self._middle(resource, widest), now)

    def _part(self, start: int, now: float) -> Partition:
        return Partition(start, Bucket(self.partition_rcu, 1, now), Bucket(self.partition_wcu, 1, now))

    def _end(self, resource: _Resource, part: Partition) -> int:
        at = resource.partitions.index(part) + 1
        return resource.partitions[at].start if at < len(resource.partitions) else SPACE

    def _middle(self, resource: _Resource, part: Partition) -> int:
        return (part.start + self._end(resource, part)) // 2

    def _count_refusal(self, resource: _Resource, part: Partition, now: float) -> None:
        """Count a refusal; a partition that has been refusing for long is split where its heat is."""
        part.throttled += 1
        if part.hot_since is None or now - part.hot_last > CALM_SECONDS:
            part.hot_since = now
        part.hot_last = now
        if now - part.hot_since >= self.hot_seconds:
            at = _heat_split(part)
            if at is not None:
                self._split(resource, part, at, now)

    def _split(self, resource: _Resource, part: Partition, at: int, now: float) -> None:
        if not part.start < at < self._end(resource, part):
            return  # a single hash cannot be divided
        new = self._part(at, now)
        new.size = part.size // 2
        part.size -= new.size
        for each in (part, new):
            each.keys, each.hot_since = {}, None
        resource.partitions.insert(resource.partitions.index(part) + 1, new)


def _heat_split(part: Partition) -> int | None:
    """Where to cut so that the heat is even on both sides; None when one key has it all."""
    hashes = sorted((int.from_bytes(key[:HASH_BYTES], "big"), units) for key, units in part.keys.items())
    total = sum(units for _, units in hashes)
    before = accumulate(units for _, units in hashes)
    cuts = [(abs(total - 2 * left), at) for left, (at, _) in zip(before, hashes[1:], strict=False)]
    return min(cuts)[1] if cuts else None


def _remember(part: Partition, key: bytes, units: float) -> None:
    """Where the heat is; the colder half is forgotten when there are too many keys."""
    part.keys[key] = part.keys.get(key, 0.0) + units
    if len(part.keys) > MAX_KEYS:
        part.keys = dict(sorted(part.keys.items(), key=lambda pair: pair[1], reverse=True)[: MAX_KEYS // 2])
