"""The whole bill of a design: line by line, in every way of paying, now and later, with what was assumed for it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.breakeven import BreakEven, Recommendation, break_evens, recommend
from tablewright.design.cost.dax import CACHE_SECONDS, CacheAdvice, cache_advice
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
from tablewright.design.cost.modes import Fixed, ModeCost, mode_costs, unpriced_modes
from tablewright.design.cost.predict import predict
from tablewright.design.cost.prices import (
    GB,
    HOURS_PER_MONTH,
    IN_EVERY_REGION,
    US_EAST_1,
    Prices,
    price_text,
    prices_of,
)
from tablewright.design.cost.replication import (
    RegionCost,
    Shared,
    expiry_usd,
    region_costs,
    replica_assumptions,
    replica_lines,
)
from tablewright.design.cost.storage import OneOff, StoredEntry, one_off, pitr_usd, storage_usd, stored, stored_marks
from tablewright.design.cost.streams import (
    LAMBDA,
    POLLS_PER_SECOND,
    POLLS_PLACE,
    StreamCost,
    captured_changes,
    following_lines,
    polled_stream,
)
from tablewright.design.cost.traffic import (
    UTILISATION_PLACE,
    BusiestHour,
    Load,
    Provisioned,
    busiest_hour,
    loads,
    provision,
    quota_notes,
    utilisation_of,
)
from tablewright.design.cost.units.effects import failure_assumptions
from tablewright.design.cost.units.following import following_assumptions
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import Volumes, estimate
from tablewright.design.serving.answers import answer_assumptions, even_assumptions
from tablewright.design.serving.buckets import bucketed_by
from tablewright.design.wording import concat
from tablewright.spec.quantities import Assumption
from tablewright.spec.volumes import LINGER_DAYS, age_days

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.layout.layout import Layout
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Spec

TRAFFIC = (1, 10, 100)
SAME = 0.01
"""A peak that is higher than the busiest hour by less than this is the busiest hour."""


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """The bill at so many times the traffic, so many months from now."""

    traffic: float
    months: int
    gb: float
    modes: tuple[ModeCost, ...]
    recommended: Recommendation
    busiest_hour: BusiestHour = BusiestHour(0.0, 0.0)  # of the recommended mode
    quotas: tuple[str, ...] = ()  # what has to be asked for first
    too_hot: tuple[str, ...] = ()  # what a partition could not serve then, with these keys


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
    expiry_usd_per_month: float = 0.0  # of replicas: deletes by TTL that come from other regions
    usd_per_month: float  # on demand, Standard
    regions: tuple[RegionCost, ...] = ()  # the same by region, home first, where there are several
    one_off: OneOff
    modes: tuple[ModeCost, ...]
    recommended: Recommendation
    break_evens: tuple[BreakEven, ...]
    cache: CacheAdvice
    scenarios: tuple[Scenario, ...]
    over_budget_usd_per_month: float | None  # what the recommended mode exceeds the spec's budget by
    explained: tuple[str, ...] = ()  # storage, recovery, streams, expiry: how each comes about
    assumptions: tuple[Assumption, ...]


class _Month(msgspec.Struct, frozen=True, kw_only=True):
    """A month at some traffic, worked out as far as all reports need it."""

    predictions: tuple[Prediction, ...]
    stored: tuple[StoredEntry, ...]
    loads: tuple[Load, ...]
    pitr_usd: float
    expiry_usd: float
    streams: StreamCost = StreamCost()
    ready: tuple[Provisioned, ...] = ()
    modes: tuple[ModeCost, ...] = ()

    @property
    def gb(self) -> float:
        return sum(each.gb for each in self.stored)


def table_cost(
    layout: Layout,
    *,
    prices: Prices | None = None,
    volumes: Volumes | None = None,
    free_tier: bool = False,
    foresee: bool = True,
) -> CostReport:
    """`volumes` may be measured; `free_tier` takes off what every account has free, once for this table.

    `foresee`: with the bills of later months and of more traffic, which are most of the work.
    """
    taken = prices_of(layout.spec) if prices is None else prices
    volumes = estimate(layout) if volumes is None else volumes
    now = month_of(layout, taken, volumes, free_tier=free_tier)
    facts, bill = layout.facts, now.modes[0]
    patterns = tuple(pattern_cost(facts, each, taken) for each in now.predictions)
    advised = _recommended(layout, now)
    cache = cache_advice(facts, now.predictions, taken)
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
        streams_usd_per_month=now.streams.usd,
        expiry_usd_per_month=now.expiry_usd,
        usd_per_month=bill.usd_per_month,
        regions=region_costs(_shared(now), taken),
        one_off=one_off(now.stored, taken),
        modes=now.modes,
        recommended=advised,
        break_evens=break_evens(now.modes, taken),
        cache=cache,
        scenarios=_scenarios(layout, taken, free_tier=free_tier, foresee=foresee),
        over_budget_usd_per_month=None if budget is None else max(0.0, advised.usd_per_month - budget),
        explained=tuple(_explained(layout, now, taken, free_tier=free_tier)),
        assumptions=_assumptions(layout, taken, now, cache, volumes),
    )


def _shared(month: _Month) -> Shared:
    bill = month.modes[0]
    return Shared(
        read_usd=bill.read_usd_per_month,
        write_usd=bill.write_usd_per_month + month.expiry_usd,
        storage_usd=bill.storage_usd_per_month,
        pitr_usd=month.pitr_usd,
        streams_usd=month.streams.usd,
    )


def month_of(layout: Layout, prices: Prices, volumes: Volumes, *, traffic: float = 1.0, free_tier: bool) -> _Month:
    facts, spec = layout.facts, layout.spec
    predictions = tuple(predict(layout, each.id, volumes) for each in (*spec.patterns, *facts.implied))
    found = (*stored(volumes), *stored_marks(facts, volumes, traffic=traffic))
    month = _Month(
        predictions=predictions,
        stored=found,
        loads=loads(facts, predictions, traffic=traffic),
        pitr_usd=pitr_usd(found, prices) if spec.billing.has_recovery else 0.0,
        expiry_usd=expiry_usd(facts, found, prices) if prices.regions else 0.0,
    )
    streams = _stream_cost(month, layout, prices, traffic=traffic, free_tier=free_tier)
    fixed = Fixed(
        storage_usd_per_month=storage_usd(month.gb, prices, free_gb=prices.free_storage_gb if free_tier else 0.0),
        ia_storage_usd_per_month=storage_usd(month.gb, prices, infrequent=True),
        other_usd_per_month=month.pitr_usd + month.expiry_usd + streams.usd,
    )
    ready = provision(month.loads, utilisation_of(facts))
    modes = mode_costs(month.loads, ready, fixed, prices)
    return msgspec.structs.replace(month, streams=streams, ready=ready, modes=modes)


def _stream_cost(month: _Month, layout: Layout, prices: Prices, *, traffic: float, free_tier: bool) -> StreamCost:
    match layout.spec.billing.streams:
        case "lambda":
            return LAMBDA
        case "application":
            polls = layout.facts.guess(POLLS_PLACE, POLLS_PER_SECOND)
            return polled_stream(month.loads, month.stored, prices, polls=polls, free_tier=free_tier)
        case "kinesis":
            return captured_changes(month.predictions, layout.facts.rates, prices, traffic=traffic)
        case _:
            return StreamCost()


def _scenarios(layout: Layout, prices: Prices, *, free_tier: bool, foresee: bool) -> tuple[Scenario, ...]:
    """Beginning with the present one."""
    cases = product(TRAFFIC, HORIZONS) if foresee else [(TRAFFIC[0], HORIZONS[0])]
    return tuple(_scenario(layout, prices, traffic, months, free_tier=free_tier) for traffic, months in cases)


def _scenario(layout: Layout, prices: Prices, traffic: float, months: int, *, free_tier: bool) -> Scenario:
    volumes = estimate(layout, counts=counts_after(layout.facts, months, traffic=traffic))
    grown = traffic * traffic_after(layout.facts, months)
    month = month_of(layout, prices, volumes, traffic=grown, free_tier=free_tier)
    advised = _recommended(layout, month)
    is_provisioned = advised.mode != "on-demand"
    hour = busiest_hour(month.loads, month.ready, is_provisioned=is_provisioned)
    return Scenario(
        traffic=traffic,
        months=months,
        gb=month.gb,
        modes=month.modes,
        recommended=advised,
        busiest_hour=hour,
        quotas=quota_notes(hour, is_provisioned=is_provisioned),
    )


def _recommended(layout: Layout, month: _Month) -> Recommendation:
    said = layout.spec.billing.profile is not None
    return recommend(month.modes, rates_are_said=layout.facts.has_rates, day_is_said=said)


# ---- how it comes about ---------------------------------------------------------------------------------------------


def _explained(layout: Layout, month: _Month, prices: Prices, *, free_tier: bool) -> Iterator[str]:
    """What is not a request: each part of the bill with its sum, and what costs nothing."""
    free = f", less {prices.free_storage_gb:g} GB free" if free_tier else ""
    size = f"{month.gb:,.2f} GB as stored now, with 100 bytes for every item{free}"
    yield f"storage: {size}, at {price_text(prices, 'storage_gb_month')}"
    kept = sum(each.gb for each in month.stored if not each.place.startswith("gsi"))
    paid = f"{kept:,.2f} GB of the table, without global indexes, at {price_text(prices, 'pitr_gb_month')}"
    recovery = paid if layout.spec.billing.has_recovery else "off, because the spec says so"
    yield f"point-in-time recovery: {recovery}"
    if month.streams.how:
        yield f"streams: {month.streams.how}"
    followed = [each for each in layout.spec.entities.values() if each.kind == "trailing"]
    yield from following_lines(followed, month.predictions, layout.facts.rates, month.stored, prices)
    yield from replica_lines(month.expiry_usd, prices)
    expiring = [each.name for each in layout.origin.entities.values() if each.ttl is not None]
    if expiring:
        where = " where an item expires" if prices.regions else ""
        yield (
            f"expiry of {concat(expiring)}: deletes by TTL take no write units{where}, in indexes neither; items are"
            f" stored for {LINGER_DAYS:g} days more until DynamoDB has deleted them"
        )


def _assumptions(
    layout: Layout, prices: Prices, month: _Month, cache: CacheAdvice, volumes: Volumes
) -> tuple[Assumption, ...]:
    """What the bill rests on besides the spec's own assumptions."""
    found = [
        *growth_assumptions(layout.facts),
        *answer_assumptions(layout.facts),
        *_walk_assumptions(layout),
        *failure_assumptions(layout.facts, layout.spec.writes),
        *_billing_assumptions(layout.facts, prices, cache),
        *_price_assumptions(layout.spec, prices, cache),
        *replica_assumptions(layout.facts, prices),
        *_hour_assumptions(layout, month),
        *following_assumptions(layout.facts, volumes),
    ]
    listed = {each.place for each in found}
    found += [each for each in even_assumptions(layout.asked) if each.place not in listed]
    return tuple(sorted(set(found)))


def _walk_assumptions(layout: Layout) -> Iterator[Assumption]:
    """No clock tells how long ago a `since` is: it is taken to be as long ago as items are old."""
    for pattern in layout.spec.reads:
        read = layout.reads[pattern.id]
        if read.servings[pattern.entity].walks:
            name, age = bucketed_by(read.views[pattern.entity].shape), age_days(layout.facts, pattern.entity)
            taken = f"{age.value:,.0f} days ago, as old as items are ({age.how}); short lists are sought so far back"
            yield Assumption(f"entities.{pattern.entity}.attributes.{name}.since", taken)


def _billing_assumptions(facts: Facts, prices: Prices, cache: CacheAdvice) -> Iterator[Assumption]:
    spec, billing = facts.spec, facts.spec.billing
    if spec.region is None and not spec.regions and billing.prices is None:
        yield Assumption("region", f"{prices.region}, with its prices of {prices.date}")
    if billing.utilisation is None:
        share = utilisation_of(facts)
        yield Assumption(UTILISATION_PLACE, f"{share:.0%} of provisioned capacity is used", share)
    if billing.pitr is None:
        yield Assumption("billing.pitr", "on")
    if billing.streams == "application":
        polls = facts.guess(POLLS_PLACE, POLLS_PER_SECOND)
        yield Assumption(POLLS_PLACE, f"each shard is asked {polls:g} times a second; a partition has one", polls)
    if cache.patterns:
        yield Assumption("billing.cache", f"{cache.nodes} nodes, items kept for {CACHE_SECONDS:g} seconds")
    yield Assumption("billing.free_tier", "nothing is taken off: what is free is an account's, not a table's")
    yield Assumption("billing.storage", "a whole month of what is stored at its beginning")


def _price_assumptions(spec: Spec, prices: Prices, cache: CacheAdvice) -> Iterator[Assumption]:
    """Prices of us-east-1 that stand for those of another region, and what is not compared for want of any."""
    absent = unpriced_modes(prices)
    used = _used_prices(spec, cache)
    for part in prices.parts:
        for name in part.assumed:
            if name in used and (part is prices.parts[0] or name in IN_EVERY_REGION):
                taken = f"{getattr(part, name):g}, as in {US_EAST_1.region}: that of {part.region} is not known"
                yield Assumption(f"billing.prices.{name}", taken)
    if absent:
        left = ", ".join(f"{mode} in {table_class}" for mode, table_class in absent)
        yield Assumption("billing.prices", f"not compared, as {prices.region} has no known prices for it: {left}")


def _used_prices(spec: Spec, cache: CacheAdvice) -> set[str]:
    """Besides those of the modes, of which one without its prices is left out."""
    optional = {
        "pitr_gb_month": spec.billing.has_recovery,
        "stream_reads_per_100_000": spec.billing.streams == "application",
        "kinesis_per_million": spec.billing.streams == "kinesis",
        "dax_node_hour": bool(cache.patterns),
    }
    always = {"storage_gb_month", "backup_gb_month", "restore_gb", "export_gb", "import_gb"}
    return always | {name for name, is_used in optional.items() if is_used}


def _hour_assumptions(layout: Layout, month: _Month) -> Iterator[Assumption]:
    """What is taken of a day that the spec does not say."""
    profile, facts = layout.spec.billing.profile, layout.facts
    if profile is None:
        taken = "a usual day, its busiest hour at the pattern's peak; provisioned and reserved capacity rest on it"
        yield Assumption("billing.profile", taken)
        return
    busiest = max(profile) * len(profile) / sum(profile)
    steeper = [
        each.pattern
        for each in month.predictions
        if (facts.rates[each.pattern].peak or 0.0) > busiest * facts.rates[each.pattern].avg * (1 + SAME)
    ]
    if steeper:
        taken = "capacity is priced hour by hour; peaks within an hour are above its mean and come on top"
        yield Assumption("billing.profile", taken)
