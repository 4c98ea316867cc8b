"""The solver's optimum is the optimum: compared with trying everything, on small random specs."""

from __future__ import annotations

import pytest

from tablewright.architect.cost.prices import US_EAST_1
from tablewright.architect.search.choose import Model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.spec.assume import assume
from tablewright.architect.spec.read import read_spec
from tests.architect.exhaustive import least_cost
from tests.architect.specs import random_spec

MOST = 40_000


@pytest.mark.parametrize("seed", range(60))
def test_cost_is_least(seed: int) -> None:
    facts = assume(read_spec(random_spec(seed, entities=1 + seed % 2, patterns=2 + seed % 2)))
    candidates = candidates_of(facts)
    slots = 1 if seed % 2 else 2
    size = 1
    for shapes in candidates.shapes.values():
        size *= len(shapes.base) * (len(shapes.index) + 1) ** slots
    if size > MOST:
        slots = 1
    choice = Model(candidates, US_EAST_1, slots).solve("cost")
    expected = least_cost(candidates, US_EAST_1, slots)
    assert (None if choice is None else choice.cost) == expected
