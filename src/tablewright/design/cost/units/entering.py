"""How often a write writes an entry: an index, or what keeps values unique, holds only items that have its attributes.

An update that gives a value leaves it there, one that takes it away leaves none; a condition tells how the item was. So
an item stays, and is written once, or twice if its key changes; or it enters or leaves, which is one write.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.volumes import presence, share_when
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from tablewright.design.cost.units.entries import Demand, Entry
    from tablewright.spec.conditions import Predicate
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Change, PatternSpec


def share_there(facts: Facts, pattern: PatternSpec, entry: Entry) -> float:
    """Of the items that a write meets: those that have an entry. Its condition may tell more than the spec's shares."""
    when = effect_on(facts, pattern, entry.owner).when
    return prod(_share_before(facts, entry, demand, when) for demand in entry.demands) if entry.demands else entry.share


def writes_of_update(facts: Facts, pattern: PatternSpec, entry: Entry, *, moves: bool) -> float:
    """Writes of an entry by an update on average; `moves`: it changes the key of those that stay."""
    effect = effect_on(facts, pattern, entry.owner)
    changes = {each.attr: each for each in effect.changes}
    before = after = both = 1.0
    for demand in entry.demands:
        was = _share_before(facts, entry, demand, effect.when)
        change = changes.get(demand[0])
        becomes, stays = (was, was) if change is None else _shares_after(facts, entry, demand, change, was)
        before, after, both = before * was, after * becomes, both * stays
    if not entry.demands:
        before = after = both = entry.share
    return both * (2.0 if moves else 1.0) + (before - both) + (after - both)


def _share_before(facts: Facts, entry: Entry, demand: Demand, when: Predicate | None) -> float:
    """The share of items that have an attribute, or the value that is demanded of it, where a condition holds."""
    name, value = demand
    for part in when.parts if when is not None else ():
        if part.absent == name:
            return 0.0
        said = part.compared
        if said is None or said.attribute != name:
            continue
        if not value:
            return 1.0  # whatever is compared is there
        if said.operator in ("=", "<>") and isinstance(said.values[0], str | bool | int | float):
            is_same = msgspec.json.encode(said.values[0]).decode() == value
            if is_same or said.operator == "=":
                return float(is_same == (said.operator == "="))
    return _share_of(facts, entry, demand)


def _share_of(facts: Facts, entry: Entry, demand: Demand) -> float:
    name, value = demand
    entity = entry.entity if name in facts.spec.entities[entry.entity].attributes else entry.owner
    return share_when(facts, entity, [demand]) if value else presence(facts, entity, name)


def _shares_after(facts: Facts, entry: Entry, demand: Demand, change: Change, was: float) -> tuple[float, float]:
    """The share of items that meet a demand after a change, and of those that did so before as well."""
    value = demand[1]
    if change.kind == "remove":
        return 0.0, 0.0
    if not value:
        return 1.0, was
    if change.kind == "set":
        is_same = float(msgspec.json.encode(change.value).decode() == value)
        return is_same, is_same * was
    usual = _share_of(facts, entry, demand)  # a new value is another one, else nobody would give it
    return (1.0, was) if usual >= 1.0 else ((1.0 - was) * min(1.0, usual / (1.0 - usual)), 0.0)
