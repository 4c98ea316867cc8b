"""How hot a design gets and how large it grows, with the headroom as numbers and what to do where there is none.

Findings about a whole table and about sizes stand here, those about keys in `findings`:

table-quota          more units than an account's table gets without asking
warm-up              more units than a new on-demand table serves at once
collection-size      a collection beyond 10 GB
item-size            an item near or beyond 400 KB, or one that can grow without end
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.predict import predict
from tablewright.design.cost.traffic import read_by_place, written_by_place
from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.cost.units.volumes import Volumes, estimate
from tablewright.design.heat.arithmetic import against, number
from tablewright.design.heat.findings import (
    Finding,
    read_findings,
    shard_findings,
    updated_item_findings,
    write_findings,
)
from tablewright.design.heat.load import HeatTerm, PartitionHeat, heat_terms, partition_heats
from tablewright.design.heat.shards import shard_sum
from tablewright.design.heat.sizes import (
    CollectionGrowth,
    ItemSize,
    collection_growths,
    gigabytes,
    item_sizes,
    kilobytes,
)
from tablewright.wire.limits import (
    BURST_SECONDS,
    ON_DEMAND_INITIAL_RCU,
    ON_DEMAND_INITIAL_WCU,
    PARTITION_RCU,
    PARTITION_WCU,
    TABLE_QUOTA_RCU,
    TABLE_QUOTA_WCU,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.layout.layout import Layout

HALF = 0.5
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
    peaks = _place_peaks(layout, taken)
    collections = collection_growths(layout, taken)
    items = item_sizes(layout, taken)
    findings = (
        *write_findings(layout, partitions),
        *updated_item_findings(layout),
        *shard_findings(partitions),
        *read_findings(partitions),
        *_table_findings((each.place, each.rcu_per_second, each.wcu_per_second) for each in peaks),
        *_size_findings(collections, items),
    )
    return HeatReport(
        patterns=terms,
        partitions=partitions,
        peaks=peaks,
        shards=_shard_counts(layout, partitions),
        collections=collections,
        items=items,
        findings=tuple(sorted(findings, key=lambda each: SEVERITIES.index(each.severity))),
    )


def is_too_hot(finding: Finding) -> bool:
    """Whether it is a limit of DynamoDB's that the design breaks, at peak or in the end."""
    return finding.severity == "error" and (finding.kind.startswith("hot-") or finding.kind == "collection-size")


def _place_peaks(layout: Layout, volumes: Volumes) -> tuple[PlacePeak, ...]:
    facts = layout.facts
    rcu: dict[str, float] = {}
    wcu: dict[str, float] = {}
    for pattern in (*facts.spec.patterns, *facts.implied):
        rate, found = facts.rates[pattern.id], predict(layout, pattern.id, volumes)
        for total, units in ((rcu, read_by_place(found)), (wcu, written_by_place(found))):
            for place, each in units.items():
                total[place] = total.get(place, 0.0) + each * (rate.peak or rate.avg)
    places = sorted({*rcu, *wcu}, key=lambda place: (place != "table", place))
    return tuple(
        PlacePeak(place=each, rcu_per_second=rcu.get(each, 0.0), wcu_per_second=wcu.get(each, 0.0)) for each in places
    )


def _shard_counts(layout: Layout, partitions: Iterable[PartitionHeat]) -> tuple[ShardCount, ...]:
    """Of views that are spread, with all that lies in their partitions."""
    heats = {(each.place, each.partition_key): each for each in partitions}
    return tuple(
        ShardCount(
            place=place_of_view(view),
            entity=view.entity,
            partition_key=keys.pk.text,
            shards=layout.shards[view],
            arithmetic=shard_sum(heats[place_of_view(view), keys.pk.text]),
        )
        for view, keys in layout.keys.items()
        if layout.shards[view] > 1
    )


# ---- the table ----------------------------------------------------------------------------------------------------


def _table_findings(peaks: Iterable[tuple[str, float, float]]) -> Iterator[Finding]:
    """By place: read and write units a second at peak, over all keys."""
    for place, rcu, wcu in peaks:
        for word, units, quota, first in (
            ("read", rcu, TABLE_QUOTA_RCU, ON_DEMAND_INITIAL_RCU),
            ("write", wcu, TABLE_QUOTA_WCU, ON_DEMAND_INITIAL_WCU),
        ):
            if units > first:
                yield _over_the_table(place, word, units, quota if units > quota else first, is_quota=units > quota)


def _over_the_table(place: str, word: str, units: float, limit: int, *, is_quota: bool) -> Finding:
    what = "an account's default for a table" if is_quota else "what a new on-demand table serves at once"
    return Finding(
        kind="table-quota" if is_quota else "warm-up",
        severity="warning" if is_quota else "note",
        place=place,
        what=f"{place} needs {number(units)} {word} units a second at peak, more than {what}",
        arithmetic=against(units, limit),
        remedy="Ask for a higher quota before launch."
        if is_quota
        else "Set warm throughput, or let traffic grow slowly.",
    )


# ---- sizes --------------------------------------------------------------------------------------------------------


def _size_findings(collections: Iterable[CollectionGrowth], items: Iterable[ItemSize]) -> Iterator[Finding]:
    yield from (_collection_finding(each) for each in collections if each.largest_bytes["36"] > each.limit_bytes)
    yield from (_item_finding(each) for each in items if each.headroom < HALF or each.unbounded)


def _when(months: str) -> str:
    return "now" if months == "0" else f"in {months} months"


def _collection_finding(each: CollectionGrowth) -> Finding:
    """With a local index 10 GB are the end of it; without one it only gets slower to copy and to move, without end."""
    sizes = ", ".join(f"{gigabytes(size)} {_when(months)}" for months, size in each.largest_bytes.items())
    stops = ", where its local index stops all writes to it" if each.is_limited else ", over several partitions"
    full = each.months_until_full
    since = "" if full is None else " (it is there now)" if full == 0 else f" (in {number(round(full, 1))} months)"
    return Finding(
        kind="collection-size",
        severity="error" if each.is_limited else "warning",
        place=each.place,
        entities=each.entities,
        what=f"the largest collection of {each.partition_key} grows beyond 10 GB{since}{stops}",
        arithmetic=f"{sizes} ({each.largest_source})",
        remedy="Add to the partition key, or let old items expire, before it gets there."
        if each.bucket is None
        else f"Add a time bucket of a {each.bucket.period} to the partition key: {each.bucket.arithmetic}.",
    )


def _item_finding(each: ItemSize) -> Finding:
    grows = f"; {', '.join(each.unbounded)} can grow without end" if each.unbounded else ""
    return Finding(
        kind="item-size",
        severity="error" if each.headroom < 0 else "warning" if each.headroom < HALF else "note",
        place="table",
        entities=(each.entity,),
        what=f"{each.entity} has up to {kilobytes(each.largest_bytes)} of 400 KB{grows}",
        arithmetic=against(each.largest_bytes, each.limit_bytes),
        remedy="Bound it, or keep the parts as items of their own under the same key; large content in object storage.",
    )
