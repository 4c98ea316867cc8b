"""Findings about a whole table and about sizes: quotas, 10 GB and 400 KB.

table-quota          more units than an account's table gets without asking
warm-up              more units than a new on-demand table serves at once
collection-size      a collection beyond 10 GB
item-size            an item near or beyond 400 KB, or one that can grow without end
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.heat.arithmetic import against, number
from tablewright.design.heat.findings import Finding
from tablewright.design.heat.sizes import gigabytes, kilobytes
from tablewright.wire.limits import ON_DEMAND_INITIAL_RCU, ON_DEMAND_INITIAL_WCU, TABLE_QUOTA_RCU, TABLE_QUOTA_WCU

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.heat.sizes import CollectionGrowth, ItemSize

HALF = 0.5

# ---- the table ----------------------------------------------------------------------------------------------------


def table_findings(peaks: Iterable[tuple[str, float, float]]) -> Iterator[Finding]:
    """By place: read and write units a second at peak, over all keys."""
    for place, rcu, wcu in peaks:
        for word, units, quota, first in (
            ("read", rcu, TABLE_QUOTA_RCU, ON_DEMAND_INITIAL_RCU),
            ("write", wcu, TABLE_QUOTA_WCU, ON_DEMAND_INITIAL_WCU),
        ):
            if units > first:
                yield over_the_table(place, word, units, quota if units > quota else first, is_quota=units > quota)


def over_the_table(place: str, word: str, units: float, limit: int, *, is_quota: bool) -> Finding:
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


def size_findings(collections: Iterable[CollectionGrowth], items: Iterable[ItemSize]) -> Iterator[Finding]:
    yield from (collection_finding(each) for each in collections if each.largest_bytes["36"] > each.limit_bytes)
    yield from (item_finding(each) for each in items if each.headroom < HALF or each.unbounded)


def when(months: str) -> str:
    return "now" if months == "0" else f"in {months} months"


def collection_finding(each: CollectionGrowth) -> Finding:
    sizes = ", ".join(f"{gigabytes(size)} {when(months)}" for months, size in each.largest_bytes.items())
    stops = ", where its local index stops all writes to it" if each.is_limited else ", over several partitions"
    return Finding(
        kind="collection-size",
        severity="error" if each.is_limited else "note",
        place=each.place,
        entities=each.entities,
        what=f"the largest collection of {each.partition_key} grows beyond 10 GB{stops}",
        arithmetic=f"{sizes} ({each.largest_source})",
        remedy="Add to the partition key, or let old items expire, before it gets there."
        if each.bucket is None
        else f"Add a time bucket of a {each.bucket.period} to the partition key: {each.bucket.arithmetic}.",
    )


def item_finding(each: ItemSize) -> Finding:
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
