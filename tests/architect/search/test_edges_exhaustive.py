"""Parents at the edge of their children: the solver's optimum against trying everything, the choice between one query
and several against their bills, the search's price against the bill, and the proof.
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
from tablewright.errors import DesignError
from tablewright.proof.checks.estimates import check_estimates
from tablewright.proof.run import prove
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.exhaustive import designs, in_styles, least_costs, linear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.layout.forms import Rewrite

pytestmark = pytest.mark.xdist_group("edges")
SEEDS = range(60)
MOST = 1_500
FEW = 12


def random_spec(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    ids = chance.choice([["p", "c"], ["p", "at"], ["c"]])
    fixed = {"immutable": True} if chance.random() < 0.7 else {}
    parent = {
        "id": "p",
        "attributes": {"p": "string", "title": {"size_bytes": chance.choice([50, 3000])}},
        "count": chance.choice([100, 10_000]),
    }
    child = {
        "id": ids,
        "attributes": {
            **({"c": "string"} if "c" in ids else {}),
            "p": {"references": "P", "required": True, **({} if "p" in ids else fixed)},
            "at": {"type": "timestamp", "required": True, **({} if "at" in ids else fixed)},
            "rank": {"type": "number", "required": chance.random() < 0.5},
            "body": {"type": "string", "size_bytes": chance.choice([100, 900])},
        },
        "count": chance.choice([20_000, 1_000_000]),
    }
    lists = [random_list(chance, number) for number in range(chance.choice([1, 2, 2]))]
    writes = [
        {"id": "put", "kind": "write", "op": "put", "entity": "C", "by": ids, "rate": chance.choice([1, 50])},
        {"id": "open", "kind": "write", "op": "put", "entity": "P", "by": "p", "rate": 1},
    ]
    if chance.random() < 0.5:
        lists.append({"id": "get", "kind": "get", "entity": "P", "by": "p", "rate": chance.choice([1, 50])})
    if chance.random() < 0.3:
        lists.append({"id": "of", "kind": "query", "entity": "C", "by": "p", "sort": "at", "rate": 5})
    return {"name": f"edges-{seed}", "entities": {"P": parent, "C": child}, "access_patterns": [*lists, *writes]}


def random_list(chance: random.Random, number: int) -> dict[str, Any]:
    limit = chance.choice([1, 10, 50])
    return {
        "id": f"L{number}",
        "kind": "query",
        "entities": chance.choice([["P", "C"], ["C", "P"]]),
        "by": "p",
        "sort": chance.choice(["at desc", "at desc", "at", "rank desc"]),
        "limit": chance.choice([limit, {"C": limit}]),
        "rate": chance.choice([1, 30]),
        **({"consistency": "strong"} if chance.random() < 0.2 else {}),
    }


@cache
def solution_of(seed: int, style: str = "plain") -> Solution | None:
    try:
        return solve({**random_spec(seed), "constraints": {"key_style": style}})
    except DesignError:
        return None


def edges(seed: int) -> list[str]:
    found = solution_of(seed)
    return [] if found is None else [each.id for each in found.spec.reads if each.beside]


def ways(seed: int) -> Iterator[list[Rewrite]]:
    """Every form of a spec: each list by one query or by two."""
    for options in product(*form_options(assume(read_spec(random_spec(seed))))):
        rewrites = [each for option in options for each in option]
        if go_together(rewrites):
            yield rewrites


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solver_finds_the_best_design_of_every_form(seed: int) -> None:
    facts = assume(read_spec(random_spec(seed)))
    for rewrites in ways(seed):
        if any(each.kind in ("embed", "split", "total") for each in rewrites):
            continue
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


def usd(found: Solution) -> float:
    return month_of(found.layout, prices_of(found.spec), estimate(found.layout), free_tier=False).modes[0].usd_per_month


def test_many_of_these_designs_have_an_edge() -> None:
    found = [seed for seed in SEEDS if edges(seed)]
    assert len(found) >= 30
    assert any(len(edges(seed)) > 1 for seed in found)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_search_says_no_more_than_the_bill(seed: int) -> None:
    found = solution_of(seed)
    for id_ in edges(seed) if found is not None else ():
        assert found is not None
        plan, _ = found.choice.collections[id_]
        pattern = found.spec.pattern(id_)
        assert pattern is not None
        assert plan.units <= predict_read(found.layout, pattern, estimate(found.layout)).rcu + 1e-9


@pytest.mark.parametrize(("seed", "style"), in_styles(SEEDS, range(FEW)))
def test_every_design_is_proven(seed: int, style: str) -> None:
    found = solution_of(seed, style)
    assert found is None or prove(write_table(found), rounds=8).failure == ""


@pytest.mark.parametrize("seed", range(FEW))
def test_estimates_are_those_of_runs(seed: int) -> None:
    found = solution_of(seed)
    report = check_estimates(write_table(found)) if found is not None else None
    assert report is None or [each for each in report.patterns if not each.passed] == []
