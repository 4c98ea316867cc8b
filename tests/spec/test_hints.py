"""Rates and times to wait in words: a number where there is one, a listed question where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.spec.facts import assume
from tablewright.spec.hints import read_latency, read_rate
from tablewright.spec.model import Rate
from tablewright.spec.read import read_spec
from tablewright.spec.write import spec_data

DAY = 86_400


@pytest.mark.parametrize(
    ("words", "avg", "peak"),
    [
        ("2,000,000 a day", 2_000_000 / DAY, None),
        ("556 per second", 556, None),
        ("about 5 writes per minute", 5 / 60, None),
        ("~3k reads/hour", 3000 / 3600, None),
        ("5 million requests per day", 5e6 / DAY, None),
        ("Once a day.", 1 / DAY, None),
        ("twice an hour", 2 / 3600, None),
        ("every 5 minutes", 1 / 300, None),
        ("every second", 1, None),
        ("daily", 1 / DAY, None),
        ("100/s, 300 at peak", 100, 300),
        ("100 per second (peak 500)", 100, 500),
        ("600 a minute; peaks at 40 per second", 10, 40),
    ],
)
def test_rates(words: str, avg: float, peak: float | None) -> None:
    found = read_rate(words)
    assert found is not None
    assert (found.avg, found.peak) == (pytest.approx(avg), peak)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "hottest read",
        "every request",
        "a few times a day",
        "thousands per second",
        "10 per second per user",
        "300 per second at peak",
        "100 per second, more on Sundays",
        "every 0 minutes",
    ],
)
def test_words_without_a_rate(words: str) -> None:
    assert read_rate(words) is None


@pytest.mark.parametrize(
    ("words", "ms", "percentile"),
    [
        ("10 ms", 10, None),
        ("<10ms", 10, None),
        ("under 50 milliseconds", 50, None),
        ("single-digit", 9, None),
        ("single digit milliseconds", 9, None),
        ("sub-millisecond", 1, None),
        ("200 µs", 0.2, None),
        ("2 s", 2000, None),
        ("10 ms on average", 10, None),
        ("p99 20 ms", 20, 99),
        ("p99: 20 ms", 20, 99),
        ("p99 < 20 ms", 20, 99),
        ("20 ms at p99", 20, 99),
        ("single-digit ms at p99.9", 9, 99.9),
        ("p50 5 ms", 5, 50),
    ],
)
def test_times(words: str, ms: float, percentile: float | None) -> None:
    found = read_latency(words)
    assert found is not None
    assert (found.ms, found.percentile) == (pytest.approx(ms), percentile)


@pytest.mark.parametrize("words", ["", "fast", "interactive", "10", "10 ms if possible", "p99", "10 to 20 ms"])
def test_words_without_a_time(words: str) -> None:
    assert read_latency(words) is None


# ---- in a spec ------------------------------------------------------------------------------------------------------


def spec_with(**said: Any) -> dict[str, Any]:
    read = {"id": "AP1", "kind": "get", "entity": "User", "by": "userId", **said}
    return {"name": "app", "entities": {"User": {"id": "userId", "count": 5}}, "access_patterns": [read]}


def test_a_rate_in_words_is_the_rate_and_stays_it() -> None:
    spec = read_spec(spec_with(rate_hint="600 per minute, 1800 at peak"))
    assert spec.patterns[0].rate == Rate(avg=10, peak=30)
    assert read_spec(spec_data(spec)) == spec


def test_a_rate_wins_over_its_words() -> None:
    assert read_spec(spec_with(rate=9, rate_hint="about 10 per second")).patterns[0].rate == Rate(avg=9)


def assumed(**said: Any) -> dict[str, str]:
    return {each.place: each.taken for each in assume(read_spec(spec_with(**said))).assumptions}


def test_words_without_a_number_are_questions() -> None:
    found = assumed(rate_hint="every request", latency="fast")
    assert '"every request"' in found["access_patterns.AP1.rate_hint"]
    assert '"fast"' in found["access_patterns.AP1.latency"]


def test_words_that_are_read_are_none() -> None:
    found = assumed(rate_hint="100 a day", latency="single-digit ms")
    assert not {"access_patterns.AP1.rate_hint", "access_patterns.AP1.latency"} & found.keys()


def test_parents_without_children_are_told() -> None:
    spec = {
        **spec_with(),
        "entities": {
            "User": {"id": "userId", "count": 1000},
            "Lot": {"id": "lotId", "attributes": {"userId": {"required": True}}, "count": 1000},
        },
        "relationships": [{"from": "User", "to": "Lot", "kind": "1:n", "avg": 10}],
    }
    found = {each.place: each.taken for each in assume(read_spec(spec)).assumptions}
    assert found["relationships[0].avg"] == "100 of 1,000 User items have any Lot (10 each)"
