from __future__ import annotations

import msgspec
import pytest

from tablewright.review import sources
from tablewright.review.operations.monitoring import monitoring
from tests.review.applications import CASES, events, made


def alarms(design, mode="on-demand"):
    paid = msgspec.structs.replace(design.cost.recommended, mode=mode)
    cost = msgspec.structs.replace(design.cost, recommended=paid)
    return {each.name: each for each in monitoring(msgspec.structs.replace(design, cost=cost)).alarms}


def test_throttles_are_a_thousandth_of_the_requests_at_peak():
    found = alarms(events())
    # 500 reads and 200 writes a second
    assert found["app-table-read-throttles"].threshold == 30
    assert found["app-table-write-throttles"].threshold == 12
    assert found["app-table-read-throttles"].dimensions == {"TableName": "app"}


def test_an_index_has_alarms_of_its_own():
    design = made(next(each for each in CASES if each.stem == "task-manager"))
    found = alarms(design)["task-manager-gsi1-write-throttles"]
    assert found.dimensions == {"TableName": "task-manager", "GlobalSecondaryIndexName": "gsi1"}
    assert found.threshold == 1
    assert "An index that throttles makes the table refuse writes." in found.why


def test_consumed_units_on_demand_are_held_against_the_prediction():
    found = alarms(events(wrote=1, put={"rate": {"avg": 1, "peak": 100}}))
    # 100 puts of one unit at peak, half as much again, for a minute
    assert found["app-table-write-units"].threshold == 100 * 1.5 * 60
    # 500 reads of 10 x 500 bytes are 1 unit each
    assert found["app-table-read-units"].threshold == 500 * 1.5 * 60


def test_consumed_units_stop_at_the_quota_and_begin_at_ten():
    quota = alarms(events(put={"rate": {"avg": 10, "peak": 30_000}}))
    assert quota["app-table-write-units"].threshold == 32_000 * 60
    tiny = alarms(events(wrote=0.1))
    assert tiny["app-table-write-units"].threshold == 10 * 60


def test_consumed_units_provisioned_are_held_against_what_is_provisioned():
    found = alarms(events(put={"rate": {"avg": 700, "peak": 1000}}), mode="provisioned")
    # 1,000 units at 70% are 1,429 provisioned, of which four fifths, for a minute
    assert found["app-table-write-units"].threshold == pytest.approx(1429 * 0.8 * 60)
    assert found["account-write-capacity"].threshold == 80
    assert "account-write-capacity" not in alarms(events())


def test_errors_and_latency_by_operation():
    found = alarms(events())
    assert found["app-Query-system-errors"].threshold == 30
    assert found["app-Query-latency"].statistic == "p99"
    assert found["app-Query-latency"].threshold == 50
    assert found["app-PutItem-latency"].dimensions == {"TableName": "app", "Operation": "PutItem"}
    assert "app-GetItem-latency" not in found


def test_refusals_only_where_they_are_expected():
    assert "app-refused-conditions" not in alarms(events())
    found = alarms(events(put={"condition": "not exists", "failures": 0.1}))
    # a tenth of 200 a second is 1,200 a minute; twice that
    assert found["app-refused-conditions"].threshold == 2400


def test_conflicts_only_with_transactions():
    assert "app-transaction-conflicts" not in alarms(events())
    found = alarms(events(put={"transactional": True}))
    assert found["app-transaction-conflicts"].threshold == 120  # 1% of 200 a second
    assert "app-TransactWriteItems-latency" in found


@pytest.mark.parametrize(
    ("streams", "metric", "threshold"),
    [
        ("lambda", "IteratorAge", 3_600_000),
        ("kinesis", "AgeOfOldestUnreplicatedRecord", 60_000),
        ("application", "MillisBehindLatest", 3_600_000),
    ],
)
def test_streams_that_are_used_must_keep_up(streams, metric, threshold):
    found = alarms(events(billing={"streams": streams}))["app-stream-age"]
    assert (found.metric, found.threshold) == (metric, threshold)
    assert "app-stream-age" not in alarms(events())


def test_contributor_insights_only_where_a_partition_gets_warm():
    cool = monitoring(events())
    assert cool.contributor_insights == ()
    assert cool.contributor_insights_why.startswith(
        "Not needed: the hottest partition (DEVICE#{device} of table) bears"
    )
    hot = monitoring(events(last={"skew": {"hottest": 0.5}, "rate": {"avg": 1000, "peak": 4000}}))
    assert hot.contributor_insights == ("table",)
    # half of 4,000 reads of one unit: 2,000 of 3,000
    assert "DEVICE#{device} of table is used to 67% at peak" in hot.contributor_insights_why
    # 1,000 reads and 50 writes a second, 2.628 million seconds
    assert "about 2,759 million events a month" in hot.contributor_insights_why


def test_metrics_name_what_was_predicted():
    found = monitoring(events())
    assert found.metrics[0] == (
        "ConsumedReadCapacityUnits and ConsumedWriteCapacityUnits of table: at peak 500 and 200 units a second are"
        " predicted."
    )
    assert not any("TimeToLive" in each for each in found.metrics)
    assert sources.METRICS in found.sources
