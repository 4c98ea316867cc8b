"""The design of every example spec does without a Scan and without a hot key that passes in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright import tasks
from tests.golden.designs import golden

SPECS = sorted((Path(__file__).parents[2] / "examples" / "specs").glob("*.yaml"))


def test_there_are_nine() -> None:
    assert len(SPECS) == 9


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_an_example_designs_and_proves(path: Path) -> None:
    found = tasks.prove(golden(path.stem))
    assert found.proof is not None
    assert found.proof.passed, found.proof.failure
    assert {each.pattern for each in found.proof.patterns} == {each.id for each in found.patterns}
    assert all(each.reads or each.writes for each in found.patterns)
    assert {step.operation for each in found.patterns for step in each.reads} <= {"GetItem", "Query", "BatchGetItem"}


def test_the_leaderboard_shards_its_boards() -> None:
    found = golden("leaderboard")
    assert [each.entity for each in found.heat.shards] == ["Score"]
