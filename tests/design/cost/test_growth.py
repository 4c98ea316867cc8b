from __future__ import annotations

import pytest

from tablewright.design.cost.growth import count_after, growth_assumptions, growth_of, traffic_after
from tests.design.cost.shop import DROP, GET, PUT, shop


def test_said_growth_is_added_every_month():
    growth = growth_of(shop(GET, PUT, order={"growth_per_month": 50_000}).facts, "Order")
    assert [count_after(growth, months) for months in (0, 12, 36)] == [1_000_000, 1_600_000, 2_800_000]


def test_a_share_grows_on_itself():
    facts = shop(GET, PUT, month_growth=0.1).facts
    assert count_after(growth_of(facts, "Order"), 2) == pytest.approx(1_210_000)
    assert traffic_after(facts, 2) == pytest.approx(1.21)


def test_puts_less_deletes_are_taken_where_nothing_is_said():
    # 10 - 1 a second, 2,628,000 seconds
    facts = shop(GET, PUT, DROP).facts
    growth = growth_of(facts, "Order")
    assert growth.added_per_month == 9 * 2_628_000
    assert growth_of(facts, "Order", traffic=10).added_per_month == 90 * 2_628_000
    assert growth_assumptions(facts)[0].taken == "23,652,000 items (puts less deletes)"


def test_rates_that_are_not_said_add_nothing():
    growth = growth_of(shop(GET, {**PUT, "rate": None}).facts, "Order")
    assert (growth.added_per_month, growth.is_assumed) == (0, True)


def test_with_expiry_the_count_moves_to_its_steady_state():
    # 58.83 days and two to linger are two months; 100,000 a month come to 200,000
    order = {"count": 1000, "growth_per_month": 100_000, "ttl": 2 * 730 / 24 - 2}
    growth = growth_of(shop(GET, PUT, order=order).facts, "Order")
    assert growth.lifetime_months == pytest.approx(2)
    assert growth.steady_count == pytest.approx(200_000)
    assert count_after(growth, 1) == pytest.approx(500 + 100_000)
    assert count_after(growth, 36) == pytest.approx(200_000)


def test_an_expiry_alone_keeps_the_count():
    growth = growth_of(shop(GET, {**PUT, "rate": None}, order={"ttl": 30}).facts, "Order")
    assert count_after(growth, 36) == pytest.approx(1_000_000)


def test_what_grows_by_a_share_does_so_with_its_expiry():
    growth = growth_of(shop(GET, PUT, order={"ttl": 30}, month_growth=0.1).facts, "Order")
    assert count_after(growth, 2) == pytest.approx(1_210_000)
    assert growth.steady_count is None
