from __future__ import annotations

import pytest

from tablewright import tasks
from tablewright.review.operations.hot_reads import hot_reads
from tests.review.applications import app

SETTING = {"id": "name", "attributes": {"value": "string"}, "count": 200, "size_bytes": 900}
READ = {
    "id": "read",
    "kind": "get",
    "entity": "Setting",
    "by": "name",
    "rate": {"avg": 1000, "peak": 20_000},
    "skew": "hottest 80%",
}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Setting", "by": "name", "rate": 0.1}
UPDATE = {**PUT, "id": "change", "op": "update", "changes": ["value"]}
GB = 2**30
A_MONTH = 2.628e6


def settings(*patterns, **setting):
    return app({"Setting": {**SETTING, **setting}}, *patterns)


def test_copies_with_their_number_and_price():
    (found,) = hot_reads(settings(READ, UPDATE, PUT))
    # 20,000 reads x 80% x half a unit
    assert found.rcu_per_second == pytest.approx(8000)
    assert found.copies == 4  # 2,100 units for each
    assert found.patterns == ("read",)
    assert found.written == "transaction"
    # of each write four items of one unit, twice as they are written together, less the one of today
    writes = (0.1 + 0.1) * A_MONTH * (4 * 2 - 1) * 0.625 / 1e6
    stored = 3 * (900 + 100) * 200 / GB * (0.25 + 0.20)
    assert found.all_copies_usd_per_month == pytest.approx(writes + stored)
    assert found.items == 1
    assert found.copies_usd_per_month == pytest.approx((writes + stored) / 200)


def test_plain_puts_are_written_in_batches():
    (found,) = hot_reads(settings(READ, PUT))
    assert found.written == "batch"
    assert found.all_copies_usd_per_month == pytest.approx(0.1 * A_MONTH * 3 * 0.625 / 1e6 + 3 * 1000 * 200 / GB * 0.45)
    assert "in batches, which differ for a moment" in found.how


def test_a_cache_is_compared_by_what_it_saves():
    (found,) = hot_reads(settings(READ, UPDATE))
    nodes = 3 * 0.255 * 730
    assert found.dax_nodes == 3
    assert found.dax_usd_per_month == pytest.approx(nodes - 1000 * 0.5 * A_MONTH * 0.125 / 1e6, rel=0.01)
    assert found.cheaper == "copies"
    assert "DAX, 3 nodes r5.large at $0.255 an hour, costs $" in found.how
    (busy,) = hot_reads(settings({**READ, "rate": {"avg": 9000, "peak": 20_000}}, UPDATE))
    assert busy.cheaper == "dax"
    assert "saves $" in busy.how


def test_a_cluster_is_as_large_as_its_peak():
    (found,) = hot_reads(settings({**READ, "rate": {"avg": 1000, "peak": 400_000}}, UPDATE))
    assert found.dax_nodes == 8  # 400,000 x 1.43 / 75,000


def test_strong_reads_go_past_a_cache():
    (found,) = hot_reads(settings({**READ, "consistency": "strong"}, PUT))
    assert found.dax_usd_per_month is None
    assert found.cheaper == "copies"
    assert found.copies == 8
    assert found.written == "transaction"
    assert "A cache does not help" in found.how


def test_more_than_one_item_may_be_too_hot():
    (found,) = hot_reads(settings({**READ, "rate": {"avg": 1000, "peak": 200_000}, "skew": "zipf 1"}, UPDATE))
    # the n-th of 200 gets 1 / (5.88 n) of 100,000 units: five get more than 3,000
    assert found.items == 5


def test_what_is_cool_needs_no_copies():
    assert hot_reads(settings({**READ, "rate": 100}, UPDATE)) == ()


def test_the_design_says_it():
    given = {"name": "settings", "entities": {"Setting": SETTING}, "access_patterns": [READ, UPDATE]}
    made = tasks.design({**given, "constraints": {"copies": "none"}}, quick=True)
    (found,) = made.advice.hot_reads
    assert found.copies == 4
    assert [each.kind for each in made.heat.findings][:1] == ["hot-item-read"]
    assert "Keep 4 copies" in made.heat.findings[0].remedy
    assert any("DAX" in each.title for each in made.advice.sources)


def test_of_copies_that_are_built_the_bill_tells_the_price():
    given = {"name": "settings", "entities": {"Setting": SETTING}, "access_patterns": [READ, UPDATE, PUT]}
    made = tasks.design(given, quick=True)
    (found,) = made.advice.hot_reads
    assert found.is_built
    assert (found.copies, found.rcu_per_second) == (4, 8000)
    plain = tasks.design({**given, "constraints": {"copies": "none"}}, quick=True)
    more = made.cost.modes[0].usd_per_month - plain.cost.modes[0].usd_per_month
    assert found.copies_usd_per_month == pytest.approx(more, rel=0.001)
    assert found.dax_usd_per_month is not None
    assert found.dax_usd_per_month > found.copies_usd_per_month
    assert found.cheaper == "copies"
    assert "become 2,000 of 3,000" in found.how
    assert "DAX, 3 nodes" in found.how
