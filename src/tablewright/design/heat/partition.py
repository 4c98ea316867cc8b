"""Peak load on the hottest partition of a key shape, against what one partition serves."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.entries import membership
from tablewright.design.serving.writes import moved_by
from tablewright.spec.remember import remembered
from tablewright.spec.skew import hottest_share
from tablewright.spec.volumes import item_bytes
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import PARTITION_WCU

if TYPE_CHECKING:
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MOST_SHARDS = 1024
TARGET = 0.7
"""Partitions are planned to be used to this share at peak: hashes do not spread evenly, and peaks are guesses."""


class _WriteHeat(msgspec.Struct, frozen=True):
    """Write units a second on one partition at peak; `terms` says where they come from."""

    units: float
    terms: tuple[tuple[str, float, float, float], ...]  # pattern, peak rate, share of the hottest key, units a write

    @property
    def shards(self) -> int:
        """N = ceil(peak write units on the key / 700)."""
        return shards_with_headroom(self.units, PARTITION_WCU)


def shards_with_headroom(units: float, limit: int) -> int:
    """How many partitions it takes when none is used to more than its target."""
    return min(MOST_SHARDS, max(1, ceil(units / (TARGET * limit) - 1e-9)))


@remembered
def write_heat(facts: Facts, shape: Shape) -> _WriteHeat:
    """What the writes of an entity put on the most used partition of a shape."""
    terms = [
        (each.id, _peak_of(facts, each), write_share(facts, shape, each), units)
        for each in facts.writes
        if shape.entity in each.entities
        for units in [_units_of_write(facts, each, shape)]
        if units
    ]
    return _WriteHeat(sum(rate * share * units for _, rate, share, units in terms), tuple(terms))


def write_share(facts: Facts, shape: Shape, pattern: PatternSpec) -> float:
    """Of a pattern's writes: those on the most used partition. What is put now falls into the present period."""
    return hottest_share(facts, shape.entity, shape.partition, pattern)


def _peak_of(facts: Facts, pattern: PatternSpec) -> float:
    rate = facts.rates[pattern.id]
    assert rate.peak is not None
    return rate.peak


def _units_of_write(facts: Facts, pattern: PatternSpec, shape: Shape) -> float:
    """One write of the entry, two where an update moves it; an index takes only what has its partition and lead."""
    transactional = pattern.transactional or pattern.op == "transact"
    moves = pattern.op in ("update", "transact") and bool(moved_by(facts, pattern, shape))
    there = membership(facts, shape)
    once = write_wcu(0, item_bytes(facts, shape.entity), transactional=transactional)
    return once * there * (2.0 if moves else 1.0)


def can_shard(facts: Facts, shape: Shape) -> bool:
    """Items of one partition can be spread only when there are several: a single hot item stays one item.

    What is packed has one item that all new samples of a series go to. Copies are many already, and a read asks one of
    them alone.
    """
    if shape.copies or facts.spec.entities[shape.entity].packed is not None:
        return False
    return not set(shape.partition) >= set(facts.spec.entities[shape.entity].id)


def shards_for(facts: Facts, *shapes: Shape) -> int:
    """Of what lies in the same partitions: as if the busiest key of each were the same one."""
    units = sum(write_heat(facts, each).units for each in shapes if can_shard(facts, each))
    return shards_with_headroom(units, PARTITION_WCU)
