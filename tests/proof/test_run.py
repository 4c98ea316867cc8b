"""Designs of random specs answer as brute force does, whatever the values are."""

from __future__ import annotations

import msgspec
import pytest

from tablewright.architect.solution import solve
from tablewright.proof.run import prove
from tests.architect.specs import random_spec


@pytest.mark.parametrize("aim", ["cost", "gsis"])
@pytest.mark.parametrize("seed", [*range(12), 23, 28, 137])
def test_random_specs_are_served(seed: int, aim: str) -> None:
    solution = solve(random_spec(seed, entities=3, patterns=6), aim=aim)
    assert [each for each in prove(solution, seed=seed) if each.mismatches] == []


def test_a_wrong_design_is_found_out() -> None:
    solution = solve(random_spec(1, entities=2, patterns=4))
    pattern, request = next((id_, each) for id_, each in solution.requests.items() if each.operation == "Query")
    broken = msgspec.structs.replace(request, pk=request.pk + "?")
    wrong = msgspec.structs.replace(solution, requests={**solution.requests, pattern: broken})
    assert any(each.mismatches for each in prove(wrong) if each.pattern == pattern)
