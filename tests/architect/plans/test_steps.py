"""Counts in steps: kept by the stream where a read may be behind, and need not tell apart what lies close together."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks
from tablewright.architect.designer import design
from tablewright.design.cost.units.following import gathered
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.derive import layouts_of
from tablewright.design.reports import cost_report
from tablewright.proof.run import prove
from tablewright.spec.read import SpecFaults, read_spec
from tests.architect.plans import specs
from tests.proof.ranks import AHEAD, CHANGE, POINTS, RANKED, RANKS, ranks_design

STEPS = "steps Score (ahead)"


def ranks(*patterns: dict[str, Any], score: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    own = {each["id"]: each for each in (*RANKS["access_patterns"], *patterns)}
    said = [{name: value for name, value in each.items() if value is not None} for each in own.values()]
    return {**RANKS, "entities": {"Score": {**RANKED, **(score or {})}}, "access_patterns": said, **parts}


def above(**fields: Any) -> dict[str, Any]:
    return {**AHEAD, "range": {**AHEAD["range"], **fields}}


def points(**fields: Any) -> dict[str, Any]:
    return {"attributes": {**RANKED["attributes"], "points": {**POINTS, **fields}}}


def offered(spec: dict[str, Any]) -> list[str]:
    return [way for ways in specs.offered(spec) for way in ways]


@pytest.mark.parametrize(
    "spec", [RANKS, ranks(above(op="gte")), ranks({**AHEAD, "by": []}), ranks(score=points(required=False))]
)
def test_it_is_offered_for_counts_in_steps(spec: dict[str, Any]) -> None:
    assert STEPS in offered(spec)


@pytest.mark.parametrize(
    "spec",
    [
        ranks({**AHEAD, "stale": None}),
        ranks({**AHEAD, "stale": "1s"}),
        ranks({**AHEAD, "range": {"attr": "points", "op": "gt"}}),
        ranks({**AHEAD, "filter": {"seen": 1}}),
        ranks(score=points(validate={"min": 0})),
        ranks(score=points(validate={"min": 0, "max": 10**15})),
        ranks(score={"ttl": "30d"}),
        ranks(score={"rewrites": ["embed"]}),
        ranks(constraints={"rewrites": "none"}),
        ranks(regions=["us-east-1", "eu-west-1"]),
    ],
    ids=["never", "soon", "step", "filter", "bounds", "large", "ttl", "entity", "nothing", "regions"],
)
def test_it_is_not_offered_otherwise(spec: dict[str, Any]) -> None:
    assert STEPS not in offered(spec)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        (above(step=0), "from 1 on"),
        (above(step=0.5), "a whole number"),
        (above(op="lt"), "above a value"),
        (above(attr="at"), "at is to be a number"),
        ({**AHEAD, "aggregate": {"sum": "points"}}, "above a value"),
        ({**AHEAD, "aggregate": None, "stale": None}, "above a value"),
    ],
)
def test_what_cannot_be_meant_is_told(pattern: dict[str, Any], fault: str) -> None:
    with pytest.raises(SpecFaults, match=fault):
        read_spec(ranks(pattern))


def test_a_read_asks_for_steps() -> None:
    made = ranks_design()
    assert [each.name for each in made.items] == ["Score", "ScoreStepsByGameId"]
    assert not made.tables[0].gsis
    (read,) = (each for each in made.patterns if each.id == "ahead")
    assert read.aggregate == {"sum": "total"}
    kept = made.item("ScoreStepsByGameId")
    assert kept.id == ("gameId", "pointsFrom")
    assert kept.expected_count == 50 * 203, "from -100 to 10,000"


def test_what_is_rare_is_counted_while_reading() -> None:
    rare = ranks({**AHEAD, "rate": 0.0001})
    assert all(each.kind == "entity" for each in design(rare, explain=False).items if each.kind != "detail")


def test_a_change_of_the_number_is_a_change_of_the_step() -> None:
    found = {each.pattern: each.prediction.followed_wcu for each in cost_report(ranks_design()).patterns}
    assert found["change"] == pytest.approx(found["save"] * 1.5, rel=0.02), "a mark, and two steps instead of one"
    (layout,) = layouts_of(ranks_design()).values()
    together = gathered(layout.facts, estimate(layout).entries)
    assert together.writes_on("ScoreStepsByGameId", 1.0) > 5 / together.together, "a group has many steps"


@pytest.mark.parametrize("style", ["plain", "electrodb"])
@pytest.mark.parametrize(
    "spec",
    [
        ranks(above(step=2)),
        ranks(above(op="gte", step=1)),
        ranks({**AHEAD, "by": [], "rate": 20}),
        ranks(above(step=4), {**CHANGE, "changes": {"points": {"add": "{more}"}}}),
        ranks(above(step=2), score=points(required=False)),
    ],
    ids=["gt", "gte", "all", "add", "absent"],
)
def test_it_is_proven(spec: dict[str, Any], style: str) -> None:
    made = design({**spec, "constraints": {"key_style": style}}, explain=False)
    assert any(each.step_of is not None for item in made.items for each in item.attributes)
    found = prove(made, rounds=10)
    assert found.failure == ""
    assert found.invariants["a number that may be behind is what it was when the stream was followed last"] > 10


def test_a_count_in_steps_without_delay_is_exact() -> None:
    made = design(ranks({**AHEAD, "stale": None}), explain=False)
    assert not any(each.kind == "trailing" for each in made.items)
    assert prove(made, rounds=8).failure == ""


def test_it_is_explained() -> None:
    made = tasks.design(RANKS)
    why = {each.id: each.why for each in made.patterns}
    assert "so that the number is up to about 6 s behind (10 s are allowed)" in why["ahead"]
    assert "adds it to ScoreStepsByGameId" in why["change"]
    assert any("counted in steps" in each.chosen for each in made.advice.decisions)
