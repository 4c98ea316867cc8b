"""What a function writes that follows the stream, for the numbers that it keeps: units for one run of a write pattern.

For every change that adds to a number there is a mark, and for all changes of one group that come together one write of
its number, everything in transactions. The changes of a window come in a batch for every shard of the stream; a
transaction takes a hundred actions. Where changes fall on their groups unevenly, more of them are written together than
is reckoned here.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.effects import trailing_effects
from tablewright.design.cost.units.entries import TABLE
from tablewright.design.serving.writes import failure_share
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import MAX_PARTITION_BYTES, MAX_TRANSACTION_ACTIONS, PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.cost.units.effects import Effect
    from tablewright.design.cost.units.entries import Entry
    from tablewright.design.cost.units.volumes import Volumes
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MARK_BYTES = 130
"""A mark: the id of its record as partition and as sort key, and when it goes."""
MARK_DAYS = 2.0
"""For so long a record that comes again is recognised; a stream keeps records for one day."""
MARK_UNITS = write_wcu(0, MARK_BYTES, transactional=True)


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of one trailing total at the rates of a spec."""

    changes: float  # a second, of all groups together
    together: float  # of which one transaction has so many
    groups: float

    @property
    def writes_per_change(self) -> float:
        """Of the number's items: of so many changes, those that meet in one group are one write."""
        return _groups_met(self.together, self.groups) / self.together

    def writes_on(self, share: float) -> float:
        """The same for a group that gets this share of the changes: it is in nearly every transaction, or alone."""
        return 1.0 / max(1.0, self.together * share)


def gathered(facts: Facts, entries: Iterable[Entry], entity: str, *, shards: int = 1) -> Gathered:
    """With one shard as many changes come together as can: no reckoning with more of them is below that."""
    own = [each for each in entries if each.entity == entity]
    changes = sum(facts.rates[each.id].avg * _changes(facts, own, each) for each in facts.writes)
    groups = facts.counts[entity]
    in_window = changes * facts.spec.entities[entity].window_seconds / shards
    return Gathered(changes=changes, together=_together(in_window, groups), groups=groups)


def _changes(facts: Facts, entries: list[Entry], pattern: PatternSpec) -> float:
    """Of a run on average; what is refused changes nothing."""
    found = trailing_effects(facts, entries, pattern)
    return sum(each.times for each in found) * (1.0 - failure_share(facts, pattern)) if found else 0.0


def _together(in_window: float, groups: float) -> float:
    """Changes in one transaction: each has a mark, and each group that they meet in is written."""
    count = max(1.0, min(in_window, MAX_TRANSACTION_ACTIONS - 1.0))
    actions = count + _groups_met(count, groups)
    return max(1.0, count * min(1.0, MAX_TRANSACTION_ACTIONS / actions))


def _groups_met(changes: float, groups: float) -> float:
    """How many of the groups so many changes fall on, evenly."""
    known = max(1.0, groups)
    return known * (1.0 - (1.0 - 1.0 / known) ** changes)


def followed_wcu(facts: Facts, entries: Iterable[Entry], pattern: PatternSpec, *, shards: int = 1) -> float:
    """Units that one run of a write brings about, by everything that follows it."""
    there = [each for each in entries if each.kind == "trailing"]
    effects = trailing_effects(facts, there, pattern)
    if not effects:
        return 0.0
    units = sum(_units(facts, there, each, shards) for each in effects)
    return (1.0 - failure_share(facts, pattern)) * (_records(effects) * MARK_UNITS + units)


def _units(facts: Facts, entries: list[Entry], effect: Effect, shards: int) -> float:
    once = write_wcu(0, ceil(effect.entry.bytes), transactional=True)
    found = gathered(facts, entries, effect.entry.entity, shards=shards)
    return effect.times * once * found.writes_per_change


def _records(effects: list[Effect]) -> float:
    """Of one run: one for every item of the entity, however many numbers it adds to."""
    return sum({each.entry.owner: each.times for each in effects}.values())


def marks_per_second(facts: Facts, entries: Iterable[Entry]) -> float:
    there = [each for each in entries if each.kind == "trailing"]
    return sum(
        facts.rates[write.id].avg * _records(effects) * (1.0 - failure_share(facts, write))
        for write in facts.writes
        if (effects := trailing_effects(facts, there, write))
    )


def stream_shards(write_units: float, table_bytes: float) -> int:
    """One for every partition of the table, of which there are as many as its writes or its size demand."""
    return max(1, ceil(write_units / PARTITION_WCU), ceil(table_bytes / MAX_PARTITION_BYTES))


def shards_in(volumes: Volumes) -> int:
    """By the table's size alone: what its writes demand depends on what follows them."""
    own = [each for each in volumes.entries if each.place == TABLE]
    return stream_shards(0.0, sum(each.bytes * each.share * volumes.counts[each.entity] for each in own))
