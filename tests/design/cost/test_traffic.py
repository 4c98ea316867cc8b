from __future__ import annotations

import pytest

from tablewright.design.cost.predict import predict
from tablewright.design.cost.traffic import (
    USUAL_DAY,
    BusiestHour,
    Load,
    busiest_hour,
    day_of,
    loads,
    provision,
    quota_notes,
)
from tests.design.cost.shop import GET, OF_CUSTOMER, PUT, shop

HALF_DAY = [0] * 12 + [1] * 12


def test_a_said_profile_is_scaled_to_a_mean_of_one():
    assert day_of(tuple(HALF_DAY), 3.0) == (0,) * 12 + (2,) * 12


@pytest.mark.parametrize("ratio", [1.0, 1.5, 3.0, 10.0])
def test_the_usual_day_reaches_the_peak(ratio):
    day = day_of(None, ratio)
    assert max(day) == pytest.approx(ratio, rel=1e-4)
    assert sum(day) / 24 == pytest.approx(1, rel=1e-5)
    assert day.index(max(day)) == USUAL_DAY.index(max(USUAL_DAY)) or ratio == 1.0


def test_loads_add_up_by_place_and_hour():
    # 100 gets of 0.5; 10 puts of 2 units in the table and 2 in the index; 20 lists of 2 units there
    layout = shop(GET, OF_CUSTOMER, PUT, billing={"profile": HALF_DAY})
    predictions = [predict(layout, each.id) for each in layout.spec.patterns]
    table, index = loads(layout.facts, predictions)
    assert (table.avg_rcu, table.avg_wcu, table.rcu[0], table.rcu[23]) == (50, 20, 0, 100)
    assert (index.place, index.avg_rcu, index.avg_wcu, index.wcu[12]) == ("gsi1", 40, 20, 40)


def test_capacity_follows_use_at_the_target_and_is_at_least_one():
    load = Load(place="table", rcu=(0.0,) * 12 + (70.0,) * 12, wcu=(7.1,) * 24)
    reads, writes = provision([load], 0.7)
    assert reads.units == (1,) * 12 + (100,) * 12
    assert writes.units == (11,) * 24


def test_capacity_never_goes_below_the_average():
    # nothing at night, 140 in the other half of the day: 70 on average, 200 at 70 per cent
    load = Load(place="table", avg_rcu=70.0, rcu=(0.0,) * 12 + (140.0,) * 12)
    reads, _ = provision([load], 0.7)
    assert reads.units == (70,) * 12 + (200,) * 12


def test_a_local_index_takes_the_capacity_of_its_table():
    table = Load(place="table", avg_wcu=7.0, wcu=(7.0,) * 24)
    local = Load(place="lsi1", avg_wcu=14.0, wcu=(14.0,) * 24)
    found = {(each.place, each.kind): each.units for each in provision([table, local], 0.7)}
    assert found == {("table", "rcu"): (1,) * 24, ("table", "wcu"): (30,) * 24}


def test_quotas_are_those_of_a_table_with_its_indexes_and_of_an_account():
    loads_ = [Load(place=place, avg_wcu=21_000.0, wcu=(21_000.0,) * 24) for place in ("table", "gsi1")]
    hour = busiest_hour(loads_, provision(loads_, 0.5), is_provisioned=False)
    assert hour == BusiestHour(0.0, 42_000.0)
    (said,) = quota_notes(hour, is_provisioned=False)
    assert said == (
        "42,000 write units a second taken in the busiest hour: more than the 40,000 of a table;"
        " ask for a higher quota first"
    )
    ready = busiest_hour(loads_, provision(loads_, 0.5), is_provisioned=True)
    # half used: 84,000
    assert ready == BusiestHour(2.0, 84_000.0)
    (said,) = quota_notes(ready, is_provisioned=True)
    assert "the 40,000 of a table and than the 80,000 of an account" in said
    assert quota_notes(BusiestHour(40_000, 40_000), is_provisioned=True) == ()
