"""Alarms with thresholds that follow from the predicted traffic, so that each means: the design no longer holds.

throttles     a thousandth of the requests a minute at peak; clients retry that many without anyone noticing
consumed      half as much again as predicted at peak, or four fifths of what is provisioned or of the quota
errors        a thousandth of the requests of that operation
latency       the 99th percentile, several times what the operation usually takes
refusals      twice the expected refusals, and one in a hundred transactions in conflict
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.advice import Alarm
from tablewright.design.cost.traffic import metered_place, utilisation_of
from tablewright.design.cost.units.entries import TABLE
from tablewright.design.serving.writes import failure_share
from tablewright.design.wording import number
from tablewright.review.operations.traffic import requests_by_operation, requests_by_place
from tablewright.wire.limits import STREAM_RETENTION_SECONDS, TABLE_QUOTA_RCU, TABLE_QUOTA_WCU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.cost.report import CostReport
    from tablewright.review.case import Case

FEW = 0.001
UNEXPECTED = 1.5
LEAST_UNITS = 10.0
"""Units a second below which nobody needs to be called."""
NEARLY = 0.8
MINUTE = 60
DIGITS = 3
"""A report that was written has fewer digits; its alarms are the same."""
LATENCY_MS = {
    "GetItem": 20,
    "PutItem": 25,
    "UpdateItem": 25,
    "DeleteItem": 25,
    "Query": 50,
    "BatchGetItem": 100,
    "TransactWriteItems": 100,
}
LATE_SHARE = 1 / 24
"""Of the 24 hours a stream keeps its records: a consumer an hour behind has a day to recover, not more."""


def alarms(case: Case) -> tuple[Alarm, ...]:
    return (
        *_throttle_alarms(case),
        *_consumed_alarms(case),
        *_operation_alarms(case),
        *_refusal_alarms(case),
        *_stream_alarms(case),
        *_account_alarms(case.cost),
    )


def _dimensions(case: Case, place: str) -> dict[str, str]:
    index = {} if place == TABLE else {"GlobalSecondaryIndexName": place}
    return {"TableName": case.spec.name, **index}


# ---- by place -------------------------------------------------------------------------------------------------------


def _throttle_alarms(case: Case) -> Iterator[Alarm]:
    for kind, metric in (("read", "ReadThrottleEvents"), ("write", "WriteThrottleEvents")):
        for place, rate in requests_by_place(case, kind).items():
            a_minute = rate * MINUTE
            yield Alarm(
                name=f"{case.spec.name}-{place}-{kind}-throttles",
                metric=metric,
                dimensions=_dimensions(case, place),
                threshold=float(max(1, ceil(a_minute * FEW))),
                evaluation_periods=2,
                why=f"0.1% of {number(a_minute)} {kind} requests a minute at peak.{_back_pressure(place, kind)}",
            )


def _back_pressure(place: str, kind: str) -> str:
    throttles_table = kind == "write" and place != TABLE
    return " An index that throttles makes the table refuse writes." if throttles_table else ""


def _consumed_alarms(case: Case) -> Iterator[Alarm]:
    for place in dict.fromkeys(metered_place(each.place) for each in case.heat.peaks):
        own = [each for each in case.heat.peaks if metered_place(each.place) == place]
        for kind, units, quota in (
            ("Read", sum(each.rcu_per_second for each in own), TABLE_QUOTA_RCU),
            ("Write", sum(each.wcu_per_second for each in own), TABLE_QUOTA_WCU),
        ):
            if units:
                yield _consumed_alarm(case, place, kind, units, quota)


def _consumed_alarm(case: Case, place: str, kind: str, units: float, quota: int) -> Alarm:
    provisioned = case.cost.recommended.mode != "on-demand"
    ready = ceil(units / utilisation_of(case.facts))
    expected = max(LEAST_UNITS, UNEXPECTED * units)
    threshold = NEARLY * ready if provisioned else min(expected, max(NEARLY * quota, units))
    against = (
        f"80% of {number(ready)} units a second, what autoscaling provisions for the predicted peak"
        if provisioned
        else f"{number(units)} units a second are predicted at peak; beyond this bill and heat no longer hold"
    )
    return Alarm(
        name=f"{case.spec.name}-{place}-{kind.lower()}-units",
        metric=f"Consumed{kind}CapacityUnits",
        dimensions=_dimensions(case, place),
        threshold=float(ceil(round(threshold * MINUTE, DIGITS))),
        why=f"{against}.",
    )


# ---- by operation ---------------------------------------------------------------------------------------------------


def _operation_alarms(case: Case) -> Iterator[Alarm]:
    for operation, rate in requests_by_operation(case).items():
        place = {"TableName": case.spec.name, "Operation": operation}
        yield Alarm(
            name=f"{case.spec.name}-{operation}-system-errors",
            metric="SystemErrors",
            dimensions=place,
            threshold=float(max(1, ceil(rate * MINUTE * FEW))),
            evaluation_periods=2,
            why=f"0.1% of {number(rate * MINUTE)} requests a minute at peak fail inside DynamoDB.",
        )
        yield Alarm(
            name=f"{case.spec.name}-{operation}-latency",
            metric="SuccessfulRequestLatency",
            dimensions=place,
            statistic="p99",
            threshold=float(LATENCY_MS[operation]),
            why="Milliseconds; several times what this operation usually takes inside DynamoDB.",
        )


def _refusal_alarms(case: Case) -> Iterator[Alarm]:
    name = case.spec.name
    writes = [(each, case.lines[each.id]) for each in case.patterns if not each.is_read]
    refused = sum(failure_share(case.asked, each) * line.peak_per_second for each, line in writes) * MINUTE
    together = sum(line.peak_per_second for _, line in writes if line.prediction.transactional) * MINUTE
    if refused:
        yield Alarm(
            name=f"{name}-refused-conditions",
            metric="ConditionalCheckFailedRequests",
            dimensions={"TableName": name},
            threshold=float(max(1, ceil(2 * refused))),
            why=f"Twice the {number(refused)} refusals a minute that are expected at peak.",
        )
    if together:
        yield Alarm(
            name=f"{name}-transaction-conflicts",
            metric="TransactionConflict",
            dimensions={"TableName": name},
            threshold=float(max(1, ceil(0.01 * together))),
            why=f"1% of {number(together)} transactions a minute at peak: writers meet on the same items.",
        )
    yield Alarm(
        name=f"{name}-user-errors",
        metric="UserErrors",
        threshold=float(max(1, ceil(FEW * MINUTE * sum(requests_by_operation(case).values())))),
        why="Requests that DynamoDB cannot read, of the whole account: a release that sends wrong keys or values.",
    )


# ---- streams and the account ----------------------------------------------------------------------------------------


def _stream_alarms(case: Case) -> Iterator[Alarm]:
    late = STREAM_RETENTION_SECONDS * LATE_SHARE * 1000
    name, hours = case.spec.name, STREAM_RETENTION_SECONDS // 3600
    why = f"An hour behind; records are gone after {hours} hours."
    yield from _delay_alarms(case)
    match case.spec.billing.streams:
        case "lambda":
            yield Alarm(
                name=f"{name}-stream-age",
                metric="IteratorAge",
                namespace="AWS/Lambda",
                dimensions={"FunctionName": f"{name}-stream"},
                statistic="Maximum",
                threshold=late,
                why=f"{why} Put the name of the function that reads the stream.",
            )
        case "kinesis":
            yield Alarm(
                name=f"{name}-stream-age",
                metric="AgeOfOldestUnreplicatedRecord",
                dimensions={"TableName": name, "DelegatedOperation": "PutRecord"},
                statistic="Maximum",
                threshold=60_000.0,
                why="Changes wait for more than a minute on their way to Kinesis: its shards are full.",
            )
        case "application":
            yield Alarm(
                name=f"{name}-stream-age",
                metric="MillisBehindLatest",
                namespace=f"{name}-stream",
                statistic="Maximum",
                threshold=late,
                why=f"{why} The consumer publishes this number itself.",
            )
        case _:
            return


def _delay_alarms(case: Case) -> Iterator[Alarm]:
    """Totals that the stream keeps: the most impatient of their reads says when it is too late."""
    allowed = [each.stale for each in case.layout.origin.reads if each.stale is not None]
    kept = [each.name for each in case.spec.entities.values() if each.kind == "trailing"]
    kept += [part.refreshes for parts in case.layout.form.reads.values() for part in parts if part.is_followed][:1]
    if kept and allowed:
        yield Alarm(
            name=f"{case.spec.name}-totals-age",
            metric="IteratorAge",
            namespace="AWS/Lambda",
            dimensions={"FunctionName": f"{case.spec.name}-stream"},
            statistic="Maximum",
            threshold=min(allowed) * 1000,
            why=f"{', '.join(kept)} may be {min(allowed):g} s behind, and not more. Put the name of the function.",
        )


def _account_alarms(cost: CostReport) -> Iterator[Alarm]:
    if cost.recommended.mode == "on-demand":
        return
    for kind in ("Read", "Write"):
        yield Alarm(
            name=f"account-{kind.lower()}-capacity",
            metric=f"AccountProvisioned{kind}CapacityUtilization",
            statistic="Maximum",
            period_seconds=300,
            threshold=NEARLY * 100,
            why="Percent of what the account may provision: autoscaling stops there.",
        )
