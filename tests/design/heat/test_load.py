from __future__ import annotations

from math import ceil

import pytest

from tablewright.architect.solution import solve
from tablewright.design.heat.load import burst_seconds
from tablewright.design.heat.report import table_heat
from tests.design.heat.designs import counters, readings


def hottest(layout):
    return table_heat(layout).partitions[0]


def term(layout, pattern):
    return next(each for each in table_heat(layout).patterns if each.pattern == pattern)


def test_even_writes():
    # 30 a second over 1,000 sensors, one unit each
    found = term(readings({"rate": 10}), "put")
    assert (found.share, found.units_per_second) == (0.001, 0.03)
    assert found.headroom == pytest.approx(0.99997)
    assert found.share_source == "even over 1,000 keys"


def test_zipf_writes():
    found = term(readings({"rate": {"avg": 0.1, "peak": 100}, "skew": {"zipf": 1}}), "put")
    harmonic = sum(1 / rank for rank in range(1, 1001))
    assert found.units_per_second == pytest.approx(100 / harmonic)


def test_a_hottest_share_of_reads():
    # 4,000 gets a second, half of them for one counter, half a unit each
    found = term(counters(add={"rate": 1}, get={"rate": {"avg": 1, "peak": 4000}, "skew": {"hottest": 0.5}}), "get")
    assert (found.units_per_second, found.limit) == (1000, 3000)
    assert found.headroom == pytest.approx(2 / 3)
    assert found.arithmetic == "4,000 reads/s x 50% on the hottest key x 0.5 units = 1,000 units"


def test_patterns_on_one_partition_are_added_up():
    layout = counters(
        add={"rate": {"avg": 100, "peak": 600}, "skew": {"hottest": 0.5}},
        get={"rate": {"avg": 1, "peak": 1000}, "skew": {"hottest": 1}},
    )
    found = hottest(layout)
    # the put that nobody describes adds 0.3 x 1 / 100
    assert found.wcu_per_second == pytest.approx(300 + 0.003)
    assert found.rcu_per_second == 500
    assert (found.verdict, found.can_split, found.burst_seconds) == ("cool", False, None)
    assert found.bears_traffic == pytest.approx(1000 / 300.003)


def test_more_traffic_shows_where_the_keys_end():
    layout = counters(add={"rate": {"avg": 100, "peak": 600}, "skew": {"hottest": 0.5}})
    assert table_heat(layout.busier(3)).partitions[0].verdict == "warm"
    assert table_heat(layout.busier(4)).partitions[0].verdict == "hot"


def test_burst_pays_for_a_short_peak():
    # 600 units a second saved for 300 s, 500 a second too much
    assert burst_seconds(1500, 400, 1000) == 360
    assert burst_seconds(1500, 1200, 1000) == 0
    assert burst_seconds(900, 400, 1000) is None


def test_a_collection_that_grows_at_its_end_cannot_be_split():
    found = hottest(readings({"rate": {"avg": 100, "peak": 700}, "skew": {"hottest": 1}}))
    assert (found.time_ordered, found.can_split, found.verdict) == (True, False, "warm")


def test_a_key_of_the_day_takes_all_writes_of_the_day():
    reading = {
        "id": ["day", "sensor"],
        "attributes": {"day": {"type": "string", "cardinality": 365}, "sensor": "string"},
    }
    by_day = {"id": "of-day", "kind": "query", "entity": "Reading", "by": ["day"], "limit": 10, "consistency": "strong"}
    put = {"rate": {"avg": 10, "peak": 600}, "by": ["day", "sensor"]}
    layout = readings(put, by_day, reading=reading | {"attributes": {**reading["attributes"], "time": "timestamp"}})
    found = next(each for each in table_heat(layout).patterns if each.pattern == "put" and each.place == "table")
    assert (found.share, found.units_per_second) == (1.0, 600)
    assert "being the present one" in found.share_source


def followers(**said):
    """A million people with 100 followers each, one of them with as many as is said."""
    return solve(
        {
            "entities": {
                "Person": {"id": "personId", "count": 1_000_000},
                "Follow": {"id": ["personId", "followerId"], "size_bytes": 100, "count": 100_000_000},
            },
            "relationships": [{"from": "Person", "to": "Follow", "kind": "1:N", "avg": 100, **said}],
            "access_patterns": [
                {
                    "id": "all",
                    "kind": "query",
                    "entity": "Follow",
                    "by": "personId",
                    "rate": {"avg": 1, "peak": 100},
                    "skew": {"personId": "hottest 1%"},
                },
                {"id": "follow", "kind": "write", "op": "put", "entity": "Follow", "by": ["personId", "followerId"]},
            ],
        }
    ).layout


@pytest.mark.parametrize(
    ("said", "items"),
    [({}, 100), ({"p99": 1000}, 1000), ({"p99": 1000, "max": 10_000}, 10_000)],
)
def test_the_longest_list_is_the_hottest_not_the_usual_one(said, items):
    # an item takes 100 bytes, a list as many times that in steps of 4 KB; 1 a second is for the hottest
    steps = ceil(items * 100 / 4096)
    assert term(followers(**said), "all").units_per_second == pytest.approx(steps * 0.5, rel=0.01)


def test_what_writes_read_first_is_heat_as_well():
    attributes = {"email": {"required": True}, "name": {"required": True}}
    write = {"id": "mail", "kind": "write", "op": "update", "entity": "User", "by": "userId", "changes": ["email"]}
    layout = solve(
        {
            "entities": {"User": {"id": "userId", "unique": ["email"], "attributes": attributes, "count": 1000}},
            "access_patterns": [
                {"id": "get", "kind": "get", "entity": "User", "by": "userId", "rate": 1},
                {**write, "rate": {"avg": 10, "peak": 100}, "skew": {"hottest": 0.5}},
            ],
        }
    ).layout
    looked = [each for each in table_heat(layout).patterns if (each.pattern, each.kind) == ("mail", "read")]
    # the address that is given up, by the user's whole key, as it is at this moment
    assert [(each.place, each.entity, each.units_per_second) for each in looked] == [("table", "User", 50.0)]
    own = next(each for each in table_heat(layout).partitions if looked[0] in each.terms)
    assert own.rcu_per_second >= 50.0


def test_a_query_by_which_a_write_finds_its_item_is_heat_of_the_index():
    attributes = {"shop": {"required": True, "immutable": True}, "note": {"required": True}}
    layout = solve(
        {
            "entities": {"Order": {"id": "orderId", "attributes": attributes, "count": 1000}},
            "access_patterns": [
                {"id": "of", "kind": "query", "entity": "Order", "by": "shop", "consistency": "strong", "rate": 1},
                {"id": "get", "kind": "get", "entity": "Order", "by": "orderId", "rate": 1},
                {
                    "id": "edit",
                    "kind": "write",
                    "op": "update",
                    "entity": "Order",
                    "by": "orderId",
                    "changes": ["note"],
                    "rate": {"avg": 10, "peak": 100},
                },
            ],
        }
    ).layout
    looked = [each for each in table_heat(layout).patterns if (each.pattern, each.kind) == ("edit", "read")]
    assert looked
    assert sum(each.units_per_second for each in looked) > 0
