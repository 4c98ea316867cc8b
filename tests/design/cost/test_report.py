from __future__ import annotations

import msgspec
import pytest

from tablewright.design.cost.prices import load_prices
from tablewright.design.cost.report import CostReport, table_cost
from tests.design.cost.shop import GET, OF_CUSTOMER, PAY, PUT, shop

GB = 2**30


def design(**top):
    return shop(GET, OF_CUSTOMER, PUT, PAY, order={"growth_per_month": 100_000}, **top)


def test_the_whole_bill_by_hand():
    report = table_cost(design())
    # reads: 100 x 0.5 + 20 x 2 units a second; writes: (10 + 8) x (2 + 2)
    reads, writes = 90 * 2.628 * 0.125, 72 * 2.628 * 0.625
    storage = 2 * 1.6e9 / GB * 0.25
    assert report.read_usd_per_month == pytest.approx(reads)
    assert report.write_usd_per_month == pytest.approx(writes)
    assert report.storage_usd_per_month == pytest.approx(storage)
    assert report.pitr_usd_per_month == pytest.approx(1.6e9 / GB * 0.20)
    assert report.usd_per_month == pytest.approx(reads + writes + storage + report.pitr_usd_per_month)


def test_patterns_entities_and_places_each_add_up_to_the_bill():
    report = table_cost(design())
    requests = report.read_usd_per_month + report.write_usd_per_month
    assert sum(each.usd_per_month for each in report.patterns) == pytest.approx(requests)
    assert sum(each.usd_per_month for each in report.places) == pytest.approx(requests + report.storage_usd_per_month)
    assert sum(each.usd_per_month for each in report.entities) == pytest.approx(requests + report.storage_usd_per_month)


def test_a_pattern_tells_its_amplification():
    found = {each.pattern: each for each in table_cost(design()).patterns}
    assert found["put"].write_amplification == 2
    assert found["put"].index_usd_per_month == pytest.approx(found["put"].write_usd_per_month / 2)
    assert found["get"].write_amplification is None
    assert found["get"].rcu_per_month == 100 * 2_628_000 * 0.5


def test_an_entity_tells_how_it_grows():
    (order,) = table_cost(design()).entities
    assert order.counts == {"0": 1e6, "12": 2.2e6, "36": 4.6e6}
    assert order.item_bytes == 1500
    assert order.index_gb == pytest.approx(order.gb / 2)


def test_scenarios_cover_traffic_and_time():
    report = table_cost(design())
    assert [(each.traffic, each.months) for each in report.scenarios] == [
        (traffic, months) for traffic in (1, 10, 100) for months in (0, 12, 36)
    ]
    first, tenfold = report.scenarios[0], report.scenarios[3]
    assert first.modes == report.modes
    assert tenfold.modes[0].write_usd_per_month == pytest.approx(10 * first.modes[0].write_usd_per_month)
    # in a year 1,000,000 + 12 x 100,000 orders; at ten times the traffic ten times as many are added
    assert report.scenarios[1].gb == pytest.approx(2 * 2.2e6 * 1600 / GB)
    assert report.scenarios[4].gb == pytest.approx(2 * 13e6 * 1600 / GB)


def test_lists_grow_longer_with_the_data():
    layout = shop(GET, {**OF_CUSTOMER, "limit": None}, PUT, order={"growth_per_month": 1_000_000 / 12})
    report = table_cost(layout)
    now, later = report.scenarios[0].modes[0], report.scenarios[1].modes[0]
    # 100 orders are 37 steps of 4 KB, 200 are 74
    assert now.read_usd_per_month == pytest.approx((50 + 20 * 18.5) * 2.628 * 0.125)
    assert later.read_usd_per_month == pytest.approx((50 + 20 * 37) * 2.628 * 0.125)


def test_prices_change_the_bill():
    report = table_cost(design(), prices=load_prices(write_per_million=1.25))
    assert report.write_usd_per_month == pytest.approx(72 * 2.628 * 1.25)


def test_the_free_tier_is_taken_off_on_request():
    assert table_cost(design(), free_tier=True).storage_usd_per_month == 0


def test_recovery_and_streams_are_options():
    assert table_cost(design(billing={"pitr": False})).pitr_usd_per_month == 0
    assert table_cost(design(billing={"streams": "lambda"})).streams_usd_per_month == 0
    # one shard, asked every second
    report = table_cost(design(billing={"streams": "application"}))
    assert report.streams_usd_per_month == pytest.approx(2_628_000 / 100_000 * 0.02)
    # 18 writes a second of two kilobytes each
    report = table_cost(design(billing={"streams": "kinesis"}))
    assert report.streams_usd_per_month == pytest.approx(18 * 2 * 2.628 * 0.10)


def test_a_budget_is_compared():
    over = table_cost(design(constraints={"budget": 50})).over_budget_usd_per_month
    report = table_cost(design())
    assert over == pytest.approx(report.recommended.usd_per_month - 50)
    assert table_cost(design(constraints={"budget": 1e6})).over_budget_usd_per_month == 0


# ---- regions --------------------------------------------------------------------------------------------------------
# Reads: 100 x 0.5 + 20 x 2 units a second; writes: (10 + 8) x (2 + 2); 1.6 GB (10^9) in the table and in the index.


@pytest.mark.parametrize(
    ("region", "write", "read", "storage", "recovery"),
    [("eu-west-1", 0.705, 0.1415, 0.283, 0.22), ("ap-northeast-1", 0.715, 0.1425, 0.285, 0.228)],
)
def test_the_bill_of_a_region_by_hand(region, write, read, storage, recovery):
    report = table_cost(design(region=region))
    parts = (90 * 2.628 * read, 72 * 2.628 * write, 3.2e9 / GB * storage, 1.6e9 / GB * recovery)
    assert report.prices.region == region
    assert report.read_usd_per_month == pytest.approx(parts[0])
    assert report.write_usd_per_month == pytest.approx(parts[1])
    assert report.storage_usd_per_month == pytest.approx(parts[2])
    assert report.pitr_usd_per_month == pytest.approx(parts[3])
    assert report.usd_per_month == pytest.approx(sum(parts))
    assert not [each for each in report.assumptions if each.place.endswith(("storage_gb_month", "pitr_gb_month"))]


def test_provisioned_and_reserved_in_frankfurt_by_hand():
    flat = design(region="eu-central-1", billing={"profile": [1] * 24, "utilisation": 0.5})
    modes = {(each.mode, each.table_class): each for each in table_cost(flat).modes}
    # table: 50 RCU and 36 WCU used; index: 40 RCU and 36 WCU; twice as many are ready
    found = modes["provisioned", "standard"]
    assert found.read_usd_per_month == pytest.approx(180 * 730 * 0.0001586)
    assert found.write_usd_per_month == pytest.approx(144 * 730 * 0.000793)
    # a second block of writes would cost 26.71 and serve what costs 25.47; one of reads costs 5.39 and saves 9.26
    found = modes["reserved-1-year", "standard"]
    assert found.write_usd_per_month == pytest.approx(183 / 12 + 0.0157 * 730 + 44 * 730 * 0.000793)
    assert found.read_usd_per_month == pytest.approx(2 * (36.6 / 12 + 0.0032 * 730))
    # the class is known on demand, its hours are not
    infrequent = modes["on-demand", "standard-ia"]
    assert infrequent.write_usd_per_month == pytest.approx(72 * 2.628 * 0.955)
    assert infrequent.storage_usd_per_month == pytest.approx(3.2e9 / GB * 0.1224)
    assert ("provisioned", "standard-ia") not in modes


def test_a_price_of_another_region_is_named_where_it_enters_the_bill():
    report = table_cost(design(region="us-west-2"))
    assert report.storage_usd_per_month == pytest.approx(3.2e9 / GB * 0.25)
    said = {each.place: each.taken for each in report.assumptions}
    assert said["billing.prices.storage_gb_month"] == "0.25, as in us-east-1: that of us-west-2 is not known"
    assert "billing.prices.pitr_gb_month" not in said
    assert "billing.prices.kinesis_per_million" not in said  # nothing is sent there
    # without a price of storage and of the class itself nobody can tell what the class would save
    assert {each.table_class for each in report.modes} == {"standard"}
    assert "standard-ia" in said["billing.prices"]
    assert report.explained[0].endswith("at $0.25 (the price of us-east-1)")
    london = table_cost(design(region="eu-west-2"))
    assert london.pitr_usd_per_month == pytest.approx(1.6e9 / GB * 0.20)
    assert "billing.prices.pitr_gb_month" in [each.place for each in london.assumptions]
    without = table_cost(design(region="eu-west-2", billing={"pitr": False}))
    assert "billing.prices.pitr_gb_month" not in [each.place for each in without.assumptions]


# ---- what it rests on -----------------------------------------------------------------------------------------------


def places(report):
    return [each.place for each in report.assumptions]


def test_every_default_that_enters_a_figure_is_an_assumption():
    report = table_cost(design())
    assert places(report) == [
        "billing.free_tier",
        "billing.pitr",
        "billing.profile",
        "billing.storage",
        "billing.utilisation",
        "region",
    ]


def test_what_is_said_is_no_assumption():
    said = {"profile": [1] * 24, "utilisation": 0.7, "pitr": True}
    told = shop(
        {**GET, "rate": {"avg": 100, "peak": 100}}, order={"growth_per_month": 1}, region="us-east-1", billing=said
    )
    taken = {each.place: each.taken for each in table_cost(told).assumptions}
    assert {"region", "billing.pitr", "billing.utilisation"}.isdisjoint(taken)
    assert table_cost(design(billing={"streams": "application"})).assumptions != table_cost(design()).assumptions


def test_peaks_above_the_busiest_hour_of_a_said_day_are_told():
    steep = {**GET, "rate": {"avg": 100, "peak": 300}}
    for profile, is_told in (([1] * 24, True), ([0] * 16 + [1] * 8, False)):
        report = table_cost(shop(steep, {**PUT, "rate": {"avg": 10, "peak": 10}}, billing={"profile": profile}))
        assert ("billing.profile" in places(report)) is is_told


def test_what_is_not_a_request_is_explained_with_its_sum():
    report = table_cost(design(billing={"streams": "application"}))
    assert report.explained == (
        "storage: 2.98 GB as stored now, with 100 bytes for every item, at $0.25",
        "point-in-time recovery: 1.49 GB of the table, without global indexes, at $0.2",
        "streams: an application asks 1 shard, each 1 time a second: 2,628,000 requests at $0.02 for 100,000",
    )
    free = table_cost(design(billing={"streams": "lambda", "pitr": False}), free_tier=True).explained
    assert "less 25 GB free" in free[0]
    assert free[1] == "point-in-time recovery: off, because the spec says so"
    assert "which is free" in free[2]
    kinesis = table_cost(design(billing={"streams": "kinesis"})).explained
    # 18 writes a second of two kilobytes each
    assert "Kinesis gets 94,608,000 changes of 1 KB at $0.1 a million" in kinesis[2]


def test_deletes_by_expiry_are_in_no_pattern_and_no_sum():
    plain = table_cost(shop(GET, PUT, order={"growth_per_month": 100_000}))
    expiring = table_cost(shop(GET, PUT, order={"growth_per_month": 100_000, "ttl": 30}))
    assert expiring.write_usd_per_month == plain.write_usd_per_month
    assert "deletes by TTL take no write units" in expiring.explained[-1]
    assert not any("TTL" in each for each in plain.explained)


def test_json_there_and_back():
    report = table_cost(design())
    assert msgspec.json.decode(msgspec.json.encode(report), type=CostReport) == report
