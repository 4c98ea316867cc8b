"""Applications that were not in mind when the search was written: designed with few indexes, and proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright import tasks

APPLICATIONS = Path(__file__).parents[1] / "architect" / "applications"
MOST_GSIS = {"bank": 2, "deals": 3, "forum": 1, "github": 3, "orders": 5}


@pytest.mark.parametrize("name", sorted(MOST_GSIS))
def test_application_is_designed_and_proven(name: str) -> None:
    design = tasks.design(APPLICATIONS / f"{name}.yaml", minimise="gsis", quick=True, prove=True)
    assert sum(len(table.gsis) for table in design.tables) <= MOST_GSIS[name]
    assert design.proof is not None
    assert design.proof.passed


def test_a_strong_sorted_list_takes_a_local_index() -> None:
    design = tasks.design(APPLICATIONS / "forum.yaml", minimise="gsis", quick=True)
    (step,) = next(each for each in design.patterns if each.id == "F2").reads
    assert step.index == "lsi1"
    assert step.consistent
