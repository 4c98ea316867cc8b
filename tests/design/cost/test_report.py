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


def test_other_regions_without_a_price_file_are_an_assumption():
    found = [each.place for each in table_cost(design(region="eu-west-1")).assumptions]
    assert found == ["billing.prices", "billing.profile"]


def test_json_there_and_back():
    report = table_cost(design())
    assert msgspec.json.decode(msgspec.json.encode(report), type=CostReport) == report
