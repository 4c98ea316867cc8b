from __future__ import annotations

import pytest

from tablewright.review.operations.testing import plan_tests
from tests.review.applications import events


def test_stages_have_rates_and_expected_units():
    found = plan_tests(events())
    # 100 reads of 1 unit and 50 puts of 1 unit a second; 500 and 200 at peak
    assert [(each.rates["last"], each.rates["put"]) for each in found.stages] == [
        (10, 5),
        (100, 50),
        (500, 200),
        (1000, 400),
        (100, 50),
    ]
    assert [(each.expected_rcu, each.expected_wcu) for each in found.stages] == [
        (10, 5),
        (100, 50),
        (500, 200),
        (1000, 400),
        (100, 50),
    ]


def test_a_stage_ends_the_test_when_the_prediction_does_not_hold():
    peak = plan_tests(events()).stages[2]
    assert peak.abort_when == (
        "Stop when more than 1% of requests are throttled for a minute, p99 is above PutItem 25 ms or Query 50 ms,"
        " reads take more than 600 units a second, 20% above the prediction, writes take more than 240 or an answer is"
        " wrong."
    )


def test_beyond_the_peak_throttling_is_a_finding():
    assert plan_tests(events()).stages[3].abort_when.endswith("Throttling here is a finding, not a failure.")


@pytest.mark.parametrize(
    ("skew", "says"),
    [
        (None, "DEVICE#{device}: even over 1,000 keys; 0.1% of requests on the hottest key"),
        ({"hottest": 0.2}, "DEVICE#{device}: hottest share as said; 20% of requests on the hottest key"),
        ({"zipf": 1.0}, "DEVICE#{device}: Zipf 1 over 1,000 keys; 13% of requests on the hottest key"),
    ],
)
def test_keys_are_drawn_as_the_spec_says(skew, says):
    found = plan_tests(events(last={"skew": skew} if skew else None))
    assert found.key_distributions["last"] == says


def test_the_load_test_has_a_price():
    found = plan_tests(events())
    minutes = (10, 30, 30, 15, 15)
    read = sum(60 * m * r for m, r in zip(minutes, (10, 100, 500, 1000, 100), strict=True))
    wrote = sum(60 * m * r for m, r in zip(minutes, (5, 50, 200, 400, 50), strict=True))
    price = (read * 0.125 + wrote * 0.625) / 1e6
    assert any(f"100 minutes, about ${price:.2f} of requests." in each for each in found.strategy)


def test_a_new_table_is_warmed_where_the_test_needs_it():
    assert not any("warm throughput" in each for each in plan_tests(events()).strategy)
    large = plan_tests(events(put={"rate": {"avg": 100, "peak": 3000}}))
    assert any("4,000 write units a second, the test asks for 1,000 and 6,000" in each for each in large.strategy)


def test_expected_throttling_is_said_before():
    hot = events(last={"skew": {"hottest": 1.0}, "rate": {"avg": 10, "peak": 4000}})
    assert any(each.startswith("Expect throttling on DEVICE#{device}") for each in plan_tests(hot).strategy)
