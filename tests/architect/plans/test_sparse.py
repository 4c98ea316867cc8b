"""Sparse shapes: which are offered, what they hold, and that the solver weighs them as trying everything does."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tablewright.architect.plans.prices import entry_cost, looked_up
from tablewright.architect.search.bill import billed_model
from tablewright.architect.search.search import candidates_of
from tablewright.architect.search.stages import best
from tablewright.design.cost.prices import US_EAST_1
from tablewright.design.cost.units.entries import membership
from tablewright.design.serving.shapes import Shape
from tablewright.spec.facts import Facts, assume
from tablewright.spec.read import read_spec
from tests.architect.exhaustive import designs, least_costs, linear

MOST = 3_000
OPEN = (("s", '"x"'),)


def random_spec(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    attributes = {
        "id": "string",
        "a": {"type": "string", "cardinality": 50, "required": True},
        "s": {"type": "string", "values": ["x", "y", "z"], "required": chance.random() < 0.5},
        "b": {"type": "timestamp", "required": True},
        "c": {"type": "timestamp", "presence": chance.choice([0.02, 0.9])},
    }
    patterns = [random_pattern(chance, number) for number in range(chance.choice([1, 2]))]
    write = {"kind": "write", "entity": "E", "by": ["id"], "rate": chance.choice([1, 50])}
    return {
        "entities": {"E": {"id": ["id"], "attributes": attributes, "count": chance.choice([1e4, 1e8])}},
        "access_patterns": [
            *patterns,
            {**write, "id": "put", "op": "put"},
            {**write, "id": "turn", "op": "update", "changes": [chance.choice(["s", "c", "a"])]},
        ],
        "constraints": {"copies": "none"},
    }


def random_pattern(chance: random.Random, number: int) -> dict[str, Any]:
    pattern: dict[str, Any] = {"id": f"P{number}", "kind": "query", "entity": "E", "by": ["a"], "limit": 10}
    pattern |= {"sort": chance.choice(["b", "c"]), "absent": "omit", "rate": chance.choice([0.1, 10])}
    if chance.random() < 0.6:
        pattern |= {"filter": {"s": "x"}, "selectivity": chance.choice([0.01, 0.3])}
    return pattern


def facts_of(*patterns: dict[str, Any]) -> Facts:
    spec = random_spec(1)
    spec["entities"]["E"]["count"] = 1e8
    spec["entities"]["E"]["attributes"]["c"]["presence"] = 0.02
    return assume(read_spec({**spec, "access_patterns": [*patterns, *spec["access_patterns"][-2:]]}))


LISTED: dict[str, Any] = {"id": "P", "kind": "query", "entity": "E", "by": ["a"], "sort": "b", "rate": 1, "limit": 10}


def test_what_a_filter_says_or_an_order_needs_is_offered() -> None:
    dated = {**LISTED, "id": "Q", "sort": "c"}
    facts = facts_of({**LISTED, "filter": {"s": "x"}, "selectivity": 0.01}, {**dated, "absent": "omit"})
    found = {str(each) for each in candidates_of(facts).shapes["E"].index if each.when}
    assert 'a | @ b if s="x"' in found
    assert "a | @ c if c" in found


@pytest.mark.parametrize("absent", ["last", "first"])
def test_an_order_that_has_items_without_the_attribute_needs_them_all(absent: str) -> None:
    facts = facts_of({**LISTED, "sort": "c", "absent": absent})
    assert not any(each.when for each in candidates_of(facts).shapes["E"].index)


def test_a_parameter_is_no_value() -> None:
    facts = facts_of({**LISTED, "filter": {"s": "param"}})
    assert not any(each.when for each in candidates_of(facts).shapes["E"].index)


def test_entries_are_as_many_as_the_filter_passes() -> None:
    facts = facts_of({**LISTED, "filter": {"s": "x"}, "selectivity": 0.01})
    assert membership(facts, Shape("E", ("a",), (), ("b",), when=OPEN)) == 0.01
    unsaid = facts_of({**LISTED, "filter": {"s": "x"}})
    assert membership(unsaid, Shape("E", ("a",), (), ("b",), when=OPEN)) == 1 / 3


def test_updates_that_must_see_the_item_are_paid_for() -> None:
    """50 or 1 a second for 2,628,000 seconds, each a consistent read of one unit."""
    facts = facts_of({**LISTED, "filter": {"s": "x"}, "selectivity": 0.01})
    (turn,) = [each for each in facts.spec.writes if each.op == "update"]
    plain, sparse = Shape("E", ("a",), (), ("b",)), Shape("E", ("a",), (), ("b",), when=OPEN)
    expected = facts.rates["turn"].avg * 2_628_000 if turn.changed == ("s",) else 0.0
    assert looked_up(facts, sparse) == pytest.approx(expected)
    assert entry_cost(facts, US_EAST_1, sparse) < entry_cost(facts, US_EAST_1, plain)


@pytest.mark.parametrize("seed", range(40))
def test_the_solver_finds_the_best_design(seed: int) -> None:
    candidates = candidates_of(assume(read_spec(random_spec(seed))))
    slots = next((number for number in (2, 1) if designs(candidates, number) <= MOST), 0)
    expected = least_costs(candidates, US_EAST_1, slots)
    model = linear(billed_model(candidates, US_EAST_1, slots))
    model.program.settle([name for name in model.program.columns if name[0] == "projection"], 0)
    found = best(model, "cost")
    assert (None if found is None else found.choice.cost + found.choice.rules) == min(expected.values(), default=None)


def test_the_specs_bring_out_both_kinds() -> None:
    kinds: set[str] = set()
    for seed in range(40):
        found = best(billed_model(candidates_of(assume(read_spec(random_spec(seed)))), US_EAST_1, 2), "cost")
        shapes = [shape for slot in found.choice.slots for shape in slot.values()] if found else []
        kinds.update("value" if value else "presence" for shape in shapes for _, value in shape.when)
    assert kinds == {"value", "presence"}
