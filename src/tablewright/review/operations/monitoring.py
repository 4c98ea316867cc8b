"""What to watch: alarms, metrics to look at beside them, and where Contributor Insights tells which key is hot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.advice import Monitoring
from tablewright.design.cost.prices import SECONDS_PER_MONTH
from tablewright.design.wording import joined, number, percent
from tablewright.review import sources
from tablewright.review.operations.alarms import alarms
from tablewright.review.operations.traffic import lines_of, patterns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.solution import Solution
    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.load import PartitionHeat
    from tablewright.design.heat.report import HeatReport


def monitoring(solution: Solution, cost: CostReport, heat: HeatReport) -> Monitoring:
    hot = [each for each in heat.partitions if each.verdict != "cool"]
    places = tuple(dict.fromkeys(each.place for each in hot))
    return Monitoring(
        alarms=alarms(solution, cost, heat),
        metrics=tuple(metrics(solution, cost, heat)),
        contributor_insights=places,
        contributor_insights_why=insights_why(solution, cost, hot) if hot else nothing_hot(heat),
        sources=(sources.METRICS, sources.ALARMS, sources.THROTTLING, sources.CONTRIBUTOR_INSIGHTS),
    )


def metrics(solution: Solution, cost: CostReport, heat: HeatReport) -> Iterator[str]:
    for peak in heat.peaks:
        yield (
            f"ConsumedReadCapacityUnits and ConsumedWriteCapacityUnits of {peak.place}: at peak"
            f" {number(peak.rcu_per_second)} and {number(peak.wcu_per_second)} units a second are predicted."
        )
    yield (
        f"TableSizeBytes and ItemCount (DescribeTable): {number(round(cost.gb, 2))} GB in all places now,"
        f" {number(round(year_from_now(cost), 2))} GB in 12 months."
    )
    yield "ReturnedItemCount of Query: a list that grows beyond its prediction reads more every month."
    expiring = [name for name, entity in solution.spec.entities.items() if entity.ttl]
    if expiring:
        yield f"TimeToLiveDeletedItemCount: falls to 0 when {joined(expiring)} items lose their time of expiry."
    if solution.choice.slots:
        yield "OnlineIndexPercentageProgress, while an index is built."


def year_from_now(cost: CostReport) -> float:
    return next((each.gb for each in cost.scenarios if each.traffic == 1 and each.months == 12), cost.gb)


# ---- which key ------------------------------------------------------------------------------------------------------


def insights_why(solution: Solution, cost: CostReport, hot: list[PartitionHeat]) -> str:
    used = [
        f"{each.partition_key} of {each.place} is used to"
        f" {percent(1 - min(each.read_headroom, each.write_headroom))} at peak"
        for each in hot
    ]
    places = dict.fromkeys(each.place for each in hot)
    events = sum(events_per_month(solution, cost, place) for place in places)
    return (
        f"{joined(used)}. It is billed by rule and by event, about {number(round(events / 1e6, 1))} million events a"
        " month here: watch throttled keys only, and all accessed keys just while searching."
    )


def nothing_hot(heat: HeatReport) -> str:
    hottest = heat.partitions[0] if heat.partitions else None
    if hottest is None or hottest.bears_traffic is None:
        return "Not needed: no partition is in use."
    return (
        f"Not needed: the hottest partition ({hottest.partition_key} of {hottest.place}) bears"
        f" {number(round(hottest.bears_traffic, 1))} times the predicted peak."
    )


def events_per_month(solution: Solution, cost: CostReport, place: str) -> float:
    """Requests that touch a place; each is an event."""
    lines = lines_of(cost)
    return sum(
        lines[each.id].avg_per_second * SECONDS_PER_MONTH * lines[each.id].prediction.requests
        for each in patterns_of(solution)
        if place in lines[each.id].prediction.rcu_by_place or place in lines[each.id].prediction.wcu_by_place
    )
