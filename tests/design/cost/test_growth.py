from __future__ import annotations

import pytest

from tablewright.design.cost.growth import count_after, growth_assumptions, growth_of, traffic_after
from tablewright.design.cost.report import table_cost
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.design.cost.shop import DROP, GET, OF_CUSTOMER, ORDER, PUT, shop


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


def test_puts_that_are_refused_add_nothing():
    put = {**PUT, "condition": "not exists", "failures": "30%"}
    assert growth_of(shop(GET, put).facts, "Order").added_per_month == pytest.approx(7 * 2_628_000)


def score(**attributes):
    """The best of every player in every game, put ten times a second, and the players."""
    names = {"game": {"values": ["chess", "go"]}, "playerId": "string", "points": "number", **attributes}
    best = {"id": ["game", "playerId"], "attributes": names, "count": 1_000_000}
    player = {"id": ["playerId"], "attributes": {"playerId": "string"}, "count": 600_000, "growth_per_month": 10_000}
    put = {"id": "best", "kind": "write", "op": "put", "entity": "Best", "by": ["game", "playerId"], "rate": 10}
    return growth_of(
        assume(read_spec({"entities": {"Best": best, "Player": player}, "access_patterns": [put]})), "Best"
    )


def test_there_are_never_more_items_than_ids_that_can_occur():
    # 26,280,000 puts a month, of two games and 600,000 players, of whom 10,000 are added every month
    assert count_after(score(), 0) == 1_000_000
    assert count_after(score(), 1) == 2 * 610_000
    assert count_after(score(), 12) == 2 * 720_000
    # a cardinality that is said holds
    assert count_after(score(playerId={"cardinality": 700_000}), 36) == 1_400_000
    # nobody says how many games there are
    assert count_after(score(game="string"), 1) == 1_000_000 + 26_280_000


def test_rates_that_are_not_said_add_nothing():
    growth = growth_of(shop(GET, {**PUT, "rate": None}).facts, "Order")
    assert (growth.added_per_month, growth.is_assumed) == (0, True)


def test_with_expiry_the_count_moves_to_its_steady_state():
    # 58.83 days and two to linger are two months; 100,000 a month come to 200,000
    order = {"count": 20_000, "growth_per_month": 100_000, "ttl": 2 * 730 / 24 - 2}
    growth = growth_of(shop(GET, PUT, order=order).facts, "Order")
    assert growth.lifetime_months == pytest.approx(2)
    assert growth.steady_count == pytest.approx(200_000)
    assert count_after(growth, 1) == pytest.approx(10_000 + 100_000)
    assert count_after(growth, 36) == pytest.approx(200_000)


def test_an_expiry_alone_keeps_the_count():
    growth = growth_of(shop(GET, {**PUT, "rate": None}, order={"ttl": 30}).facts, "Order")
    assert count_after(growth, 36) == pytest.approx(1_000_000)


def test_what_grows_by_a_share_does_so_with_its_expiry():
    growth = growth_of(shop(GET, PUT, order={"ttl": 30}, month_growth=0.1).facts, "Order")
    assert count_after(growth, 2) == pytest.approx(1_210_000)
    assert growth.steady_count is None


def test_a_share_of_an_entity_grows_on_what_the_months_before_added():
    growth = growth_of(shop(GET, PUT, order={"growth": "5%"}).facts, "Order")
    by_hand = 1_000_000.0
    for _ in range(12):
        by_hand += by_hand * 0.05
    assert count_after(growth, 12) == pytest.approx(by_hand)
    assert growth.added_next_month == pytest.approx(50_000)
    assert not growth.is_assumed


def test_a_share_of_an_entity_holds_with_its_expiry_and_besides_the_growth_of_everything():
    facts = shop(GET, PUT, order={"growth": "5%", "ttl": 30}, month_growth=0.2).facts
    assert count_after(growth_of(facts, "Order"), 36) == pytest.approx(1_000_000 * 1.05**36)


def test_ten_times_the_traffic_adds_ten_times_the_items_that_a_share_adds():
    growth = growth_of(shop(GET, PUT, order={"growth": "5%"}).facts, "Order", traffic=10)
    # 1,000,000 become 1,102,500 in two months
    assert count_after(growth, 2) == pytest.approx(1_000_000 + 10 * 102_500)


# ---- bills to come, by hand ------------------------------------------------------------------------------------------
# An order is 1,500 bytes and 100 that storage adds. It is read by its id for half a unit, and written for two. Prices
# of us-east-1: $0.125 and $0.625 a million units, $0.25 a GB and $0.20 for its recovery; a month has 2,628,000 seconds.

GB = 2**30


def bills(*patterns, **top):
    """By traffic and months: reads, writes, storage and recovery on demand."""
    found = {}
    for each in table_cost(shop(*patterns, **top)).scenarios:
        mode = each.modes[0]
        parts = (mode.read_usd_per_month, mode.write_usd_per_month, mode.storage_usd_per_month)
        found[each.traffic, each.months] = [*parts, mode.other_usd_per_month]
    return found


def by_hand(gets, puts, orders):
    gb = orders * 1600 / GB
    return pytest.approx([gets * 0.5 * 2.628 * 0.125, puts * 2 * 2.628 * 0.625, gb * 0.25, gb * 0.20])


def test_bills_of_orders_that_are_added_every_month():
    found = bills(GET, PUT, order={"growth_per_month": 50_000})
    assert found[1, 0] == by_hand(100, 10, 1_000_000)
    assert found[1, 12] == by_hand(100, 10, 1_600_000)
    assert found[1, 36] == by_hand(100, 10, 2_800_000)
    assert found[10, 12] == by_hand(1000, 100, 7_000_000)


def test_bills_where_everything_grows():
    found = bills(GET, PUT, month_growth=0.03)
    year, three = 1.4257608868, 2.8982783  # 1.03 to the power of 12 and of 36
    assert found[1, 12] == by_hand(100 * year, 10 * year, 1_000_000 * year)
    assert found[1, 36] == by_hand(100 * three, 10 * three, 1_000_000 * three)
    # a hundred times the traffic adds a hundred times what would be added
    assert found[100, 12] == by_hand(10_000 * year, 1000 * year, 1_000_000 + 100 * 1_000_000 * (year - 1))


def test_bills_of_orders_that_expire():
    # 28 days and two until they are deleted are 720 of 730 hours: 0.986301 months in which 300,000 come in each
    found = bills(GET, PUT, order={"growth_per_month": 300_000, "ttl": 28})
    assert found[1, 0] == by_hand(100, 10, 1_000_000)
    for months in (12, 36):
        assert found[1, months] == by_hand(100, 10, 300_000 * 720 / 730)
        assert found[10, months] == by_hand(1000, 100, 3_000_000 * 720 / 730)


def test_what_is_written_along_grows_with_its_entity():
    order = {"growth_per_month": 50_000, "unique": "note"}
    layout = shop(GET, {**PUT, "condition": "not exists"}, order=order)
    (sentinel,) = (each for each in layout.spec.entities.values() if each.kind == "sentinel")
    assert count_after(growth_of(layout.facts, sentinel.name), 12) == 1_600_000
    silent = shop(GET, {**PUT, "condition": "not exists"}, order={"unique": "note"})
    (sentinel,) = (each for each in silent.spec.entities.values() if each.kind == "sentinel")
    # nobody says how many are added: 10 puts a second, of an order and its sentinel; one in a hundred is refused
    assert count_after(growth_of(silent.facts, sentinel.name), 1) == pytest.approx(1_000_000 + 9.9 * 2_628_000)
    assert [each.place for each in growth_assumptions(silent.facts)] == ["entities.Order.growth_per_month"]


# ---- lists to come ---------------------------------------------------------------------------------------------------
# Twenty times a second all orders of a customer are read: 100 of 1,500 bytes are 37 steps of 4 KB, for 18.5 units; and
# a hundred orders by their ids, for half a unit each.

CUSTOMER = {"id": ["customerId"], "attributes": {"customerId": "string"}, "count": 10_000, "growth_per_month": 0}
OF = {"from": "Customer", "to": "Order", "kind": "1:n", "avg": 100, "max": 1000}


def read_units(months, customer=None, order=None, **top):
    customer, whole = {**CUSTOMER, **(customer or {})}, {**OF_CUSTOMER, "limit": None}
    layout = shop(GET, whole, PUT, order=order, entities={"Customer": customer}, relationships=[OF], **top)
    found = next(each for each in table_cost(layout).scenarios if (each.traffic, each.months) == (1, months))
    return found.modes[0].read_usd_per_month / 2.628 / 0.125


def test_lists_grow_where_their_owners_do_not():
    assert read_units(0) == pytest.approx(50 + 20 * 18.5)
    # two million orders: 200 each, 300,000 bytes, 74 steps
    assert read_units(12, order={"growth_per_month": 1_000_000 / 12}) == pytest.approx(50 + 20 * 37)


@pytest.mark.parametrize("said", [{}, {"cardinality": 10_000}])
def test_lists_stay_where_their_owners_grow_alike(said):
    owner = {**ORDER["attributes"], "customerId": {"type": "string", "required": True, "immutable": True, **said}}
    units = read_units(12, customer={"growth_per_month": None}, order={"attributes": owner}, month_growth=0.03)
    # as many more orders as customers, and requests: 1.03 to the power of 12
    assert units == pytest.approx((50 + 20 * 18.5) * 1.4257608868)
