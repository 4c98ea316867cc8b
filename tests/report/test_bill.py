"""What is printed of a bill: no saving without what it rests on."""

from __future__ import annotations

from typing import Any

from tablewright import tasks
from tablewright.report.bill import cost_blocks
from tablewright.report.blocks import Bullets, Text

ORDER: dict[str, Any] = {
    "id": ["orderId"],
    "attributes": {"orderId": "string"},
    "count": 1_000_000,
    "size_bytes": 900,
    "growth_per_month": 0,
}
RATE = {"avg": 700, "peak": 700}
PATTERNS = [
    {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"], "rate": RATE},
    {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"], "rate": RATE},
]


def sentences(**top: Any) -> list[str]:
    """Of the whole bill, tables aside."""
    spec = {"name": "orders", "entities": {"Order": ORDER}, "access_patterns": PATTERNS, **top}
    blocks = list(cost_blocks(tasks.design(spec, quick=True).cost))
    texts = [each for each in blocks if isinstance(each, Text)]
    points = [point for each in blocks if isinstance(each, Bullets) for point in each.items]
    return [each.text for each in (*texts, *points)]


def about_capacity(said: list[str]) -> list[str]:
    """Sentences with a price or a use of provisioned or reserved capacity."""
    words = ("provisioned $", "reserved, ", "units that is used")
    return [each for each in said if any(word in each for word in words)]


def test_a_price_that_rests_on_an_assumed_day_says_so_in_the_same_sentence() -> None:
    found = about_capacity(sentences())
    assert len(found) >= 4
    assert all("assumed" in each for each in found)


def test_a_day_that_is_said_is_no_assumption() -> None:
    found = about_capacity(sentences(billing={"profile": [1] * 24}))
    assert len(found) >= 4
    assert not any("assumed" in each for each in found)
    assert any("provisioned with autoscaling saves" in each for each in found)


def test_the_bill_names_its_region_and_the_date_of_its_prices() -> None:
    assert any("a month on demand (eu-west-1, prices of 2026-11)" in each for each in sentences(region="eu-west-1"))
