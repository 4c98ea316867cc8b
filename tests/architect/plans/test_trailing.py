"""Numbers that may be behind: kept by the stream where a read allows it, where it is cheaper or cooler."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.design.heat.report import is_too_hot
from tablewright.design.reports import cost_report, heat_report
from tablewright.proof.run import prove
from tablewright.spec.read import SpecFaults, read_spec
from tests.architect.plans import specs
from tests.proof.votes import CAST, HOW_MANY, ONE, VOTE, VOTES, WEIGHTS, votes_design

TRAILING = "trailing Vote (how-many)"


def votes(*patterns: dict[str, Any], vote: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    entities = {"Vote": {**VOTE, **(vote or {})}}
    return {**VOTES, "entities": entities, "access_patterns": [*(patterns or (HOW_MANY,)), ONE, CAST], **parts}


def offered(spec: dict[str, Any]) -> list[str]:
    return [way for ways in specs.offered(spec) for way in ways]


def test_it_is_offered_where_a_read_may_be_behind() -> None:
    assert TRAILING in offered(votes())


@pytest.mark.parametrize(
    "spec",
    [
        votes({**HOW_MANY, "stale": None}),
        votes({**HOW_MANY, "stale": "1s"}),
        votes({**HOW_MANY, "aggregate": {"max": "weight"}}),
        votes({**HOW_MANY, "filter": {"weight": "at least"}}),
        votes(vote={"ttl": "30d"}),
        votes(vote={"rewrites": ["embed"]}),
        votes(constraints={"rewrites": "none"}),
        votes({**HOW_MANY, "tenant": "choice", "by": "pollId"}),
        votes(regions=["us-east-1", "eu-west-1"]),
    ],
    ids=["never", "soon", "max", "filter", "ttl", "entity", "nothing", "tenant", "regions"],
)
def test_it_is_not_offered_otherwise(spec: dict[str, Any]) -> None:
    assert TRAILING not in offered(spec)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ({**HOW_MANY, "aggregate": None}, "no `aggregate`"),
        ({**HOW_MANY, "consistency": "strong"}, "never behind"),
        ({**HOW_MANY, "stale": 0}, "0 seconds behind"),
        ({**HOW_MANY, "stale": "soon"}, "a time such as 10"),
    ],
)
def test_what_cannot_be_meant_is_told(pattern: dict[str, Any], fault: str) -> None:
    with pytest.raises(SpecFaults, match=fault):
        read_spec(votes(pattern))


def test_delays_are_read_as_people_write_them() -> None:
    said = {text: read_spec(votes({**HOW_MANY, "stale": text})).reads[0].stale for text in ("10s", "1 min", 7)}
    assert said == {"10s": 10.0, "1 min": 60.0, 7: 7.0}


# ---- what it costs --------------------------------------------------------------------------------------------------


def test_the_cheapest_of_the_three_is_taken() -> None:
    """Large items make a transaction dear, small ones in many groups the marks, and few items the counting."""
    attributes = {**VOTE["attributes"], "text": {"size_bytes": 20}, "pollId": {"cardinality": 50_000, "required": True}}
    small = {"attributes": attributes, "count": "100M"}
    rare = {**HOW_MANY, "rate": 0.0001}
    kinds = {
        name: next((each.kind for each in design(spec, explain=False).items if each.kind != "entity"), "reading")
        for name, spec in (
            ("large", votes()),
            ("small", votes(vote=small)),
            ("rare", votes(rare, vote={"count": 2_000})),
        )
    }
    assert kinds == {"large": "trailing", "small": "total", "rare": "reading"}


def test_what_follows_is_in_the_price_of_the_write() -> None:
    report = cost_report(votes_design())
    (cast,) = (each for each in report.patterns if each.pattern == "cast")
    assert cast.prediction.wcu == 2, "the item alone"
    assert 2 < cast.prediction.followed_wcu < 6
    price = report.prices.write_per_million / 1e6
    units = cast.prediction.wcu + cast.prediction.followed_wcu
    assert cast.usd_per_month == pytest.approx(cast.runs_per_month * units * price)
    lines = sum(each.write_usd_per_month for each in report.patterns)
    assert report.write_usd_per_month == pytest.approx(lines)
    assert any("totals kept by the stream" in each for each in report.explained)
    assert any(each.place == "streams.totals" for each in report.assumptions)


def test_a_total_that_would_be_too_hot_is_kept_by_the_stream() -> None:
    """All votes on one poll: a total would take 2 units for each of them."""
    vote = {"attributes": {**VOTE["attributes"], "text": {"size_bytes": 20}, "pollId": {"cardinality": 1}}}
    often = {**CAST, "rate": 900, "condition": "not exists"}
    spec = {**votes(vote=vote), "access_patterns": [HOW_MANY, ONE, often]}
    made = design(spec, explain=False)
    assert [each.kind for each in made.items] == ["entity", "trailing"]
    assert not any(is_too_hot(each) for each in heat_report(made).findings)
    never = {**spec, "access_patterns": [{**HOW_MANY, "stale": None}, ONE, often]}
    assert "trailing" not in {each.kind for each in design(never, explain=False).items}


# ---- what is written ------------------------------------------------------------------------------------------------


def test_the_table_has_what_the_function_needs() -> None:
    made = votes_design()
    (table,) = made.tables
    assert (table.stream, table.ttl_attribute) == ("NEW_AND_OLD_IMAGES", "expiresAt")
    assert "is kept by the changes of Vote" in table.why["stream"]
    assert any("up to about 6 s behind" in each for each in made.notes), "of 10 s, half is collected"
    (read,) = (each for each in made.patterns if each.id == "weights")
    assert "up to about 6 s behind (60 s are allowed)" in read.why, "one function keeps both"


def test_totals_of_tenants_are_kept_where_their_tenant_reads() -> None:
    record = {
        "id": ["tenantId", "recordId"],
        "attributes": {
            "tenantId": {"cardinality": 10},
            "state": {"values": ["open", "done"], "required": True},
            "body": {"size_bytes": 2500},
        },
        "count": "1M",
    }
    by: dict[str, Any] = {"entity": "Record", "tenant": "tenantId"}
    spec = {
        "name": "tt",
        "entities": {"Record": record},
        "access_patterns": [
            {"id": "open", "kind": "query", **by, "by": ["tenantId", "state"], "aggregate": "count", "rate": 20}
            | {"stale": "20s"},
            {"id": "add", "kind": "write", "op": "put", **by, "by": ["tenantId", "recordId"], "rate": 50},
            {
                "id": "all",
                "kind": "write",
                "op": "delete",
                "entity": "Record",
                "by": ["tenantId", "recordId"],
                "rate": 1,
            },
        ],
    }
    made = design(spec, explain=False)
    (kept,) = (each for each in made.items if each.kind == "trailing")
    assert kept.table_keys.partition[0] == "tenantId" or "tenantId" in kept.table_keys.partition
    found = prove(made, rounds=8)
    assert found.passed, found.failure


def test_several_items_of_a_group_in_one_transaction() -> None:
    """A total that writes keep is not offered for these: one transaction would write it twice."""
    line = {
        "id": ["orderId", "lineId"],
        "attributes": {"shop": {"cardinality": 5, "required": True}, "price": {"type": "number", "required": True}},
        "count": "1M",
    }
    spec = {
        "name": "orders",
        "entities": {"Order": {"id": "orderId", "attributes": {"at": "timestamp"}, "count": 200_000}, "Line": line},
        "relationships": [{"from": "Order", "to": "Line", "kind": "1:n", "avg": 5, "max": 20}],
        "access_patterns": [
            {"id": "order", "kind": "query", "entities": ["Order", "Line"], "by": "orderId", "rate": 20},
            {"id": "income", "kind": "get", "entity": "Line", "by": "shop", "aggregate": {"sum": "price"}, "rate": 5}
            | {"stale": "5 min"},
            {"id": "buy", "kind": "write", "op": "transact", "ops": {"Order": "put", "Line": "put"}, "rate": 10}
            | {"entities": ["Order", "Line"], "by": "orderId"},
        ],
    }
    assert "total Line (income)" not in offered(spec)
    made = design(spec, explain=False)
    assert "trailing" in {each.kind for each in made.items}
    found = prove(made, rounds=8)
    assert found.passed, found.failure


def test_weights_of_the_same_group_share_an_item() -> None:
    both = [HOW_MANY, {**WEIGHTS, "by": "pollId"}]
    made = design(votes(*both), explain=False)
    (kept,) = (each for each in made.items if each.kind == "trailing")
    assert set(kept.totals) == {"total", "weightTotal"}
