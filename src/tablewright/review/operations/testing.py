"""How to test a design before people use it: what to check at which level, and a load test with expected numbers.

Stages run every pattern at a share of its rate, on keys drawn as the spec's skew draws them. What is expected at each
stage is the prediction of the design; a stage that departs from it ends the test, because something was wrong then.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.advice import LoadStage, Testing
from tablewright.design.wording import concat, money, number, percent, tally
from tablewright.review.operations.alarms import LATENCY_MS
from tablewright.review.operations.traffic import requests_by_operation
from tablewright.wire.limits import ON_DEMAND_INITIAL_RCU, ON_DEMAND_INITIAL_WCU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.load import HeatTerm
    from tablewright.review.case import Case
    from tablewright.spec.model import Rate


class _Level(msgspec.Struct, frozen=True):
    """A stage before its numbers: how long, and how much of which rate."""

    name: str
    minutes: int
    of_average: float = 0.0
    of_peak: float = 0.0


LEVELS = (
    _Level("a tenth of the average, to warm up", 10, of_average=0.1),
    _Level("average", 30, of_average=1.0),
    _Level("peak", 30, of_peak=1.0),
    _Level("twice the peak", 15, of_peak=2.0),
    _Level("average again, to see it recover", 15, of_average=1.0),
)
MOST_THROTTLED = 0.01
OFF = 1.2
DIGITS = 6
ITEMS_FOR_A_TEST = 1_000_000


def plan_tests(case: Case) -> Testing:
    stages = tuple(_stage(case, level) for level in LEVELS)
    return Testing(
        strategy=tuple(_strategy(case, stages)),
        key_distributions={each.pattern: _describe_keys(each) for each in _first_terms(case)},
        stages=stages,
    )


# ---- stages ---------------------------------------------------------------------------------------------------------


def _stage(case: Case, level: _Level) -> LoadStage:
    rates, lines = case.asked.rates, case.lines
    asked = {each.id: _rate_at(rates[each.id], level) for each in case.patterns}
    rcu = sum(rate * lines[id_].prediction.rcu for id_, rate in asked.items())
    wcu = sum(rate * lines[id_].prediction.wcu for id_, rate in asked.items())
    return LoadStage(
        name=level.name,
        minutes=level.minutes,
        rates=asked,
        expected_rcu=round(rcu, DIGITS),
        expected_wcu=round(wcu, DIGITS),
        abort_when=_abort_when(case, level, rcu, wcu),
    )


def _rate_at(rate: Rate, level: _Level) -> float:
    return round(rate.avg * level.of_average + (rate.peak or rate.avg) * level.of_peak, DIGITS)


def _abort_when(case: Case, level: _Level, rcu: float, wcu: float) -> str:
    slowest = [f"{operation} {LATENCY_MS[operation]} ms" for operation in sorted(requests_by_operation(case))]
    limits = (
        f"more than {percent(MOST_THROTTLED)} of requests are throttled for a minute",
        f"p99 is above {concat(slowest, 'or')}",
        f"reads take more than {number(ceil(rcu * OFF))} units a second, 20% above the prediction",
        f"writes take more than {number(ceil(wcu * OFF))}",
        "an answer is wrong",
    )
    beyond = " Throttling here is a finding, not a failure." if level.of_peak > 1 else ""
    return f"Stop when {concat(limits, 'or')}.{beyond}"


# ---- keys -----------------------------------------------------------------------------------------------------------


def _first_terms(case: Case) -> Iterator[HeatTerm]:
    """The keys of a pattern, as they fall on the first place it touches."""
    left = {each.id for each in case.patterns}
    for each in case.heat.patterns:
        if each.pattern in left:
            left.remove(each.pattern)
            yield each


def _describe_keys(term: HeatTerm) -> str:
    return f"{term.partition_key}: {term.share_source}; {percent(term.share)} of requests on the hottest key"


# ---- strategy -------------------------------------------------------------------------------------------------------


def _strategy(case: Case, stages: tuple[LoadStage, ...]) -> Iterator[str]:
    reads, writes = len(case.spec.reads), len(case.facts.writes)
    yield (
        f"On every change, on the embedded engine: `prove` runs all {tally(reads, 'read')} and"
        f" {tally(writes, 'write')} beside an application made from the spec alone, and compares answers, stored items"
        " and units."
    )
    yield (
        "In unit tests, for each write: its condition refuses a second put, an update of what is not there, and a"
        " writer with an old version; the same request sent twice changes nothing more."
    )
    yield (
        "Against a table in AWS, once for each release: permissions, index projections, TTL, streams, alarms, and a"
        f" restore to a point in time ({money(case.cost.one_off.restore_usd)} for the present size)."
    )
    yield from _load_test(case, stages)


def _load_test(case: Case, stages: tuple[LoadStage, ...]) -> Iterator[str]:
    total = sum(case.facts.counts.values())
    loaded = min(total, ITEMS_FOR_A_TEST)
    minutes = sum(each.minutes for each in stages)
    yield (
        f"Load test on a table of its own, filled with {number(loaded)} of {number(total)} items with the spec's"
        f" cardinalities; {minutes} minutes, about {money(_price(case.cost, stages))} of requests."
    )
    yield from _warm_up(stages)
    hot = [each for each in case.heat.partitions if each.verdict == "hot"]
    if hot:
        keys = concat(each.partition_key for each in hot)
        yield f"Expect throttling on {keys}: the heat report says so before the test."


def _price(cost: CostReport, stages: tuple[LoadStage, ...]) -> float:
    """On demand: units a second times seconds."""
    seconds = [(each, each.minutes * 60) for each in stages]
    rcu = sum(each.expected_rcu * time for each, time in seconds)
    wcu = sum(each.expected_wcu * time for each, time in seconds)
    return (rcu * cost.prices.read_per_million + wcu * cost.prices.write_per_million) / 1e6


def _warm_up(stages: tuple[LoadStage, ...]) -> Iterator[str]:
    rcu, wcu = max(each.expected_rcu for each in stages), max(each.expected_wcu for each in stages)
    if rcu > ON_DEMAND_INITIAL_RCU or wcu > ON_DEMAND_INITIAL_WCU:
        yield (
            f"A new on-demand table serves {ON_DEMAND_INITIAL_RCU:,} read and {ON_DEMAND_INITIAL_WCU:,} write units a"
            f" second, the test asks for {number(rcu)} and {number(wcu)}: set warm throughput before it."
        )
