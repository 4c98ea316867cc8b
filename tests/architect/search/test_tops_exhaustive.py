"""Lists kept by the stream: the solver's optimum against trying everything, the choice between a list and an index
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
from tablewright.design.cost.prices import US_EAST_1, prices_of
from tablewright.design.cost.report import month_of
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

pytestmark = pytest.mark.xdist_group("tops")
SEEDS = range(48)
MOST = 1_500
FEW = 6


def random_spec(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    ids = chance.choice([["g", "u"], ["g", "u"], ["s"]])
    fixed = {} if "g" in ids else {"immutable": True}
    score = {
        "id": ids,
        "attributes": {
            **({"s": "string"} if "s" in ids else {}),
            "g": {"required": True, "cardinality": chance.choice([5, 300]), **fixed},
            "u": {"required": True, **fixed},
            "points": {"type": "number", "required": True},
            "at": {"type": "timestamp", "required": True},
            "note": {"size_bytes": chance.choice([50, 2500])},
        },
        "count": chance.choice([20_000, 1_000_000]),
    }
    lists = [random_list(chance, number) for number in range(chance.choice([1, 1, 2]))]
    reads = [{"id": "one", "kind": "get", "entity": "Score", "by": ids, "rate": chance.choice([1, 50])}]
    if chance.random() < 0.4:
        reads.append({"id": "of", "kind": "query", "entity": "Score", "by": "u", "sort": "at", "rate": 3})
    own = {"kind": "write", "entity": "Score", "by": ids}
    changes: dict[str, Any] = chance.choice(
        [
            {"changes": ["points", "at"], "when": "points < {points}"},
            {"changes": {"points": {"add": 3}, "at": {"given": True}}},
        ]
    )
    writes = [
        {"id": "begin", **own, "op": "put", "condition": "not exists", "rate": chance.choice([1, 20])},
        {"id": "score", **own, "op": "update", **changes, "rate": chance.choice([0.1, 20, 400])},
        {"id": "note", **own, "op": "update", "changes": ["note"], "rate": chance.choice([0.1, 5])},
    ]
    if chance.random() < 0.1:
        writes.append({"id": "drop", **own, "op": "delete", "rate": 1})
    return {"name": f"tops-{seed}", "entities": {"Score": score}, "access_patterns": [*lists, *reads, *writes]}


def random_list(chance: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": f"L{number}",
        "kind": "query",
        "entity": "Score",
        "by": "g",
        "sort": chance.choice(["points desc", "points desc", ["points desc", "at desc"]]),
        "limit": chance.choice([1, 10, 30]),
        "returns": chance.choice([["u", "points"], ["u", "points", "at"]]),
        "rate": chance.choice([1, 100]),
        **({"stale": "10s"} if chance.random() < 0.9 else {}),
    }


@cache
def solution_of(seed: int, style: str = "plain") -> Solution | None:
    try:
        return solve({**random_spec(seed), "constraints": {"key_style": style}})
    except DesignError:
        return None


def tops(seed: int) -> list[str]:
    found = solution_of(seed)
    return [] if found is None else [each.name for each in found.spec.entities.values() if each.top is not None]


def ways(seed: int) -> Iterator[list[Rewrite]]:
    """Every form of a spec: each list kept, or read by a key in its order."""
    for options in product(*form_options(assume(read_spec(random_spec(seed))))):
        rewrites = [each for option in options for each in option]
        if go_together(rewrites):
            yield rewrites


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solver_finds_the_best_design_of_every_form(seed: int) -> None:
    facts = assume(read_spec(random_spec(seed)))
    for rewrites in ways(seed):
        if any(each.kind == "split" for each in rewrites):
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


def test_many_of_these_designs_have_a_list() -> None:
    found = [seed for seed in SEEDS if tops(seed)]
    assert len(found) >= 30
    assert len(found) < len(SEEDS)
    assert any(len(tops(seed)) > 1 for seed in found)


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
