"""The form that is chosen: the better one for the aim, exact when there are few combinations."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tablewright.architect.plans.forms import form_options, go_together
from tablewright.architect.search import forms as choosing
from tablewright.architect.solution import Solution, solve, weight_of
from tablewright.design.cost.report import table_cost
from tablewright.design.layout.forms import Merge
from tests.architect.plans.specs import (
    BRIEF,
    BY_EMAIL,
    CUSTOMER,
    LARGEST,
    ORDER,
    SPENT,
    WITH_LINES,
    changed,
    facts_of,
    shop,
)

READS = (BRIEF, BY_EMAIL, CUSTOMER, ORDER, SPENT, LARGEST)


def words(solution: Solution) -> list[str]:
    return [str(each) for each in solution.rewrites]


@pytest.mark.parametrize("aim", ["cost", "gsis"])
def test_nothing_better_among_all_combinations(aim: Any) -> None:
    spec = shop(BRIEF, BY_EMAIL, CUSTOMER, ORDER, SPENT, entities={"Line": {"rewrites": "none"}})
    every = [[each for option in options for each in option] for options in product(*form_options(facts_of(spec)))]
    weights = [weight_of(solve(spec, aim=aim, rewrites=each).layout, aim) for each in every if go_together(each)]
    assert weight_of(solve(spec, aim=aim).layout, aim) == min(weights)


def test_climbing_finds_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = shop(BRIEF, BY_EMAIL, CUSTOMER, ORDER, SPENT, entities={"Line": {"rewrites": "none"}})
    exact = solve(spec)
    monkeypatch.setattr(choosing, "designs_tried", lambda _: 7)
    assert weight_of(solve(spec).layout, "cost") == weight_of(exact.layout, "cost")


@pytest.mark.parametrize(("patterns", "most"), [(5, 64), (20, 64), (40, 32), (150, 8), (1000, 8)])
def test_large_specs_try_fewer_designs(patterns: int, most: int) -> None:
    reads = [{**ORDER, "id": f"order{number}"} for number in range(patterns)]
    assert choosing.designs_tried(facts_of({**shop(), "access_patterns": reads})) == most


def test_a_lookup_saves_an_index():
    entities = {"Line": {"rewrites": "none"}}
    assert len(solve(shop(BY_EMAIL, CUSTOMER, entities=entities), aim="gsis").choice.slots) == 0
    plain = solve(shop(BY_EMAIL, CUSTOMER, entities=entities, constraints={"rewrites": "none"}), aim="gsis")
    assert len(plain.choice.slots) == 1


def test_a_long_list_is_not_added_up_while_reading():
    many = [{"from": "Customer", "to": "Order", "kind": "1:N", "avg": 1000}]
    solution = solve(shop(SPENT, ORDER, relationships=many, entities={"Customer": {"count": 1000, "unique": []}}))
    assert words(solution) == ["total Order (spent)"]


def test_a_total_that_is_hardly_asked_for_is_not_kept():
    solution = solve(shop({**SPENT, "rate": 0.001}, ORDER, entities={"Customer": {"unique": []}}))
    assert words(solution) == ["reading spent (Order)"]


def test_switched_off_nothing_is_rewritten_that_need_not_be():
    solution = solve(shop(*READS, constraints={"rewrites": "none"}))
    assert {each.kind for each in solution.rewrites} == {"unique", "reading"}


def test_a_table_key_with_more_than_the_id_is_not_taken_where_the_id_is_unique():
    reads = ({**WITH_LINES, "id": "both", "entities": ["Customer", "Order"], "by": "customerId"}, ORDER)
    order = {"orderId": "string", "customerId": {"immutable": True}, "status": {"values": ["open", "sent"]}}
    entities = {"Customer": {"unique": []}, "Line": {"rewrites": "none"}, "Order": {"attributes": order}}
    spec = shop(*reads, entities=entities)
    assert set(solve(spec, aim="gsis").choice.base["Order"].attributes) == {"customerId", "orderId"}
    once = changed(spec, "put-order", condition="not exists")
    found = solve(once, aim="gsis")
    exact = set(found.choice.base["Order"].attributes) == {"orderId"}
    assert exact or "unique Order (orderId)" in words(found)


def test_a_spec_without_anything_to_rewrite_is_left_alone():
    solution = solve(shop(ORDER, entities={"Customer": {"unique": []}, "Line": {"rewrites": "none"}}))
    assert solution.rewrites == ()
    assert solution.spec == solution.origin
    assert solution.facts is solution.asked


def test_costs_are_told_by_the_patterns_of_the_spec():
    spec = shop(*READS)
    solution = solve(spec)
    report = table_cost(solution.layout)
    assert [each.pattern for each in report.patterns] == [each["id"] for each in spec["access_patterns"]]
    bill = sum(each.usd_per_month for each in report.patterns)
    assert bill == pytest.approx(report.read_usd_per_month + report.write_usd_per_month)


def test_steps_of_a_read_are_added_up():
    spec = shop(BRIEF, CUSTOMER, entities={"Customer": {"unique": []}, "Line": {"rewrites": "none"}})
    split = solve(spec, rewrites=[each for way in form_options(facts_of(spec)) for each in way[-1]])
    line = next(each for each in table_cost(split.layout).patterns if each.pattern == "customer")
    # the item without bio (4 KB at most) and the detail of 6 KB: half a unit and a whole one
    assert (line.prediction.requests, line.prediction.rcu) == (2, 1.5)


def test_last_resort_two_queries_at_once():
    """In one order by time with B, and beside C which has none: one key of A cannot do both, and there is no index."""
    fixed = {"required": True, "immutable": True}
    timed = {"id": "id", "attributes": {"id": "string", "x": fixed, "t": fixed}}
    plain = {"id": "id", "attributes": {"id": "string", "x": fixed}}
    spec = {
        "entities": {"A": timed, "B": timed, "C": plain},
        "access_patterns": [
            {"id": "timed", "kind": "query", "entities": ["A", "B"], "by": "x", "sort": "t"},
            {"id": "both", "kind": "query", "entities": ["A", "C"], "by": "x"},
        ],
        "constraints": {"max_gsis": 0},
    }
    solution = solve(spec)
    assert words(solution) == ["apart timed (A, B)"]  # read in one order with B, A alone would cost as much as both
    parts = solution.rewritten.parts("timed")
    assert [(part.pattern, part.merges) for part in parts] == [("timed", None), ("timed.2", Merge(("t",)))]
