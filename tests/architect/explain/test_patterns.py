"""Why a pattern is read as it is, what it costs the design, and which patterns force the indexes."""

from __future__ import annotations

import pytest

from tablewright.architect.explain.patterns import pattern_prices, why, why_not_fewer
from tablewright.architect.explain.resolve import ground
from tablewright.architect.solution import solve
from tests.architect.designs import CASE_FILES, CASES
from tests.architect.explain.grounds import begun, start

pytestmark = pytest.mark.shares("case")


def reason(case: str, pattern: str) -> str:
    return why(start(case).solution, pattern)


@pytest.mark.parametrize("case", CASES)
def test_every_pattern_has_a_reason(case: str) -> None:
    for pattern in start(case).solution.origin.patterns:
        assert reason(case, pattern.id).endswith(".")


def test_reasons_name_what_decides() -> None:
    assert reason("online-shop", "AP1") == "The whole key of Customer is given (customerId): one GetItem."
    assert "one Query instead of 5 requests" in reason("online-shop", "AP5")
    assert "the range on date is part of the key condition" in reason("online-shop", "AP9").lower()
    assert "read backwards, and reading stops after 10 items" in reason("chat-system", "AP7")
    follows = [reason("social-network", each) for each in ("AP2", "AP3")]
    assert sum("every follow has a second item by" in each.lower() for each in follows) == 1


def test_a_filter_says_that_it_spares_no_reading() -> None:
    text = reason("task-manager", "AP10")
    assert "The filter on points comes after reading, so that what it leaves out is paid for all the same." in text


@pytest.mark.parametrize(
    ("immutable", "said"),
    [
        (True, "does not follow from orderId, so it is looked up in gsi1 first"),
        (False, "small item by its id says where Order is, and is read first"),
    ],
)
def test_a_write_that_must_look_up_its_key_says_so(immutable: bool, said: str) -> None:
    customer = {"required": True, "immutable": immutable}
    orders = begun(
        entities={"Order": {"id": "orderId", "attributes": {"customerId": customer, "note": "string"}}},
        access_patterns=[
            {"id": "list", "kind": "query", "entity": "Order", "by": "customerId", "consistency": "strong"},
            {"id": "one", "kind": "get", "entity": "Order", "by": "orderId"},
            {"id": "note", "kind": "write", "op": "update", "entity": "Order", "by": "orderId", "changes": ["note"]},
        ],
    )
    assert said in why(orders.solution, "note")
    assert "may be strongly consistent" in why(orders.solution, "list")


def test_four_patterns_of_the_task_manager_cost_an_index_each() -> None:
    prices = pattern_prices(start("task-manager"))
    assert [id_ for id_, price in prices.items() if price.gsis == 1] == ["AP4", "AP7", "AP9", "AP11"]
    assert not [id_ for id_, price in prices.items() if price.gsis > 1]
    assert all(price.usd_per_month > 0 for price in prices.values())


def test_the_same_four_are_why_there_are_not_fewer() -> None:
    text = why_not_fewer(start("task-manager"))
    assert text.startswith("Employee is asked for by officeName, by team, by title and by manager")
    assert text.endswith("AP4, AP7, AP9 and AP11 alone need 4 GSIs, whatever else is left out.")


def test_without_indexes_there_are_none_to_spare() -> None:
    assert "there is no GSI to do without" in why_not_fewer(start("chat-system"))


def test_an_index_that_is_there_for_its_cost_could_be_spared() -> None:
    cheap = ground(solve(CASE_FILES["social-network"], aim="cost"), aim="cost")
    assert cheap.now.gsis == 1
    assert why_not_fewer(cheap).startswith("0 GSIs would do: 1 GSI less")
