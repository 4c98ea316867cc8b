"""The linear costs the search weighs, in micro-dollars a month: reads of plans, writes and storage of index entries."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.architect.cost.prices import GB, SECONDS_PER_MONTH, Prices
from tablewright.architect.spec.volumes import distinct, item_bytes
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES

if TYPE_CHECKING:
    from tablewright.architect.candidates.shapes import Shape
    from tablewright.architect.spec.assume import Facts
    from tablewright.architect.spec.model import PatternSpec

CONCENTRATION = 10_000
"""Micro-dollars for a shape that gathers everything in one partition; a share of it for less extreme ones."""


def read_cost(facts: Facts, prices: Prices, pattern: PatternSpec, units: float) -> int:
    requests = facts.rates[pattern.id].avg * SECONDS_PER_MONTH
    return round(requests * units * prices.read_per_million)


def entry_cost(facts: Facts, prices: Prices, shape: Shape) -> int:
    """An index entry per item: its writes and its storage."""
    size = item_bytes(facts, shape.entity)
    units = ceil(write_wcu(0, size))
    written = sum(entry_writes(facts, pattern, shape) for pattern in facts.writes)
    storage = facts.counts[shape.entity] * (size + ITEM_STORAGE_OVERHEAD_BYTES) / GB * prices.storage_gb_month * 1e6
    return round(written * units * prices.write_per_million + storage)


def entry_writes(facts: Facts, pattern: PatternSpec, shape: Shape) -> float:
    """Writes of the entry in a month: one for every write of the item, two when a change moves the entry."""
    if shape.entity not in pattern.entities:
        return 0.0
    requests = facts.rates[pattern.id].avg * SECONDS_PER_MONTH
    moves = pattern.op in ("update", "transact") and bool(moved(facts, pattern, shape))
    return requests * (2.0 if moves else 1.0)


def moved(facts: Facts, pattern: PatternSpec, shape: Shape) -> set[str]:
    changed = set(pattern.changes) if pattern.changes is not None else set(facts.changing[shape.entity])
    return changed & set(shape.attributes)


def copy_cost(facts: Facts, prices: Prices, shape: Shape) -> int:
    """A second item: both are written in one transaction, so that the first costs twice as well."""
    size = item_bytes(facts, shape.entity)
    units = ceil(write_wcu(0, size))
    requests = sum(
        facts.rates[each.id].avg * SECONDS_PER_MONTH for each in facts.writes if shape.entity in each.entities
    )
    storage = facts.counts[shape.entity] * (size + ITEM_STORAGE_OVERHEAD_BYTES) / GB * prices.storage_gb_month * 1e6
    return round(requests * units * 3 * prices.write_per_million + storage)


def concentration_cost(facts: Facts, shape: Shape) -> int:
    partitions = 1.0 if not shape.partition else distinct(facts, shape.entity, shape.partition)
    return round(CONCENTRATION / partitions)
