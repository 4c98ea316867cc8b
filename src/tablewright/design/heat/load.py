"""The hottest partition of every place at peak: what each pattern puts on it, and what it can bear.

One partition serves 3,000 read and 1,000 write units a second. Patterns that use the same partitions are added up as if
they all had the same favourite key. A partition saves up to 300 seconds of what it does not use: `burst_seconds` is how
long a peak above the limit can last on that, at best. Adaptive capacity gives a hot partition the table's spare units
and in the end splits it, but not a single item, not a collection with a local index, and not usefully one that only
grows at its end.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.cost.units.effects import effects_of, in_transaction, trailing_effects
from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.cost.units.following import gathered, numbers_in, shards_in, window_in
from tablewright.design.cost.units.reading import partitions_loaded, predict_read
from tablewright.design.cost.units.tops import listed, lists_in
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.cost.units.writing import LookUp, estimated_line, look_ups
from tablewright.design.heat.arithmetic import on_partition
from tablewright.design.heat.collections import longest_lists
from tablewright.design.heat.partition import can_shard, write_share
from tablewright.spec.skew import describe_share, hottest_share
from tablewright.wire.capacity import read_rcu, write_wcu
from tablewright.wire.limits import BURST_SECONDS, PARTITION_RCU, PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.cost.units.effects import Effect
    from tablewright.design.cost.units.volumes import Volumes
    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

Kind: TypeAlias = Literal["read", "write"]
Verdict: TypeAlias = Literal["cool", "warm", "hot"]
WARM = 0.5
LIMITS = {"read": PARTITION_RCU, "write": PARTITION_WCU}


class HeatTerm(msgspec.Struct, frozen=True, kw_only=True):
    """What one pattern puts on the hottest partition of one place at peak."""

    pattern: str
    kind: Kind
    place: str
    entity: str
    partition_key: str
    peak_per_second: float
    avg_per_second: float
    share: float
    share_source: str
    units_per_run: float  # on one partition, when nothing is sharded
    shards: int
    copies: int = 1  # of which a read asks one
    units_per_second: float
    avg_units_per_second: float
    limit: int
    headroom: float  # share of the limit that is left; below 0 is too much
    arithmetic: str


class PartitionHeat(msgspec.Struct, frozen=True, kw_only=True):
    """The hottest partition of views that share their partitions."""

    place: str
    partition_key: str
    entities: tuple[str, ...]
    shards: int
    rcu_per_second: float
    wcu_per_second: float
    avg_rcu_per_second: float
    avg_wcu_per_second: float
    read_headroom: float
    write_headroom: float
    bears_traffic: float | None  # times the present traffic until a limit is met; None when nothing is asked of it
    burst_seconds: float | None  # None while the peak is below the limits; 0 when there is nothing to burst with
    time_ordered: bool  # grows only at its end
    can_split: bool
    verdict: Verdict
    terms: tuple[HeatTerm, ...]


def hottest_partitions(layout: Layout) -> tuple[PartitionHeat, ...]:
    """At the volumes that the spec tells, hottest first."""
    return partition_heats(layout, heat_terms(layout, estimate(layout)))


def heat_terms(layout: Layout, volumes: Volumes) -> tuple[HeatTerm, ...]:
    """Per pattern, its hottest partition in every place it touches."""
    facts = layout.facts
    longest = longest_lists(layout, volumes)
    reads = (term for each in facts.spec.reads for term in _read_terms(layout, each, longest))
    writes = (term for each in facts.writes for term in _write_terms(layout, each, volumes))
    followed = (term for each in facts.writes for term in _followed_terms(layout, each, volumes))
    lists = (term for each in facts.writes for term in _list_terms(layout, each, volumes))
    return (*reads, *writes, *followed, *lists)


def _read_terms(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> Iterator[HeatTerm]:
    """One, or one for every copy that may be asked."""
    view = layout.reads[pattern.id].views[pattern.entity]
    names = tuple(name for name in view.shape.partition if name in pattern.by)
    share = hottest_share(layout.facts, view.entity, names, pattern)
    source = describe_share(layout.facts, view.entity, names, pattern)
    units = predict_read(layout, pattern, volumes).rcu / partitions_loaded(layout, pattern)
    is_get = layout.reads[pattern.id].operation != "Query"
    divided = _divided_by(layout, view) if is_get else 1
    for each in layout.keys if view.shape.copies else (view,):
        if each.first == view:
            yield _term_of(layout, pattern, each, "read", share, source, units, divided)


def least_read(layout: Layout, term: HeatTerm) -> float:
    """Units a second that a read puts on one partition whatever its key: its own inputs spread it, a step is least."""
    pattern = layout.spec.pattern(term.pattern)
    assert pattern is not None
    share = hottest_share(layout.facts, pattern.entity, pattern.by, pattern)
    return term.peak_per_second * share * (1.0 if pattern.consistency == "strong" else 0.5)


def _at_its_fullest(effect: Effect) -> Effect:
    """Packed items are of the same periods: before these end, every write is of a full one."""
    if effect.entry.packing is None:
        return effect
    return msgspec.structs.replace(effect, entry=msgspec.structs.replace(effect.entry, packing=None))


def _write_terms(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> Iterator[HeatTerm]:
    facts = layout.facts
    effects = effects_of(facts, volumes.entries, pattern)
    transactional = in_transaction(pattern, effects)
    views = views_by_entry(layout)
    for effect in effects:
        if effect.entry.name not in views:  # a sentinel has a partition of its own for every value
            continue
        view = views[effect.entry.name]
        units = estimated_line(_at_its_fullest(effect), 0.0, transactional=transactional).wcu
        source = describe_share(facts, view.entity, view.shape.partition, pattern)
        share = write_share(facts, view.shape, pattern)
        yield _term_of(layout, pattern, view, "write", share, source, units, _divided_by(layout, view))
    for look in look_ups(layout, pattern, volumes):
        yield _look_term(layout, pattern, look)


def _look_term(layout: Layout, pattern: PatternSpec, look: LookUp) -> HeatTerm:
    """What a write reads first, of the item itself, of its pointer, or by a query: of every shard its part."""
    facts, located = layout.facts, layout.located.get((pattern.id, look.entity))
    is_query = located is not None and place_of_view(located.view) == look.place and not located.serving.is_get
    view = located.view if located is not None and is_query else layout.base_view(look.entity)
    names = tuple(name for name in view.shape.partition if not is_query or name in pattern.by_of(view.entity))
    share = hottest_share(facts, view.entity, names, pattern)
    source = describe_share(facts, view.entity, names, pattern)
    divided = 1 if is_query else _divided_by(layout, view)
    return _term_of(layout, pattern, view, "read", share, source, look.rcu / look.asked, divided)


def _followed_terms(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> Iterator[HeatTerm]:
    """Numbers that a function keeps: of the changes on the hottest one, those that come together are one write."""
    facts, views = layout.facts, views_by_entry(layout)
    for effect in trailing_effects(facts, numbers_in(facts, volumes.entries), pattern):
        view = views[effect.entry.name]
        source = describe_share(facts, view.entity, view.shape.partition, pattern)
        share = write_share(facts, view.shape, pattern)
        found = gathered(facts, volumes.entries, shards=shards_in(volumes))
        units = estimated_line(effect, 0.0, transactional=True).wcu * found.writes_on(view.entity, share)
        yield _term_of(layout, pattern, view, "write", share, source, units, _divided_by(layout, view))


def _list_terms(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> Iterator[HeatTerm]:
    """Lists that a function keeps: the hottest one is read for every batch, and written where its places change."""
    facts, views, shards = layout.facts, views_by_entry(layout), shards_in(volumes)
    for entry in lists_in(facts, volumes.entries):
        view, size = views[entry.name], ceil(entry.bytes)
        source = describe_share(facts, view.entity, view.shape.partition, pattern)
        share = write_share(facts, view.shape, pattern)
        found, divided = listed(facts, entry, window_in(facts), shards).on(share), _divided_by(layout, view)
        for effect in trailing_effects(facts, [entry], pattern):
            read = effect.times * found.reads_per_change * read_rcu(size, consistent=True)
            written = effect.times * found.writes_per_change * write_wcu(0, size)
            yield _term_of(layout, pattern, view, "read", share, source, read, divided)
            yield _term_of(layout, pattern, view, "write", share, source, written, divided)


def _divided_by(layout: Layout, view: View) -> int:
    """Shards divide what goes to many items; where a partition holds one of an entity, that lies in one shard."""
    return layout.shards[view] if can_shard(layout.facts, view.shape) else 1


def views_by_entry(layout: Layout) -> dict[str, View]:
    found: dict[str, View] = {}
    copies: dict[str, int] = {}
    for view in layout.keys:
        name = f"{place_of_view(view)}/{view.entity}"
        if view.is_copy:
            copies[view.entity] = copies.get(view.entity, 0) + 1
            name += f"/copy{copies[view.entity]}"
        found[name] = view
    return found


def _term_of(
    layout: Layout,
    pattern: PatternSpec,
    view: View,
    kind: Kind,
    share: float,
    source: str,
    units: float,
    shards: int,
) -> HeatTerm:
    rate = layout.facts.rates[pattern.id]
    peak = rate.peak or rate.avg
    copies = max(1, view.shape.copies) if kind == "read" else 1
    divided = shards * copies
    total = peak * share * units / divided
    return HeatTerm(
        pattern=pattern.id,
        kind=kind,
        place=place_of_view(view),
        entity=view.entity,
        partition_key=layout.keys[view].pk.text,
        peak_per_second=peak,
        avg_per_second=rate.avg,
        share=share,
        share_source=source,
        units_per_run=units,
        shards=shards,
        copies=copies,
        units_per_second=total,
        avg_units_per_second=rate.avg * share * units / divided,
        limit=LIMITS[kind],
        headroom=1.0 - total / LIMITS[kind],
        arithmetic=on_partition(peak, share, units, shards, total, f"{kind}s", copies),
    )


# ---- together -----------------------------------------------------------------------------------------------------


def partition_heats(layout: Layout, terms: Iterable[HeatTerm]) -> tuple[PartitionHeat, ...]:
    """One for every group of views that lie in the same partitions, hottest first."""
    by_view: dict[tuple[str, str], list[HeatTerm]] = {}
    for term in terms:
        by_view.setdefault((term.place, term.partition_key), []).append(term)
    groups: dict[tuple[str, str], list[View]] = {}
    for view in layout.keys:
        groups.setdefault((place_of_view(view), layout.keys[view].pk.text), []).append(view)
    found = [_partition_heat(layout, key, views, by_view.get(key, [])) for key, views in groups.items()]
    return tuple(sorted(found, key=lambda each: min(each.read_headroom, each.write_headroom)))


def _partition_heat(layout: Layout, key: tuple[str, str], views: list[View], terms: list[HeatTerm]) -> PartitionHeat:
    reads = [each for each in terms if each.kind == "read"]
    writes = [each for each in terms if each.kind == "write"]
    rcu, avg_rcu = _totals(reads)
    wcu, avg_wcu = _totals(writes)
    ordered = any(time_ordered(layout.facts, view.shape) for view in views)
    left = min(1.0 - rcu / PARTITION_RCU, 1.0 - wcu / PARTITION_WCU)
    return PartitionHeat(
        place=key[0],
        partition_key=key[1],
        entities=tuple(dict.fromkeys(view.entity for view in views)),
        shards=max(layout.shards[view] for view in views),
        rcu_per_second=rcu,
        wcu_per_second=wcu,
        avg_rcu_per_second=avg_rcu,
        avg_wcu_per_second=avg_wcu,
        read_headroom=1.0 - rcu / PARTITION_RCU,
        write_headroom=1.0 - wcu / PARTITION_WCU,
        bears_traffic=None if left == 1.0 else 1.0 / (1.0 - left),
        burst_seconds=_shortest(burst_seconds(rcu, avg_rcu, PARTITION_RCU), burst_seconds(wcu, avg_wcu, PARTITION_WCU)),
        time_ordered=ordered,
        can_split=not ordered and any(can_shard(layout.facts, view.shape) for view in views),
        verdict="hot" if left < 0 else "warm" if left < 1 - WARM else "cool",
        terms=tuple(terms),
    )


def _totals(terms: Iterable[HeatTerm]) -> tuple[float, float]:
    taken = tuple(terms)
    return sum(each.units_per_second for each in taken), sum(each.avg_units_per_second for each in taken)


def burst_seconds(peak: float, avg: float, limit: float) -> float | None:
    """How long what was saved at the average pays for the peak: (limit - avg) x 300 / (peak - limit)."""
    if peak <= limit:
        return None
    return max(0.0, limit - avg) * BURST_SECONDS / (peak - limit)


def _shortest(one: float | None, other: float | None) -> float | None:
    said = [each for each in (one, other) if each is not None]
    return min(said) if said else None


def time_ordered(facts: Facts, shape: Shape) -> bool:
    """Whether new items always come last: the sort key begins with a time."""
    return bool(shape.sort) and facts.attribute(shape.entity, shape.sort[0]).type == "timestamp"
