from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.design.cost.modes import Fixed, mode_costs, reserve
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.cost.traffic import Load, provision

FIXED = Fixed(storage_usd_per_month=25.0, ia_storage_usd_per_month=10.0, other_usd_per_month=2.0)
STEADY = Load(place="table", avg_rcu=700.0, avg_wcu=70.0, rcu=(700.0,) * 24, wcu=(70.0,) * 24)


def by_name():
    found = mode_costs((STEADY,), provision([STEADY], 0.7), FIXED, US_EAST_1)
    return {(each.mode, each.table_class): each for each in found}


def test_on_demand_pays_by_the_unit():
    # 700 x 2,628,000 x 0.125 / million, 70 x 2,628,000 x 0.625 / million
    found = by_name()["on-demand", "standard"]
    assert found.read_usd_per_month == pytest.approx(229.95)
    assert found.write_usd_per_month == pytest.approx(114.975)
    assert found.usd_per_month == pytest.approx(229.95 + 114.975 + 25 + 2)


def test_infrequent_access_has_its_own_prices():
    found = by_name()["on-demand", "standard-ia"]
    assert found.read_usd_per_month == pytest.approx(700 * 2.628 * 0.155)
    assert found.write_usd_per_month == pytest.approx(70 * 2.628 * 0.78)
    assert found.storage_usd_per_month == 10


def test_provisioned_pays_by_the_hour():
    # 1,000 RCU x 730 x 0.00013, 100 WCU x 730 x 0.00065
    found = by_name()["provisioned", "standard"]
    assert found.read_usd_per_month == pytest.approx(94.9)
    assert found.write_usd_per_month == pytest.approx(47.45)
    assert found.utilisation == pytest.approx(0.7)
    dearer = by_name()["provisioned", "standard-ia"]
    assert dearer.read_usd_per_month == pytest.approx(1000 * 730 * 0.00016)
    assert dearer.write_usd_per_month == pytest.approx(100 * 730 * 0.00081)


def test_a_year_reserved():
    # ten blocks of reads and one of writes; 730 / 8,760 of the upfront price falls to a month
    found = by_name()["reserved-1-year", "standard"]
    assert (found.reserved_rcu, found.reserved_wcu, found.upfront_usd) == (1000, 100, 10 * 30 + 150)
    assert found.read_usd_per_month == pytest.approx(10 * (30 / 12 + 0.0025 * 730))
    assert found.write_usd_per_month == pytest.approx(150 / 12 + 0.0128 * 730)


def test_three_years_reserved():
    found = by_name()["reserved-3-years", "standard"]
    assert found.write_usd_per_month == pytest.approx(180 / 36 + 0.0081 * 730)
    assert found.read_usd_per_month == pytest.approx(10 * (36 / 36 + 0.0016 * 730))


def test_only_blocks_that_are_used_enough_are_reserved():
    # 100 units all day, 300 in eight hours: a second block is used a third of the time, which is less than 46%
    units = (100,) * 16 + (300,) * 8
    found = reserve(units, US_EAST_1.wcu_hour, (150.0, 0.0128), 1)
    assert found.reserved == 100
    assert found.usd == pytest.approx(150 / 12 + 0.0128 * 730 + 200 / 3 * 730 * 0.00065)
    # for three years 23% are enough
    assert reserve(units, US_EAST_1.wcu_hour, (180.0, 0.0081), 3).reserved == 300


def test_nothing_is_reserved_of_nothing():
    assert reserve((1,) * 24, US_EAST_1.wcu_hour, (150.0, 0.0128), 1).reserved == 0


@given(st.lists(st.integers(1, 1500), min_size=24, max_size=24))
@settings(deadline=None, max_examples=50)
def test_no_other_number_of_blocks_is_cheaper(hours):
    units, block = tuple(hours), (150.0, 0.0128)
    month = (150.0 / 8760 + 0.0128) * 730

    def cost(blocks):
        return blocks * month + sum(max(0, each - 100 * blocks) for each in units) / 24 * 730 * US_EAST_1.wcu_hour

    assert reserve(units, US_EAST_1.wcu_hour, block, 1).usd == pytest.approx(min(map(cost, range(17))))
