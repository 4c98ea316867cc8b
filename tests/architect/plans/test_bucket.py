"""Time buckets that are walked: where they are offered, what is said of them, what they take."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.architect.search.search import candidates_of
from tablewright.architect.solution import solve
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.heat.load import heat_terms
from tablewright.design.verdicts import failed_verdicts
from tablewright.proof.run import prove
from tablewright.report.patterns import read_text
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

NEWEST: dict[str, Any] = {
    "id": "newest",
    "kind": "query",
    "entity": "Event",
    "by": ["tenantId"],
    "sort": "at desc",
    "limit": 20,
    "rate": 5,
}
AT: dict[str, Any] = {"type": "timestamp", "since": "2024-01-01", "required": True, "immutable": True}


def log(*patterns: dict[str, Any], at: dict[str, Any] = AT, **entity: Any) -> dict[str, Any]:
    write = {"kind": "write", "entity": "Event", "by": "eventId"}
    event = {
        "id": "eventId",
        "attributes": {
            "eventId": "string",
            "tenantId": {"cardinality": 10, "required": True},
            "level": {"values": ["info", "error"], "required": True},
            "at": at,
            "text": {"size_bytes": 600},
        },
        "count": 500_000_000,
        "growth_per_month": 100_000_000,
        **entity,
    }
    put = {**write, "id": "add", "op": "put", "rate": {"avg": 40, "peak": 400}}
    return {"name": "log", "entities": {"Event": event}, "access_patterns": [*(patterns or [NEWEST]), put]}


def walked(spec: dict[str, Any]) -> set[str]:
    """The keys by which some pattern can be walked, of all that the search has to choose from."""
    candidates = candidates_of(assume(read_spec(spec)))
    return {str(each.shape) for plans in candidates.plans.values() for each in plans if each.serving.walks}


# ---- where it is offered --------------------------------------------------------------------------------------------


def test_the_newest_of_a_list_that_outgrows_its_partition_can_be_walked() -> None:
    assert "tenantId at:7 | @ at" in walked(log())
    assert walked(log({**NEWEST, "sort": "at"}))
    assert walked(log({**NEWEST, "by": []}))
    assert walked(log({**NEWEST, "by": ["tenantId", "level"]}))
    assert walked(log({**NEWEST, "sort": ["at desc", "level desc"]}))


@pytest.mark.parametrize(
    "pattern",
    [
        {"limit": None},
        {"sort": "level"},
        {"range": {"attr": "at", "op": "gte"}},
        {"range": {"attr": "at", "op": "between"}},
        {"filter": {"text": "at least"}},
        {"by": ["tenantId", "at"]},
    ],
    ids=str,
)
def test_other_questions_are_not_walked(pattern: dict[str, Any]) -> None:
    said = {name: value for name, value in {**NEWEST, **pattern}.items() if value is not None}
    assert walked(log(said)) == set()


def test_a_walk_needs_a_beginning_and_a_time_that_stays() -> None:
    change = {"id": "c", "kind": "write", "op": "update", "entity": "Event", "by": "eventId", "changes": ["at"]}
    free = {name: value for name, value in AT.items() if name != "immutable"}
    assert walked(log(at={**AT, "since": None})) == set()
    assert walked(log(at={**AT, "required": False, "immutable": None})) == set()
    assert walked(log(NEWEST, change, at=free)) == set()
    assert walked(log(at=free))


def test_a_list_that_stays_small_is_one_partition() -> None:
    assert walked(log(count=1_000_000, growth_per_month=1000)) == set()


# ---- what is said ---------------------------------------------------------------------------------------------------


def test_a_walk_is_explained_with_what_it_takes_at_most() -> None:
    made = design(log({**NEWEST, "by": []}))
    (newest,) = (each for each in made.patterns if each.id == "newest")
    assert "one is asked after the other, from now towards the past, until the list is full" in newest.why
    assert "about 1 day for a page, and all 153 days of a list that is shorter" in newest.why
    assert "one day after the other, from now back to 2024-01-01T00:00:00Z" in read_text(newest.reads[0])
    assert "the newest first, until enough is found; the cursor names its bucket" in newest.paging


def test_how_long_ago_the_beginning_is_taken_to_be_is_told() -> None:
    told = {each.place: each.taken for each in design(log()).cost.assumptions}
    assert "days ago, as old as items are" in told["entities.Event.attributes.at.since"]


def test_the_review_says_where_since_would_help() -> None:
    made = design(log(at={**AT, "since": None}))
    remains = " ".join(each.remains for each in made.advice.critique if not each.passed)
    assert "say `since` of Event.at, its oldest value, and newest is read bucket after bucket" in remains
    assert "`since`" not in " ".join(each.remains for each in design(log()).advice.critique)


def test_a_time_without_a_zone_or_of_another_type_is_refused() -> None:
    for wrong in ("2024", "2024-13-01", "2024-01-01T09:00:00", "yesterday", 2024):
        with pytest.raises(Exception, match="is not a date such as 2024-01-01, or a time in UTC"):
            read_spec(log(at={**AT, "since": wrong}))
    with pytest.raises(Exception, match="at is a string, and only a timestamp has a first moment"):
        read_spec(log({**NEWEST, "sort": "level"}, at={"type": "string", "since": "2024-01-01"}))


# ---- what it takes --------------------------------------------------------------------------------------------------


def test_the_first_bucket_takes_every_read_and_all_puts() -> None:
    found = solve(log({**NEWEST, "by": [], "rate": {"avg": 100, "peak": 1000}}))
    terms = {each.pattern: each for each in heat_terms(found.layout, estimate(found.layout)) if each.place != "table"}
    assert terms["newest"].share == terms["add"].share == 1.0
    assert terms["newest"].units_per_run >= 0.5
    assert terms["newest"].units_per_second >= 500.0


def test_each_bucket_of_a_walk_is_waited_for() -> None:
    made = design(log({**NEWEST, "by": [], "latency": "20 ms"}))
    assert failed_verdicts(made) == ()
    slow = [
        msgspec.structs.replace(each, predicted=msgspec.structs.replace(each.predicted, requests=9.0))
        if each.id == "newest"
        else each
        for each in made.patterns
    ]
    (verdict,) = failed_verdicts(msgspec.structs.replace(made, patterns=tuple(slow)))
    assert verdict.kind == "latency"


def test_short_lists_among_long_ones_are_not_walked_at_any_price() -> None:
    """A list of a few items would be looked for in every day there ever was."""
    many = {"cardinality": 1_000_000, "required": True}
    spec = log({**NEWEST, "rate": 500, "skew": "hottest 90%"}, growth_per_month=10_000_000)
    spec["entities"]["Event"]["attributes"]["tenantId"] = many
    assert not any(each.serving.walks for each in solve(spec).choice.plans.values())


def tenants() -> dict[str, Any]:
    """Events are found through their tenant as well, which has a time of the same name."""
    of_email = {**NEWEST, "id": "of-email", "by": ["email"], "limit": 6}
    put = {"id": "found", "kind": "write", "op": "put", "entity": "Tenant", "by": "tenantId", "rate": 1e-7}
    spec = log(NEWEST, of_email, put)
    spec["entities"]["Event"]["attributes"]["tenantId"] = {"required": True}
    spec["entities"]["Tenant"] = {
        "id": "tenantId",
        "attributes": {"tenantId": "string", "email": {"required": True}, "at": {**AT, "since": None}},
        "count": 10,
        "growth_per_month": 0,
        "unique": ["email"],
    }
    related = {"from": "Tenant", "to": "Event", "kind": "one-to-many", "by": "tenantId"}
    return {**spec, "relationships": [related]}


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize(
    "spec",
    [
        log(NEWEST, {**NEWEST, "id": "oldest", "sort": "at"}, {**NEWEST, "id": "level", "by": ["tenantId", "level"]}),
        log({**NEWEST, "by": []}, at={**AT, "since": "2023-06-30T23:30:00Z"}),
        log(NEWEST, count=None, growth_per_month=None, ttl="90d"),
        tenants(),
    ],
    ids=["tenants", "everything", "expiring", "through"],
)
def test_walks_are_proven(spec: dict[str, Any], style: str) -> None:
    made = design({**spec, "constraints": {"key_style": style}})
    assert any(step.since for each in made.patterns for step in each.reads)
    report = prove(made, rounds=12)
    assert report.failure == ""
