"""The solver's optimum is the optimum: compared with trying everything, on small random specs, for both aims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import best
from tablewright.design.cost.prices import US_EAST_1
from tests.architect.exhaustive import designs, least_costs, linear, stored
from tests.architect.specs import rich_spec

if TYPE_CHECKING:
    from tablewright.architect.plans.values import Candidates
    from tablewright.architect.search.stages import Aim

MOST = 1_500
MOST_WHEN_SLOW = 8_000


def compare(seed: int, most: int) -> None:
    candidates = candidates_of(stored(rich_spec(seed, entities=1 + seed % 2, patterns=1 + seed % 4)))
    slots = next((number for number in (3, 2, 1) if designs(candidates, number) <= most), 0)
    expected = least_costs(candidates, US_EAST_1, slots)
    cheapest = min(((cost, used) for used, cost in expected.items()), default=None)
    assert solved(candidates, slots, "cost") == cheapest
    fewest = min(expected.items(), default=None)
    assert solved(candidates, slots, "gsis") == (fewest and (fewest[1], fewest[0]))


def solved(candidates: Candidates, slots: int, aim: Aim) -> tuple[int, int] | None:
    """Cost and number of indexes; smaller projections have a comparison of their own."""
    model = linear(billed_model(candidates, US_EAST_1, slots))
    model.program.settle([name for name in model.program.columns if name[0] == "projection"], 0)
    found = best(model, aim)
    return None if found is None else (found.choice.cost + found.choice.rules, len(found.choice.slots))


def test_lists_that_lead_to_items_are_among_them() -> None:
    specs = [rich_spec(seed, entities=1 + seed % 2, patterns=1 + seed % 4) for seed in range(300)]
    through = [each for each in specs if any("through" in pattern for pattern in each["access_patterns"])]
    assert len(through) >= 30


@pytest.mark.parametrize(
    "seed", [*range(100), *(pytest.param(each, marks=pytest.mark.slow) for each in range(100, 200))]
)
def test_the_solver_finds_the_best_design(seed: int) -> None:
    compare(seed, MOST)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 500))
def test_the_solver_finds_the_best_of_many_designs(seed: int) -> None:
    compare(seed, MOST_WHEN_SLOW)
