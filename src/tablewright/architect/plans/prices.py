"""The linear costs the search weighs, in micro-dollars a month: reads of plans, writes and storage of index entries.

None is more than the bill would say, so that their sum is a bound of it (see `architect.search.bill`).

What an index does not hold costs nothing there: items without its partition and lead, attributes it does not project,
and writes that a condition refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.sizes import copy_bytes, entry_bytes, least_item_bytes
from tablewright.design.cost.prices import GB, SECONDS_PER_MONTH, Prices
from tablewright.design.cost.replication import expired_price, expired_units
from tablewright.design.cost.units.effects import Effect, effects_of, in_transaction
from tablewright.design.cost.units.entries import TABLE, Entry, demands_of, membership, table_entry
from tablewright.design.cost.units.writing import estimated_line
from tablewright.design.heat.collections import largest_bytes
from tablewright.design.heat.partition import shards_for
from tablewright.design.serving.writes import Place, failure_share, needed, with_timestamp
from tablewright.spec.remember import remembered
from tablewright.wire.capacity import read_rcu, write_wcu
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES, MAX_ITEM_COLLECTION_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

UNBOUNDED = 50_000_000
"""Micro-dollars a month that are given for partitions that do not grow beyond 10 GB: a rule, told where it costs."""


def read_cost(facts: Facts, prices: Prices, pattern: PatternSpec, units: float) -> int:
    requests = facts.rates[pattern.id].avg * SECONDS_PER_MONTH
    return int(requests * units * prices.read_per_million)


@remembered
def entry_cost(facts: Facts, prices: Prices, shape: Shape, projected: tuple[str, ...] | None = None) -> int:
    """An index entry for every item that has the partition and the lead: its writes and its storage."""
    entry = Entry(
        name=str(shape),
        kind="index",
        place="index",
        entity=shape.entity,
        key_attributes=shape.watched,
        bytes=entry_bytes(facts, shape, projected),
        share=membership(facts, shape),
        projected=table_entry(facts, shape.entity, 1).projected if projected is None else projected,
        demands=demands_of(shape),
    )
    writes = [each for each in facts.writes if shape.entity in each.entities]
    units = sum(_month_units(facts, each, effects_of(facts, (entry,), each)) for each in writes)
    return int(units * prices.write_per_million + storage_cost(facts, prices, entry))


def looked_up(facts: Facts, shape: Shape) -> float:
    """Read units of a month for items that updates must see, only because they may enter the index or leave it."""
    plain, sparse = (place_in_index(facts, each) for each in (msgspec.structs.replace(shape, when=()), shape))
    size = least_item_bytes(facts, shape.entity)
    return sum(
        facts.rates[each.id].avg * SECONDS_PER_MONTH * read_rcu(size, consistent=True)
        for each in facts.writes
        if shape.entity in each.entities
        and needed(facts, each, shape.entity, [sparse])
        and not needed(facts, each, shape.entity, [plain])
    )


def place_in_index(facts: Facts, shape: Shape) -> Place:
    """How the bill sees a shape where it asks whether a write must see the item first."""
    return _place_of(facts, shape, "index")


def place_in_table(facts: Facts, shape: Shape) -> Place:
    return _place_of(facts, shape, None)


def _place_of(facts: Facts, shape: Shape, index: str | None) -> Place:
    return Place(
        index=index,
        partition=with_timestamp(shape.partition, shape.bucket),
        lead=shape.lead,
        sort=shape.sort,
        ids=facts.spec.entities[shape.entity].id if shards_for(facts, shape) > 1 else (),
        when=tuple(name for name, _ in shape.when),
    )


def _month_units(facts: Facts, pattern: PatternSpec, effects: Iterable[Effect]) -> float:
    """Write units of a month in one index; a refused write does not touch it."""
    requests = facts.rates[pattern.id].avg * SECONDS_PER_MONTH * (1.0 - failure_share(facts, pattern))
    transactional = is_transaction(facts, pattern)
    return requests * sum(effect_wcu(each, transactional=transactional) for each in effects)


def effect_wcu(effect: Effect, *, transactional: bool) -> float:
    """Write units of one run, as the bill has them."""
    return estimated_line(effect, 0.0, transactional=transactional).wcu


@remembered
def is_transaction(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether a write is one in any design: with second items or pointers it may become one."""
    entries = [table_entry(facts, name, 1) for name in facts.spec.entities]
    return in_transaction(pattern, effects_of(facts, entries, pattern))


def storage_cost(facts: Facts, prices: Prices, entry: Entry) -> float:
    """Point-in-time recovery is paid for what lies in the table, and so is what replicas delete after its time."""
    items = facts.counts[entry.entity] * entry.share
    recovery = prices.pitr_gb_month if entry.place == TABLE and facts.spec.billing.has_recovery else 0.0
    stored = items * (entry.bytes + ITEM_STORAGE_OVERHEAD_BYTES) / GB * (prices.storage_gb_month + recovery) * 1e6
    expired = expired_units(facts, entry.entity, items, entry.bytes) if entry.place == TABLE else 0.0
    return stored + expired * expired_price(prices)


def copy_cost(facts: Facts, prices: Prices, shape: Shape) -> int:
    """A second item, or all its copies: each is written in a transaction, at twice the units; that the item itself is
    as well is said apart.
    """
    size = copy_bytes(facts, shape)
    once = write_wcu(0, size, transactional=True)
    entry = Entry(
        name=str(shape),
        kind="copy",
        place=TABLE,
        entity=shape.entity,
        key_attributes=shape.watched,
        bytes=size,
        share=1.0,
    )
    units = sum(
        facts.rates[each.id].avg * SECONDS_PER_MONTH * effect.times * effect.writes * once
        for each in facts.writes
        for effect in effects_of(facts, (entry,), each)
    )
    return max(1, shape.copies) * int(units * prices.write_per_million + storage_cost(facts, prices, entry))


def growth_rule(facts: Facts, shape: Shape) -> int:
    """What is given for partitions that stay below 10 GB, in micro-dollars a month."""
    grows = not shape.bucket and largest_bytes(facts, shape) > MAX_ITEM_COLLECTION_BYTES
    return UNBOUNDED if grows else 0
