"""Conditions as people write them become what DynamoDB takes, or an error that names the place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.errors import DesignError
from tablewright.expr.evaluate import evaluate
from tablewright.expr.nodes import And, Condition, Not, Or, Slot
from tablewright.spec.conditions import Predicate, absent, check_condition, compare, join, require

GAME = ("people", "status", "openTimestamp", "name")


def test_a_text_becomes_a_tree_and_is_written_again():
    found = Predicate.parse("people < 50 AND status = 'open' and name <> {name}")
    assert str(found) == "people < 50 AND status = 'open' AND name <> {name}"
    assert found.attributes == ("people", "status", "name")
    assert found.slots == ("name",)
    assert [each.comparison for each in found.parts[:2]] == [("people", "<", (50,)), ("status", "=", ("open",))]


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("False", False), ("-2.5", -2.5), ('"a b"', "a b"), ("'it: {x}'", "it: {x}"), ("'it''s'", "it's")],
)
def test_literals(text: str, value: Any):
    assert Predicate.parse(f"name = {text}").comparison.values == (value,)


def test_a_colon_names_a_parameter_as_well():
    assert Predicate.parse("people < :most") == Predicate.parse("people < {most}")


def test_functions_keep_their_names():
    text = "attribute_exists(openTimestamp) AND size(name) > 3"
    assert str(check_condition("here", text, GAME)) == text


@pytest.mark.parametrize("name", ["between", "true", "a b", "x.y", "size", "`", "größe", "1st"])
def test_any_name_can_be_written(name: str):
    found = compare(name, "=", Slot("given"))
    assert Predicate.parse(str(found)) == found


OPERANDS = st.one_of(st.text(max_size=4), st.booleans(), st.integers(-99, 99), st.sampled_from("ab").map(Slot))
COMPARISONS = st.builds(
    compare, st.text(min_size=1, max_size=4), st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), OPERANDS
).map(lambda each: each.tree)
TREES = st.recursive(
    st.one_of(COMPARISONS, st.text(min_size=1, max_size=4).map(lambda name: absent(name).tree)),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
        inner.map(Not),
    ),
    max_leaves=6,
)


@given(TREES)
def test_every_tree_can_be_written_and_read(tree: Condition):
    try:
        found = Predicate.parse(str(Predicate(tree)))
    except ValueError as fault:  # DynamoDB compares truth values for equality only
        assert "Incorrect operand type" in str(fault)  # noqa: PT017
    else:
        assert found == Predicate(tree)


def test_slots_are_filled():
    condition = Predicate.parse("people < {most} AND status = {status}")
    assert evaluate(condition.fill({"most": 5, "status": "open"}), {"people": 4, "status": "open"})
    assert not evaluate(condition.fill({"most": 4, "status": "open"}), {"people": 4, "status": "open"})
    assert condition.slot_attribute("most") == "people"


def test_what_a_sparse_index_requires():
    wanted = {"status": "open", "owner": None, "rank": 3}
    found = require(wanted)
    assert found is not None
    assert str(found) == "status = 'open' AND attribute_exists(owner) AND rank = 3"
    assert Predicate.parse(str(found)).required == wanted
    assert require({}) is None


@pytest.mark.parametrize("text", ["fewer than 50 players", "people <", "people < 50 AND", "begins_with(name)"])
def test_what_is_no_condition_is_an_error_with_its_place(text: str):
    with pytest.raises(DesignError, match=r"^access_patterns\.join\.when: .* is no DynamoDB condition"):
        check_condition("access_patterns.join.when", text, GAME)


def test_unknown_attributes_are_named():
    with pytest.raises(DesignError, match="speaks of players; there are the attributes people"):
        check_condition("access_patterns.join.when", "players < 50", GAME)


def test_alternatives_keep_to_themselves():
    either, other = Predicate.parse("a = 1 OR b = 2"), Predicate.parse("c = 3")
    assert str(join(either, None, other)) == "(a = 1 OR b = 2) AND c = 3"
    assert join(either, None) == either
    assert join(None) is None
