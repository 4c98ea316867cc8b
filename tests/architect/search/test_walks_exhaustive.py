"""Walks over buckets: the solver's optimum against trying everything, its price against the bill, and the proof."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import best
from tablewright.architect.solution import solve
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.cost.units.reading import predict_read
from tablewright.design.cost.units.volumes import estimate
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.run import prove
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.exhaustive import designs, in_styles, least_costs, linear

pytestmark = pytest.mark.xdist_group("walks")
SEEDS = range(70)
MOST = 1_500
FEW = 16
COUNTS = [{"count": 200_000}, {"count": 50_000_000}, {"count": 900_000_000}]


def random_spec(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    ids = chance.choice([["id"], ["a", "id"], ["a", "at"]])
    entity = {
        "id": ids,
        "attributes": {
            **({"id": "string"} if "id" in ids else {}),
            "a": {"type": "string", "cardinality": chance.choice([1, 5, 200]), "required": True},
            "kind": {"type": "string", "values": ["x", "y"], "required": True},
            "at": {"type": "timestamp", "since": "2024-01-15", "required": True, "immutable": True},
            "body": {"type": "string", "size_bytes": chance.choice([100, 900])},
        },
        **chance.choice([{"count": 50_000_000, "growth_per_month": 5_000_000}, {"ttl": "90d"}, *COUNTS]),
    }
    reads = [random_list(chance, number) for number in range(chance.choice([1, 2, 3]))]
    get = {"id": "get", "kind": "get", "entity": "E", "by": ids, "rate": 1}
    rate = chance.choice([1, {"avg": 20, "peak": 2000}])
    put = {"id": "put", "kind": "write", "op": "put", "entity": "E", "by": ids, "rate": rate}
    change = {"id": "change", "kind": "write", "op": "update", "entity": "E", "by": ids, "changes": ["body"], "rate": 1}
    return {"name": f"walks-{seed}", "entities": {"E": entity}, "access_patterns": [*reads, get, put, change]}


def random_list(chance: random.Random, number: int) -> dict[str, Any]:
    by = chance.choice([[], ["a"], ["a", "kind"]])
    found: dict[str, Any] = {
        "id": f"L{number}",
        "kind": "query",
        "entity": "E",
        "by": by,
        "rate": chance.choice([1, 9]),
    }
    found["sort"] = chance.choice(["at desc", "at desc", "at"])
    found["limit"] = chance.choice([1, 10, 100])
    if number == 2:
        found["range"] = {"attr": "at", "op": "between"}
    return found


@cache
def solution_of(seed: int, style: str = "plain"):
    return solve({**random_spec(seed), "constraints": {"key_style": style}})


def walks(seed: int) -> list[str]:
    return [id_ for id_, plan in solution_of(seed).choice.plans.items() if plan.serving.walks]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solver_finds_the_best_design(seed: int) -> None:
    candidates = candidates_of(assume(read_spec(random_spec(seed))))
    slots = next((number for number in (3, 2, 1) if designs(candidates, number) <= MOST), 1)
    expected = least_costs(candidates, US_EAST_1, slots)
    model = linear(billed_model(candidates, US_EAST_1, slots))
    model.program.settle([name for name in model.program.columns if name[0] == "projection"], 0)
    found = best(model, "cost")
    assert (None if found is None else found.choice.cost + found.choice.rules) == min(expected.values(), default=None)


def test_many_of_these_designs_walk() -> None:
    assert sum(bool(walks(seed)) for seed in SEEDS) >= 30


@pytest.mark.parametrize("seed", SEEDS)
def test_the_search_says_no_more_than_the_bill(seed: int) -> None:
    """Of whole items: those of an index of keys are weighed with the shards that whole items would need."""
    found = solution_of(seed)
    volumes = estimate(found.layout)
    for id_ in walks(seed):
        plan, pattern = found.choice.plans[id_], found.spec.pattern(id_)
        assert pattern is not None
        if plan.projection == "ALL":
            assert plan.units <= predict_read(found.layout, pattern, volumes).rcu + 1e-9


@pytest.mark.parametrize(("seed", "style"), in_styles(SEEDS, range(FEW)))
def test_every_design_is_proven(seed: int, style: str) -> None:
    report = prove(write_table(solution_of(seed, style)), rounds=8)
    assert report.failure == ""


@pytest.mark.parametrize("seed", range(FEW))
def test_estimates_are_those_of_runs(seed: int) -> None:
    report = check_estimates(write_table(solution_of(seed)))
    assert [each for each in report.patterns if not each.passed] == []
    assert [each for each in report.sizes if not each.passed] == []
