"""Copies of what changes: the solver's optimum against trying everything, the choice between copies and reading the
parents against their bills, and the proof.
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

pytestmark = pytest.mark.xdist_group("copies")
SEEDS = range(60)
LATE = range(100, 160)
"""Specs whose reads may be behind."""
MOST = 1_500
SHOWN = [*SEEDS[:8], *LATE[:8]]


def random_spec(seed: int) -> dict[str, Any]:
    chance, late = random.Random(seed), seed in LATE
    parent = {
        "id": "p",
        "attributes": {
            "p": "string",
            "name": {"required": True, "size_bytes": chance.choice([20, 400])},
            "note": {"size_bytes": chance.choice([20, 900])},
        },
        "count": 1000,
    }
    child = {
        "id": ["p", "c"] if late else chance.choice([["c"], ["c"], ["p", "c"]]),
        "attributes": {
            "c": "string",
            "p": {"required": True},
            "kind": {"values": ["x", "y", "z"], "required": True},
            "body": {"size_bytes": chance.choice([100, 900])},
        },
        "count": 10_000,
    }
    by = child["id"]
    returns = [["c", "P.name"], ["c", "P.name", "P.note"], ["body", "P.note"]]
    reads = [
        {"id": "one", "kind": "get", "entity": "C", "by": by, "returns": chance.choice(returns), "rate": rate(chance)},
        *(
            {"id": f"L{at}", "kind": "query", "entity": "C", "by": asked, "returns": chance.choice(returns), "rate": 1}
            for at, asked in enumerate(chance.sample(["p", "kind"], chance.choice([0, 1, 1])))
        ),
    ]
    if late:
        reads = [{**each, "stale": "10s"} for each in reads]
    writes = [
        {"id": "put", "kind": "write", "op": "put", "entity": "C", "by": by, "rate": chance.choice([0.1, 2])},
        {"id": "open", "kind": "write", "op": "put", "entity": "P", "by": "p", "condition": "not exists", "rate": 0.1},
        {"id": "rename", "kind": "write", "op": "update", "entity": "P", "by": "p", "rate": chance.choice([0.01, 0.5])},
    ]
    if chance.random() < 0.7:
        writes[-1]["changes"] = chance.choice([["name"], ["name", "note"]])
    if chance.random() < 0.4:
        writes.append({"id": "drop", "kind": "write", "op": "delete", "entity": "C", "by": by, "rate": 0.1})
    return {
        "name": f"copies-{seed}",
        "entities": {"P": parent, "C": child},
        "relationships": [
            {
                "from": "P",
                "to": "C",
                "kind": "1:n",
                "avg": 10,
                "integrity": "checked",
                **({} if late and chance.random() < 0.7 else {"max": chance.choice([20, 40])}),
            }
        ],
        "access_patterns": [*reads, *writes],
    }


def rate(chance: random.Random) -> float:
    return chance.choice([1, 100, 500])


@cache
def solution_of(seed: int, style: str = "plain") -> Solution | None:
    try:
        return solve({**random_spec(seed), "constraints": {"key_style": style}})
    except DesignError:
        return None


def kept(seed: int, kind: str) -> list[str]:
    found = solution_of(seed)
    return [] if found is None else [each.subject for each in found.rewrites if each.kind == kind]


def ways(seed: int) -> Iterator[list[Rewrite]]:
    """Every form of a spec: each answer from copies or from the parents."""
    for options in product(*form_options(assume(read_spec(random_spec(seed))))):
        rewrites = [each for option in options for each in option]
        if go_together(rewrites) and not any(each.kind in ("embed", "split") for each in rewrites):
            yield rewrites


@pytest.mark.parametrize("seed", [*SEEDS, *LATE])
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


@pytest.mark.parametrize("seed", [*SEEDS, *LATE])
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


def test_many_of_these_designs_keep_copies_in_step_and_some_do_not() -> None:
    found = [seed for seed in SEEDS if kept(seed, "refreshed")]
    assert 30 <= len(found) < len(SEEDS)
    late = [seed for seed in LATE if kept(seed, "followed")]
    assert 30 <= len(late) < len(LATE)


@pytest.mark.parametrize(("seed", "style"), in_styles([*SEEDS, *LATE], SHOWN))
def test_every_design_is_proven(seed: int, style: str) -> None:
    found = solution_of(seed, style)
    assert found is None or prove(write_table(found), rounds=8).failure == ""


@pytest.mark.parametrize("seed", SHOWN)
def test_estimates_are_those_of_runs(seed: int) -> None:
    found = solution_of(seed)
    report = check_estimates(write_table(found)) if found is not None else None
    assert report is None or [each for each in report.patterns if not each.passed] == []
