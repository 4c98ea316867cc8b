"""Plans that need specs of their own to be seen: the solver's optimum against trying everything, the choice among forms
against their bills, and the proof, each plan on specs in which it is best at least thirty times.
"""

from __future__ import annotations

import random
from functools import cache, partial
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
from tablewright.proof.run import prove
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tests.architect.exhaustive import STYLES, designs, least_costs, linear
from tests.architect.search.test_tops_exhaustive import usd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.layout.forms import Rewrite

pytestmark = pytest.mark.xdist_group("further")
SEEDS = range(44)
LEAST = 30
MOST = 1_000
FEW = 6


def moving(chance: random.Random) -> dict[str, Any]:
    """Lists by what changes, which must be consistent or do without an index."""
    by = {"kind": "write", "entity": "Task", "by": "taskId"}
    strong = {"consistency": "strong"}
    lists = [
        {"id": "of", "kind": "query", "entity": "Task", "by": "team", "rate": chance.choice([1, 50]), **strong},
        {"id": "one", "kind": "get", "entity": "Task", "by": "taskId", "rate": chance.choice([1, 20])},
    ]
    if chance.random() < 0.5:
        lists[0] |= {"sort": chance.choice(["due", "due desc"]), "limit": 20}
    if chance.random() < 0.1:
        lists[1] |= strong
    if chance.random() < 0.3:
        lists.append({"id": "kinds", "kind": "query", "entity": "Task", "by": "kind", "rate": 1})
    if chance.random() < 0.15:
        del lists[0]["consistency"]
    writes = [
        {"id": "put", **by, "op": "put", "rate": chance.choice([0.1, 5])},
        {"id": "move", **by, "op": "update", "changes": ["team"], "rate": chance.choice([0.1, 5])},
        {"id": "edit", **by, "op": "update", "changes": ["title"], "rate": 1},
        {"id": "drop", **by, "op": "delete", "rate": 0.1},
    ]
    if chance.random() < 0.4:
        writes[0] |= {"condition": "not exists"}
    task = {
        "id": "taskId",
        "attributes": {
            "team": {"required": True, "cardinality": chance.choice([10, 500])},
            "due": {"type": "timestamp", "required": True, "immutable": True},
            "kind": {"required": True, "cardinality": 5},
            "title": {"size_bytes": chance.choice([50, 2000])},
        },
        "count": chance.choice([10_000, 1_000_000]),
    }
    return {"entities": {"Task": task}, "access_patterns": [*lists, *writes]}


def behind(chance: random.Random) -> dict[str, Any]:
    """Counts and sums that may be behind, of all items of a group or of some, of tenants too."""
    by = {"kind": "write", "entity": "Vote", "by": ["tenant", "voteId"]}
    group = chance.choice([["tenant", "poll"], ["tenant", "poll", "choice"]])
    number = {
        "id": "how-many",
        "kind": "query",
        "entity": "Vote",
        "by": group,
        "aggregate": chance.choice(["count", {"sum": "weight"}]),
        "rate": chance.choice([5, 50, 200, 200]),
        **({"tenant": "tenant"} if chance.random() < 0.5 else {}),
        **({"stale": "20s"} if chance.random() < 0.95 else {}),
    }
    writes = [
        {"id": "cast", **by, "op": "put", "condition": "not exists", "rate": chance.choice([20, 50])},
        {"id": "change", **by, "op": "update", "changes": ["choice"], "rate": chance.choice([0.1, 2])},
    ]
    if chance.random() < 0.5:
        writes.append({"id": "drop", **by, "op": "delete", "rate": 0.1})
    vote = {
        "id": ["tenant", "voteId"],
        "attributes": {
            "tenant": {"cardinality": 20},
            "poll": {"cardinality": chance.choice([20, 200]), "required": True, "immutable": True},
            "choice": {"values": ["a", "b", "c"], "required": True},
            "weight": {"type": "number", "required": True, "immutable": True},
            "text": {"size_bytes": chance.choice([20, 2500, 2500, 3000, 3000, 3500])},
        },
        "count": chance.choice([1_000_000, 10_000_000]),
    }
    return {"entities": {"Vote": vote}, "access_patterns": [number, *writes]}


def with_parents(chance: random.Random, *, rates: tuple[float, ...]) -> dict[str, Any]:
    """Answers with attributes of a parent, which never change, or now and then."""
    fixed = {"immutable": True} if chance.random() < 0.6 else {}
    customer = {"id": "c", "attributes": {"name": {"required": True, **fixed}, "note": "string"}, "count": 5000}
    order = {
        "id": "o",
        "attributes": {
            "c": {"required": True, "immutable": True},
            "at": {"type": "timestamp", "required": True, "immutable": True},
            "body": {"size_bytes": chance.choice([50, 900])},
        },
        "count": 100_000,
    }
    returns = chance.choice([["o", "C.name"], ["o", "body", "C.name"]])
    reads = [
        {"id": "one", "kind": "get", "entity": "O", "by": "o", "returns": returns, "rate": chance.choice(rates)},
        {"id": "of", "kind": "query", "entity": "O", "by": "c", "sort": "at", "returns": returns, "rate": 5},
    ]
    writes = [
        {"id": "put", "kind": "write", "op": "put", "entity": "O", "by": "o", "rate": chance.choice([0.1, 10])},
        {"id": "open", "kind": "write", "op": "put", "entity": "C", "by": "c", "condition": "not exists", "rate": 0.1},
        {"id": "note", "kind": "write", "op": "update", "entity": "C", "by": "c", "changes": ["note"], "rate": 1},
    ]
    integrity = {"integrity": "checked"} if chance.random() < 0.8 else {}
    return {
        "entities": {"C": customer, "O": order},
        "relationships": [{"from": "C", "to": "O", "kind": "1:n", "avg": 20, "by": "c", **integrity}],
        "access_patterns": [reads[0], *(reads[1:] if chance.random() < 0.6 else []), *writes],
    }


def numbered(chance: random.Random) -> dict[str, Any]:
    """Indexes on numbers and times themselves."""
    attributes = {
        "region": {"cardinality": chance.choice([5, 50]), "required": True},
        "total": {"type": "number", "required": chance.random() < 0.9},
        "at": {"type": "timestamp", "required": True},
        "note": {"size_bytes": chance.choice([50, 900])},
    }
    sorts = chance.sample(["total", "total desc", "at desc"], chance.choice([1, 2]))
    lists = [
        {
            "id": f"L{number}",
            "kind": "query",
            "entity": "Order",
            "by": "region",
            "rate": chance.choice([1, 20]),
            **chance.choice(
                [{"sort": sort, "limit": 10}, {"range": {"attr": sort.split()[0], "op": chance.choice(["gt", "lte"])}}]
            ),
        }
        for number, sort in enumerate(sorts)
    ]
    own = {"kind": "write", "entity": "Order", "by": "orderId"}
    writes = [
        {"id": "put", **own, "op": "put", "rate": chance.choice([0.1, 10])},
        {"id": "change", **own, "op": "update", "changes": ["total", "note"], "rate": 1},
    ]
    get = {"id": "get", "kind": "get", "entity": "Order", "by": "orderId", "rate": 5}
    order = {"id": "orderId", "attributes": attributes, "count": chance.choice([10_000, 1_000_000])}
    return {
        "entities": {"Order": order},
        "access_patterns": [*lists, get, *writes],
        "constraints": {"multi_attribute_keys": True},
    }


def ordered(chance: random.Random) -> dict[str, Any]:
    """Lists by a time that ids sort as."""
    ids = chance.choice([["g", "o"], ["g", "o"], ["o"]])
    settled = {"required": True, "immutable": True}
    entity = {
        "id": ids,
        "attributes": {
            "o": {"sorts_as": "at"} if chance.random() < 0.85 else "string",
            "g": {"cardinality": chance.choice([50, 5000]), **({} if "g" in ids else settled)},
            "at": {"type": "timestamp", **settled},
            "body": {"size_bytes": chance.choice([50, 2000])},
        },
        "count": chance.choice([50_000, 5_000_000]),
    }
    newest = {"id": "newest", "kind": "query", "entity": "Order", "by": "g", "sort": "at desc", "limit": 20}
    reads = [
        {**newest, "rate": chance.choice([1, 50])},
        {"id": "one", "kind": "get", "entity": "Order", "by": ids, "rate": chance.choice([1, 50])},
    ]
    if chance.random() < 0.15:
        reads.append({"id": "between", "kind": "query", "entity": "Order", "by": "g", "range": {"attr": "at"}})
    put = {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ids, "rate": chance.choice([1, 20])}
    return {"entities": {"Order": entity}, "access_patterns": [*reads, put]}


FAMILIES = {
    "pointer": moving,
    "trailing": behind,
    "parents": partial(with_parents, rates=(0.1, 0.1, 0.1, 1, 1, 200)),
    "copied": partial(with_parents, rates=(1, 200, 200, 200, 500, 500)),
    "native": numbered,
    "order": ordered,
}
"""By the plan that is best in most of them."""
CASES = list(product(FAMILIES, SEEDS))


def shown(cases: list[tuple[str, int]]) -> list[Any]:
    """The first of each family; the others take long together."""
    return [pytest.param(*each, marks=[] if each[1] < FEW else [pytest.mark.slow]) for each in cases]


def random_spec(family: str, seed: int, style: str = "plain") -> dict[str, Any]:
    found = FAMILIES[family](random.Random(f"{family} {seed}"))
    return {"name": f"{family}-{seed}", **found, "constraints": {**found.get("constraints", {}), "key_style": style}}


@cache
def solution_of(family: str, seed: int, style: str = "plain") -> Solution | None:
    try:
        return solve(random_spec(family, seed, style), tell_rules=True)
    except DesignError:
        return None


def kinds(family: str, seed: int) -> set[str]:
    found = solution_of(family, seed)
    if found is None:
        return set()
    native = any(keys.native for item in write_table(found).items for keys in item.keys)
    return {each.kind for each in found.rewritten.rewrites} | ({"native"} if native else set())


def ways(family: str, seed: int) -> Iterator[list[Rewrite]]:
    for options in product(*form_options(assume(read_spec(random_spec(family, seed))))):
        rewrites = [each for option in options for each in option]
        if go_together(rewrites):
            yield rewrites


@pytest.mark.parametrize(("family", "seed"), shown(CASES))
def test_the_solver_finds_the_best_design_of_every_form(family: str, seed: int) -> None:
    facts = assume(read_spec(random_spec(family, seed)))
    for rewrites in ways(family, seed):
        if any(each.kind in ("embed", "split") for each in rewrites):
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


@pytest.mark.parametrize(("family", "seed"), shown(CASES))
def test_no_other_form_costs_less(family: str, seed: int) -> None:
    """Beyond what a rule is told to cost."""
    chosen = solution_of(family, seed)
    for rewrites in ways(family, seed) if chosen is not None else ():
        try:
            other = solve(random_spec(family, seed), rewrites=rewrites)
        except DesignError:
            continue
        assert chosen is not None
        told = 0.0 if chosen.rule is None else chosen.rule.usd_per_month
        assert usd(chosen) - told <= usd(other) * 1.005


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_many_of_these_designs_have_the_plan_and_some_do_not(family: str) -> None:
    found = [seed for seed in SEEDS if family in kinds(family, seed)]
    assert LEAST <= len(found) < len(SEEDS)


@pytest.mark.parametrize(("family", "seed"), shown(CASES))
def test_every_design_is_proven(family: str, seed: int) -> None:
    found = solution_of(family, seed, STYLES[seed % 2])
    assert found is None or prove(write_table(found), rounds=8).failure == ""
