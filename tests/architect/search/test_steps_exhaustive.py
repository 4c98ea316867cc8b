"""Counts in steps: the solver's optimum against trying everything, the choice between steps and counting while reading
against their bills, the search's price against the bill, and the proof.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.architect.plans.forms import form_options, go_together, rewrite
from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import best
from tablewright.architect.solution import solve
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.layout.forms import facts_of
from tablewright.errors import DesignError
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.run import prove
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.exhaustive import designs, in_styles, least_costs, linear
from tests.architect.search.test_tops_exhaustive import usd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.layout.forms import Rewrite

pytestmark = pytest.mark.xdist_group("steps")
SEEDS = range(44)
MOST = 1_000
FEW = 6


def random_spec(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    ids = chance.choice([["g", "u"], ["s"]])
    score = {
        "id": ids,
        "attributes": {
            **({"s": "string"} if "s" in ids else {}),
            "g": {"required": True, "cardinality": chance.choice([5, 50])},
            "u": {"required": True},
            "points": {"type": "number", "required": chance.random() < 0.7, "validate": {"min": -50, "max": 1_000}},
        },
        "count": chance.choice([100_000, 1_000_000]),
    }
    step, op = chance.choice([5, 20, 100]), chance.choice(["gt", "gte"])
    ahead = {
        "id": "ahead",
        "kind": "query",
        "entity": "Score",
        "by": "g",
        "range": {"attr": "points", "op": op, "step": step},
        "aggregate": "count",
        "rate": chance.choice([0.01, 20, 80, 80, 80, 80]),
        **({"stale": "20s"} if chance.random() < 0.95 else {}),
    }
    own = {"kind": "write", "entity": "Score", "by": ids}
    writes = [
        {"id": "save", **own, "op": "put", "rate": chance.choice([0.1, 2])},
        {"id": "change", **own, "op": "update", "changes": ["points"], "rate": chance.choice([0.1, 4])},
        {"id": "drop", **own, "op": "delete", "rate": 0.1},
    ]
    one = {"id": "one", "kind": "get", "entity": "Score", "by": ids, "rate": chance.choice([1, 50])}
    return {"name": f"steps-{seed}", "entities": {"Score": score}, "access_patterns": [ahead, one, *writes]}


@cache
def solution_of(seed: int, style: str = "plain") -> Solution | None:
    try:
        return solve({**random_spec(seed), "constraints": {"key_style": style}})
    except DesignError:
        return None


def has_steps(seed: int) -> bool:
    found = solution_of(seed)
    return found is not None and any(each.kind == "steps" for each in found.rewritten.rewrites)


def ways(seed: int) -> Iterator[list[Rewrite]]:
    for options in product(*form_options(assume(read_spec(random_spec(seed))))):
        rewrites = [each for option in options for each in option]
        if go_together(rewrites):
            yield rewrites


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solver_finds_the_best_design_of_every_form(seed: int) -> None:
    facts = assume(read_spec(random_spec(seed)))
    for rewrites in ways(seed):
        candidates = candidates_of(facts_of(rewrite(facts, rewrites)))
        slots = next((number for number in (3, 2, 1) if designs(candidates, number) <= MOST), 1)
        expected = least_costs(candidates, US_EAST_1, slots)
        model = linear(billed_model(candidates, US_EAST_1, slots))
        model.program.settle([name for name in model.program.columns if name[0] in ("projection", "lsi")], 0)
        found = best(model, "cost")
        assert (None if found is None else found.choice.cost + found.choice.rules) == min(
            expected.values(), default=None
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_no_other_form_costs_less(seed: int) -> None:
    chosen = solution_of(seed)
    for rewrites in ways(seed) if chosen is not None else ():
        try:
            other = solve({**random_spec(seed), "constraints": {"key_style": "plain"}}, rewrites=rewrites)
        except DesignError:
            continue
        assert chosen is not None
        assert usd(chosen) <= usd(other) * 1.005


def test_many_of_these_designs_have_steps() -> None:
    found = [seed for seed in SEEDS if has_steps(seed)]
    assert 30 <= len(found) < len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_search_says_no_more_than_the_bill(seed: int) -> None:
    found = solution_of(seed)
    if found is not None:
        model = billed_model(candidates_of(found.facts), US_EAST_1, 3)
        assert model.constant / 1e6 <= usd(found) + 1e-6


@pytest.mark.parametrize(("seed", "style"), in_styles(SEEDS, range(FEW)))
def test_every_design_is_proven(seed: int, style: str) -> None:
    found = solution_of(seed, style)
    assert found is None or prove(write_table(found), rounds=8).failure == ""


@pytest.mark.parametrize("seed", range(FEW))
def test_estimates_are_those_of_runs(seed: int) -> None:
    found = solution_of(seed)
    report = check_estimates(write_table(found)) if found is not None else None
    assert report is None or [each for each in report.patterns if not each.passed] == []
