"""Every rewrite, made and run: answers, stored items and capacity agree with the spec after many writes."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import Solution, solve
from tablewright.design.layout.forms import Rewrite
from tablewright.proof.run import prove
from tests.architect.plans.specs import (
    BRIEF,
    BY_EMAIL,
    CUSTOMER,
    ENTITIES,
    LARGEST,
    LINE,
    LINES,
    OF_EMAIL,
    ORDER,
    PENDING,
    SPENT,
    UNIQUE,
    WITH_LINES,
    changed,
    owned,
    shop,
    without,
)

THROUGH = Rewrite("through", "of-email", ("Order",))
LOOKUP = Rewrite("lookup", "Customer", ("email",))
SPLIT = Rewrite("split", "Customer", ("bio",))
TOGETHER = {
    "id": "both",
    "kind": "query",
    "entities": ["Customer", "Order"],
    "by": "customerId",
    "consistency": "strong",  # from the table, which therefore is keyed by the customer
}
EMBED = Rewrite("embed", "Line", ("Order",))


def total(*ids: str) -> list[Rewrite]:
    return [Rewrite("total", "Order", (id_,)) for id_ in ids]


def reading(*ids: str) -> list[Rewrite]:
    return [Rewrite("reading", id_, ("Order",)) for id_ in ids]


def proven(spec: dict[str, Any], *rewrites: Rewrite, style: str = "plain") -> Solution:
    solution = solve({**spec, "constraints": {"key_style": style}}, rewrites=rewrites)
    report = prove(write_table(solution), rounds=12)
    assert report.failure == ""
    return solution


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_unique_lookup_and_through(style: str) -> None:
    solution = proven(shop(CUSTOMER, BY_EMAIL, OF_EMAIL), UNIQUE, LOOKUP, THROUGH, style=style)
    assert [part.pattern for part in solution.rewritten.parts("by-email")] == ["by-email", "by-email.2"]


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_a_divided_item(style: str) -> None:
    reads = (BRIEF, CUSTOMER, {**CUSTOMER, "id": "named", "kind": "query", "by": "name"})
    spec = changed(shop(*reads), "change-customer", changes=["bio", "name"])
    solution = proven(spec, UNIQUE, SPLIT, style=style)
    assert "bio" not in solution.spec.entities["Customer"].attributes


def test_a_change_of_details_alone():
    proven(changed(shop(BRIEF, CUSTOMER), "change-customer", changes=["bio"]), UNIQUE, SPLIT)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_totals(style: str) -> None:
    count = {**SPENT, "id": "count", "aggregate": "count"}
    solution = proven(shop(SPENT, PENDING, count), UNIQUE, *total("spent", "pending", "count"), style=style)
    kept = [each for each in solution.spec.entities.values() if each.kind == "total"]
    assert sorted(sorted(each.totals) for each in kept) == [["amountTotal", "total"], ["total"]]


def test_a_sum_whose_terms_change():
    proven(changed(shop(SPENT), "send-order", changes=["amount", "status"]), UNIQUE, *total("spent"))


def test_a_count_of_whatever_an_update_may_change():
    spec = without(shop({**SPENT, "by": "status", "aggregate": "count"}), "send-order")
    update = {"id": "any", "kind": "write", "op": "update", "entity": "Order", "by": "orderId"}
    proven({**spec, "access_patterns": [*spec["access_patterns"], update]}, UNIQUE, *total("spent"))


def test_a_total_of_everything():
    proven(shop({**SPENT, "by": []}), UNIQUE, *total("spent"))


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_totals_of_what_passes_a_filter(style: str) -> None:
    """An item enters what is counted, leaves it, changes inside of it, and some have no value at all."""
    entities = {name: {**each, "attributes": {**each["attributes"]}} for name, each in ENTITIES.items()}
    entities["Order"]["attributes"] |= {"paid": "boolean", "lane": {"presence": 0.6}, "level": "number"}
    reads = (
        {**SPENT, "filter": {"status": "open"}},
        {**SPENT, "id": "sent", "filter": {"status": "sent"}, "aggregate": "count"},
        {**SPENT, "id": "due", "filter": {"paid": False}, "aggregate": "count"},
        {**SPENT, "id": "fast", "by": [], "filter": {"lane": "fast", "level": 3}},
        {**SPENT, "id": "of-lane", "filter": {"lane": "param"}, "aggregate": "count"},
    )
    spec = {**shop(*reads), "entities": entities}
    ids = [each["id"] for each in reads]
    changes = {"send-order": ["status", "amount"], "pay": ["paid"], "route": ["lane", "level"]}
    writes = [
        {"id": id_, "kind": "write", "op": "update", "entity": "Order", "by": "orderId", "changes": each, "rate": 1}
        for id_, each in changes.items()
    ]
    left = [each for each in spec["access_patterns"] if each["id"] not in changes]
    solution = proven({**spec, "access_patterns": [*left, *writes]}, UNIQUE, *total(*ids), style=style)
    kept = {each.id: set(each.totals) for each in solution.spec.entities.values() if each.kind == "total"}
    assert kept == {
        ("customerId", "status"): {"amountTotal", "total"},
        ("customerId", "paid"): {"total"},
        ("lane", "level"): {"amountTotal"},
        ("customerId", "lane"): {"total"},
    }


def test_numbers_made_while_reading():
    least = {**LARGEST, "id": "least", "aggregate": {"min": "amount"}}
    reads = (SPENT, PENDING, LARGEST, least)
    proven(shop(*reads), UNIQUE, *reading("spent", "pending", "largest", "least"))


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_the_greatest_and_the_least_of_whole_lists(style: str) -> None:
    least = {**LARGEST, "id": "least", "aggregate": {"min": "amount"}}
    whole = [Rewrite("whole", each, ("Order",)) for each in ("largest", "least")]
    solution = proven(shop(LARGEST, least), UNIQUE, *whole, style=style)
    assert all(each.limit is None and not each.sort for each in solution.spec.reads)


def test_a_delete_that_has_to_look_for_what_it_takes_off():
    solution = proven(shop(SPENT, ORDER, TOGETHER), UNIQUE, *total("spent"))
    assert "pointer Order (customerId)" in map(str, solution.rewrites)


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_embedded_children(style: str) -> None:
    proven(owned(ORDER, WITH_LINES, LINES, LINE), UNIQUE, EMBED, style=style)


def test_embedded_children_that_call_their_parent_otherwise():
    line = {"id": ["ofOrder", "lineId"], "attributes": {"ofOrder": "string", "lineId": "string", "product": "string"}}
    relations = [{"from": "Order", "to": "Line", "kind": "1:N", "by": "ofOrder", "avg": 3, "max": 20}]
    spec = owned(ORDER, {**LINES, "by": "ofOrder"}, relationships=relations)
    spec["entities"] = {**spec["entities"], "Line": line}
    for id_ in ("put-line", "drop-line"):
        spec = changed(spec, id_, by=["ofOrder", "lineId"])
    proven(spec, UNIQUE, EMBED)


def test_through_a_parent_that_is_called_otherwise():
    order = {"id": "orderId", "attributes": {"orderId": "string", "buyer": "string", "amount": "number"}}
    relations = [{"from": "Customer", "to": "Order", "kind": "1:N", "by": "buyer"}]
    spec = without(shop({**OF_EMAIL, "sort": "amount"}, relationships=relations), "send-order")
    spec["entities"] = {**spec["entities"], "Order": order}
    proven(spec, UNIQUE, THROUGH)


def test_values_that_need_not_be_there_are_unique_where_they_are():
    attributes = {"customerId": "string", "email": "string", "name": "string"}
    proven(shop(CUSTOMER, BY_EMAIL, entities={"Customer": {"attributes": attributes}}), UNIQUE, LOOKUP)


def test_two_values_that_are_unique_together():
    both = Rewrite("unique", "Customer", ("email", "name"))
    found = {**BY_EMAIL, "by": ["name", "email"]}
    proven(shop(found, entities={"Customer": {"unique": [["email", "name"]]}}), both, Rewrite(*lookup_of(both)))


def lookup_of(each: Rewrite) -> tuple[Any, str, tuple[str, ...]]:
    return "lookup", each.subject, each.attributes


def test_an_id_kept_unique_beside_a_longer_key():
    spec = changed(shop(ORDER, TOGETHER), "put-order", condition="not exists")
    solution = proven(spec, UNIQUE, Rewrite("unique", "Order", ("orderId",)))
    assert {"customerId", "orderId"} <= set(solution.choice.base["Order"].attributes)


def test_two_queries_at_once():
    proven(shop(ORDER, WITH_LINES), UNIQUE, Rewrite("apart", "all", ("Order", "Line")))


def test_a_transaction_with_what_is_unique():
    write = {
        "id": "join",
        "kind": "write",
        "op": "transact",
        "entities": ["Customer", "Order"],
        "by": ["customerId", "orderId"],
    }
    proven(shop(CUSTOMER, ORDER, BY_EMAIL, write), UNIQUE, LOOKUP)


BUYERS = {**CUSTOMER, "id": "buyers", "kind": "query", "through": "Order", "by": "status", "sort": "amount", "limit": 7}
FETCH = Rewrite("fetch", "buyers", ("Order", "Customer"))


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_a_list_that_leads_to_items(style: str) -> None:
    found = proven(without(shop(BUYERS, CUSTOMER), "drop-order"), UNIQUE, FETCH, style=style)
    assert found.choice.base["Customer"].attributes == ("customerId",)
    assert [each.fetched_for for each in found.spec.reads if each.kind == "batch"] == ["buyers"]


def test_a_list_that_leads_to_divided_items():
    brief = {**BUYERS, "returns": ["customerId", "name"]}
    proven(shop(BRIEF, CUSTOMER, brief), UNIQUE, SPLIT, FETCH)


def test_a_list_that_leads_to_what_holds_its_children():
    orders = {**ORDER, "id": "buyers", "kind": "query", "through": "Customer.lastOrderId", "by": "name"}
    spec = owned(ORDER, LINES, orders)
    spec["entities"]["Customer"]["attributes"]["lastOrderId"] = {"required": True}
    spec = changed(spec, "change-customer", changes=["email", "name", "lastOrderId"])
    proven(spec, UNIQUE, EMBED, Rewrite("fetch", "buyers", ("Customer", "Order")))
