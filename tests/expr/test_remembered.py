"""What is remembered must be what parsing gives, whatever was asked before."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.expr import remembered
from tablewright.expr.faults import ExpressionError
from tablewright.expr.operands import Used
from tablewright.expr.parse import parse_condition, parse_update
from tablewright.expr.remembered import remembered_condition, remembered_update

KIND = "ConditionExpression"
CONDITIONS = (
    "a = :x",
    "#n.b[2] <> :x AND NOT (c IN (:x, :y, :x) OR size(#n) > :y)",
    "a BETWEEN :x AND :y",
    "begins_with(a, :x) AND attribute_exists(#n)",
    "attribute_type(a, :x)",
    "size(:x) = :y",
    "attribute_exists(a)",
    "a = :missing",
    "a = ",
    "",
)
UPDATES = (
    "SET a = :x, #n = if_not_exists(#n, :y) REMOVE c ADD d :y",
    "SET a = list_append(a, :x), b = b + :y",
    "ADD a :x DELETE b :y",
    "SET a = :x, a = :y",
    "REMOVE a[1]",
)
VALUES = st.one_of(
    st.text(max_size=3),
    st.integers(-5, 5),
    st.just(Decimal("0.1")),
    st.booleans(),
    st.none(),
    st.binary(max_size=2),
    st.sets(st.text(max_size=2), min_size=1, max_size=2),
    st.sets(st.integers(0, 9), min_size=1, max_size=2),
    st.lists(st.integers(0, 9), max_size=2),
    st.dictionaries(st.text(max_size=2), st.integers(0, 9), max_size=2),
)


def outcome(parse: Any, *args: Any, **options: Any) -> tuple[Any, Used]:
    used = Used()
    try:
        return parse(*args, used=used, **options), used
    except ExpressionError as error:
        return str(error), Used()


@given(text=st.sampled_from(CONDITIONS), x=VALUES, y=VALUES, name=st.sampled_from(["n", "a", "size"]))
def test_conditions_are_those_that_parsing_gives(text: str, x: Any, y: Any, name: str) -> None:
    args = text, {"#n": name}, {":x": x, ":y": y}
    for _ in range(2):
        assert outcome(remembered_condition, *args, kind=KIND) == outcome(parse_condition, *args, kind=KIND)


@given(text=st.sampled_from(UPDATES), x=VALUES, y=VALUES, name=st.sampled_from(["n", "a", "size"]))
def test_updates_are_those_that_parsing_gives(text: str, x: Any, y: Any, name: str) -> None:
    args = text, {"#n": name}, {":x": x, ":y": y}
    for _ in range(2):
        assert outcome(remembered_update, *args) == outcome(parse_update, *args)


def test_a_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = remembered_condition("only_here = :x", None, {":x": 1}, kind=KIND, used=Used())
    monkeypatch.setattr(remembered, "parse_condition", None)
    again = remembered_condition("only_here = :x", None, {":x": 2}, kind=KIND, used=Used())
    assert (first, again) == (
        parse_condition("only_here = :x", None, {":x": 1}),
        parse_condition("only_here = :x", None, {":x": 2}),
    )


def test_texts_and_names_without_end_are_not_kept() -> None:
    before = remembered._read.cache_info().currsize  # pyright: ignore[reportPrivateUsage]
    remembered_condition("#n = :x", {"#n": "n" * 5000}, {":x": 1}, kind=KIND, used=Used())
    remembered_condition(" " * 3000 + "a = :x", None, {":x": 1}, kind=KIND, used=Used())
    assert remembered._read.cache_info().currsize == before  # pyright: ignore[reportPrivateUsage]


def test_deep_conditions_are_read_each_time() -> None:
    text = "NOT " * 200 + "a = :x"
    found = remembered_condition(text, None, {":x": 1}, kind=KIND, used=Used())
    assert found == parse_condition(text, None, {":x": 1})
