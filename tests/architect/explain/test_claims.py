"""No explanation contradicts the requests beside it: sentences are read back and held against the steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.architect.designer import design
from tests.architect.designs import CASE_FILES
from tests.architect.explain.claims import false_claims
from tests.trust.random_specs import random_spec

ROOT = Path(__file__).parents[3]
REFUSED = "contradict"
SPECS = {
    **CASE_FILES,
    **{each.stem: each for each in sorted((ROOT / "tests" / "trust" / "specs").glob("*.yaml")) if each.stem != REFUSED},
    **{f"{each.stem} example": each for each in sorted((ROOT / "examples" / "specs").glob("*.yaml"))},
    **{each.stem: each for each in sorted((ROOT / "tests" / "architect" / "applications").glob("*.yaml"))},
}
EXPLAINED = ["chat-system", "device-state-log", "social-network", "batch", "one_to_one", "optional_sort", "uniq"]
SEEDS = 40


@pytest.mark.parametrize("name", SPECS)
def test_reasons_of_patterns_are_true(name: str) -> None:
    assert not false_claims(design(SPECS[name]))


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_reasons_are_true_of_random_specs(seed: int) -> None:
    assert not false_claims(design(random_spec(seed)))


@pytest.mark.parametrize("name", EXPLAINED)
def test_decisions_are_told_as_they_were_made(name: str) -> None:
    made = design(SPECS[name], explain=True)
    assert made.advice.decisions
    assert not false_claims(made)
