from __future__ import annotations

import pytest

from tablewright.architect.solution import solve
from tablewright.design.heat.report import table_heat
from tablewright.design.heat.sizes import bucket, months_until
from tests.design.cost.shop import ANNOTATE, GET, OF_CUSTOMER, PUT, shop
from tests.design.heat.designs import READING, readings

GB = 2**30
ATTRIBUTES = {"sensor": {"type": "string"}, "time": "timestamp", "value": "number"}


def collection(layout, place="table"):
    return next(each for each in table_heat(layout).collections if each.place == place)


def test_even_collections_over_time():
    # 1,000 readings of 200 bytes for each of 1,000 sensors; 1,200 more each in a year
    found = collection(readings({"rate": 1}, reading={"growth_per_month": 100_000}))
    assert found.usual_bytes == {"0": 200_000, "12": 440_000, "36": 920_000}
    assert found.headroom["36"] == pytest.approx(1 - 920_000 / (10 * GB))
    assert (found.months_until_full, found.bucket) == (None, None)


def test_the_largest_follows_the_skew_of_what_is_put():
    found = collection(readings({"rate": 1, "skew": {"hottest": 0.5}}, reading={"growth_per_month": 0}))
    assert found.largest_bytes["0"] == 1_000_000 * 0.5 * 200


def test_a_relationship_says_how_many_children_there_are():
    customer = {"id": ["customerId"], "attributes": {}, "count": 10_000}
    layout = shop(
        GET,
        OF_CUSTOMER,
        PUT,
        entities={"Customer": customer},
        relationships=[{"from": "Customer", "to": "Order", "kind": "one-to-many", "max": 5000}],
    )
    found = collection(layout, "gsi1")
    assert found.largest_bytes["0"] == 5000 * 1500
    assert found.largest_source == "Order: 5,000 for one Customer at most"


def test_a_largest_collection_that_is_said_fills_its_buckets_as_it_came():
    # 100 million readings of 200 bytes of one sensor, in ten months
    spec = {
        "entities": {
            "Sensor": {"id": "sensor", "attributes": {}, "count": 1000},
            "Reading": {**READING, "attributes": ATTRIBUTES, "count": 100e6, "growth_per_month": 10e6},
        },
        "relationships": [{"from": "Sensor", "to": "Reading", "kind": "1:n", "avg": 100_000, "max": 100e6}],
        "access_patterns": [
            {"id": "put", "kind": "write", "op": "put", "entity": "Reading", "by": ["sensor", "time"], "rate": 4},
            {
                "id": "last",
                "kind": "query",
                "entity": "Reading",
                "by": "sensor",
                "sort": "time desc",
                "limit": 10,
                "rate": 1,
            },
        ],
    }
    found = next(each for each in table_heat(solve(spec).layout).collections if "Reading" in each.entities)
    assert found.largest_bytes["0"] == found.largest_bytes["36"]
    assert found.bucket is not None
    assert found.bucket.period == "month"
    assert found.bucket.bytes == pytest.approx(10e6 * 200, rel=0.01)
    assert found.bucket.arithmetic.startswith("0.061 GB a day x 30.4 days")


def test_a_collection_beyond_ten_gigabytes_gets_a_bucket():
    # 1,000 a second, a tenth on one sensor, 200 bytes: 1.6 GB a day
    found = collection(readings({"rate": {"avg": 1000, "peak": 1000}, "skew": {"hottest": 0.1}}))
    daily = 100 * 86_400 * 200
    assert found.largest_bytes["12"] - found.largest_bytes["0"] == pytest.approx(daily * 365, rel=1e-3)
    assert found.bucket is not None
    assert found.bucket.period == "day"
    assert found.bucket.bytes == pytest.approx(daily, rel=1e-3)
    assert found.months_until_full == pytest.approx((10 * GB - 20e6) / (daily * 730 / 24), rel=1e-3)


def test_the_longest_period_that_fits():
    month = 730 / 24
    assert bucket(month * GB / 1000).period == "year"
    assert bucket(month * GB / 10).period == "month"
    assert bucket(month * GB).period == "week"
    assert bucket(month * GB * 9).arithmetic == "9 GB a day x 1 days = 9 GB a day, below 10 GB"
    assert bucket(month * GB * 20).period == "hour"
    assert bucket(month * GB * 2000).period == "hour"


def test_months_until_full():
    assert months_until(4 * GB, GB) == 6
    assert months_until(11 * GB, GB) == 0
    assert months_until(4 * GB, 0) is None


def test_items_against_four_hundred_kilobytes():
    attributes = {
        "orderId": "string",
        "note": {"type": "string", "size_bytes": 1000, "max": 205_300},
        "lines": {"type": "list"},
    }
    layout = shop(GET, PUT, {**ANNOTATE, "changes": ["note", "lines"]}, order={"attributes": attributes})
    (found,) = table_heat(layout).items
    assert (found.usual_bytes, found.largest_bytes) == (1500, 1500 + 204_300)
    assert found.headroom == pytest.approx(1 - 205_800 / 409_600)
    assert found.unbounded == ("lines",)
