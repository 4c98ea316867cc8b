"""The linear costs the search weighs, in micro-dollars a month: reads of plans, writes and storage of index entries.

What an index does not hold costs nothing there: items without its partition and lead, attributes it does not project,
and writes that a condition refused.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.prices import GB, SECONDS_PER_MONTH, Prices
from tablewright.design.cost.units.effects import Effect, effects_of, in_transaction
from tablewright.design.cost.units.entries import Entry, demands_of, membership
from tablewright.design.heat.collections import largest_bytes
from tablewright.design.serving.writes import Place, failure_share, moved_by, needed, with_timestamp
from tablewright.spec.volumes import KEY_BYTES, attribute_bytes, distinct, item_bytes
from tablewright.wire.capacity import read_rcu, write_wcu
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES, MAX_ITEM_COLLECTION_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

CONCENTRATION = 10_000
"""Micro-dollars for a shape that gathers everything in one partition; a share of it for less extreme ones."""
UNBOUNDED = 50_000_000
"""Micro-dollars for partitions that grow beyond 10 GB: worth a bucket, where one will do."""


def read_cost(facts: Facts, prices: Prices, pattern: PatternSpec, units: float) -> int:
    requests = facts.rates[pattern.id].avg * SECONDS_PER_MONTH
    return round(requests * units * prices.read_per_million)


def entry_cost(facts: Facts, prices: Prices, shape: Shape, projected: tuple[str, ...] | None = None) -> int:
    """An index entry for every item that has the partition and the lead: its writes and its storage."""
    entry = Entry(
        name=str(shape),
        kind="index",
        place="index",
        entity=shape.entity,
        key_attributes=shape.watched,
        bytes=projected_bytes(facts, shape.entity, projected),
        share=membership(facts, shape),
        projected=projected,
        demands=demands_of(shape),
    )
    writes = [each for each in facts.writes if shape.entity in each.entities]
    units = sum(_month_units(facts, each, effects_of(facts, (entry,), each)) for each in writes)
    seen = looked_up(facts, shape) * prices.read_per_million if shape.when else 0.0
    return round(units * prices.write_per_million + _storage_cost(facts, prices, entry) + seen)


def looked_up(facts: Facts, shape: Shape) -> float:
    """Read units of a month for items that updates must see, only because they may enter the index or leave it."""
    plain, sparse = (_place_of(each) for each in (msgspec.structs.replace(shape, when=()), shape))
    size = item_bytes(facts, shape.entity)
    return sum(
        facts.rates[each.id].avg * SECONDS_PER_MONTH * read_rcu(size, consistent=True)
        for each in facts.writes
        if shape.entity in each.entities
        and needed(facts, each, shape.entity, [sparse])
        and not needed(facts, each, shape.entity, [plain])
    )


def _place_of(shape: Shape) -> Place:
    return Place(
        index="index",
        partition=with_timestamp(shape.partition, shape.bucket),
        lead=shape.lead,
        sort=shape.sort,
        when=tuple(name for name, _ in shape.when),
    )


def projected_bytes(facts: Facts, entity: str, projected: Iterable[str] | None) -> int:
    """The size of an index entry: the whole item, or its keys and what is projected besides."""
    whole = item_bytes(facts, entity)
    if projected is None:
        return whole
    return min(whole, KEY_BYTES + sum(attribute_bytes(facts, entity, name) for name in projected))


def _month_units(facts: Facts, pattern: PatternSpec, effects: Iterable[Effect]) -> float:
    """Write units of a month in one index; a refused write does not touch it."""
    taken = tuple(effects)
    requests = facts.rates[pattern.id].avg * SECONDS_PER_MONTH * (1.0 - failure_share(facts, pattern))
    transactional = in_transaction(pattern, taken)
    return requests * sum(
        each.times * each.writes * _entry_wcu(each.entry, transactional=transactional)
        for each in taken
        if each.deed != "check"
    )


def _entry_wcu(entry: Entry, *, transactional: bool) -> float:
    return write_wcu(0, ceil(entry.bytes), transactional=transactional)


def _storage_cost(facts: Facts, prices: Prices, entry: Entry) -> float:
    items = facts.counts[entry.entity] * entry.share
    return items * (entry.bytes + ITEM_STORAGE_OVERHEAD_BYTES) / GB * prices.storage_gb_month * 1e6


def copy_cost(facts: Facts, prices: Prices, shape: Shape) -> int:
    """A second item: both are written in one transaction, so that the first costs twice as well.

    A key that changes moves the copy: one write more.
    """
    size = item_bytes(facts, shape.entity)
    once = ceil(write_wcu(0, size))
    units = 0.0
    for each in facts.writes:
        if shape.entity in each.entities:
            moves = each.op in ("update", "transact") and bool(moved_by(facts, each, shape))
            units += facts.rates[each.id].avg * SECONDS_PER_MONTH * once * (5 if moves else 3)
    storage = facts.counts[shape.entity] * (size + ITEM_STORAGE_OVERHEAD_BYTES) / GB * prices.storage_gb_month * 1e6
    return round(units * prices.write_per_million + storage)


def concentration_cost(facts: Facts, shape: Shape) -> int:
    """What few partitions are worth avoiding, and a micro-dollar an attribute: of equals the simpler or sparse key."""
    partitions = 1.0 if not shape.partition else distinct(facts, shape.entity, shape.partition)
    grows = not shape.bucket and largest_bytes(facts, shape) > MAX_ITEM_COLLECTION_BYTES
    simple = len(shape.attributes) - bool(shape.when)
    return round(CONCENTRATION / partitions) + simple + (UNBOUNDED if grows else 0)
