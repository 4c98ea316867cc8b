from __future__ import annotations

import msgspec
import pytest

from tablewright.design.heat.report import HeatReport, table_heat
from tests.design.cost.shop import ANNOTATE, GET, OF_CUSTOMER, ORDER, PAY, PUT, shop
from tests.design.heat.designs import counters, readings


def findings(layout, kind=None):
    return [each for each in table_heat(layout).findings if kind in (None, each.kind)]


def test_fifty_thousand_writes_a_second_on_one_partition_key_are_spread_and_told():
    report = table_heat(readings({"rate": {"avg": 10_000, "peak": 50_000}, "skew": {"hottest": 0.1}}))
    (shards,) = report.shards
    assert shards.shards == 5
    assert shards.arithmetic == ("50,000 writes/s x 10% on the hottest key x 1 unit = 5,000 units; / 1,000 = 5 shards")
    kinds = [each.kind for each in report.findings]
    assert kinds[:2] == ["no-headroom", "table-quota"]
    assert "8 shards would leave 30%: 5,000 / (1,000 x 0.7)." in report.findings[0].remedy


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
        "skew": {"hottest": 0.5},
    }
    (found,) = findings(readings({"rate": 1}, update), "hot-item-write")
    assert found.what.startswith("if the hottest key of fix is one Reading")
    assert "2,000 units" in found.arithmetic


def test_a_small_item_read_too_often_wants_copies_or_a_cache():
    layout = counters(add={"rate": 1}, get={"rate": {"avg": 10_000, "peak": 30_000}, "skew": {"hottest": 0.5}})
    (found,) = findings(layout, "hot-item-read")
    assert found.severity == "warning"  # 2,500 units on average are served
    assert "Keep 3 copies" in found.remedy  # 30,000 x 0.5 x 0.5 = 7,500 units


def test_a_long_list_read_too_often_wants_shards():
    # 250,000 orders of a status: 375 MB, 45,776.5 units each time, a quarter of them for one status
    whole = {"id": "all", "kind": "query", "entity": "Order", "by": ["status"], "rate": {"avg": 0.01, "peak": 0.8}}
    (found,) = findings(shop(GET, whole, PUT, PAY), "hot-partition-read")
    assert found.severity == "warning"
    assert "Use 4 shards (9,155 / 3,000, rounded up)" in found.remedy


def test_a_transaction_that_copies_make_is_counted_on_its_partition():
    """What the shards were chosen for is not all: a sentinel makes every put a transaction, which costs twice."""
    layout = shop(GET, OF_CUSTOMER, {**PUT, "rate": {"avg": 1, "peak": 400}, "skew": {"hottest": 1}}, PAY, ANNOTATE)
    plain = findings(layout, "hot-partition-write")
    unique = shop(
        GET,
        OF_CUSTOMER,
        {**PUT, "rate": {"avg": 1, "peak": 400}, "skew": {"hottest": 1}},
        PAY,
        ANNOTATE,
        order={"unique": ["note"]},
    )
    (found,) = findings(unique, "hot-partition-write")
    assert plain == []
    assert "400 writes/s x 100% on the hottest key x 4 units = 1,600 units" in found.arithmetic
    assert "Use 2 shards" in found.remedy
    assert found.severity == "error"  # its orders come in order of their date, so it cannot be split


@pytest.mark.parametrize(("peak", "kind"), [(3000, None), (5000, "warm-up"), (41_000, "table-quota")])
def test_the_table_as_a_whole(peak, kind):
    found = findings(readings({"rate": {"avg": 1, "peak": peak}}))
    assert [each.kind for each in found] == ([] if kind is None else [kind])


def test_more_shards_than_sensible():
    layout = readings({"rate": {"avg": 1, "peak": 2_000_000}, "skew": {"hottest": 1}})
    (found,) = findings(layout, "many-shards")
    assert found.what == "2,000 shards would be needed, 1,024 are the most"
    assert findings(layout, "hot-partition-write")


def test_growth_beyond_ten_gigabytes_is_a_note():
    (found,) = findings(readings({"rate": {"avg": 1000, "peak": 1000}, "skew": {"hottest": 0.1}}), "collection-size")
    assert found.severity == "note"
    assert "time bucket of a day" in found.remedy


SCAN = {**ORDER["attributes"], "scan": {"type": "binary", "max": 500_000}}


@pytest.mark.parametrize(
    ("order", "severity"),
    [({"size_bytes": 150_000}, None), ({"size_bytes": 250_000}, "warning"), ({"attributes": SCAN}, "error")],
)
def test_items_too_large(order, severity):
    found = findings(shop(GET, PUT, order={**order, "growth_per_month": 0}), "item-size")
    assert [each.severity for each in found] == ([] if severity is None else [severity])


def test_nothing_to_say_of_a_calm_design():
    assert findings(shop(GET, OF_CUSTOMER, PUT, order={"growth_per_month": 0})) == []


def test_json_there_and_back():
    report = table_heat(readings({"rate": {"avg": 1000, "peak": 50_000}, "skew": {"hottest": 0.1}}))
    assert msgspec.json.decode(msgspec.json.encode(report), type=HeatReport) == report
