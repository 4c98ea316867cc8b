"""What a function reads and writes that follows the stream, for what it keeps: units for one run of a write pattern.

For every change that adds to a number there is a mark, and for all changes of one group that come together one write of
its number, everything in transactions. The changes of a window come in a batch for every shard of the stream; a
transaction takes a hundred actions. Where changes fall on their groups unevenly, more of them are written together than
is reckoned here. Lists have no marks: see `tops`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.effects import trailing_effects
from tablewright.design.cost.units.entries import TABLE
from tablewright.design.cost.units.tops import top_assumptions, top_units
from tablewright.design.serving.writes import failure_share
from tablewright.design.wording import concat
from tablewright.spec.quantities import Assumption
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import MAX_PARTITION_BYTES, MAX_TRANSACTION_ACTIONS, PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.units.effects import Effect
    from tablewright.design.cost.units.entries import Entry
    from tablewright.design.cost.units.volumes import Volumes
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MARK_BYTES = 130
"""A mark: the id of its record as partition and as sort key, and when it goes."""
MARK_DAYS = 2.0
"""For so long a record that comes again is recognised; a stream keeps records for one day."""
DIGITS = 9
"""Shares are rounded, so that the last bit of a power cannot change a design from machine to machine."""
MARK_UNITS = write_wcu(0, MARK_BYTES, transactional=True)


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """How the records of a stream come together, at the rates of a spec."""

    records: float  # a second, of those that add to some number
    together: float  # records in one transaction
    changes: Mapping[
        str, float
    ]  # by number: its changes for one record, two where an item leaves one group for another
    groups: Mapping[str, float]  # by number
    steps: Mapping[str, float]  # by number: of one group, those that have an item each

    def writes_per_change(self, number: str) -> float:
        """Of so many changes, those that meet in one group are one write of its item."""
        changes = self.together * self.changes[number]
        return _groups_met(changes, self.groups[number]) / changes if changes > 1.0 else 1.0

    def writes_on(self, number: str, share: float) -> float:
        """The same for a group that gets this share of the changes: it is in nearly every transaction, or alone."""
        changes = max(1.0, self.together * self.changes[number] * share)
        return min(changes, _groups_met(changes, self.steps[number])) / changes


def gathered(facts: Facts, entries: Iterable[Entry], *, shards: int = 1) -> Gathered:
    """With one shard as many records come together as can: no reckoning with more of them is below that."""
    there = numbers_in(facts, entries)
    records = marks_per_second(facts, there)
    changes: dict[str, float] = {}
    for each in there:
        found = sum(facts.rates[write.id].avg * _changes(facts, each, write) for write in facts.writes)
        changes[each.entity] = found / records if records else 1.0
    groups = {name: facts.counts[name] for name in changes}
    steps = {name: _steps_of(facts, name) for name in changes}
    in_window = records * window_in(facts) / shards
    together = _together(in_window, changes, groups)
    return Gathered(records=records, together=together, changes=changes, groups=groups, steps=steps)


def _steps_of(facts: Facts, number: str) -> float:
    known = facts.spec.entities[number].attributes.values()
    return max([1.0, *(float(each.cardinality or 1) for each in known if each.step_of is not None)])


def numbers_in(facts: Facts, entries: Iterable[Entry]) -> list[Entry]:
    """Of what the stream keeps: those that changes add to, each with a mark."""
    return [each for each in entries if each.kind == "trailing" and facts.spec.entities[each.entity].top is None]


def window_in(facts: Facts) -> int:
    """One function keeps all numbers of a table: it collects for as long as the most impatient of them allows."""
    return min((each.window_seconds for each in facts.spec.entities.values() if each.kind == "trailing"), default=1)


def _changes(facts: Facts, entry: Entry, pattern: PatternSpec) -> float:
    """Of a run on average; what is refused changes nothing."""
    found = trailing_effects(facts, [entry], pattern)
    return sum(each.times for each in found) * (1.0 - failure_share(facts, pattern)) if found else 0.0


def _together(in_window: float, changes: Mapping[str, float], groups: Mapping[str, float]) -> float:
    """Records in one transaction: each has a mark, and each group that they meet in is written."""
    count = max(1.0, min(in_window, MAX_TRANSACTION_ACTIONS - 1.0))
    actions = count + sum(_groups_met(count * changes[name], groups[name]) for name in changes)
    return max(1.0, count * min(1.0, MAX_TRANSACTION_ACTIONS / actions))


def _groups_met(changes: float, groups: float) -> float:
    """How many of the groups so many changes fall on, evenly."""
    known = max(1.0, groups)
    return known * (1.0 - round(math.pow(1.0 - 1.0 / known, changes), DIGITS))


def followed_wcu(facts: Facts, entries: Iterable[Entry], pattern: PatternSpec, *, shards: int = 1) -> float:
    """Units that one run of a write brings about, by everything that follows it."""
    every = tuple(entries)
    _, lists = top_units(facts, every, pattern, window=window_in(facts), shards=shards)
    return lists + _numbers_wcu(facts, every, pattern, shards=shards)


def followed_rcu(facts: Facts, entries: Iterable[Entry], pattern: PatternSpec, *, shards: int = 1) -> float:
    """The same of what is read for it: lists, before they are written."""
    return top_units(facts, entries, pattern, window=window_in(facts), shards=shards)[0]


def _numbers_wcu(facts: Facts, entries: Iterable[Entry], pattern: PatternSpec, *, shards: int) -> float:
    there = numbers_in(facts, entries)
    effects = trailing_effects(facts, there, pattern)
    if not effects:
        return 0.0
    found = gathered(facts, there, shards=shards)
    units = sum(_units(each) * found.writes_per_change(each.entry.entity) for each in effects)
    return (1.0 - failure_share(facts, pattern)) * (_records(effects) * MARK_UNITS + units)


def _units(effect: Effect) -> float:
    return effect.times * write_wcu(0, math.ceil(effect.entry.bytes), transactional=True)


def _records(effects: list[Effect]) -> float:
    """Of one run: one for every item of the entity, however many numbers it adds to."""
    return sum({each.entry.owner: each.times for each in effects}.values())


def marks_per_second(facts: Facts, entries: Iterable[Entry]) -> float:
    there = numbers_in(facts, entries)
    return sum(
        facts.rates[write.id].avg * _records(effects) * (1.0 - failure_share(facts, write))
        for write in facts.writes
        if (effects := trailing_effects(facts, there, write))
    )


def following_assumptions(facts: Facts, volumes: Volumes) -> Iterator[Assumption]:
    """What is taken of changes that come together."""
    found, shards = gathered(facts, volumes.entries, shards=shards_in(volumes)), shards_in(volumes)
    if found.changes:
        groups = concat(f"{each:,.0f} of {name}" for name, each in found.groups.items())
        yield Assumption(
            "streams.totals",
            f"{found.together:.3g} records are one transaction (those of {window_in(facts)} s and one of"
            f" {shards:,} shards), and fall evenly on the groups: {groups}",
        )
    yield from top_assumptions(facts, volumes.entries, window=window_in(facts), shards=shards)


def stream_shards(write_units: float, table_bytes: float) -> int:
    """One for every partition of the table, of which there are as many as its writes or its size demand."""
    return max(1, math.ceil(write_units / PARTITION_WCU), math.ceil(table_bytes / MAX_PARTITION_BYTES))


def shards_in(volumes: Volumes) -> int:
    """By the table's size alone: what its writes demand depends on what follows them."""
    own = [each for each in volumes.entries if each.place == TABLE]
    return stream_shards(0.0, sum(each.bytes * each.share * volumes.counts[each.entity] for each in own))
