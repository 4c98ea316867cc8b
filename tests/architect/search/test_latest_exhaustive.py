"""The newest of a group in an item of its own: the solver's optimum against trying everything, the choice between an
index, a name and a copy against their bills, and the proof.
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
from tablewright.architect.solution import solve, weight_of
from tablewright.design.cost.prices import US_EAST_1
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

pytestmark = pytest.mark.xdist_group("latest")
SEEDS = range(60)
MOST = 1_500
FEW = 12


def random_spec(seed: int) -> dict[str, Any]:
    """Reads of the newest and of single items, by chance such that an index, a key, a name or a copy is best."""
    chance = random.Random(seed)
    settled = {"required": True, "immutable": True}
    ids = chance.choice([["t"], ["t"], ["g", "n"]])
    attributes = {
        **({"t": "string"} if "t" in ids else {"n": "number"}),
        "g": {"references": "G", **({} if "g" in ids else settled)},
        "at": {"type": "timestamp", **settled},
        "body": {"size_bytes": chance.choice([50, 2500]), **({"immutable": True} if chance.random() < 0.5 else {})},
        "state": "string",
    }
    entities = {
        "G": {"id": "g", "attributes": {"title": "string"}, "count": 500},
        "T": {"id": ids, "attributes": attributes, "count": chance.choice([10_000, 5_000_000])},
    }
    put = {"id": "put", "kind": "write", "op": "put", "entity": "T", "by": ids, "rate": chance.choice([0.1, 1, 20])}
    if chance.random() < 0.3:
        put["condition"] = "not exists"
    more = {"id": "more", "kind": "write", "op": "update", "entity": "T", "by": ids, "changes": ["state"], "rate": 1}
    reads = list(_reads(chance, ids))
    return {"name": f"newest-{seed}", "entities": entities, "access_patterns": [*reads, put, more]}


def _reads(chance: random.Random, ids: list[str]) -> Iterator[dict[str, Any]]:
    yield {
        "id": "newest",
        "kind": "get",
        "entity": "T",
        "by": "g",
        "sort": "at desc",
        "rate": chance.choice([0.1, 20, 200]),
        "consistency": chance.choice(["strong", "strong", "strong", "eventual"]),
        **({"returns": [*ids, "at", "body"]} if chance.random() < 0.5 else {}),
    }
    yield {
        "id": "one",
        "kind": "get",
        "entity": "T",
        "by": ids,
        "rate": chance.choice([0.1, 20]),
        "consistency": chance.choice(["strong", "strong", "strong", "eventual"]),
    }
    if chance.random() < 0.2:
        yield {"id": "of", "kind": "query", "entity": "T", "by": "g", "sort": "at", "rate": 1}


@cache
def solution_of(seed: int, style: str = "plain") -> Solution | None:
    try:
        return solve({**random_spec(seed), "constraints": {"key_style": style}})
    except DesignError:
        return None


def kinds(seed: int) -> set[str]:
    found = solution_of(seed)
    return set() if found is None else {each.kind for each in found.rewrites}


def ways(seed: int) -> Iterator[list[Rewrite]]:
    """Every form of a spec."""
    for options in product(*form_options(assume(read_spec(random_spec(seed))))):
        rewrites = [each for option in options for each in option]
        if go_together(rewrites):
            yield rewrites


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solver_finds_the_best_design_of_every_form(seed: int) -> None:
    facts = assume(read_spec(random_spec(seed)))
    for rewrites in ways(seed):
        if not any(each.kind in ("latest", "newest") for each in rewrites):
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
        assert weight_of(chosen.layout, "cost")[0] <= weight_of(other.layout, "cost")[0] * 1.005


def test_many_of_these_designs_have_such_an_item() -> None:
    named = [seed for seed in SEEDS if "latest" in kinds(seed)]
    copied = [seed for seed in SEEDS if "newest" in kinds(seed)]
    assert len(named) + len(copied) >= 30
    assert named
    assert copied
    assert any(not kinds(seed) & {"latest", "newest"} for seed in SEEDS)


@pytest.mark.parametrize(("seed", "style"), in_styles(SEEDS, range(FEW)))
def test_every_design_is_proven(seed: int, style: str) -> None:
    found = solution_of(seed, style)
    assert found is None or prove(write_table(found), rounds=8).failure == ""


@pytest.mark.parametrize("seed", range(FEW))
def test_estimates_are_those_of_runs(seed: int) -> None:
    found = solution_of(seed)
    report = check_estimates(write_table(found)) if found is not None else None
    assert report is None or [each for each in report.patterns if not each.passed] == []
