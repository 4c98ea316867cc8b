"""Where a rewrite is offered, where it is demanded, and what keeps it away."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.plans.forms import go_together
from tablewright.design.layout.forms import Rewrite
from tests.architect.plans.specs import (
    BRIEF,
    BY_EMAIL,
    CUSTOMER,
    LARGEST,
    LINE,
    LINES,
    OF_EMAIL,
    ORDER,
    PENDING,
    SPENT,
    WITH_LINES,
    changed,
    offered,
    owned,
    shop,
)

UNIQUE = ["unique Customer (email)"]
EMBED = ["", "embed Line (Order)"]
PLAIN: dict[str, Any] = {"Customer": {"unique": []}, "Line": {"rewrites": "none"}}


def test_unique_is_demanded_and_a_lookup_offered():
    assert offered(shop(BY_EMAIL, CUSTOMER)) == [UNIQUE, ["", "lookup Customer (email)"]]


def test_a_lookup_answers_only_the_whole_unique_set():
    by_both = {**BY_EMAIL, "by": ["email", "name"]}
    assert offered(shop(by_both, CUSTOMER)) == [UNIQUE]


def test_an_id_that_must_not_exist_is_kept_by_its_key_or_a_sentinel():
    spec = changed(shop(ORDER, entities=PLAIN), "put-order", condition="not exists")
    assert offered(spec) == [["exact Order", "unique Order (orderId)"]]


def test_what_is_unique_with_the_id_needs_nothing():
    assert offered(shop(ORDER, entities={**PLAIN, "Order": {"unique": [["orderId", "status"]]}})) == []


def test_an_input_of_the_parent_goes_through_it():
    assert offered(shop(OF_EMAIL, entities=PLAIN)) == [["through of-email (Order)"]]


OF_ORDER = {**CUSTOMER, "id": "buyers", "kind": "query", "through": "Order", "by": "status"}
"""The customers whose orders are open: the orders are the list."""


def test_a_list_that_leads_to_items_is_read_first():
    assert offered(shop(OF_ORDER, entities=PLAIN)) == [["fetch buyers (Order, Customer)"]]


def test_what_a_list_leads_to_is_not_taken_for_its_parents_input():
    assert offered(shop({**OF_ORDER, "by": "amount"}, entities=PLAIN)) == [["fetch buyers (Order, Customer)"]]


def test_a_list_is_no_lookup():
    spec = shop({**OF_ORDER, "through": "Line.email", "by": "email"}, CUSTOMER)
    spec["entities"]["Line"]["attributes"]["email"] = {"required": True}
    assert ["", "lookup Customer (email)"] not in offered(spec)


@pytest.mark.parametrize("through", ["Line", "Line.product"])
def test_entries_and_what_they_name_keep_their_own_items(through: str) -> None:
    read = {**ORDER, "id": "orders", "kind": "query", "through": through, "by": "lineId"}
    assert EMBED in offered(owned(ORDER, LINES))
    assert EMBED not in offered(owned(ORDER, LINES, read))


def test_what_a_list_leads_to_stays_in_one_piece_where_all_of_it_is_wanted():
    assert ["", "split Customer (bio)"] in offered(shop(BRIEF, CUSTOMER, {**OF_ORDER, "returns": ["name"]}))
    assert ["", "split Customer (bio)"] not in offered(shop(BRIEF, CUSTOMER, OF_ORDER))


# ---- totals ---------------------------------------------------------------------------------------------------------


def test_a_sum_is_read_or_kept():
    assert offered(shop(SPENT, entities=PLAIN)) == [["reading spent (Order)", "total Order (spent)"]]


@pytest.mark.parametrize(
    "spec",
    [
        shop({**SPENT, "range": {"attr": "amount", "op": "gte"}}, entities=PLAIN),
        shop({**SPENT, "filter": {"amount": "at least a number"}}, entities=PLAIN),
        shop(SPENT, entities={**PLAIN, "Order": {"ttl": "30d"}}),  # nobody would take off what expires
        shop(SPENT, entities={**PLAIN, "Order": {"rewrites": ["embed"]}}),
        shop(SPENT, entities=PLAIN, constraints={"rewrites": "none"}),
    ],
)
def test_a_total_that_cannot_be_kept_is_read(spec: dict[str, Any]) -> None:
    ((only,),) = offered(spec)
    assert only.startswith("reading")


@pytest.mark.parametrize("value", ["open", "param"])
def test_a_sum_of_what_has_one_value_is_kept_for_each_of_them(value: str) -> None:
    spec = shop({**SPENT, "filter": {"status": value}}, entities=PLAIN)
    assert offered(spec) == [["reading spent (Order)", "total Order (spent)"]]


def test_the_greatest_value_is_the_first_in_its_order_or_looked_for_in_the_whole_list():
    assert offered(shop(LARGEST, entities=PLAIN)) == [["reading largest (Order)", "whole largest (Order)"]]


def test_what_is_counted_or_added_up_may_change_its_group():
    assert offered(shop(PENDING, entities=PLAIN)) == [["reading pending (Order)", "total Order (pending)"]]
    by_status = {**SPENT, "by": ["customerId", "status"]}
    assert offered(shop(by_status, entities=PLAIN)) == [["reading spent (Order)", "total Order (spent)"]]


# ---- embedding and dividing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("reads", [(WITH_LINES,), (LINES,), (LINE,), (WITH_LINES, LINES, LINE)])
def test_few_small_children_may_lie_in_their_parent(reads: tuple[dict[str, Any], ...]) -> None:
    assert EMBED in offered(owned(ORDER, *reads))


@pytest.mark.parametrize(
    "spec",
    [
        owned({**LINES, "by": "lineId"}),  # asked without the parent
        owned({**LINES, "sort": "quantity"}),
        owned({**LINES, "limit": 3}),
        owned(LINES, relationships=[{"from": "Order", "to": "Line", "kind": "1:N", "avg": 3}]),  # not bounded
        owned(LINES, relationships=[{"from": "Order", "to": "Line", "kind": "1:N", "avg": 3, "max": "10k"}]),
        owned(LINES, entities={"Line": {"size_bytes": "4 KB"}}),  # 20 of them are too large
        owned(LINES, entities={"Line": {"ttl": "30d"}}),
        owned(LINES, entities={"Order": {"rewrites": "none"}}),
        changed(owned(LINES), "drop-line", by="lineId"),
        changed(owned(LINES), "drop-line", op="update"),
        shop(LINES),  # there may be lines without an order
    ],
)
def test_other_children_keep_their_own_items(spec: dict[str, Any]) -> None:
    assert EMBED not in offered(spec)


def test_large_attributes_that_some_read_does_without_may_lie_apart():
    assert ["", "split Customer (bio)"] in offered(shop(BRIEF, CUSTOMER))


@pytest.mark.parametrize(
    "spec",
    [
        shop(CUSTOMER),  # every read returns everything
        shop(BRIEF, {**CUSTOMER, "filter": {"bio": "x"}}),
        shop(BRIEF, entities={"Customer": {"rewrites": ["total"]}}),
        changed(shop(BRIEF), "drop-customer", by="email"),
        changed(shop(BRIEF), "change-customer", changes=None),  # nobody says which of the two items
        shop(BRIEF, {**WITH_LINES, "entities": ["Customer", "Order"], "by": "customerId"}),
    ],
)
def test_attributes_that_are_needed_stay(spec: dict[str, Any]) -> None:
    assert not [each for each in offered(spec) if "split" in each[-1]]


# ---- together -------------------------------------------------------------------------------------------------------


def test_an_embedded_child_is_nothing_else():
    embed = Rewrite("embed", "Line", ("Order",))
    assert go_together([embed, Rewrite("unique", "Order", ("status",)), Rewrite("total", "Order", ("spent",))])
    assert not go_together([embed, Rewrite("total", "Line", ("count",))])
    assert not go_together([embed, Rewrite("split", "Order", ("note",))])
