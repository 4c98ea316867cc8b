from __future__ import annotations

import pytest

from tablewright.design.cost.breakeven import break_evens
from tablewright.design.cost.modes import Fixed, mode_costs
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.cost.traffic import Load, provision


def found(rcu: float, wcu: float, storage: float):
    load = Load(place="table", avg_rcu=rcu, avg_wcu=wcu, rcu=(rcu,) * 24, wcu=(wcu,) * 24)
    fixed = Fixed(storage_usd_per_month=storage, ia_storage_usd_per_month=storage * 0.4, other_usd_per_month=0.0)
    modes = mode_costs((load,), provision([load], 0.7), fixed, US_EAST_1)
    return {(each.cheaper, each.than): each for each in break_evens(modes, US_EAST_1)}, modes


def test_the_known_thresholds():
    evens, _ = found(0, 1000, 1)
    assert evens["provisioned", "on-demand"].threshold == pytest.approx(0.289, abs=5e-4)
    assert evens["reserved-1-year", "on-demand"].threshold == pytest.approx(0.133, abs=5e-4)
    assert evens["reserved-1-year", "provisioned"].threshold == pytest.approx(0.460, abs=5e-4)
    assert evens["standard-ia", "standard"].threshold == pytest.approx(0.41, abs=5e-3)


def test_infrequent_access_pays_exactly_where_it_says():
    requests = 1000 * 2.628 * 0.625  # USD a month for 1,000 writes a second
    threshold = found(0, 1000, 1)[0]["standard-ia", "standard"].threshold
    for factor, holds in ((0.99, False), (1.01, True)):
        evens, modes = found(0, 1000, requests * threshold * factor)
        assert evens["standard-ia", "standard"].holds is holds
        costs = {each.table_class: each.usd_per_month for each in modes if each.mode == "on-demand"}
        assert (costs["standard-ia"] < costs["standard"]) is holds


def test_present_use_is_compared():
    evens, _ = found(700, 70, 1)
    assert evens["provisioned", "on-demand"].now == pytest.approx(0.7)
    assert evens["provisioned", "on-demand"].holds


def test_without_requests_nothing_is_compared():
    evens, _ = found(0, 0, 1)
    assert evens["standard-ia", "standard"].now is None
    assert evens["standard-ia", "standard"].holds is None
