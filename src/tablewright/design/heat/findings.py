"""What is wrong with a design's heat, each with its sum and a remedy. Nothing too hot passes in silence.

Whatever is above what a partition serves at peak is an error, and its kind begins with `hot-`: bursts and splits are
DynamoDB's best effort, and no design rests on them.

hot-item-write       one item gets more than 1,000 write units a second: no key spreads a single item
hot-partition-write  one partition key gets more than that, and its items can be spread
hot-item-read        a small answer read more than 3,000 units a second: shards do not help, copies and caches do
hot-partition-read   a long list read more than that: shards divide it
no-headroom          a partition that bears its peak with less than a tenth to spare
many-shards          more shards than a design sensibly has
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.heat.arithmetic import needed, number, on_partition, percent
from tablewright.design.heat.partition import MOST_SHARDS, TARGET, can_shard, shards_with_headroom, write_heat
from tablewright.design.serving.writes import operation_on
from tablewright.design.wording import concat
from tablewright.spec.skew import hottest_share
from tablewright.wire.limits import (
    PARTITION_RCU,
    PARTITION_WCU,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.heat.load import HeatTerm, PartitionHeat
    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.spec.model import PatternSpec

Severity: TypeAlias = Literal["error", "warning", "note"]
TRACE = 0.001
FULL = 0.9
"""Hashes do not spread evenly: partitions that are used to more than this share have nothing left for it."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something to act on: what it is, the sum behind it, and what helps."""

    kind: str
    severity: Severity
    place: str
    patterns: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    what: str
    arithmetic: str
    remedy: str


# ---- writes -------------------------------------------------------------------------------------------------------


def write_findings(layout: Layout, found: Iterable[PartitionHeat]) -> Iterator[Finding]:
    for heat in found:
        terms = tuple(each for each in heat.terms if each.kind == "write")
        single = not any(can_shard(layout.facts, view.shape) for view in _views_of(layout, heat))
        if heat.wcu_per_second > PARTITION_WCU:
            yield _hot_item_write(heat, terms) if single else _hot_partition_write(heat, terms)
        elif heat.wcu_per_second > FULL * PARTITION_WCU:
            yield _no_headroom(heat, terms, single=single)


def _no_headroom(heat: PartitionHeat, terms: tuple[HeatTerm, ...], *, single: bool) -> Finding:
    whole = heat.wcu_per_second * heat.shards
    count = shards_with_headroom(whole, PARTITION_WCU)
    return Finding(
        kind="no-headroom",
        severity="warning",
        place=heat.place,
        patterns=tuple(each.pattern for each in terms),
        entities=heat.entities,
        what=f"the hottest partition of {heat.partition_key} is used to {percent(1 - heat.write_headroom)} at peak",
        arithmetic=_join_terms(terms),
        remedy=_item_remedy(count)
        if single
        else f"{count} shards would leave {percent(1 - TARGET)}: {number(whole)} / ({PARTITION_WCU:,} x {TARGET:g}).",
    )


def _views_of(layout: Layout, heat: PartitionHeat) -> list[View]:
    return [
        view
        for view, keys in layout.keys.items()
        if keys.pk.text == heat.partition_key and place_of_view(view) == heat.place
    ]


def _hot_item_write(heat: PartitionHeat, terms: tuple[HeatTerm, ...]) -> Finding:
    count = needed(heat.wcu_per_second, PARTITION_WCU)
    return Finding(
        kind="hot-item-write",
        severity="error",
        place=heat.place,
        patterns=tuple(each.pattern for each in terms),
        entities=heat.entities,
        what=f"one item of {heat.partition_key} is written {number(heat.wcu_per_second)} units a second at peak,"
        f" {percent(heat.wcu_per_second / PARTITION_WCU)} of what a partition serves; no key can spread one item"
        f"{_back_pressure(heat, terms)}",
        arithmetic=_join_terms(terms),
        remedy=_item_remedy(count),
    )


def _item_remedy(count: int) -> str:
    return (
        f"Write {count} items in its place (a sharded counter: add to one of {count} at random, read all and add up),"
        " or write events and let a stream's consumer fold many of them into one update of the item a second."
    )


def _hot_partition_write(heat: PartitionHeat, terms: tuple[HeatTerm, ...]) -> Finding:
    count = shards_with_headroom(heat.wcu_per_second * heat.shards, PARTITION_WCU)
    split = "it can be split for heat after a while" if heat.can_split else "it cannot be split for heat"
    burst = f"; what was saved lasts for {number(round(heat.burst_seconds or 0.0))} s of such a peak at best"
    return Finding(
        kind="hot-partition-write",
        severity="error",
        place=heat.place,
        patterns=tuple(each.pattern for each in terms),
        entities=heat.entities,
        what=f"the hottest partition of {heat.partition_key} takes {number(heat.wcu_per_second)} write units a second"
        f" at peak; {split}{burst}{_back_pressure(heat, terms)}",
        arithmetic=_join_terms(terms),
        remedy=f"Use {count} shards ({number(heat.wcu_per_second * heat.shards)} / ({PARTITION_WCU:,} x {TARGET:g}),"
        " rounded up), or a partition key with more values.",
    )


def _back_pressure(heat: PartitionHeat, terms: tuple[HeatTerm, ...]) -> str:
    """An index that cannot take a write makes DynamoDB refuse it to the table."""
    if not heat.place.startswith("gsi"):
        return ""
    writes = dict.fromkeys(each.pattern for each in terms if each.units_per_second)
    return f"; while {heat.place} is short of writes the table itself rejects {concat(writes)}"


def _join_terms(terms: tuple[HeatTerm, ...]) -> str:
    """The sums of the patterns that matter."""
    least = TRACE * sum(each.units_per_second for each in terms)
    return "; ".join(f"{each.pattern}: {each.arithmetic}" for each in terms if each.units_per_second > least)


def updated_item_findings(layout: Layout) -> Iterator[Finding]:
    """Updates that favour one item of a partition: shards spread the others, never this one."""
    facts = layout.facts
    for pattern in facts.writes:
        for entity in pattern.entities:
            ids = facts.spec.entities[entity].id
            shape = layout.base(entity)
            if operation_on(facts, pattern, entity) == "put" or not set(pattern.by) >= set(ids):
                continue
            if can_shard(facts, shape):
                yield from _updated_item(layout, pattern, entity, ids)


def _updated_item(layout: Layout, pattern: PatternSpec, entity: str, ids: tuple[str, ...]) -> Iterator[Finding]:
    facts = layout.facts
    base = layout.base(entity)
    rate = facts.rates[pattern.id]
    peak, share = rate.peak or rate.avg, hottest_share(facts, entity, ids, pattern)
    units = next((each for id_, _, _, each in write_heat(facts, base).terms if id_ == pattern.id), 0.0)
    total = peak * share * units
    if total > PARTITION_WCU:
        yield Finding(
            kind="hot-item-write",
            severity="error",
            place="table",
            patterns=(pattern.id,),
            entities=(entity,),
            what=f"if the hottest key of {pattern.id} is one {entity}, that item is written {number(total)} units a"
            " second at peak, which shards do not spread",
            arithmetic=on_partition(peak, share, units, 1, total, "writes"),
            remedy=_item_remedy(needed(total, PARTITION_WCU)),
        )


def shard_findings(found: Iterable[PartitionHeat]) -> Iterator[Finding]:
    for heat in found:
        whole = heat.wcu_per_second * heat.shards
        if heat.shards >= MOST_SHARDS and heat.wcu_per_second > PARTITION_WCU:
            yield Finding(
                kind="many-shards",
                severity="error",
                place=heat.place,
                entities=heat.entities,
                what=f"{needed(whole, PARTITION_WCU):,} shards would be needed, {MOST_SHARDS:,} are the most",
                arithmetic=f"{number(whole)} units / {PARTITION_WCU:,}",
                remedy="Collect writes before they reach the table, or key them by something with more values.",
            )


# ---- reads --------------------------------------------------------------------------------------------------------


def read_findings(found: Iterable[PartitionHeat]) -> Iterator[Finding]:
    for heat in found:
        if heat.rcu_per_second <= PARTITION_RCU:
            continue
        terms = tuple(each for each in heat.terms if each.kind == "read")
        small = is_small_read(heat)
        yield Finding(
            kind="hot-item-read" if small else "hot-partition-read",
            severity="error",
            place=heat.place,
            patterns=tuple(each.pattern for each in terms),
            entities=heat.entities,
            what=f"the hottest partition of {heat.partition_key} is read {number(heat.rcu_per_second)} units a second"
            f" at peak, {percent(heat.rcu_per_second / PARTITION_RCU)} of what it serves",
            arithmetic=_join_terms(terms),
            remedy=_small_read_remedy(copies_for(heat)) if small else _long_read_remedy(heat),
        )


def is_small_read(heat: PartitionHeat) -> bool:
    """Whether a shard of what is read most would be less than one unit."""
    hottest = max((each for each in heat.terms if each.kind == "read"), key=lambda each: each.units_per_second)
    return hottest.units_per_run < needed(heat.rcu_per_second, PARTITION_RCU)


def copies_for(heat: PartitionHeat) -> int:
    """How many copies of an answer serve its reads, with the head room that shards have."""
    return shards_with_headroom(heat.rcu_per_second, PARTITION_RCU)


def _small_read_remedy(count: int) -> str:
    return (
        f"Keep {count} copies and read one at random, or put a cache or DAX in front;"
        " shards do not help, as every read would ask all of them."
    )


def _long_read_remedy(heat: PartitionHeat) -> str:
    count = shards_with_headroom(heat.rcu_per_second * heat.shards, PARTITION_RCU)
    return (
        f"Use {count} shards ({number(heat.rcu_per_second * heat.shards)} / ({PARTITION_RCU:,} x {TARGET:g}),"
        " rounded up): each is asked for its part."
    )
