"""Answers that are read more often than a partition serves: copies of them against a cache, each with its price.

N copies are the same item under N keys: every write writes all of them, a read asks a random one. They cost writes and
storage; a cache costs its nodes, and saves reads. How many items are that hot follows from the skew of the pattern.
Where a design has copies already, the same is said of those, for all items.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.advice import CopyWrite, HotRead
from tablewright.design.cost.dax import NODES, hottest_skew, key_classes
from tablewright.design.cost.prices import GB, HOURS_PER_MONTH, SECONDS_PER_MONTH, price_text
from tablewright.design.cost.units.effects import effects_of, in_transaction
from tablewright.design.cost.units.entries import TABLE, place_of_view
from tablewright.design.cost.units.writing import estimated_line
from tablewright.design.heat.findings import copies_for, is_small_read
from tablewright.design.heat.load import views_by_entry
from tablewright.design.serving.writes import operation_on
from tablewright.design.wording import concat, money, number, plural, tally
from tablewright.spec.volumes import distinct
from tablewright.spec.writes import effect_on
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES, KB, MAX_TRANSACTION_ACTIONS, PARTITION_RCU

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tablewright.design.cost.units.entries import Entry
    from tablewright.design.heat.load import HeatTerm, PartitionHeat
    from tablewright.design.layout.views import View
    from tablewright.review.case import Case
    from tablewright.spec.model import PatternSpec

NODE = "r5.large"
NODE_UNITS = 75_000
"""What a node of that kind takes: so many kilobytes a second that it finds."""
SPARE = 1.43
"""AWS sizes a cluster with so much more than it needs."""


def hot_reads(case: Case) -> tuple[HotRead, ...]:
    """What is built first, then what is too hot, the hottest first, as heat has them."""
    too_hot = (
        _hot_read(case, each)
        for each in case.heat.partitions
        if each.rcu_per_second > PARTITION_RCU and is_small_read(each) and _asking(case, each)
    )
    return (*_built(case), *too_hot)


def _built(case: Case) -> Iterator[HotRead]:
    """Of copies that a design has: the first speaks for all."""
    heats = {(each.place, each.partition_key): each for each in case.heat.partitions}
    for view, keys in case.layout.keys.items():
        heat = heats[place_of_view(view), keys.pk.text]
        if view.number == 1 and _asking(case, heat):
            yield _built_read(case, view, heat)


def _asking(case: Case, heat: PartitionHeat) -> list[HeatTerm]:
    """Without what writes read first: they must see the item itself, and no copy."""
    return [each for each in heat.terms if each.kind == "read" and each.pattern in case.layout.reads]


def _hot_read(case: Case, heat: PartitionHeat) -> HotRead:
    terms = _asking(case, heat)
    copies = copies_for(heat)
    items = {each.entity: _hot_items(case, each) for each in terms}
    written = _how_written(case, [*items], copies)
    some = sum(_copies_usd(case, heat.place, name, copies, count, written) for name, count in items.items())
    every = sum(_copies_usd(case, heat.place, name, copies, case.facts.counts[name], written) for name in items)
    nodes, dax = _dax_usd(case, terms)
    found = HotRead(
        place=heat.place,
        partition_key=heat.partition_key,
        patterns=tuple(dict.fromkeys(case.name(each.pattern) for each in terms)),
        entities=tuple(items),
        rcu_per_second=heat.rcu_per_second,
        copies=copies,
        items=sum(items.values()),
        written=written,
        copies_usd_per_month=some,
        all_copies_usd_per_month=every,
        dax_nodes=nodes,
        dax_usd_per_month=dax,
        cheaper="dax" if dax is not None and dax < some else "copies",
    )
    return msgspec.structs.replace(found, how=" ".join(_how(case, found)))


def _built_read(case: Case, view: View, heat: PartitionHeat) -> HotRead:
    terms = _asking(case, heat)
    nodes, dax = _dax_usd(case, terms)
    usd = _built_usd(case, view)
    found = HotRead(
        place=heat.place,
        partition_key=heat.partition_key,
        patterns=tuple(dict.fromkeys(case.name(each.pattern) for each in terms)),
        entities=(view.entity,),
        rcu_per_second=sum(each.units_per_second for each in terms) * view.shape.copies,
        copies=view.shape.copies,
        items=case.facts.counts[view.entity],
        written="transaction",
        copies_usd_per_month=usd,
        all_copies_usd_per_month=usd,
        dax_nodes=nodes,
        dax_usd_per_month=dax,
        cheaper="dax" if dax is not None and dax < usd else "copies",
        is_built=True,
    )
    return msgspec.structs.replace(found, how=" ".join(_how_built(case, found)))


def _built_usd(case: Case, view: View) -> float:
    """What a month would cost less without these copies: their writes and storage, and what they make transactions."""
    names = {name for name, each in views_by_entry(case.layout).items() if each.first == view}
    copied = [each for each in case.entries if each.name in names]
    others = [each for each in case.entries if each.name not in names]
    prices = case.cost.prices
    writes = [each for each in case.facts.writes if view.entity in each.entities]
    units = sum(
        case.facts.rates[each.id].avg
        * SECONDS_PER_MONTH
        * (_units(case, each, case.entries) - _units(case, each, others))
        for each in writes
    )
    gb_month = prices.storage_gb_month + (prices.pitr_gb_month if case.spec.billing.has_recovery else 0.0)
    stored = sum(each.bytes + ITEM_STORAGE_OVERHEAD_BYTES for each in copied) * case.facts.counts[view.entity] / GB
    return units * prices.write_per_million / 1e6 + stored * gb_month


def _units(case: Case, pattern: PatternSpec, entries: Sequence[Entry]) -> float:
    """Write units of one run, if these are all entries that there are."""
    effects = effects_of(case.facts, entries, pattern)
    together = in_transaction(pattern, effects)
    return sum(estimated_line(each, 0.0, transactional=together).wcu for each in effects)


# ---- copies ---------------------------------------------------------------------------------------------------------


def _hot_items(case: Case, term: HeatTerm) -> float:
    """How many items a partition could not serve, each read as often as its key is: at least those of one answer."""
    pattern = _pattern(case, term.pattern)
    keys = distinct(case.facts, pattern.entity, pattern.by) if pattern.by else 1.0
    units = term.peak_per_second * term.units_per_run
    hot = sum(count for share, count in key_classes(keys, hottest_skew(pattern)) if units * share > PARTITION_RCU)
    answer = max(1.0, case.volumes.read_items[term.pattern].get(term.entity, 1.0))
    return min(max(1.0, case.facts.counts[term.entity]), max(1.0, hot) * answer)


def _pattern(case: Case, id_: str) -> PatternSpec:
    found = case.spec.pattern(id_)
    assert found is not None
    return found


def _how_written(case: Case, entities: Iterable[str], copies: int) -> CopyWrite:
    """Together, where copies must not differ or a write depends on what is stored; else one after the other."""
    if copies > MAX_TRANSACTION_ACTIONS:
        return "batch"
    reads = [each for each in case.spec.reads if each.consistency == "strong" and {*each.entities} & {*entities}]
    writes = [(each, name) for each in case.spec.writes for name in entities if name in each.entities]
    plain = all(
        operation_on(case.facts, each, name) == "put" and effect_on(case.facts, each, name).existence == "any"
        for each, name in writes
    )
    return "batch" if plain and not reads else "transaction"


def _copies_usd(case: Case, place: str, entity: str, copies: int, items: float, written: CopyWrite) -> float:
    """What all but the first cost to write and to store, and what it costs that the first is in a transaction."""
    entries = [each for each in case.entries if each.entity == entity and each.kind in ("item", "index")]
    own = [each for each in entries if each.place in (TABLE, place)]
    prices, share = case.cost.prices, min(1.0, items / max(1.0, case.facts.counts[entity]))
    units = sum(_more_units(case, each, own, copies, written) for each in case.facts.writes if entity in each.entities)
    recovery = prices.pitr_gb_month if case.spec.billing.has_recovery else 0.0
    stored = sum(
        (each.bytes + ITEM_STORAGE_OVERHEAD_BYTES)
        * (prices.storage_gb_month + (recovery if each.place == TABLE else 0.0))
        for each in own
    )
    return units * share * prices.write_per_million / 1e6 + (copies - 1) * items * stored / GB


def _more_units(case: Case, pattern: PatternSpec, entries: list[Entry], copies: int, written: CopyWrite) -> float:
    """Write units of a month, if all items of the entity had copies."""
    now = in_transaction(pattern, effects_of(case.facts, case.entries, pattern))
    then = now or written == "transaction"
    effects = effects_of(case.facts, entries, pattern)
    before = sum(estimated_line(each, 0.0, transactional=now).wcu for each in effects)
    after = copies * sum(estimated_line(each, 0.0, transactional=then).wcu for each in effects)
    return case.facts.rates[pattern.id].avg * SECONDS_PER_MONTH * (after - before)


# ---- a cache --------------------------------------------------------------------------------------------------------


def _dax_usd(case: Case, terms: list[HeatTerm]) -> tuple[int, float | None]:
    """Nodes, and their price less the reads that they save; no price where reads go past a cache."""
    hottest = max(terms, key=lambda each: each.units_per_second)
    if _pattern(case, hottest.pattern).consistency == "strong":
        return 0, None
    saved = {each.pattern: each.saved_usd_per_month for each in case.cost.cache.patterns}
    size = max(
        (each.bytes for each in case.entries if each.entity == hottest.entity and each.kind == "item"), default=0
    )
    load = sum(each.peak_per_second for each in terms) * max(1.0, size / KB)
    prices = case.cost.prices
    nodes = max(NODES, ceil(load * SPARE / NODE_UNITS)) if prices.dax_node == NODE else NODES
    usd = nodes * prices.dax_node_hour * HOURS_PER_MONTH
    return nodes, usd - sum(saved.get(each.pattern, 0.0) for each in terms)


# ---- in words -------------------------------------------------------------------------------------------------------


def _how(case: Case, found: HotRead) -> Iterator[str]:
    together = "in one transaction" if found.written == "transaction" else "in batches, which differ for a moment"
    all_units, own_units = (number(round(found.rcu_per_second / each)) for each in (1, found.copies))
    yield (
        f"Write {plural(found.copies, 'item')} in the place of one, the number of the copy at the end of the partition"
        f" key, {together}, and read one at random: {all_units} units a second become {own_units} of {PARTITION_RCU:,}."
    )
    usd = f"{money(found.copies_usd_per_month)} a month for {tally(round(found.items), 'item')} read that often"
    more = found.all_copies_usd_per_month > found.copies_usd_per_month
    every = f", {money(found.all_copies_usd_per_month)} for every {concat(found.entities)}" if more else ""
    yield f"That costs {usd}{every}."
    yield _how_cached(case, found)


def _how_built(case: Case, found: HotRead) -> Iterator[str]:
    all_units, own_units = (number(round(found.rcu_per_second / each)) for each in (1, found.copies))
    yield (
        f"{plural(found.copies, 'copy', 'copies')} of every {concat(found.entities)} are written in one transaction"
        f" with it, and any one is read: {all_units} units a second, which one partition would not serve, become"
        f" {own_units} of {PARTITION_RCU:,}. They cost {money(found.copies_usd_per_month)} a month."
    )
    yield _how_cached(case, found)


def _how_cached(case: Case, found: HotRead) -> str:
    if found.dax_usd_per_month is None:
        return "A cache does not help: strong reads go past it."
    price = f"{found.dax_nodes} nodes {case.cost.prices.dax_node} at {price_text(case.cost.prices, 'dax_node_hour')}"
    net = found.dax_usd_per_month
    told = f"{money(net)} a month more than the reads it saves" if net > 0 else f"saves {money(-net)} a month"
    return f"DAX, {price} an hour, {'costs ' if net > 0 else ''}{told}; what it shows is up to five minutes old."
