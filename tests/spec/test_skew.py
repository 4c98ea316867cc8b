from __future__ import annotations

import pytest

from tablewright.spec.model import Skew
from tablewright.spec.skew import describe_share, share_of_first, spreading, zipf_sum
from tests.design.heat.designs import readings


def test_even():
    assert share_of_first(200, None) == 0.005


def test_hottest_is_what_it_says_and_never_less_than_even():
    assert share_of_first(1000, Skew(hottest=0.1)) == 0.1
    assert share_of_first(4, Skew(hottest=0.1)) == 0.25


def test_zipf_of_three_keys():
    # 1 / (1 + 1/2 + 1/3)
    assert share_of_first(3, Skew(zipf=1.0)) == pytest.approx(6 / 11)


@pytest.mark.parametrize("exponent", [0.8, 1.0, 1.3])
def test_the_tail_as_an_integral_is_close(exponent):
    exact = sum(rank**-exponent for rank in range(1, 20_001))
    assert zipf_sum(20_000, exponent) == pytest.approx(exact, rel=1e-6)


def test_a_period_does_not_spread_the_writes_of_a_moment():
    reading = {
        "id": ["day", "time", "sensor"],
        "attributes": {"day": "string", "hour": {"type": "timestamp", "cardinality": 9000}, "sensor": "string"},
    }
    by_day = {"id": "of-day", "kind": "query", "entity": "Reading", "by": ["day"]}
    facts = readings({"by": ["day", "time", "sensor"]}, by_day, reading=reading).facts
    assert spreading(facts, "Reading", ("day", "hour", "sensor")) == ("sensor",)


def test_in_words():
    assert describe_share(1000, None) == "even over 1,000 keys"
    assert describe_share(1, None) == "one key for all"
    assert describe_share(1000, Skew(zipf=1.1)) == "Zipf 1.1 over 1,000 keys"
    assert describe_share(1000, Skew(hottest=0.1)) == "hottest share as said"
