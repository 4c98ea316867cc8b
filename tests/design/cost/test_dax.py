from __future__ import annotations

import pytest

from tablewright.design.cost.dax import cache_advice, hit_share
from tablewright.design.cost.predict import predict
from tablewright.design.cost.prices import US_EAST_1
from tablewright.spec.model import Skew
from tests.design.cost.shop import GET, PUT, shop


def test_a_key_read_ten_times_in_its_time_is_found_ten_times_of_eleven():
    # one key, 1/30 reads a second, kept 300 seconds
    assert hit_share(1 / 30, 1, None) == pytest.approx(10 / 11)


def test_even_reads_of_many_keys_hardly_repeat():
    # 100 reads a second over a million keys: 0.03 / 1.03
    assert hit_share(100, 1_000_000, None) == pytest.approx(0.03 / 1.03)


def test_a_hottest_share():
    # half of 2 reads a second on one key (300 / 301), the other half on 1,000 keys (0.3 / 1.3)
    assert hit_share(2, 1001, Skew(hottest=0.5)) == pytest.approx(0.5 * 300 / 301 + 0.5 * 0.3 / 1.3)


def test_zipf_of_two_keys():
    # shares 2/3 and 1/3
    expected = 2 / 3 * (200 / 201) + 1 / 3 * (100 / 101)
    assert hit_share(1, 2, Skew(zipf=1.0)) == pytest.approx(expected)


def test_zipf_with_a_long_tail_is_a_share_still():
    assert 0 < hit_share(50, 1_000_000, Skew(zipf=1.0)) < 1


def advice(**get):
    layout = shop({**GET, **get}, PUT)
    return cache_advice(layout.facts, [predict(layout, each.id) for each in layout.spec.patterns], US_EAST_1)


def test_a_cache_pays_where_many_reads_repeat():
    # 10,000 x 0.5 x 2,628,000 x 0.9 x 0.125 / million against three nodes
    found = advice(rate=10_000, repeats=0.9)
    assert found.usd_per_month == pytest.approx(3 * 0.255 * 730)
    assert found.saved_usd_per_month == pytest.approx(1478.25)
    assert found.pays
    assert found.break_even_traffic == pytest.approx(558.45 / 1478.25)


def test_it_does_not_where_few_do():
    found = advice(rate=10_000, repeats=0.1)
    assert (found.pays, found.patterns, found.break_even_traffic) == (False, (), None)


def test_strong_reads_go_past_it():
    assert advice(rate=10_000, repeats=0.9, consistency="strong").patterns == ()
