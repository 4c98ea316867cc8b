from __future__ import annotations

from typing import Any

import pytest

from tablewright.design.serving.filters import constants, equalities, keyed_by, operator_of, passing, with_keyed
from tablewright.design.serving.shapes import Shape
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

ATTRIBUTES = {
    "id": "string",
    "region": {"type": "string", "cardinality": 20},
    "status": {"type": "string", "values": ["open", "paid", "sent", "closed"]},
    "urgent": "boolean",
    "points": "number",
}


def facts_with(**pattern: Any) -> Any:
    entity = {"id": ["id"], "attributes": ATTRIBUTES, "count": 10_000}
    asked = {"id": "p", "kind": "query", "entity": "E", "by": ["region"], **pattern}
    facts = assume(read_spec({"name": "spec", "entities": {"E": entity}, "access_patterns": [asked]}))
    return facts, facts.spec.patterns[0]


def test_a_plain_value_is_said_and_the_rest_is_asked():
    _, pattern = facts_with(filter={"urgent": True, "status": "param", "points": "at most a number"})
    assert constants(pattern) == {"urgent": True}
    assert equalities(pattern) == {"urgent", "status"}


def test_inputs_are_what_a_key_takes():
    _, pattern = facts_with(filter={"urgent": True, "points": "at most a number"})
    taken = with_keyed(pattern, ["urgent"])
    assert (taken.by, taken.filter) == (("region", "urgent"), {"points": "at most a number"})


@pytest.mark.parametrize(
    ("shape", "taken"),
    [
        (Shape("E", ("region",), (), ("status", "urgent", "points")), ("status", "urgent")),
        (Shape("E", ("region",), (), ("points", "status")), ()),
        (Shape("E", ("status",), (), ("region", "urgent")), ("status", "urgent")),
        (Shape("E", ("region",)), ()),
    ],
)
def test_a_sort_key_takes_them_one_after_the_other(shape: Shape, taken: tuple[str, ...]):
    _, pattern = facts_with(filter={"urgent": True, "status": "param"})
    assert keyed_by(pattern, shape) == taken


def test_what_passes_is_said_or_shares_a_value():
    facts, pattern = facts_with(filter={"urgent": True, "status": "param"})
    assert passing(facts, pattern, "E") == 1 / 2 / 4
    facts, pattern = facts_with(filter={"points": "at most a number"})
    assert passing(facts, pattern, "E") == 1 / 3
    facts, pattern = facts_with(filter={"urgent": True}, selectivity=0.02)
    assert passing(facts, pattern, "E") == 0.02


def test_a_text_with_blanks_stands_for_itself() -> None:
    _, pattern = facts_with(by=["urgent"], filter={"region": "in progress", "points": "At least so many"})
    assert constants(pattern) == {"region": "in progress"}
    assert (operator_of("in progress"), operator_of("At least so many")) == ("=", "gte")
