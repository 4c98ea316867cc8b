from __future__ import annotations

from tablewright.design.cost.predict import predict
from tablewright.design.cost.units.reading import pages_of
from tests.design.cost.shop import GET, OF_CUSTOMER, OF_STATUS, PUT, shop


def test_a_get_is_its_size_in_steps_of_four_kilobytes_halved():
    found = predict(shop(GET, PUT), "get")
    assert (found.rcu, found.requests, found.items, found.bytes_read) == (0.5, 1, 1, 1500)


def test_a_strong_get_costs_twice_as_much():
    assert predict(shop({**GET, "consistency": "strong"}, PUT), "get").rcu == 1.0


def test_a_large_item_takes_several_steps():
    # 9,000 bytes are three steps of 4,096, halved
    assert predict(shop(GET, PUT, order={"size_bytes": 9000}), "get").rcu == 1.5


def test_a_query_adds_up_before_it_rounds():
    # ten orders of 1,500 bytes: 15,000 bytes are four steps, halved
    found = predict(shop(GET, OF_CUSTOMER, PUT), "of-customer")
    assert (found.rcu, found.items) == (2.0, 10)
    assert found.rcu_by_place == {"gsi1": 2.0}
    assert found.rcu_by_entity == {"Order": 2.0}


def test_a_query_without_limit_reads_all_there_is():
    # 1,000,000 orders of 10,000 customers: 100 each, 150,000 bytes, 37 steps, halved
    found = predict(shop(GET, {**OF_CUSTOMER, "limit": None}, PUT), "of-customer")
    assert (found.items, found.rcu) == (100, 18.5)


def test_pages_are_requests():
    # 4 statuses: 250,000 orders of 1,500 bytes = 375,000,000 bytes: 358 pages, 91,553 steps halved
    # read so seldom that one partition bears it
    found = predict(shop(GET, {**OF_STATUS, "limit": None, "rate": 0.001}, PUT), "of-status")
    assert (found.requests, found.rcu) == (358, 45776.5)


def test_every_shard_is_asked_for_the_whole_limit():
    # 10,000 puts a second, a quarter of them in one status, two units each: 5,000 units, 700 for a shard, 8 shards;
    # each is asked for 50
    layout = shop(GET, OF_STATUS, {**PUT, "rate": {"avg": 1000, "peak": 10_000}})
    found = predict(layout, "of-status")
    assert layout.reads["of-status"].shards == 8
    assert (found.requests, found.items) == (8, 400)
    assert found.rcu == 8 * 9.5  # 50 x 1,500 = 75,000 bytes: 19 steps, halved


def test_reading_stops_at_the_limit():
    assert pages_of((100, 200, 300), 2) == [300]
    assert pages_of(()) == [0]  # an empty answer is a page as well


def test_a_page_ends_when_a_megabyte_is_full():
    assert pages_of((400_000,) * 4) == [1_200_000, 400_000]
