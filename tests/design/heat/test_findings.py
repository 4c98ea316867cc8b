from __future__ import annotations

import msgspec
import pytest

from tablewright.architect.solution import solve
from tablewright.design.heat.report import HeatReport, table_heat
from tests.design.cost.shop import ANNOTATE, GET, OF_CUSTOMER, PAY, PUT, shop
from tests.design.heat.designs import READING, counters, readings


def findings(layout, kind=None):
    return [each for each in table_heat(layout).findings if kind in (None, each.kind)]


def test_fifty_thousand_writes_a_second_on_one_partition_key_are_spread_and_told():
    report = table_heat(readings({"rate": {"avg": 10_000, "peak": 50_000}, "skew": {"hottest": 0.1}}))
    (shards,) = report.shards
    assert shards.shards == 8  # 5,000 / 700 = 7.1
    assert shards.arithmetic == (
        "50,000 writes/s x 10% on the hottest key x 1 unit = 5,000 units; / 8 shards = 625 of 1,000 (62.5%)"
    )
    assert not [each.kind for each in report.findings if each.kind.startswith("hot-") or each.kind == "no-headroom"]


def test_fifty_thousand_writes_a_second_on_one_item_are_an_error():
    (found,) = findings(
        counters(add={"rate": {"avg": 10_000, "peak": 50_000}, "skew": {"hottest": 1}}), "hot-item-write"
    )
    assert found.severity == "error"
    assert found.arithmetic == "add: 50,000 writes/s x 100% on the hottest key x 1 unit = 50,000 units"
    assert "50 items" in found.remedy
    assert "stream" in found.remedy


def test_a_hot_item_among_sharded_ones_is_named():
    update = {
        "id": "fix",
        "kind": "write",
        "op": "update",
        "entity": "Reading",
        "by": ["sensor", "time"],
        "changes": ["value"],
        "rate": {"avg": 100, "peak": 4000},
        "skew": {"time": {"hottest": 0.5}},
    }
    (found,) = findings(readings({"rate": 1}, update), "hot-item-write")
    assert found.what.startswith("if the hottest key of fix is one Reading")
    assert "2,000 units" in found.arithmetic


def test_a_small_item_read_too_often_wants_copies_or_a_cache():
    layout = counters(add={"rate": 1}, get={"rate": {"avg": 10_000, "peak": 30_000}, "skew": {"hottest": 0.5}})
    (found,) = findings(layout, "hot-item-read")
    assert found.severity == "error"  # whatever the average is: at peak it is throttled
    assert "Keep 4 copies" in found.remedy  # 30,000 x 0.5 x 0.5 = 7,500 units, 2,100 of them for each


def test_a_long_list_read_too_often_is_read_from_shards():
    # 250,000 orders of a status: 375 MB, 45,776.5 units each time, a quarter of them for one status: 9,155 at peak
    whole = {"id": "all", "kind": "query", "entity": "Order", "by": ["status"], "rate": {"avg": 0.01, "peak": 0.8}}
    layout = shop(GET, whole, PUT, PAY)
    heat = next(each for each in table_heat(layout).partitions if any(term.pattern == "all" for term in each.terms))
    assert heat.shards == 5  # 9,155 / 2,100 = 4.4
    assert heat.rcu_per_second == pytest.approx(9155 / 5, rel=0.001)
    assert findings(layout, "hot-partition-read") == []


def test_a_page_read_too_often_is_not_spread_because_every_shard_is_asked_for_it():
    page = {**OF_CUSTOMER, "rate": {"avg": 100, "peak": 20_000}, "skew": {"hottest": 1}, "limit": 1}
    layout = shop(GET, page, PUT, PAY)
    (found,) = findings(layout, "hot-item-read")
    assert found.severity == "error"
    assert set(layout.shards.values()) == {1}


def test_a_transaction_that_copies_make_is_counted_on_its_partition():
    """A sentinel makes every put a transaction, which costs twice."""
    put = {**PUT, "rate": {"avg": 1, "peak": 400}, "skew": {"customerId": "hottest 100%"}}
    layout = shop(GET, OF_CUSTOMER, put, PAY, ANNOTATE)
    unique = shop(GET, OF_CUSTOMER, put, PAY, ANNOTATE, order={"unique": ["note"]})
    shards = [max(each.shards for each in table_heat(found).partitions) for found in (layout, unique)]
    assert shards == [2, 3]  # 400 x 2 units / 700 = 1.1; 400 x 4 units / 700 = 2.3
    assert findings(layout, "hot-partition-write") == findings(unique, "hot-partition-write") == []


def test_all_that_lies_in_a_partition_counts_for_its_shards():
    """Two kinds of item of a room, read together: 500 and 450 writes a second on the busiest room."""
    layout = solve(
        {
            "entities": {
                name: {
                    "id": ["room", "at"],
                    "attributes": {"room": {"type": "string", "cardinality": 1000}, "at": "timestamp"},
                    "count": 1_000_000,
                    "growth_per_month": 0,
                    "size_bytes": 200,
                }
                for name in ("Message", "Reaction")
            },
            "access_patterns": [
                {"id": "room", "kind": "query", "entities": ["Message", "Reaction"], "by": "room", "rate": 1},
                *(
                    {
                        "id": f"put {name}",
                        "kind": "write",
                        "op": "put",
                        "entity": name,
                        "by": ["room", "at"],
                        "rate": {"avg": 10, "peak": peak},
                        "skew": {"hottest": 0.5},
                    }
                    for name, peak in (("Message", 1000), ("Reaction", 900))
                ),
            ],
        }
    ).layout
    (heat,) = table_heat(layout).partitions
    assert heat.shards == 2  # (500 + 450) / 700 = 1.4, though each alone would fit
    assert heat.wcu_per_second == pytest.approx(475)


def test_the_one_item_of_a_partition_is_not_divided_by_the_shards_of_the_others():
    layout = solve(
        {
            "entities": {
                "Poll": {"id": "pollId", "attributes": {"votes": "number"}, "count": 1000, "size_bytes": 100},
                "Vote": {"id": ["pollId", "voterId"], "count": 1_000_000, "growth_per_month": 0, "size_bytes": 100},
            },
            "access_patterns": [
                {"id": "all", "kind": "query", "entities": ["Poll", "Vote"], "by": "pollId", "rate": 0.01},
                {
                    "id": "count",
                    "kind": "write",
                    "op": "update",
                    "entity": "Poll",
                    "by": "pollId",
                    "changes": "votes",
                    "rate": {"avg": 1, "peak": 400},
                    "skew": {"hottest": 1},
                },
                {
                    "id": "cast",
                    "kind": "write",
                    "op": "put",
                    "entity": "Vote",
                    "by": ["pollId", "voterId"],
                    "rate": {"avg": 1, "peak": 600},
                    "skew": {"hottest": 1},
                },
            ],
            "constraints": {"max_gsis": 0, "rewrites": []},
        }
    ).layout
    heat = next(each for each in table_heat(layout).partitions if "Vote" in each.entities)
    terms = {each.pattern: each.units_per_second for each in heat.terms}
    assert heat.shards == 2  # 600 / (700 - 400)
    assert (terms["count"], terms["cast"]) == (400, 300)


def test_a_hot_index_names_the_writes_that_the_table_would_reject():
    level = {"type": "number", "required": True, "cardinality": 5}
    layout = counters(
        add={"rate": {"avg": 100, "peak": 4000}, "changes": ["total", "level"]},
        counter={"attributes": {"name": "string", "total": "number", "level": level}, "count": 1_000_000},
        patterns=({"id": "of-level", "kind": "query", "entity": "Counter", "by": "level", "limit": 1, "rate": 1},),
    )
    unspread = msgspec.structs.replace(layout, shards=dict.fromkeys(layout.shards, 1))
    (found,) = findings(unspread, "hot-partition-write")
    assert (found.place, found.severity) == ("gsi1", "error")
    # 4,000 a second over 5 levels, an old and a new entry each: 1,600 units
    assert "the table itself rejects add" in found.what
    assert findings(layout, "hot-partition-write") == []


@pytest.mark.parametrize(("peak", "kind"), [(3000, None), (5000, "warm-up"), (41_000, "table-quota")])
def test_the_table_as_a_whole(peak, kind):
    found = findings(readings({"rate": {"avg": 1, "peak": peak}}))
    assert [each.kind for each in found] == ([] if kind is None else [kind])


def test_more_shards_than_sensible():
    layout = readings({"rate": {"avg": 1, "peak": 2_000_000}, "skew": {"hottest": 1}}, reading={"growth_per_month": 0})
    (found,) = findings(layout, "many-shards")
    assert found.what == "2,000 shards would be needed, 1,024 are the most"
    assert findings(layout, "hot-partition-write")


def test_growth_beyond_ten_gigabytes_is_warned_of_with_its_date():
    """10 a second on one sensor, 200 bytes each: 10 x 2,628,000 s x 200 = 5.26e9 bytes (4.9 GB) a month."""
    (found,) = findings(
        readings({"rate": {"avg": 100, "peak": 100}, "skew": {"sensor": "hottest 10%"}}), "collection-size"
    )
    assert found.severity == "warning"
    assert "(in 2 months)" in found.what
    assert "time bucket of a month" in found.remedy


def test_what_expires_does_not_grow_without_end():
    reading = {"ttl": {"attribute": "gone", "days": 7}}
    reading["attributes"] = {**READING["attributes"], "gone": "number"}
    layout = readings({"rate": {"avg": 100, "peak": 100}, "skew": {"sensor": "hottest 10%"}}, reading=reading)
    assert findings(layout, "collection-size") == []


@pytest.mark.parametrize(
    ("order", "severity"),
    [({"size_bytes": 150_000}, None), ({"size_bytes": 250_000}, "warning")],
)
def test_items_too_large(order, severity):
    found = findings(shop(GET, PUT, order={**order, "growth_per_month": 0}), "item-size")
    assert [each.severity for each in found] == ([] if severity is None else [severity])


def test_nothing_to_say_of_a_calm_design():
    assert findings(shop(GET, OF_CUSTOMER, PUT, order={"growth_per_month": 0})) == []


def test_json_there_and_back():
    report = table_heat(readings({"rate": {"avg": 1000, "peak": 50_000}, "skew": {"hottest": 0.1}}))
    assert msgspec.json.decode(msgspec.json.encode(report), type=HeatReport) == report
