"""Over how many partition keys items have to be spread, so that none is used to more than 70% of what it serves.

All that lies in the same partitions counts together. Shards divide writes of many items and reads of long lists; not a
single item, and not a list that is read up to a limit, which every shard is asked for.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.heat.arithmetic import against, on_partition, units
from tablewright.design.heat.load import hottest_partitions
from tablewright.design.heat.partition import MOST_SHARDS, TARGET, can_shard
from tablewright.wire.limits import PARTITION_RCU, PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tablewright.design.heat.load import HeatTerm, PartitionHeat
    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View

TRACE = 1e-4
STEP = 0.5
"""Read units that asking a shard costs at least."""


def more_shards(layout: Layout, heats: Iterable[PartitionHeat], kept: Mapping[View, int]) -> dict[View, int]:
    """What has to be spread further than it is, and how far; shards that are `kept` stay while they bear the peak."""
    found: dict[View, int] = {}
    for heat in heats:
        groups = _groups_in(layout, heat)
        bearable = 1.0 if any(kept.get(view, 1) > 1 for group in groups for view in group) else TARGET
        found.update(_spread_further(layout, heat, groups, bearable))
    return found


def _groups_in(layout: Layout, heat: PartitionHeat) -> list[tuple[View, ...]]:
    """What is read together is spread alike; a table with a local index is not spread."""
    is_fixed = any(view.lsi is not None for view in layout.keys)
    there = (
        layout.groups[view]
        for view, keys in layout.keys.items()
        if keys.pk.text == heat.partition_key and place_of_view(view) == heat.place
    )
    return [
        group
        for group in dict.fromkeys(there)
        if any(can_shard(layout.facts, view.shape) for view in group) and not (is_fixed and group[0].slot is None)
    ]


def _spread_further(
    layout: Layout, heat: PartitionHeat, groups: Sequence[tuple[View, ...]], bearable: float
) -> Iterator[tuple[View, int]]:
    """Only the group that weighs most: once it lies elsewhere the others may be cool."""
    for kind, total, limit in (
        ("write", heat.wcu_per_second, PARTITION_WCU),
        ("read", heat.rcu_per_second, PARTITION_RCU),
    ):
        loads = {group: _divided_load(layout, heat, group, kind) for group in groups}
        if total <= bearable * limit * (1 + TRACE) or not any(loads.values()):
            continue
        group = max(loads, key=loads.__getitem__)
        now = layout.shards[group[0]]
        wanted = _count(loads[group] * now, total - loads[group], TARGET * limit)
        if now < wanted <= _most(heat, kind, now):
            yield from ((view, wanted) for view in group)
            return


def _divided_load(layout: Layout, heat: PartitionHeat, group: tuple[View, ...], kind: str) -> float:
    """Units a second of one partition that more shards would divide."""
    spread = {view.entity for view in group if can_shard(layout.facts, view.shape)}
    return sum(
        each.units_per_second
        for each in heat.terms
        if each.kind == kind and each.entity in spread and (kind == "write" or _is_divided(layout, each.pattern))
    )


def _is_divided(layout: Layout, pattern: str) -> bool:
    """A whole list is read in parts, and single items lie in one shard each; a page is asked of every shard."""
    read = layout.reads.get(pattern)
    if read is None:  # what a write reads first
        return True
    return read.operation != "Query" or read.limit is None or bool(read.filters)


def _count(whole: float, others: float, bearable: float) -> int:
    """So many that a shard bears its part beside what is not divided, where that leaves any room."""
    room = bearable - others if others < bearable else bearable
    return min(MOST_SHARDS, max(1, ceil(whole / room * (1 - TRACE))))


def _most(heat: PartitionHeat, kind: str, now: int) -> float:
    """A read that is cut into less than a step a shard costs the same for every shard."""
    if kind == "write":
        return MOST_SHARDS
    hottest = max((each for each in heat.terms if each.kind == kind), key=lambda each: each.units_per_second)
    return hottest.units_per_run * (hottest.shards if hottest.shards > 1 else now) / STEP


def heats_by_key(layout: Layout) -> dict[View, PartitionHeat]:
    """The hottest partition of every view."""
    found = {(each.place, each.partition_key): each for each in hottest_partitions(layout)}
    return {view: found[place_of_view(view), keys.pk.text] for view, keys in layout.keys.items()}


# ---- in words -------------------------------------------------------------------------------------------------------


def shard_sum(heat: PartitionHeat) -> str:
    """Every pattern's part of what is spread, and what one shard gets of it."""
    by_reads = heat.rcu_per_second / PARTITION_RCU > heat.wcu_per_second / PARTITION_WCU
    kind, limit = ("read", PARTITION_RCU) if by_reads else ("write", PARTITION_WCU)
    terms = [each for each in heat.terms if each.kind == kind and each.units_per_second]
    parts = [_part(each, heat.shards) for each in terms]
    total = sum(each.units_per_second for each in terms) * heat.shards
    together = f"; together {units(round(total, 1))}" if len(parts) > 1 else ""
    return f"{'; '.join(parts)}{together}; / {heat.shards:,} shards = {against(total / heat.shards, limit)}"


def _part(term: HeatTerm, shards: int) -> str:
    """Without the division: what a query reads of one shard is counted for all of them."""
    each = term.units_per_run if term.shards > 1 or term.kind == "write" else term.units_per_run * shards
    total = term.peak_per_second * term.share * each
    return on_partition(term.peak_per_second, term.share, each, 1, total, f"{term.kind}s")
