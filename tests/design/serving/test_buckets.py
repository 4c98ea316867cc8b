"""How many buckets a page takes, against pages that are looked for."""

from __future__ import annotations

import random
from statistics import fmean
from typing import Any

import pytest

from tablewright.design.serving.buckets import buckets_in_all, walked_buckets, walked_items
from tablewright.design.serving.shapes import Shape
from tablewright.spec.facts import Facts, assume
from tablewright.spec.read import read_spec

MONTHS = 24
SHAPE = Shape("E", ("a",), (), ("at", "id"), "at:7")


def facts_of(count: int) -> Facts:
    entity: dict[str, Any] = {
        "id": ["id"],
        "attributes": {"id": "string", "a": "string", "at": {"type": "timestamp", "since": "2024-01-01"}},
        "count": count,
        "growth_per_month": count / MONTHS,
    }
    read = {"id": "newest", "kind": "query", "entity": "E", "by": "a", "sort": "at desc", "limit": 10}
    return assume(read_spec({"name": "s", "entities": {"E": entity}, "access_patterns": [read]}))


def looked_for(items: int, limit: int, chance: random.Random) -> int:
    """Buckets from now on back, of items anywhere in their time; now is anywhere in its month."""
    now = MONTHS + chance.random()
    times = sorted((now - MONTHS * chance.random() for _ in range(items)), reverse=True)
    last = times[limit - 1] if items >= limit else now - MONTHS
    return int(now) - int(last) + 1


@pytest.mark.parametrize("items", [3, 30, 300, 3000])
@pytest.mark.parametrize("limit", [1, 10, 100])
def test_an_estimate_is_the_mean_of_walks(items: int, limit: int) -> None:
    chance = random.Random(7)
    found = fmean(looked_for(items, limit, chance) for _ in range(400))
    assert walked_buckets(facts_of(1000), SHAPE, items, limit) == pytest.approx(found, rel=0.12)


def test_no_walk_is_longer_than_there_are_buckets() -> None:
    facts = facts_of(1000)
    assert buckets_in_all(facts, SHAPE) == pytest.approx(MONTHS + 1)
    assert walked_buckets(facts, SHAPE, 5, 100) == pytest.approx(MONTHS + 1)


@pytest.mark.parametrize(
    ("found", "limit", "partitions", "read"),
    [
        (24_000, 10, 1, 10),  # one partition is asked for the page
        (24_000, 10, 4, 40),  # each shard of a full bucket for a page of its own
        (240, 10, 4, 10),  # all that a small bucket has, and then the next
        (480, 10, 4, 20),  # a whole bucket
        (6, 10, 4, 6),  # all there is
    ],
)
def test_items_that_a_page_reads(found: float, limit: int, partitions: int, read: float) -> None:
    assert walked_items(facts_of(1000), SHAPE, found, limit, partitions) == pytest.approx(read)
