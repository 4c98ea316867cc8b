"""How hot a design gets and how large it grows, with the headroom as numbers and what to do where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.predict import predict
from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.cost.units.volumes import Volumes, estimate
from tablewright.design.heat.bounds import size_findings, table_findings
from tablewright.design.heat.findings import (
    Finding,
    read_findings,
    shard_findings,
    updated_item_findings,
    write_findings,
)
from tablewright.design.heat.load import HeatTerm, PartitionHeat, heat_terms, partition_heats
from tablewright.design.heat.partition import shard_sum, write_heat
from tablewright.design.heat.sizes import CollectionGrowth, ItemSize, collection_growths, item_sizes
from tablewright.wire.limits import BURST_SECONDS, PARTITION_RCU, PARTITION_WCU

if TYPE_CHECKING:
    from tablewright.design.layout.layout import Layout

SEVERITIES = ("error", "warning", "note")
NOTES = (
    f"Burst: a partition can spend up to {BURST_SECONDS} seconds of unused capacity at once, as far as there is any.",
    (
        "Adaptive capacity: spare units of the table go to its hot partitions at once, up to what one partition serves;"
        " a lasting hot spot is split, down to one item, but not along a sort key that only grows."
    ),
)


class ShardCount(msgspec.Struct, frozen=True, kw_only=True):
    """Over how many partition keys a view is spread, and the sum that says so."""

    place: str
    entity: str
    partition_key: str
    shards: int
    arithmetic: str


class PlacePeak(msgspec.Struct, frozen=True, kw_only=True):
    """All keys of a place together, with every pattern at its peak."""

    place: str
    rcu_per_second: float
    wcu_per_second: float


class HeatReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about heat and sizes; the hottest and the worst come first."""

    partition_rcu: int = PARTITION_RCU
    partition_wcu: int = PARTITION_WCU
    patterns: tuple[HeatTerm, ...]
    partitions: tuple[PartitionHeat, ...]
    peaks: tuple[PlacePeak, ...]
    shards: tuple[ShardCount, ...]
    collections: tuple[CollectionGrowth, ...]
    items: tuple[ItemSize, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = NOTES


def table_heat(layout: Layout, *, volumes: Volumes | None = None) -> HeatReport:
    """`volumes` may be measured."""
    taken = estimate(layout) if volumes is None else volumes
    terms = heat_terms(layout, taken)
    partitions = partition_heats(layout, terms)
    peaks = place_peaks(layout, taken)
    collections = collection_growths(layout, taken)
    items = item_sizes(layout, taken)
    findings = (
        *write_findings(layout, partitions),
        *updated_item_findings(layout),
        *shard_findings(layout),
        *read_findings(partitions),
        *table_findings((each.place, each.rcu_per_second, each.wcu_per_second) for each in peaks),
        *size_findings(collections, items),
    )
    return HeatReport(
        patterns=terms,
        partitions=partitions,
        peaks=peaks,
        shards=shard_counts(layout),
        collections=collections,
        items=items,
        findings=tuple(sorted(findings, key=lambda each: SEVERITIES.index(each.severity))),
    )


def place_peaks(layout: Layout, volumes: Volumes) -> tuple[PlacePeak, ...]:
    facts = layout.facts
    rcu: dict[str, float] = {}
    wcu: dict[str, float] = {}
    for pattern in (*facts.spec.patterns, *facts.implied):
        rate, found = facts.rates[pattern.id], predict(layout, pattern.id, volumes)
        for total, units in ((rcu, found.rcu_by_place), (wcu, found.wcu_by_place)):
            for place, each in units.items():
                total[place] = total.get(place, 0.0) + each * (rate.peak or rate.avg)
    places = sorted({*rcu, *wcu}, key=lambda place: (place != "table", place))
    return tuple(
        PlacePeak(place=each, rcu_per_second=rcu.get(each, 0.0), wcu_per_second=wcu.get(each, 0.0)) for each in places
    )


def shard_counts(layout: Layout) -> tuple[ShardCount, ...]:
    """Of views that are spread; a view in whose partitions another needs more shards follows that one."""
    return tuple(
        ShardCount(
            place=place_of_view(view),
            entity=view.entity,
            partition_key=layout.keys[view].pk.text,
            shards=shards,
            arithmetic=shard_sum(write_heat(layout.facts, view.shape), PARTITION_WCU),
        )
        for view, shards in layout.shards.items()
        if shards > 1
    )
