"""What a function reads and writes that keeps the first items of lists in one item each: units for one run of a write.

The changes of a window come in a batch for every shard of the stream. For every list that they are about it is read
once, consistently, and it is written as a whole where one of its places changes. An item that is written is taken to be
any of its group: of 1,000 items with a list of 10, one change of a hundred is about the list.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.effects import trailing_effects
from tablewright.design.serving.writes import failure_share
from tablewright.design.wording import number, plural
from tablewright.spec.quantities import Assumption
from tablewright.wire.capacity import read_rcu, write_wcu

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.cost.units.entries import Entry
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

MOST_RECORDS = 1000
"""In one batch, as the function is deployed."""
DIGITS = 9
"""Shares are rounded, so that the last bit of a power cannot change a design from machine to machine."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """How the changes of one list's items come together."""

    together: float  # in one batch
    groups: float
    share: float  # of the changes of a group: those that change its list

    @property
    def reads_per_change(self) -> float:
        return _met(self.together, self.groups, 1.0) / self.together

    @property
    def writes_per_change(self) -> float:
        return _met(self.together, self.groups, self.share) / self.together

    def on(self, share: float) -> Listed:
        """The same for a group that gets this share of the changes."""
        return Listed(together=max(1.0, self.together * share), groups=1.0, share=self.share)


def _met(changes: float, groups: float, share: float) -> float:
    """Of so many groups those that one change at least is about, when so large a share of the changes counts."""
    known = max(1.0, groups)
    return known * (1.0 - round(math.pow(1.0 - min(1.0, share) / known, changes), DIGITS))


def lists_in(facts: Facts, entries: Iterable[Entry]) -> list[Entry]:
    return [each for each in entries if each.kind == "trailing" and facts.spec.entities[each.entity].top is not None]


def listed(facts: Facts, entry: Entry, window: int, shards: int) -> Listed:
    top, groups = facts.spec.entities[entry.entity].top, max(1.0, facts.counts[entry.entity])
    assert top is not None
    records = sum(facts.rates[each.id].avg * _changes(facts, entry, each) for each in facts.writes)
    return Listed(
        together=max(1.0, min(MOST_RECORDS, records * window / shards)),
        groups=groups,
        share=min(1.0, top.most * groups / facts.counts[entry.owner]),
    )


def _changes(facts: Facts, entry: Entry, pattern: PatternSpec) -> float:
    """Of a run on average; what is refused changes nothing."""
    found = trailing_effects(facts, [entry], pattern)
    return sum(each.times for each in found) * (1.0 - failure_share(facts, pattern)) if found else 0.0


def top_units(
    facts: Facts, entries: Iterable[Entry], pattern: PatternSpec, *, window: int, shards: int
) -> tuple[float, float]:
    """Read and write units that one run brings about."""
    rcu = wcu = 0.0
    for each in lists_in(facts, entries):
        changes, found = _changes(facts, each, pattern), listed(facts, each, window, shards)
        size = math.ceil(each.bytes)
        rcu += changes * found.reads_per_change * read_rcu(size, consistent=True)
        wcu += changes * found.writes_per_change * write_wcu(0, size)
    return rcu, wcu


def top_assumptions(facts: Facts, entries: Iterable[Entry], *, window: int, shards: int) -> Iterator[Assumption]:
    for each in lists_in(facts, entries):
        found = listed(facts, each, window, shards)
        yield Assumption(
            f"streams.{each.entity}",
            f"{number(round(found.together, 1))} changes come together (those of {window} s and one of"
            f" {plural(shards, 'shard')}), fall evenly on {found.groups:,.0f} lists, and {found.share:.3g} of them"
            " change theirs: an item that is written is as likely as any other to be among the first",
        )
