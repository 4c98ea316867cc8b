"""Designs run on the engine at their peak, on partitions of a tenth of the usual size so that it takes a second.

What a design calls cool is not throttled there; what it calls too hot is.
"""

from __future__ import annotations

from typing import Any

from tablewright import tasks
from tablewright.design.model import Design
from tablewright.design.tables import definition
from tablewright.engine import Engine
from tablewright.engine.simulation.clock import Clock
from tablewright.engine.simulation.instruments import Instruments
from tablewright.engine.simulation.partitions import Partitions
from tablewright.errors import ServiceError
from tests.trust.running import RunningDesign

SECONDS = 3
PEAK = 4000
SCALE = 10
"""Rates and limits are a tenth of what they are."""


def tenants(peak: float) -> dict[str, Any]:
    """One of a thousand tenants makes half of the new records, and records are listed by tenant."""
    return {
        "name": "noisy",
        "entities": {
            "Record": {
                "id": "recordId",
                "attributes": {
                    "tenantId": {"required": True, "immutable": True, "cardinality": 1000},
                    "body": {"required": True},
                },
                "count": 1_000_000,
                "growth_per_month": 0,
                "size_bytes": 400,
            }
        },
        "access_patterns": [
            {"id": "list", "kind": "query", "entity": "Record", "by": "tenantId", "limit": 20, "rate": 10},
            {
                "id": "add",
                "kind": "write",
                "op": "put",
                "entity": "Record",
                "by": "recordId",
                "condition": "not exists",
                "rate": {"avg": 1, "peak": peak},
                "skew": {"tenantId": "hottest 50%"},
            },
        ],
    }


def throttled_at_peak(design: Design) -> int:
    """How many of the writes of some seconds at peak are refused."""
    running, clock = RunningDesign(design), Clock()
    running.engine.close()
    limits = Partitions(partition_rcu=3000 / SCALE, partition_wcu=1000 / SCALE)
    running.engine = Engine(clock=clock, instruments=Instruments(partitions=limits))
    for table in design.tables:
        running.engine.call("CreateTable", _on_demand(definition(table)))
    refused = 0
    for number in range(PEAK // SCALE * SECONDS):
        tenant = "noisy" if number % 2 else f"tenant {number % 998}"
        try:
            assert running.do("add", recordId=f"record {number}", tenantId=tenant, body="x") == "written"
        except ServiceError as error:
            refused += error.name == "ThrottlingException"
        clock.step(SCALE / PEAK)
    return refused


def _on_demand(table: dict[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in table.items() if name != "ProvisionedThroughput"}
    indexes = [
        {name: value for name, value in each.items() if name != "ProvisionedThroughput"}
        for each in table.get("GlobalSecondaryIndexes", ())
    ]
    return {**found, "BillingMode": "PAY_PER_REQUEST", **({"GlobalSecondaryIndexes": indexes} if indexes else {})}


def hot_places(design: Design, traffic: float = 1.0) -> list[str]:
    heat = tasks.heat(design, traffic=traffic)
    return [each.place for each in heat.findings if each.kind.startswith("hot-")]


def test_a_design_that_is_cool_at_peak_is_not_throttled() -> None:
    """4,000 writes a second, half of them for one tenant: 2,000 units, on 3 shards 667 each."""
    design = tasks.design(tenants(PEAK), quick=True)
    assert max(each.shards for each in design.heat.partitions) == 3
    assert hot_places(design) == []
    assert throttled_at_peak(design) == 0


def test_a_design_that_is_too_hot_at_peak_is_throttled() -> None:
    """Designed for a tenth of the peak there are no shards, and its own report tells what ten times as much does."""
    design = tasks.design(tenants(PEAK / 10), quick=True)
    assert max(each.shards for each in design.heat.partitions) == 1
    assert hot_places(design) == []
    assert len(hot_places(design, traffic=10)) == 1
    assert throttled_at_peak(design) > PEAK / SCALE * SECONDS * 0.1


def test_shards_that_are_in_use_stay_while_they_bear_the_peak() -> None:
    """More shards move every item: 2,800 units on 3 of them are 933 each; 3,500 would be 1,167, and 5 are made."""
    before = tasks.design(tenants(PEAK), quick=True)
    more = {peak: tasks.design(tenants(peak), keep=before, quick=True) for peak in (5600, 7000)}
    assert {peak: max(each.shards for each in found.heat.partitions) for peak, found in more.items()} == {
        5600: 3,
        7000: 5,
    }
    assert max(each.shards for each in tasks.design(tenants(5600), quick=True).heat.partitions) == 4
