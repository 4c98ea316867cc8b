"""Limited lists: the search, the bill and the runs agree on what is read for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.cost.predict import predict
from tablewright.design.cost.units.volumes import estimate
from tablewright.proof.checks.estimates import check_estimates
from tests.proof.test_estimates import said

if TYPE_CHECKING:
    from tablewright.architect.assembly.solution import Solution

GET = {"id": "get", "kind": "get", "entity": "Order", "by": "orderId", "rate": 10}
PUT = {
    "id": "put",
    "kind": "write",
    "op": "put",
    "entity": "Order",
    "by": "orderId",
    "condition": "not exists",
    "rate": 1,
}
CHANGE = {
    "id": "change",
    "kind": "write",
    "op": "update",
    "entity": "Order",
    "by": "orderId",
    "changes": ["status"],
    "rate": 2000,
}
NOTE = {
    "id": "noteId",
    "attributes": {
        "shopId": {"required": True},
        "at": {"type": "timestamp", "required": True},
        "text": {"required": True, "size_bytes": 400},
    },
    "count": "50k",
}


def asked(id_: str, by: str | list[str], rate: float, **more: Any) -> dict[str, Any]:
    return {"id": id_, "kind": "query", "entity": "Order", "by": by, "sort": "at", "rate": rate, **more}


def shop(*patterns: dict[str, Any], orders: float = 100, shops: int = 1000, **entities: Any) -> dict[str, Any]:
    attributes = {
        "shopId": {"required": True},
        "status": {"values": ["open", "paid", "sent", "gone"], "required": True},
        "at": {"type": "timestamp", "required": True},
        "body": {"required": True, "size_bytes": 900},
    }
    return {
        "name": "shop",
        "entities": {
            "Shop": {"id": "shopId", "attributes": {"name": {"required": True}}, "count": shops},
            "Order": {"id": "orderId", "attributes": attributes, "count": shops * orders},
            **entities,
        },
        "relationships": [{"from": "Shop", "to": "Order", "kind": "1:n", "avg": orders, "max": 4 * orders}],
        "access_patterns": [GET, *patterns, PUT],
        "constraints": {"max_gsis": 1},
    }


def billed(solution: Solution, pattern: str) -> float:
    return predict(solution.layout, pattern, estimate(solution.layout)).rcu


def test_every_value_of_a_fan_out_is_asked_for_the_whole_limit() -> None:
    fanned = asked("all", "shopId", 5, limit=5)
    solution = solve(shop(asked("of", ["shopId", "status"], 500, limit=5), fanned), aim="cost")
    plan = solution.choice.plans["all"]
    assert plan.serving.fan_out == "status"
    assert plan.units == billed(solution, "all") == 4.0  # four times five items
    assert said(check_estimates(write_table(solution))) == []


def test_a_filter_behind_a_limit_reads_the_whole_list() -> None:
    filtered = asked("open", "shopId", 5, limit=5, filter={"status": "open"})
    solution = solve(shop(asked("of", "shopId", 500, limit=50), filtered, CHANGE), aim="cost")
    assert solution.choice.plans["open"].units == pytest.approx(billed(solution, "open"), rel=0.1)
    assert billed(solution, "open") == 14.0
    assert said(check_estimates(write_table(solution))) == []


@pytest.mark.slow
def test_or_one_page_where_that_has_enough_of_it() -> None:
    filtered = asked("open", "shopId", 0.001, limit=5, filter={"status": "open"})
    listed = asked("of", "shopId", 5, limit=50)
    solution = solve(shop(listed, filtered, {**CHANGE, "rate": 20}, orders=3000, shops=2), aim="cost")
    assert billed(solution, "open") == pytest.approx(128, rel=0.1)  # of 420 that all of it would take
    report = check_estimates(write_table(solution), most_items=7000)
    assert sum(report.items.values()) > 5000
    assert said(report) == []


def test_entities_that_are_read_together_share_a_limit() -> None:
    both = {**asked("both", "shopId", 50, sort="at desc", limit=5), "entities": ["Order", "Note"]}
    del both["entity"]
    spec = shop(asked("of", "shopId", 5), both, Note=NOTE)
    solution = solve(spec, aim="cost")
    plan, _ = solution.choice.collections["both"]
    assert plan.units == billed(solution, "both") == 1.0
    assert said(check_estimates(write_table(solution))) == []
