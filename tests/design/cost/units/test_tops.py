"""What a function is said to read and write that keeps lists, held against what it is billed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.cost.units.tops import Listed
from tablewright.design.layout.forms import Rewrite
from tablewright.design.reports import cost_report
from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.following import Change, follow
from tablewright.engine import Engine
from tablewright.proof.database import create_tables, run_flow
from tests.proof.scores import BEGIN, BEST, BETTER, SCORE, SCORES

GAMES = {"few": 2, "some": 10, "many": 200}
PLAYERS, MOST = 30, 3


def scores(games: int, rate: float) -> dict[str, Any]:
    attributes = {**SCORE["attributes"], "gameId": {"required": True, "cardinality": games}}
    patterns = {each["id"]: each for each in SCORES["access_patterns"] if each["id"] != "watch"}
    entity = {**SCORE, "attributes": attributes, "count": games * PLAYERS}
    better = {**BETTER, "rate": rate, "failures": 0}
    patterns |= {"best": {**BEST, "limit": MOST, "rate": 2000}, "score": better, "begin": {**BEGIN, "rate": 0.0001}}
    return {**SCORES, "entities": {"Score": entity}, "access_patterns": [*patterns.values()]}


class Counted:
    """An engine that adds up what is asked of it."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.units = engine, {"GetItem": 0.0, "PutItem": 0.0}

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        reply = self.engine.call(action, {**params, "ReturnConsumedCapacity": "TOTAL"})
        self.units[action] += reply["ConsumedCapacity"]["CapacityUnits"]
        return reply


@pytest.mark.parametrize("rate", [0.2, 4, 60])
@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_the_units_are_those_that_are_billed(games: int, rate: float) -> None:
    rewrites = [Rewrite("exact", "Score"), Rewrite("top", "Score", ("best",))]
    made = write_table(solve(scores(games, rate), rewrites=rewrites))
    (found,) = (each.prediction for each in cost_report(made).patterns if each.pattern == "score")
    read, written = _billed(made, games, window=5, rate=rate)
    assert found.followed_rcu == pytest.approx(read, rel=0.05)
    assert found.followed_wcu == pytest.approx(written, rel=0.1)


def _billed(made: Any, games: int, window: int, rate: float) -> tuple[float, float]:
    """Units for a change, of windows with as many changes as the rate says, of any player each."""
    chance, compiled, number = random.Random(1), compile_design(made), 0
    size = max(1, round(window * rate))
    points = {(game, player): 10_000 * (player < MOST) for game in range(games) for player in range(PLAYERS)}
    with Engine() as engine:
        create_tables(engine, made)
        following = compiled.following["games"]
        first = [_change(made, str(at), *each, points[each]) for at, each in enumerate(points)]
        run_flow(engine, follow(compiled.stored, following, first, 1))
        counted = Counted(engine)
        while number < 3000:
            batch: list[Change] = []
            for _ in range(size):
                number += 1
                game, player = chance.randrange(games), chance.randrange(PLAYERS)
                points[game, player] += 1
                batch.append(_change(made, f"c{number}", game, player, points[game, player]))
            run_flow(counted, follow(compiled.stored, following, batch, 1))
    return counted.units["GetItem"] / number, counted.units["PutItem"] / number


def _change(made: Any, id_: str, game: int, player: int, points: int) -> Change:
    image = {"gameId": f"g{game}", "userId": f"u{player}", "points": points, "at": "2026-01-01"}
    return Change(id_, None, {made.encoding.type_field: "Score", **image})


def test_of_a_list_that_most_changes_are_about() -> None:
    listed = Listed(together=100.0, groups=10.0, share=0.5)
    assert 0.09 < listed.reads_per_change <= 0.1
    assert listed.writes_per_change < listed.reads_per_change
    alone = listed.on(0.001)
    assert (alone.together, alone.reads_per_change, alone.writes_per_change) == (1.0, 1.0, 0.5)
