"""The solver's optimum is the optimum: compared with trying everything, on small random specs, for both aims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import best
from tablewright.architect.solution import solve, weight_of
from tablewright.design.cost.prices import prices_of
from tests.architect.exhaustive import designs, least_costs, linear, stored
from tests.architect.specs import rich_spec

if TYPE_CHECKING:
    from tablewright.architect.plans.values import Candidates
    from tablewright.architect.search.stages import Aim
    from tablewright.design.cost.prices import Prices

MOST = 1_500
MOST_WHEN_SLOW = 8_000


def compare(seed: int, most: int, regions: tuple[str, ...] = ()) -> None:
    given = rich_spec(seed, entities=1 + seed % 2, patterns=1 + seed % 4)
    facts = stored({**given, "regions": list(regions)})
    candidates, prices = candidates_of(facts), prices_of(facts.spec)
    slots = next((number for number in (3, 2, 1) if designs(candidates, number) <= most), 0)
    expected = least_costs(candidates, prices, slots)
    cheapest = min(((cost, used) for used, cost in expected.items()), default=None)
    assert solved(candidates, prices, slots, "cost") == cheapest
    fewest = min(expected.items(), default=None)
    assert solved(candidates, prices, slots, "gsis") == (fewest and (fewest[1], fewest[0]))


def solved(candidates: Candidates, prices: Prices, slots: int, aim: Aim) -> tuple[int, int] | None:
    """Cost and number of indexes; smaller projections have a comparison of their own."""
    model = linear(billed_model(candidates, prices, slots))
    model.program.settle([name for name in model.program.columns if name[0] == "projection"], 0)
    found = best(model, aim)
    return None if found is None else (found.choice.cost + found.choice.rules, len(found.choice.slots))


def test_lists_that_lead_to_items_are_among_them() -> None:
    specs = [rich_spec(seed, entities=1 + seed % 2, patterns=1 + seed % 4) for seed in range(300)]
    through = [each for each in specs if any("through" in pattern for pattern in each["access_patterns"])]
    assert len(through) >= 30


def test_lists_of_what_overlaps_are_among_them() -> None:
    specs = [rich_spec(seed, entities=1 + seed % 2, patterns=1 + seed % 4) for seed in range(300)]
    assert sum(any("overlaps" in pattern for pattern in each["access_patterns"]) for each in specs) >= 30


@pytest.mark.parametrize(
    "seed", [*range(100), *(pytest.param(each, marks=pytest.mark.slow) for each in range(100, 200))]
)
def test_the_solver_finds_the_best_design(seed: int) -> None:
    compare(seed, MOST)


@pytest.mark.parametrize("seed", [*range(30), *(pytest.param(each, marks=pytest.mark.slow) for each in range(30, 100))])
def test_the_solver_finds_the_best_design_for_several_regions(seed: int) -> None:
    compare(seed, MOST, ("us-east-1", "eu-west-1", "ap-northeast-1")[: 2 + seed % 2])


@pytest.mark.parametrize("seed", [each for each in range(14) if each not in (2, 10, 12)])  # which nothing serves
def test_what_expires_in_several_regions_costs_the_program_what_it_costs_on_the_bill(seed: int) -> None:
    given = rich_spec(seed, entities=1 + seed % 2, patterns=1 + seed % 4)
    for entity in given["entities"].values():
        entity |= {"ttl": "1d", "size_bytes": 3000}
    sums: list[float] = []
    bills: list[float] = []
    for regions in (["us-east-1"], ["us-east-1", "us-east-2"]):
        found = solve({**given, "regions": regions, "constraints": {"rewrites": "none"}}, aim="cost")
        sums.append(found.choice.cost)
        bills.append(weight_of(found.layout, "cost")[0])
        assert sums[-1] <= bills[-1] * (1 + 1e-6)
    assert sums[1] - sums[0] == pytest.approx(bills[1] - bills[0], rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 500))
def test_the_solver_finds_the_best_of_many_designs(seed: int) -> None:
    compare(seed, MOST_WHEN_SLOW)
