"""What a function that follows the stream is said to write, held against what it writes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.design.cost.units.following import gathered, marks_per_second, shards_in, stream_shards
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.derive import layouts_of
from tablewright.design.reports import cost_report
from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.following import Change, follow
from tablewright.engine import Engine
from tablewright.proof.database import add_units, create_tables, run_flow
from tests.proof.votes import CAST, HOW_MANY, ONE, VOTE, VOTES, WEIGHTS

GROUPS = {"few": 4, "some": 20, "many": 2_000}


def votes(polls: int, rate: float) -> dict[str, Any]:
    attributes = {**VOTE["attributes"], "pollId": {"cardinality": polls, "required": True}}
    attributes["weight"] = {"type": "number", "required": True}
    attributes["text"] = {"size_bytes": "20 KB"}  # so that nothing is as cheap as the stream
    cast = {**CAST, "rate": rate, "condition": "not exists", "failures": 0}
    patterns = [ONE, {**HOW_MANY, "rate": 2000}, {**WEIGHTS, "rate": 2000}, cast]
    return {**VOTES, "entities": {"Vote": {**VOTE, "attributes": attributes}}, "access_patterns": patterns}


@pytest.mark.parametrize("rate", [0.2, 4, 200])
@pytest.mark.parametrize("polls", GROUPS.values(), ids=GROUPS)
def test_the_units_are_those_that_are_billed(polls: int, rate: float) -> None:
    made = design(votes(polls, rate), explain=False)
    assert {each.kind for each in made.items} == {"entity", "trailing"}
    (cast,) = (each.prediction for each in cost_report(made).patterns if each.pattern == "cast")
    assert cast.followed_wcu == pytest.approx(_billed(made, polls, window=5, rate=rate), rel=0.08)


def _billed(made: Any, polls: int, window: int, rate: float) -> float:
    """Units for a change, of windows with as many changes as the rate says."""
    chance, compiled, number = random.Random(1), compile_design(made), 0
    label = made.encoding.type_field
    size = max(1, round(window * rate))
    units = 0.0
    with Engine() as engine:
        create_tables(engine, made)
        while number < max(300, size):
            batch: list[Change] = []
            for _ in range(size):
                number += 1
                vote = {"pollId": f"p{chance.randrange(polls)}", "choice": chance.choice("abc"), "weight": 1}
                batch.append(Change(str(number), None, {"voteId": f"v{number}", label: "Vote", **vote}))
            flow = follow(compiled.stored, compiled.following["votes"], batch, 1)
            units += sum(add_units(run_flow(engine, flow)).values())
    return units / number


def test_more_shards_bring_less_together() -> None:
    (layout,) = layouts_of(design(votes(20, 100), explain=False)).values()
    volumes = estimate(layout)
    one, ten = (gathered(layout.facts, volumes.entries, shards=shards) for shards in (1, 100))
    assert one.together > ten.together == pytest.approx(5.0, rel=0.1)
    assert one.writes_per_change("VoteTotalByPollId") < ten.writes_per_change("VoteTotalByPollId") <= 1
    assert one.records == marks_per_second(layout.facts, volumes.entries) == 100
    assert shards_in(volumes) == 1
    assert stream_shards(2500.0, 0.0) == 3
