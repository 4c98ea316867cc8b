"""A price at more traffic says where the keys of the design end."""

from __future__ import annotations

from typing import Any

from tablewright import tasks
from tablewright.report.bill import cost_summary
from tablewright.report.text import plain_text

READING: dict[str, Any] = {
    "id": ["device", "time"],
    "attributes": {"device": {"type": "string", "cardinality": 1000}, "time": "timestamp", "value": "number"},
    "count": 1_000_000,
    "size_bytes": 500,
    "growth_per_month": 1,
}
LAST = {"id": "last", "kind": "query", "entity": "Reading", "by": "device", "sort": "time desc", "limit": 10, "rate": 1}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Reading", "by": ["device", "time"]}


def readings(rate: dict[str, float], **top: Any) -> Any:
    put = {**PUT, "rate": rate, "skew": "hottest 40%"}
    return tasks.design(
        {"name": "readings", "entities": {"Reading": READING}, "access_patterns": [LAST, put], **top}, quick=True
    )


def too_hot(cost: Any) -> dict[tuple[float, int], bool]:
    return {(each.traffic, each.months): bool(each.too_hot) for each in cost.scenarios}


def test_the_scenario_in_which_a_partition_ends_says_so() -> None:
    # the hottest device gets 40% of 200 writes of one unit: 80, 800 and 8,000 a second of the 1,000 that it can take
    made = readings({"avg": 60, "peak": 200})
    assert too_hot(made.cost) == {
        (traffic, months): traffic == 100 for traffic in (1, 10, 100) for months in (0, 12, 36)
    }
    hundred = next(each for each in made.cost.scenarios if (each.traffic, each.months) == (100, 0))
    assert "8,000 write units a second" in hundred.too_hot[0]
    printed = plain_text(tuple(cost_summary(made.cost)))
    assert printed.count("too hot") == 4  # three prices, and what it is
    assert "100x: too hot for these keys: table: " in printed


def test_traffic_that_grows_gets_there_by_itself() -> None:
    # 1.07 to the power of 36 is 11.4: 912 of 1,000 at the traffic of now, 9,120 at ten times
    made = readings({"avg": 60, "peak": 200}, month_growth=0.07)
    found = too_hot(made.cost)
    # 1.07 to the power of 12 is 2.25: 1,800 at ten times
    assert (found[1, 36], found[10, 0], found[10, 12]) == (False, False, True)


def test_a_design_of_other_traffic_has_scenarios_of_its_own() -> None:
    made = readings({"avg": 60, "peak": 200})
    assert too_hot(tasks.cost(made, traffic=2))[10, 0]
    assert not too_hot(tasks.cost(made, traffic=1.2))[10, 0]
