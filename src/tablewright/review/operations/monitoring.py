"""What to watch: alarms, metrics to look at beside them, and where Contributor Insights tells which key is hot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.advice import Monitoring
from tablewright.design.cost.prices import SECONDS_PER_MONTH
from tablewright.design.wording import concat, number, percent
from tablewright.review import sources
from tablewright.review.operations.alarms import alarms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.load import PartitionHeat
    from tablewright.design.heat.report import HeatReport
    from tablewright.review.case import Case


def monitoring(case: Case) -> Monitoring:
    hot = [each for each in case.heat.partitions if each.verdict != "cool"]
    places = tuple(dict.fromkeys(each.place for each in hot))
    return Monitoring(
        alarms=alarms(case),
        metrics=tuple(_metrics(case)),
        contributor_insights=places,
        contributor_insights_why=_insights_why(case, hot) if hot else _nothing_hot(case.heat),
        sources=(sources.METRICS, sources.ALARMS, sources.THROTTLING, sources.CONTRIBUTOR_INSIGHTS),
    )


def _metrics(case: Case) -> Iterator[str]:
    for peak in case.heat.peaks:
        yield (
            f"ConsumedReadCapacityUnits and ConsumedWriteCapacityUnits of {peak.place}: at peak"
            f" {number(peak.rcu_per_second)} and {number(peak.wcu_per_second)} units a second are predicted."
        )
    yield (
        f"TableSizeBytes and ItemCount (DescribeTable): {number(round(case.cost.gb, 2))} GB in all places now,"
        f" {number(round(_year_from_now(case.cost), 2))} GB in 12 months."
    )
    yield "ReturnedItemCount of Query: a list that grows beyond its prediction reads more every month."
    expiring = [name for name, entity in case.spec.entities.items() if entity.ttl]
    if expiring:
        yield f"TimeToLiveDeletedItemCount: falls to 0 when {concat(expiring)} items lose their time of expiry."
    if case.origin.is_global:
        yield "ReplicationLatency by ReceivingRegion: usually below a second; what another region wrote is that old."
    if case.layout.gsis:
        yield "OnlineIndexPercentageProgress, while an index is built."


def _year_from_now(cost: CostReport) -> float:
    return next((each.gb for each in cost.scenarios if each.traffic == 1 and each.months == 12), cost.gb)


# ---- which key ------------------------------------------------------------------------------------------------------


def _insights_why(case: Case, hot: list[PartitionHeat]) -> str:
    used = [
        f"{each.partition_key} of {each.place} is used to"
        f" {percent(1 - min(each.read_headroom, each.write_headroom))} at peak"
        for each in hot
    ]
    places = dict.fromkeys(each.place for each in hot)
    events = sum(_events_per_month(case, place) for place in places)
    return (
        f"{concat(used)}. It is billed by rule and by event, about {number(round(events / 1e6, 1))} million events a"
        " month here: watch throttled keys only, and all accessed keys just while searching."
    )


def _nothing_hot(heat: HeatReport) -> str:
    hottest = heat.partitions[0] if heat.partitions else None
    if hottest is None or hottest.bears_traffic is None:
        return "Not needed: no partition is in use."
    return (
        f"Not needed: the hottest partition ({hottest.partition_key} of {hottest.place}) bears"
        f" {number(round(hottest.bears_traffic, 1))} times the predicted peak."
    )


def _events_per_month(case: Case, place: str) -> float:
    """Requests that touch a place; each is an event."""
    return sum(
        line.avg_per_second * SECONDS_PER_MONTH * line.prediction.requests
        for line in (case.lines[each.id] for each in case.patterns)
        if place in line.prediction.rcu_by_place or place in line.prediction.wcu_by_place
    )
