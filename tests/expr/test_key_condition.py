from __future__ import annotations

from typing import Any

import pytest

from tablewright.expr.faults import ExpressionError
from tablewright.expr.key_condition import KeyCondition, split_key_condition
from tablewright.expr.nodes import Between, Compare, Function, Name, Value
from tablewright.expr.parse import parse_key_condition

VALUES: dict[str, Any] = {":a": 1, ":b": 2, ":s": "s"}


def key_condition(text: str) -> Any:
    return parse_key_condition(text, {"#p": "p"}, VALUES)


PARTITION = (Compare("=", Name(("p",)), Value(1)),)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("p = :a", ()),
        ("(#p = :a)", ()),
        (":a = p", ()),
        ("p = :a AND c = :b", (Compare("=", Name(("c",)), Value(2)),)),
        ("c > :b AND p = :a", (Compare(">", Name(("c",)), Value(2)),)),
        (":b > c AND p = :a", (Compare("<", Name(("c",)), Value(2)),)),
        ("(p = :a) AND (c BETWEEN :a AND :b)", (Between(Name(("c",)), Value(1), Value(2)),)),
        ("begins_with(c, :s) AND :a = p", (Function("begins_with", (Name(("c",)), Value("s"))),)),
    ],
)
def test_conjuncts_in_any_order(text: str, sort: tuple[Any, ...]) -> None:
    assert split_key_condition(key_condition(text), ["p"], ["c"]) == KeyCondition(PARTITION, sort)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("((p = :a))", "Invalid KeyConditionExpression: The expression has redundant parentheses;"),
        ("p > 4", 'Invalid KeyConditionExpression: Syntax error; token: "4", near: "> 4"'),
        ("p = :a OR c = :a", "Invalid operator used in KeyConditionExpression: OR"),
        ("p > c AND size(c) > d OR p > d", "Invalid operator used in KeyConditionExpression: OR"),
        ("p IN (:a)", "Invalid operator used in KeyConditionExpression: IN"),
        ("NOT p > :a", "Invalid operator used in KeyConditionExpression: NOT"),
        ("p <> :a", "Invalid operator used in KeyConditionExpression: <>"),
        ("attribute_exists(p)", "Invalid operator used in KeyConditionExpression: attribute_exists"),
        ("contains(p, :a)", "Invalid operator used in KeyConditionExpression: contains"),
        (
            "begins_with(:s, p)",
            (
                "Invalid condition in KeyConditionExpression: "
                "begins_with operator must have the key attribute as its first operand"
            ),
        ),
        (
            ":a BETWEEN p AND c",
            (
                "Invalid condition in KeyConditionExpression: "
                "BETWEEN operator must have the key attribute as its first operand"
            ),
        ),
        ("p > size(c)", "KeyConditionExpressions cannot contain nested operations"),
        ("p.x = :a", "KeyConditionExpressions cannot have conditions on nested attributes"),
        ("p[0] = :a", "KeyConditionExpressions cannot have conditions on nested attributes"),
        ("p = c", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"),
        (":a = :b", "Invalid condition in KeyConditionExpression: No key attribute specified"),
        ("p = :a AND p = :b", "KeyConditionExpressions must only contain one condition per key"),
    ],
)
def test_what_no_key_allows(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as fault:
        key_condition(text)
    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c = :a", "Query condition missed key schema element: p"),
        ("p > :a", "Query key condition not supported"),
        ("p = :a AND x = :b", "Query condition missed key schema element: c"),
        ("p = :a AND c = :a AND x = :b", "Conditions can be of length 1 or 2 only"),
    ],
)
def test_what_this_key_does_not_allow(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as fault:
        split_key_condition(key_condition(text), ["p"], ["c"])
    assert str(fault.value) == message


def test_several_attributes_on_either_side() -> None:
    condition = key_condition("c2 > :a AND p1 = :a AND c1 = :b AND p2 = :b")
    split = split_key_condition(condition, ["p1", "p2"], ["c1", "c2", "c3"])
    assert [part.left for part in split.partition] == [Name(("p1",)), Name(("p2",))]
    assert split.sort == (Compare("=", Name(("c1",)), Value(2)), Compare(">", Name(("c2",)), Value(1)))


LOOSE = (
    "RANGE key attributes c1 must have equality conditions specified in the query "
    "because a condition is present on key attribute c2"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p1 = :a AND c1 = :a", "Query condition missed key schema element: p2"),
        ("p1 = :a AND p2 = :a AND c2 = :a", LOOSE),
        ("p1 = :a AND p2 = :a AND c1 > :a AND c2 = :a", LOOSE),
    ],
)
def test_sort_attributes_come_from_the_left(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as fault:
        split_key_condition(key_condition(text), ["p1", "p2"], ["c1", "c2"])
    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p = :a AND x = :a", "Query key condition not supported"),
        ("x = :a AND y = :a", "Query key condition not supported"),
        ("p = :a AND x = :a AND y = :a", "Conditions can be of length 1 or 2 only"),
        ("x = :a", "Query condition missed key schema element: p"),
    ],
)
def test_a_key_without_sort_attributes(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as fault:
        split_key_condition(key_condition(text), ["p"])
    assert str(fault.value) == message
