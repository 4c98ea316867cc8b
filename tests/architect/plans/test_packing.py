"""Samples packed into the items of their periods: where that is offered, what it costs, what is written and read."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.design.read import design_data, read_design
from tablewright.proof.run import prove
from tests.architect.plans import specs

READING: dict[str, Any] = {
    "id": ["deviceId", "at"],
    "attributes": {"at": "timestamp", "value": "number", "unit": {"size_bytes": 4}},
    "count": 50_000_000,
    "growth_per_month": 50_000_000,
}
DEVICE: dict[str, Any] = {"id": "deviceId", "attributes": {"name": "string"}, "count": 1000}
PUT: dict[str, Any] = {
    "id": "put",
    "kind": "write",
    "op": "put",
    "entity": "Reading",
    "by": ["deviceId", "at"],
    "rate": 19,
}
BETWEEN: dict[str, Any] = {
    "id": "between",
    "kind": "query",
    "entity": "Reading",
    "by": "deviceId",
    "range": {"attr": "at"},
    "sort": "at",
    "items": 200,
    "rate": 20,
}
NEWEST: dict[str, Any] = {
    "id": "newest",
    "kind": "query",
    "entity": "Reading",
    "by": "deviceId",
    "sort": "at desc",
    "limit": 20,
    "rate": 30,
}
ONE: dict[str, Any] = {"id": "one", "kind": "get", "entity": "Reading", "by": ["deviceId", "at"], "rate": 1}
PATTERNS = (PUT, BETWEEN, NEWEST, ONE)
HOURS, TENS = "pack Reading (at:13)", "pack Reading (at:15)"


def sensors(*patterns: dict[str, Any], reading: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    """`patterns` stand in the place of those that have the same id."""
    known = {each["id"]: each for each in (*PATTERNS, *patterns)}
    entities = {"Device": DEVICE, "Reading": {**READING, **(reading or {})}}
    return {"name": "sensors", "entities": entities, "access_patterns": list(known.values()), **parts}


def offered(spec: dict[str, Any]) -> list[str]:
    return [way for ways in specs.offered(spec) for way in ways if way.startswith("pack")]


def packed(length: int, *patterns: dict[str, Any], **parts: Any) -> Any:
    return solve(sensors(*patterns, **parts), aim="cost", rewrites=[Rewrite("pack", "Reading", (f"at:{length}",))])


def test_it_is_offered_by_the_periods_that_have_several() -> None:
    assert offered(sensors()) == [HOURS, TENS]


@pytest.mark.parametrize(
    "spec",
    [
        sensors({**PUT, "rate": 9}, reading={"count": 20_000_000, "growth_per_month": 20_000_000}),
        sensors({**PUT, "condition": "not exists"}),
        sensors({**PUT, "op": "update", "changes": ["value"]}),
        sensors({**PUT, "idempotent": True}),
        sensors({"id": "gone", "kind": "write", "op": "delete", "entity": "Reading", "by": ["deviceId", "at"]}),
        sensors({**BETWEEN, "by": "unit"}),
        sensors({**BETWEEN, "filter": {"unit": "C"}}),
        sensors({**NEWEST, "sort": "value desc"}),
        sensors({"id": "many", "kind": "query", "entity": "Reading", "by": "deviceId", "aggregate": "count"}),
        sensors({"id": "both", "kind": "query", "entities": ["Device", "Reading"], "by": "deviceId"}),
        sensors(reading={"ttl": "30d"}),
        sensors(reading={"unique": ["unit"]}),
        sensors(reading={"version": True}),
        sensors(reading={"rewrites": ["embed"]}),
        sensors(constraints={"rewrites": "none"}),
        sensors(regions=["us-east-1", "eu-west-1"]),
        sensors(
            relationships=[{"from": "Device", "to": "Reading", "kind": "1:n", "cascade": True}],
        ),
        sensors(
            relationships=[{"from": "Device", "to": "Reading", "kind": "1:n", "integrity": "checked"}],
        ),
    ],
    ids=[
        "seldom",
        "not-exists",
        "update",
        "idempotent",
        "delete",
        "by-another",
        "filter",
        "other-order",
        "aggregate",
        "together",
        "ttl",
        "unique",
        "version",
        "entity",
        "nothing",
        "regions",
        "cascade",
        "checked",
    ],
)
def test_it_is_not_offered_otherwise(spec: dict[str, Any]) -> None:
    assert offered(spec) == []


def test_it_needs_a_time_among_what_tells_items_apart() -> None:
    by = {"by": ["deviceId", "unit"]}
    of = {"id": "of", "kind": "query", "entity": "Reading", "by": "deviceId", "rate": 1}
    spec = {**sensors(reading={"id": by["by"]}), "access_patterns": [{**PUT, **by}, of]}
    assert offered(spec) == []


def test_a_period_is_refused_whose_fullest_item_may_come_near_the_limit() -> None:
    large = {"attributes": {"at": "timestamp", "value": {"type": "string", "size_bytes": 1500}}}
    assert offered(sensors(reading=large)) == [TENS]
    at_peak = sensors({**PUT, "rate": {"avg": 19, "peak": 19 * 60}}, reading=large)
    assert offered(at_peak) == []


def test_the_busiest_series_counts() -> None:
    large = {"attributes": {"at": "timestamp", "value": {"type": "string", "size_bytes": 1500}}}
    relation = {"from": "Device", "to": "Reading", "kind": "1:n", "avg": 50_000, "max": 1_000_000}
    assert offered(sensors(reading=large, relationships=[relation])) == []


def test_it_is_chosen_where_it_costs_less_and_proven() -> None:
    made = design(sensors())
    assert [str(each) for each in made.rewrites] == [TENS]
    apart = design(sensors(constraints={"rewrites": "none"}))
    assert made.cost.modes[0].usd_per_month < apart.cost.modes[0].usd_per_month
    proof = prove(made)
    assert (proof.passed, proof.failure) == (True, "")


def test_items_of_their_own_stay_where_packing_costs_more() -> None:
    seldom_read = [{**BETWEEN, "rate": 0.001}, {**NEWEST, "rate": 0.001}]
    wide = {"attributes": {"at": "timestamp", "value": {"type": "string", "size_bytes": 700}}}
    assert design(sensors(*seldom_read, reading=wide)).rewrites == ()


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize("operator", ["between", "gte", "gt", "lte", "lt", "begins_with"])
def test_every_range_is_proven(operator: str, style: str) -> None:
    asked = {**BETWEEN, "range": {"attr": "at", "op": operator}}
    limited = {**asked, "id": "limited", "limit": 3, "items": None, "sort": "at desc"}
    made = write_table(packed(13, asked, limited, constraints={"key_style": style}))
    assert prove(made, rounds=8).failure == ""


@pytest.mark.parametrize("length", [7, 10, 16])
def test_every_period_is_proven(length: int) -> None:
    assert prove(write_table(packed(length)), rounds=8).failure == ""


def test_a_series_may_be_told_by_several_attributes() -> None:
    reading = {"id": ["deviceId", "unit", "at"], "attributes": {**READING["attributes"], "unit": "string"}}
    series = {"by": ["deviceId", "unit"]}
    patterns = [{**PUT, "by": reading["id"]}, {**BETWEEN, **series}, {**NEWEST, **series}, {**ONE, "by": reading["id"]}]
    made = write_table(packed(13, *patterns, reading=reading))
    assert prove(made, rounds=8).failure == ""


def test_one_update_writes_a_sample_and_makes_its_item() -> None:
    made = write_table(packed(13, constraints={"key_style": "plain"}))
    (step,) = next(each for each in made.patterns if each.id == "put").writes
    assert step.operation == "UpdateItem"
    assert [each.text for each in step.key] == ["DEVICE.READING#{deviceId}", "READING#{_bucket}"]
    assert {str(path): str(value) for path, value in step.set.items()} == {"deviceId": "{deviceId}", "{at}": "{*}"}
    assert step.condition is None
    (kind,) = (each for each in made.items if each.entity == "Reading")
    assert (kind.kind, kind.entry, kind.entries) == ("packed", "at", 68)


def test_a_range_asks_for_the_periods_it_touches() -> None:
    made = write_table(packed(13, {**BETWEEN, "range": {"attr": "at", "op": "gt"}}, constraints={"key_style": "plain"}))
    (step,) = next(each for each in made.patterns if each.id == "between").reads
    assert (str(step.sk[0].low), step.unfold, str(step.bucket)) == ("READING#{_value}", "*", "at:13")
    assert [str(each) for each in step.filters] == ["at > {value}"]


def test_a_sample_pays_for_what_is_there_by_then() -> None:
    """68 samples an hour of 46 bytes: one unit for the first twenty, four for the last."""
    hours, tens = (
        next(each for each in write_table(packed(length)).patterns if each.id == "put").predicted.wcu
        for length in (13, 15)
    )
    assert tens == 1.0
    assert 2.0 < hours < 2.5


def test_a_design_that_was_read_is_the_same() -> None:
    made = design(sensors())
    read = read_design(design_data(made))
    assert read.items == made.items
    assert prove(read, rounds=4).failure == ""
