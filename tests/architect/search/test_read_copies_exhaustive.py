"""Read copies: the solver's optimum against trying everything, the search's price against the bill, and the proof."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tablewright.architect.cooling import solve_cool
from tablewright.architect.pipeline import write_table
from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import best
from tablewright.architect.solution import weight_of
from tablewright.design.cost.prices import US_EAST_1
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.run import prove
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.exhaustive import designs, in_styles, least_costs, linear

if TYPE_CHECKING:
    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.plans.values import Candidates

pytestmark = pytest.mark.xdist_group("copies")
SEEDS = range(60)
MOST = 3_000
FEW = 8


def random_spec(seed: int) -> dict[str, Any]:
    """A few items that everybody reads, by their id and in lists, and that somebody changes."""
    chance = random.Random(seed)
    ids = chance.choice([["id"], ["a", "id"]])
    fixed = {"immutable": True} if chance.random() < 0.5 else {}
    entity = {
        "id": ids,
        "attributes": {
            "id": "string",
            "a": {"type": "string", "cardinality": chance.choice([1, 3]), "required": True, **fixed},
            "rank": {"type": "number", "required": True, **fixed},
            "body": {"type": "string", "size_bytes": chance.choice([50, 400])},
        },
        "count": chance.choice([5, 30, 300]),
    }
    strong = {"consistency": "strong"} if chance.random() < 0.3 else {}
    reads: list[dict[str, Any]] = [
        {"id": "get", "kind": "get", "entity": "E", "by": ids, "rate": busy(chance), "skew": "hottest 60%", **strong}
    ]
    if chance.random() < 0.6:
        sort = chance.choice(["rank", "rank desc"])
        reads.append(
            {"id": "list", "kind": "query", "entity": "E", "by": "a", "sort": sort, "limit": 3, "rate": busy(chance)}
        )
    writes = [
        {"id": "put", "kind": "write", "op": "put", "entity": "E", "by": ids, "rate": chance.choice([0.1, 2])},
        {"id": "change", "kind": "write", "op": "update", "entity": "E", "by": ids, "changes": ["body"], "rate": 1},
    ]
    if not fixed:
        writes.append({**writes[1], "id": "move", "changes": ["rank"]})
    return {"name": f"copies-{seed}", "entities": {"E": entity}, "access_patterns": [*reads, *writes]}


def busy(chance: random.Random) -> dict[str, int]:
    return {"avg": 100, "peak": chance.choice([200, 9000, 20_000, 40_000])}


@cache
def solution_of(seed: int, style: str = "plain") -> Solution:
    return solve_cool({**random_spec(seed), "constraints": {"key_style": style}})


def copied(seed: int) -> list[str]:
    return [id_ for id_, plan in solution_of(seed).choice.plans.items() if plan.shape.copies]


def from_copies(candidates: Candidates) -> Candidates:
    """What may be read from copies is read from nothing else, as where everything else is too hot."""
    plans = {
        id_: tuple(each for each in found if each.shape.copies) or found for id_, found in candidates.plans.items()
    }
    return msgspec.structs.replace(candidates, plans=plans)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solver_finds_the_best_design(seed: int) -> None:
    every = candidates_of(assume(read_spec(random_spec(seed))))
    for candidates in (every, from_copies(every)):
        slots = next((number for number in (2, 1) if designs(candidates, number) <= MOST), 0)
        expected = least_costs(candidates, US_EAST_1, slots)
        model = linear(billed_model(candidates, US_EAST_1, slots))
        model.program.settle([name for name in model.program.columns if name[0] == "projection"], 0)
        found = best(model, "cost")
        assert (None if found is None else found.choice.cost + found.choice.rules) == min(
            expected.values(), default=None
        )


def test_many_of_these_designs_have_copies() -> None:
    assert sum(bool(copied(seed)) for seed in SEEDS) >= 30


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_too_hot_and_the_search_says_no_more_than_the_bill(seed: int) -> None:
    found = solution_of(seed)
    assert found.too_hot == 0
    assert found.choice.cost <= weight_of(found.layout, "cost")[0] * (1 + 1e-6)


@pytest.mark.parametrize(("seed", "style"), in_styles(SEEDS, range(FEW)))
def test_every_design_is_proven(seed: int, style: str) -> None:
    report = prove(write_table(solution_of(seed, style)), rounds=8)
    assert report.failure == ""


@pytest.mark.parametrize("seed", range(FEW))
def test_estimates_are_those_of_runs(seed: int) -> None:
    report = check_estimates(write_table(solution_of(seed)))
    assert [each for each in report.patterns if not each.passed] == []
    assert [each for each in report.sizes if not each.passed] == []
