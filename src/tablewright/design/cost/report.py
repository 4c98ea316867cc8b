"""The whole bill of a design: line by line, in every way of paying, now and later, with what was assumed for it."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.breakeven import BreakEven, Recommendation, break_evens, recommend
from tablewright.design.cost.dax import CacheAdvice, cache_advice
from tablewright.design.cost.growth import counts_after, growth_assumptions, traffic_after
from tablewright.design.cost.lines import (
    HORIZONS,
    EntityCost,
    PatternCost,
    PlaceCost,
    entity_cost,
    pattern_cost,
    place_cost,
    present_lines,
)
from tablewright.design.cost.modes import Fixed, ModeCost, mode_costs
from tablewright.design.cost.predict import predict
from tablewright.design.cost.prices import GB, HOURS_PER_MONTH, SECONDS_PER_MONTH, Prices, prices_of
from tablewright.design.cost.storage import OneOff, StoredEntry, one_off, pitr_usd, storage_usd, stored
from tablewright.design.cost.traffic import Load, loads, provision
from tablewright.design.cost.units.effects import failure_assumptions
from tablewright.design.cost.units.entries import TABLE
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import Volumes, estimate
from tablewright.design.serving.answers import answer_assumptions
from tablewright.spec.quantities import Assumption
from tablewright.wire.limits import MAX_PARTITION_BYTES, PARTITION_WCU

if TYPE_CHECKING:
    from tablewright.design.layout.layout import Layout

TRAFFIC = (1, 10, 100)
STREAM_POLLS_PER_SECOND = 1.0


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """The bill at so many times the traffic, so many months from now."""

    traffic: float
    months: int
    gb: float
    modes: tuple[ModeCost, ...]
    recommended: Recommendation


class CostReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about the costs of a design. Lines are on demand, class Standard; modes have the others."""

    prices: Prices
    hours_per_month: int = HOURS_PER_MONTH
    gb_bytes: int = GB
    free_tier: bool
    patterns: tuple[PatternCost, ...]
    entities: tuple[EntityCost, ...]
    places: tuple[PlaceCost, ...]
    gb: float
    read_usd_per_month: float
    write_usd_per_month: float
    storage_usd_per_month: float
    pitr_usd_per_month: float
    streams_usd_per_month: float
    usd_per_month: float  # on demand, Standard
    one_off: OneOff
    modes: tuple[ModeCost, ...]
    recommended: Recommendation
    break_evens: tuple[BreakEven, ...]
    cache: CacheAdvice
    scenarios: tuple[Scenario, ...]
    over_budget_usd_per_month: float | None  # what the recommended mode exceeds the spec's budget by
    assumptions: tuple[Assumption, ...]


class _Month(msgspec.Struct, frozen=True, kw_only=True):
    """A month at some traffic, worked out as far as all reports need it."""

    predictions: tuple[Prediction, ...]
    stored: tuple[StoredEntry, ...]
    loads: tuple[Load, ...]
    pitr_usd: float
    streams_usd: float = 0.0
    modes: tuple[ModeCost, ...] = ()

    @property
    def gb(self) -> float:
        return sum(each.gb for each in self.stored)


def table_cost(
    layout: Layout, *, prices: Prices | None = None, volumes: Volumes | None = None, free_tier: bool = False
) -> CostReport:
    """`volumes` may be measured; `free_tier` takes off what every account has free, once for this table."""
    taken = prices_of(layout.spec) if prices is None else prices
    now = month_of(layout, taken, estimate(layout) if volumes is None else volumes, free_tier=free_tier)
    facts, bill = layout.facts, now.modes[0]
    patterns = tuple(pattern_cost(facts, each, taken) for each in now.predictions)
    advised = recommend(now.modes, rates_are_said=facts.has_rates)
    budget = layout.spec.constraints.budget
    return CostReport(
        prices=taken,
        free_tier=free_tier,
        patterns=present_lines(layout, patterns),
        entities=tuple(entity_cost(facts, name, patterns, now.stored, taken) for name in layout.spec.entities),
        places=tuple(place_cost(each, now.stored, taken) for each in now.loads),
        gb=now.gb,
        read_usd_per_month=bill.read_usd_per_month,
        write_usd_per_month=bill.write_usd_per_month,
        storage_usd_per_month=bill.storage_usd_per_month,
        pitr_usd_per_month=now.pitr_usd,
        streams_usd_per_month=now.streams_usd,
        usd_per_month=bill.usd_per_month,
        one_off=one_off(now.stored, taken),
        modes=now.modes,
        recommended=advised,
        break_evens=break_evens(now.modes, taken),
        cache=cache_advice(facts, now.predictions, taken),
        scenarios=_scenarios(layout, taken, free_tier=free_tier),
        over_budget_usd_per_month=None if budget is None else max(0.0, advised.usd_per_month - budget),
        assumptions=_assumptions(layout, taken),
    )


def month_of(layout: Layout, prices: Prices, volumes: Volumes, *, traffic: float = 1.0, free_tier: bool) -> _Month:
    facts, spec = layout.facts, layout.spec
    predictions = tuple(predict(layout, each.id, volumes) for each in (*spec.patterns, *facts.implied))
    found = stored(volumes)
    month = _Month(
        predictions=predictions,
        stored=found,
        loads=loads(facts, predictions, traffic=traffic),
        pitr_usd=pitr_usd(found, prices) if spec.billing.pitr else 0.0,
    )
    streams = _streams_usd(month, layout, prices, traffic=traffic, free_tier=free_tier)
    fixed = Fixed(
        storage_usd_per_month=storage_usd(month.gb, prices, free_gb=prices.free_storage_gb if free_tier else 0.0),
        ia_storage_usd_per_month=storage_usd(month.gb, prices, infrequent=True),
        other_usd_per_month=month.pitr_usd + streams,
    )
    ready = provision(month.loads, spec.billing.utilisation)
    return msgspec.structs.replace(month, streams_usd=streams, modes=mode_costs(month.loads, ready, fixed, prices))


def _streams_usd(month: _Month, layout: Layout, prices: Prices, *, traffic: float, free_tier: bool) -> float:
    """Lambda reads a stream free; an application asks every shard once a second; Kinesis is paid by what changes."""
    match layout.spec.billing.streams:
        case "application":
            asked = _stream_shards(month) * STREAM_POLLS_PER_SECOND * SECONDS_PER_MONTH
            free = prices.free_stream_reads if free_tier else 0.0
            return max(0.0, asked - free) / 100_000 * prices.stream_reads_per_100_000
        case "kinesis":
            changes = sum(_changed_units(each) * layout.facts.rates[each.pattern].avg for each in month.predictions)
            return changes * traffic * SECONDS_PER_MONTH * prices.kinesis_per_million / 1e6
        case _:
            return 0.0


def _stream_shards(month: _Month) -> int:
    """One for every partition of the table, of which there are as many as its writes or its size demand."""
    busiest = max((max(each.wcu) for each in month.loads if each.place == TABLE), default=0.0)
    size = sum(each.bytes for each in month.stored if each.place == TABLE)
    return max(1, ceil(busiest / PARTITION_WCU), ceil(size / MAX_PARTITION_BYTES))


def _changed_units(found: Prediction) -> float:
    """Kilobytes that changed in the table: its write units, once, without what was refused."""
    return (found.item_wcu + found.copy_wcu - found.failed_wcu) / (2.0 if found.transactional else 1.0)


def _scenarios(layout: Layout, prices: Prices, *, free_tier: bool) -> tuple[Scenario, ...]:
    found: list[Scenario] = []
    for traffic in TRAFFIC:
        for months in HORIZONS:
            volumes = estimate(layout, counts=counts_after(layout.facts, months, traffic=traffic))
            grown = traffic * traffic_after(layout.facts, months)
            month = month_of(layout, prices, volumes, traffic=grown, free_tier=free_tier)
            advised = recommend(month.modes, rates_are_said=layout.facts.has_rates)
            found.append(Scenario(traffic=traffic, months=months, gb=month.gb, modes=month.modes, recommended=advised))
    return tuple(found)


def _assumptions(layout: Layout, prices: Prices) -> tuple[Assumption, ...]:
    """What the bill rests on besides the spec's own assumptions."""
    spec = layout.spec
    found = [
        *growth_assumptions(layout.facts),
        *answer_assumptions(layout.facts),
        *failure_assumptions(layout.facts, spec.writes),
    ]
    if spec.billing.profile is None:
        found.append(Assumption("billing.profile", "a usual day, its busiest hour at the pattern's peak"))
    if spec.region != prices.region:
        found.append(Assumption("billing.prices", f"those of {prices.region} ({prices.date}), not of {spec.region}"))
    return tuple(sorted(set(found)))
