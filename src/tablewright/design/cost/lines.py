"""The bill on demand, line by line: what each pattern, entity and place costs in a month."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.growth import count_after, growth_of
from tablewright.design.cost.prices import SECONDS_PER_MONTH, Prices
from tablewright.design.cost.storage import StoredEntry, storage_usd
from tablewright.design.cost.units.prediction import Prediction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.cost.traffic import Load
    from tablewright.design.layout.layout import Layout
    from tablewright.spec.facts import Facts

HORIZONS = (0, 12, 36)
"""Months from now that reports look at."""


class PatternCost(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern's requests in a month."""

    pattern: str
    avg_per_second: float
    peak_per_second: float
    runs_per_month: float
    prediction: Prediction  # of one run
    rcu_per_month: float
    wcu_per_month: float
    write_amplification: float | None  # units written over units of the items themselves; None for reads
    read_usd_per_month: float
    write_usd_per_month: float
    index_usd_per_month: float  # of writes: keeping indexes in step
    failed_usd_per_month: float  # of writes: refused conditions
    followed_usd_per_month: float = 0.0  # of writes: what a function writes afterwards that follows the stream
    usd_per_month: float


class EntityCost(msgspec.Struct, frozen=True, kw_only=True):
    """What one entity costs: its share of reads, its writes in all places, its storage in all places."""

    entity: str
    item_bytes: float
    counts: Mapping[str, float]  # by months from now
    added_per_month: float  # now: a share of what is there grows with it
    steady_count: float | None  # with an expiry
    gb: float
    index_gb: float  # of which in indexes
    read_usd_per_month: float
    write_usd_per_month: float
    storage_usd_per_month: float
    usd_per_month: float


class PlaceCost(msgspec.Struct, frozen=True, kw_only=True):
    """What the table or one index costs; its units a second on average and in the busiest hour."""

    place: str
    entities: tuple[str, ...]
    gb: float
    avg_rcu: float
    peak_hour_rcu: float
    avg_wcu: float
    peak_hour_wcu: float
    read_usd_per_month: float
    write_usd_per_month: float
    storage_usd_per_month: float
    usd_per_month: float


def pattern_cost(facts: Facts, found: Prediction, prices: Prices) -> PatternCost:
    rate = facts.rates[found.pattern]
    runs = rate.avg * SECONDS_PER_MONTH
    one_read, write = runs * prices.read_per_million / 1e6, runs * prices.write_per_million / 1e6
    units, taken = found.wcu + found.followed_wcu, found.rcu + found.followed_rcu
    read = one_read * taken
    return PatternCost(
        pattern=found.pattern,
        avg_per_second=rate.avg,
        peak_per_second=rate.peak or rate.avg,
        runs_per_month=runs,
        prediction=found,
        rcu_per_month=runs * taken,
        wcu_per_month=runs * units,
        write_amplification=units / found.item_wcu if found.item_wcu else None,
        read_usd_per_month=read,
        write_usd_per_month=write * units,
        index_usd_per_month=write * found.index_wcu,
        failed_usd_per_month=write * found.failed_wcu,
        followed_usd_per_month=write * found.followed_wcu + one_read * found.followed_rcu,
        usd_per_month=read + write * units,
    )


def entity_cost(
    facts: Facts, entity: str, patterns: Iterable[PatternCost], found: Iterable[StoredEntry], prices: Prices
) -> EntityCost:
    growth = growth_of(facts, entity)
    own = [each for each in found if each.entity == entity]
    gb = sum(each.gb for each in own)
    read = sum(each.runs_per_month * each.prediction.rcu_by_entity.get(entity, 0.0) for each in patterns)
    write = sum(each.runs_per_month * each.prediction.wcu_by_entity.get(entity, 0.0) for each in patterns)
    usd = (read * prices.read_per_million / 1e6, write * prices.write_per_million / 1e6, storage_usd(gb, prices))
    return EntityCost(
        entity=entity,
        item_bytes=next((each.entry_bytes for each in own if each.kind == "item"), 0.0),
        counts={str(months): count_after(growth, months) for months in HORIZONS},
        added_per_month=growth.added_next_month,
        steady_count=growth.steady_count,
        gb=gb,
        index_gb=sum(each.gb for each in own if each.kind == "index"),
        read_usd_per_month=usd[0],
        write_usd_per_month=usd[1],
        storage_usd_per_month=usd[2],
        usd_per_month=sum(usd),
    )


def place_cost(load: Load, found: Iterable[StoredEntry], prices: Prices) -> PlaceCost:
    own = [each for each in found if each.place == load.place]
    gb = sum(each.gb for each in own)
    read = load.avg_rcu * SECONDS_PER_MONTH * prices.read_per_million / 1e6
    write = load.avg_wcu * SECONDS_PER_MONTH * prices.write_per_million / 1e6
    return PlaceCost(
        place=load.place,
        entities=tuple(dict.fromkeys(each.entity for each in own)),
        gb=gb,
        avg_rcu=load.avg_rcu,
        peak_hour_rcu=max(load.rcu),
        avg_wcu=load.avg_wcu,
        peak_hour_wcu=max(load.wcu),
        read_usd_per_month=read,
        write_usd_per_month=write,
        storage_usd_per_month=storage_usd(gb, prices),
        usd_per_month=read + write + storage_usd(gb, prices),
    )


# ---- as the patterns were written -----------------------------------------------------------------------------------
# The steps of one pattern are added up, here and nowhere else.

SUMS = ("rcu_per_month", "wcu_per_month", "read_usd_per_month", "write_usd_per_month")
MORE_SUMS = ("index_usd_per_month", "failed_usd_per_month", "followed_usd_per_month", "usd_per_month")
UNITS = ("requests", "bytes_read", "rcu", "wcu", "item_wcu", "index_wcu", "copy_wcu", "failed_wcu")
FOLLOWED = ("followed_rcu", "followed_wcu")
PLACES = ("rcu_by_place", "wcu_by_place", "rcu_by_entity", "wcu_by_entity")


def present_lines(layout: Layout, found: Iterable[PatternCost]) -> tuple[PatternCost, ...]:
    """A line for every pattern as written, in the order of the spec; what is implied comes last."""
    lines = {each.pattern: each for each in found}
    asked = layout.asked
    return tuple(
        together(
            [
                _afterwards(lines[part.pattern]) if part.is_followed else lines[part.pattern]
                for part in layout.form.parts(each.id)
            ]
        )
        for each in (*asked.spec.patterns, *asked.implied)
    )


def _afterwards(line: PatternCost) -> PatternCost:
    """What a function does that follows the stream: on the bill of the write that brings it about, not in its units."""
    taken = line.prediction
    nothing = dict.fromkeys(("rcu", "wcu", "item_wcu", "index_wcu", "copy_wcu", "requests", "bytes_read"), 0.0)
    prediction = msgspec.structs.replace(
        taken, **nothing, items=0.0, wcu_by_place={}, followed_wcu=taken.wcu, followed_rcu=taken.rcu
    )
    return msgspec.structs.replace(line, prediction=prediction, followed_usd_per_month=line.usd_per_month)


def together(lines: list[PatternCost]) -> PatternCost:
    """The first with what it brings about: the next steps of a read, what else goes with a delete."""
    first, *others = lines
    if not others:
        return first
    sums = {name: sum(getattr(each, name) for each in lines) for name in (*SUMS, *MORE_SUMS)}
    shares = [each.avg_per_second / first.avg_per_second if first.avg_per_second else 1.0 for each in lines]
    prediction = _one_run([each.prediction for each in lines], shares)
    units = prediction.wcu + prediction.followed_wcu
    written = units / prediction.item_wcu if prediction.item_wcu else None
    return msgspec.structs.replace(first, prediction=prediction, write_amplification=written, **sums)


def _one_run(predictions: list[Prediction], shares: list[float]) -> Prediction:
    """A run of the first with so many runs of the others as it brings about."""
    pairs = list(zip(predictions, shares, strict=True))
    units = {name: sum(getattr(each, name) * share for each, share in pairs) for name in (*UNITS, *FOLLOWED)}
    places = {name: _merge_units([(getattr(each, name), share) for each, share in pairs]) for name in PLACES}
    written = [each.items * share for each, share in pairs if each.wcu]
    return msgspec.structs.replace(
        predictions[0],
        items=sum(written) if written else predictions[-1].items * shares[-1],
        **units,
        **places,
    )


def _merge_units(found: list[tuple[Mapping[str, float], float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for units, share in found:
        for name, value in units.items():
            total[name] = total.get(name, 0.0) + value * share
    return total
