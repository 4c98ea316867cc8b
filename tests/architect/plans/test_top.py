"""The first items of a list in one item: kept by the stream where a read may be behind and items only get better."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks
from tablewright.architect.designer import design
from tablewright.design.reports import cost_report, heat_report
from tablewright.proof.run import prove
from tablewright.spec.read import SpecFaults, read_spec
from tests.architect.plans import specs
from tests.proof.scores import BEGIN, BEST, BETTER, SCORE, SCORES, WATCH, scores_design

TOP = "top Score (best)"
DELETE: dict[str, Any] = {**BEGIN, "id": "leave", "op": "delete", "condition": None, "rate": 1}
UPSERT = "attribute_not_exists(points) OR points < {points}"


def scores(*patterns: dict[str, Any], score: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    """The application with these patterns instead of those with the same id."""
    own = {each["id"]: each for each in (*SCORES["access_patterns"], *patterns)}
    said = [{name: value for name, value in each.items() if value is not None} for each in own.values()]
    return {**SCORES, "entities": {"Score": {**SCORE, **(score or {})}}, "access_patterns": said, **parts}


def attributes(**changed: Any) -> dict[str, Any]:
    return {"attributes": {**SCORE["attributes"], **changed}}


def offered(spec: dict[str, Any]) -> list[str]:
    return [way for ways in specs.offered(spec) for way in ways]


@pytest.mark.parametrize(
    "spec",
    [
        SCORES,
        scores({**BETTER, "changes": {"points": {"add": 1}}, "condition": None}),
        scores({**BETTER, "condition": None, "when": "points < {points}"}),
        scores({**BEGIN, "condition": None, "when": UPSERT}),
        scores({**BEST, "sort": "points"}, {**BETTER, "condition": "points greater than {points}"}),
        scores({**BEST, "sort": ["points desc", "at desc"]}),
        scores({**BEST, "by": []}),
        scores({**BEST, "returns": ["points", "seen"]}, {**WATCH, "changes": ["replay"]}),
    ],
    ids=["given", "add", "when", "upsert", "least", "two", "all", "shown"],
)
def test_it_is_offered_where_items_only_get_better(spec: dict[str, Any]) -> None:
    assert TOP in offered(spec)


@pytest.mark.parametrize(
    "spec",
    [
        scores({**BEST, "stale": None}),
        scores({**BEST, "stale": "1s"}),
        scores({**BEST, "filter": {"seen": 1}}),
        scores({**BEST, "range": {"attr": "at", "op": "gte"}}),
        scores(DELETE),
        scores({**BEGIN, "condition": None}),
        scores({**BETTER, "condition": None}),
        scores({**BETTER, "condition": "points greater than {points}"}),
        scores({**BETTER, "condition": None, "when": "points <= {points}"}),
        scores({**BETTER, "condition": None, "when": "points < {limit}"}),
        scores({**BETTER, "changes": {"points": {"add": -1}}, "condition": None}),
        scores({**BETTER, "changes": {"points": {"add": "{more}"}}, "condition": None}),
        scores({**BEST, "returns": ["userId", "points", "seen"]}),
        scores({**BEST, "returns": None}),
        scores(score={"ttl": "30d"}),
        scores(score={"rewrites": ["embed"]}),
        scores(score=attributes(points="number")),
        scores({**BEST, "returns": ["points", "face"]}, score=attributes(face="binary")),
        scores({**BEST, "limit": 1000}, score=attributes(userId={"size_bytes": 100})),
        scores(constraints={"rewrites": "none"}),
        scores(regions=["us-east-1", "eu-west-1"]),
    ],
    ids=[
        *("never", "soon", "filter", "range", "delete", "replaced", "worse", "other way", "equal", "another input"),
        *("less", "any amount", "shown", "all shown", "ttl", "entity", "absent", "binary", "large", "nothing"),
        "regions",
    ],
)
def test_it_is_not_offered_otherwise(spec: dict[str, Any]) -> None:
    assert TOP not in offered(spec)


def test_it_is_not_offered_for_what_goes_with_another() -> None:
    game = {"id": "gameId", "attributes": {"name": "string"}, "count": 50}
    spec = {
        **SCORES,
        "entities": {"Game": game, "Score": SCORE},
        "relationships": [{"from": "Game", "to": "Score", "kind": "1:n", "avg": 20_000, "cascade": True}],
    }
    assert TOP not in offered(spec)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ({**BEST, "limit": None}, "nor `sort` and `limit`"),
        ({**BEST, "sort": None}, "nor `sort` and `limit`"),
        ({**BEST, "consistency": "strong"}, "never behind"),
        ({**BEST, "stale": 0}, "0 seconds behind"),
    ],
)
def test_what_cannot_be_meant_is_told(pattern: dict[str, Any], fault: str) -> None:
    with pytest.raises(SpecFaults, match=fault):
        read_spec(scores(pattern))


# ---- what it costs --------------------------------------------------------------------------------------------------


def test_it_is_taken_where_it_is_cheaper() -> None:
    """Scores that change all the time: an index in their order costs a write for each. Few changes: the index."""
    made = scores_design()
    assert [each.name for each in made.items] == ["Score", "ScoreTopByGameId"]
    assert not made.tables[0].gsis
    rare = scores({**BETTER, "rate": 0.01}, {**BEGIN, "rate": 0.01}, {**BEST, "rate": 0.01})
    assert all(each.top is None for each in design(rare, explain=False).items)


def test_what_follows_is_in_the_price_of_the_write() -> None:
    report = cost_report(scores_design())
    (line,) = (each for each in report.patterns if each.pattern == "score")
    found = line.prediction
    assert found.followed_rcu > found.followed_wcu > 0
    prices = report.prices
    read, written = found.rcu + found.followed_rcu, found.wcu + found.followed_wcu
    usd = (read * prices.read_per_million + written * prices.write_per_million) / 1e6
    assert line.usd_per_month == pytest.approx(line.runs_per_month * usd)
    (watch,) = (each.prediction for each in report.patterns if each.pattern == "watch")
    assert watch.followed_rcu == watch.followed_wcu == 0, "what the list does not show"
    assert report.read_usd_per_month == pytest.approx(sum(each.read_usd_per_month for each in report.patterns))
    assert any(each.startswith("lists kept by the stream (ScoreTopByGameId)") for each in report.explained)
    assert any(each.place == "streams.ScoreTopByGameId" for each in report.assumptions)
    heat = [each for each in heat_report(scores_design()).partitions if "TOP" in str(each).upper()]
    assert heat


def test_there_are_no_marks() -> None:
    (table,) = scores_design().tables
    assert (table.stream, table.ttl_attribute) == ("NEW_AND_OLD_IMAGES", None)
    assert "ScoreTopByGameId is kept by the changes of Score" in table.why["stream"]


# ---- what is read ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        scores({**BEST, "sort": "points"}, {**BETTER, "condition": "points greater than {points}"}),
        scores({**BETTER, "changes": {"points": {"add": 2}}, "condition": None}),
        scores({**BEGIN, "condition": None, "when": UPSERT, "rate": 1000}),
        scores({**BEST, "by": []}),
        scores({**BEST, "by": []}, {**BEST, "id": "of-game", "sort": ["points desc", "at desc"], "limit": 12}),
    ],
    ids=["least", "add", "upsert", "all", "two"],
)
@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_it_is_proven(spec: dict[str, Any], style: str) -> None:
    made = design({**spec, "constraints": {"key_style": style}}, explain=False)
    assert any(each.top is not None for each in made.items)
    found = prove(made, rounds=10)
    assert found.failure == ""
    assert found.invariants["a list that may be behind is what it was when the stream was followed last"] > 10


def test_it_is_explained() -> None:
    made = tasks.design({**SCORES, "constraints": {"key_style": "plain"}})
    why = {each.id: each.why for each in made.patterns}
    assert "so that the list is up to about 6 s behind (10 s are allowed)" in why["best"]
    assert "adds it to ScoreTopByGameId, for about" in why["score"]
    assert any("without it nothing is listed" in each for each in made.notes)
    assert any("kept by a function that follows the stream" in each.chosen for each in made.advice.decisions)
