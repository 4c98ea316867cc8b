"""Packed samples: the solver's optimum of every form against trying everything, the choice among periods against their
bills, the search's price against the bill, the proof, and estimates against runs.
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
from tablewright.design.cost.prices import US_EAST_1, prices_of
from tablewright.design.cost.report import month_of
from tablewright.design.cost.units.reading import predict_read
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.layout.forms import facts_of
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.run import prove
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.exhaustive import designs, in_styles, least_costs, linear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.layout.forms import Rewrite

pytestmark = pytest.mark.xdist_group("packing")
SEEDS = range(50)
MOST = 1_500
FEW = 10
SECONDS_PER_MONTH = 730 * 3600


def random_spec(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    series, rate = chance.choice([300, 1_000, 5_000]), chance.choice([10, 40, 200])
    months = chance.choice([0.5, 3])
    sample = {
        "id": ["s", "at"],
        "attributes": {
            "s": "string",
            "at": "timestamp",
            "value": {"type": "number", "required": True},
            **({"note": {"type": "string", "size_bytes": chance.choice([10, 100])}} if chance.random() < 0.6 else {}),
        },
        "count": rate * SECONDS_PER_MONTH * months,
        "growth_per_month": rate * SECONDS_PER_MONTH,
    }
    put = {"id": "put", "kind": "write", "op": "put", "entity": "C", "by": ["s", "at"], "rate": rate}
    lists = [random_list(chance, number) for number in range(chance.choice([1, 2, 2]))]
    if chance.random() < 0.4:
        lists.append({"id": "get", "kind": "get", "entity": "C", "by": ["s", "at"], "rate": chance.choice([1, 50])})
    entities = {"P": {"id": "s", "attributes": {"s": "string", "title": "string"}, "count": series}, "C": sample}
    return {"name": f"packing-{seed}", "entities": entities, "access_patterns": [*lists, put]}


def random_list(chance: random.Random, number: int) -> dict[str, Any]:
    asked = chance.choice(["between", "between", "gte", "lt", ""])
    ranged = {"range": {"attr": "at", "op": asked}} if asked else {}
    long = {"items": chance.choice([60, 500])} if asked and chance.random() < 0.7 else {}
    limit = long or {"limit": chance.choice([1, 20, 100])}
    return {
        "id": f"L{number}",
        "kind": "query",
        "entity": "C",
        "by": "s",
        "sort": chance.choice(["at desc", "at"]),
        "rate": chance.choice([5, 100]),
        **ranged,
        **limit,
        **({"consistency": "strong"} if chance.random() < 0.2 else {}),
    }


@cache
def solution_of(seed: int, style: str = "plain") -> Solution:
    return solve({**random_spec(seed), "constraints": {"key_style": style}})


def is_packed(seed: int) -> bool:
    return solution_of(seed).spec.entities["C"].packed is not None


def ways(seed: int) -> Iterator[list[Rewrite]]:
    """Every form of a spec: samples as items, or packed by one of the periods."""
    for options in product(*form_options(assume(read_spec(random_spec(seed))))):
        rewrites = [each for option in options for each in option]
        if go_together(rewrites):
            yield rewrites


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solver_finds_the_best_design_of_every_form(seed: int) -> None:
    facts = assume(read_spec(random_spec(seed)))
    for rewrites in ways(seed):
        candidates = candidates_of(facts_of(rewrite(facts, rewrites)))
        slots = next((number for number in (2, 1) if designs(candidates, number) <= MOST), 1)
        expected = least_costs(candidates, US_EAST_1, slots)
        model = linear(billed_model(candidates, US_EAST_1, slots))
        model.program.settle([name for name in model.program.columns if name[0] in ("projection", "lsi")], 0)
        found = best(model, "cost")
        assert found is not None
        assert found.choice.cost + found.choice.rules == min(expected.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_no_other_form_costs_less(seed: int) -> None:
    chosen = solution_of(seed)
    for rewrites in ways(seed):
        other = solve({**random_spec(seed), "constraints": {"key_style": "plain"}}, rewrites=rewrites)
        assert usd(chosen) <= usd(other) * 1.005


def usd(found: Solution) -> float:
    return month_of(found.layout, prices_of(found.spec), estimate(found.layout), free_tier=False).modes[0].usd_per_month


def test_many_of_these_designs_are_packed_and_some_are_not() -> None:
    found = [seed for seed in SEEDS if is_packed(seed)]
    assert 30 <= len(found) < len(SEEDS)
    lengths = {packed.length for seed in found if (packed := solution_of(seed).spec.entities["C"].packed) is not None}
    assert len(lengths) > 2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_search_says_no_more_than_the_bill(seed: int) -> None:
    found = solution_of(seed)
    for id_, plan in found.choice.plans.items() if is_packed(seed) else ():
        pattern = found.spec.pattern(id_)
        assert pattern is not None
        assert plan.units <= predict_read(found.layout, pattern, estimate(found.layout)).rcu + 1e-9


@pytest.mark.parametrize(("seed", "style"), in_styles(SEEDS, range(FEW)))
def test_every_design_is_proven(seed: int, style: str) -> None:
    assert prove(write_table(solution_of(seed, style)), rounds=8).failure == ""


@pytest.mark.parametrize("seed", range(FEW))
def test_estimates_are_those_of_runs(seed: int) -> None:
    report = check_estimates(write_table(solution_of(seed)))
    assert [each for each in report.patterns if not each.passed] == []
