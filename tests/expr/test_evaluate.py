from __future__ import annotations

import copy
from base64 import b64decode
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.expr.evaluate import evaluate, project
from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import And, Between, Compare, Condition, Function, In, Name, Not, Or, Size, Value
from tablewright.expr.parse import parse_condition, parse_projection
from tablewright.wire.values import marshal
from tests.expr.strategies import conditions, items, names

ITEM: dict[str, Any] = {
    "n": 5,
    "half": Decimal("0.5"),
    "s": "hello",
    "b": b"\x00\xff",
    "bool": True,
    "null": None,
    "l": [1, "two", {"deep": [3]}],
    "m": {"x": 1, "y": {"z": 2}},
    "ss": {"a", "b"},
    "ns": {1, 2},
}
VALUES: dict[str, Any] = {
    ":0": 0, ":1": 1, ":5": 5, ":9": 9, ":half": 0.5, ":five": "5", ":h": "he", ":true": True, ":null": None,
    ":a": "a", ":ss": frozenset({"b", "a"}), ":N": "N", ":S": "S", ":m": {"x": 1, "y": {"z": Decimal(2)}},
    ":b": b"\x01",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("n = :5", True),
        ("n = :five", False),
        ("n <> :five", True),
        ("half = :half", True),
        ("bool = :1", False),
        ("bool = :true", True),
        ("null = :null", True),
        ("ss = :ss", True),
        ("m = :m", True),
        ("b < :b", True),
        ("n > :half AND n < :9", True),
        ("n < :five", False),
        ("n >= :five", False),
        ("absent = :1", False),
        ("absent <> :1", True),
        ("absent = gone", False),
        ("absent <> gone", True),
        ("absent < :1", False),
        ("NOT absent < :1", True),
        ("absent BETWEEN :0 AND :9", False),
        ("absent IN (:1, gone)", False),
        ("n BETWEEN :0 AND :5", True),
        ("n BETWEEN :5 AND n2", False),
        ("n BETWEEN half AND :9", True),
        ("s BETWEEN :0 AND :9", False),
        ("n IN (:1, :5)", True),
        ("n IN (:five, gone)", False),
        ("attribute_exists(m.y.z)", True),
        ("attribute_exists(l[3])", False),
        ("attribute_exists(null)", True),
        ("attribute_not_exists(m.q)", True),
        ("attribute_type(n, :N)", True),
        ("attribute_type(bool, :N)", False),
        ("attribute_type(absent, :S)", False),
        ("begins_with(s, :h)", True),
        ("begins_with(n, :h)", False),
        ("begins_with(absent, :h)", False),
        ("contains(ss, :a)", True),
        ("contains(ns, :1)", True),
        ("contains(l, :1)", True),
        ("contains(l, :true)", False),
        ("contains(absent, :1)", False),
        ("size(s) = :5", True),
        ("size(n) = :1", False),
        ("size(n) <> :1", True),
        ("size(l) > size(ss)", True),
        ("l[2].deep[0] > m.y.z", True),
        ("n = :1 OR n = :5 AND s = :h", False),
        ("(n = :1 OR n = :5) AND NOT s = :h", True),
    ],
)
def test_conditions(text: str, *, holds: bool) -> None:
    text = text.replace("bool", "#bool").replace("null", "#null").replace(":#", ":")
    names_used = {"#bool": "bool", "#null": "null"}
    assert evaluate(parse_condition(text, names_used, VALUES), ITEM) is holds


def find(operand: Any, item: Any) -> list[Any]:
    """The naive reading of an operand: a list of one value in typed JSON, or of none."""
    if isinstance(operand, Value):
        return [marshal(operand.value)]
    if isinstance(operand, Size):
        return [{"N": str(size)} for found in find(operand.path, item) for size in sizes(found)]
    value = item
    for part in operand.parts:
        if (isinstance(value, dict) and part in value) or (isinstance(value, list) and part in range(len(value))):
            value = value[part]
        else:
            return []
    return [marshal(value)]


def sizes(typed: dict[str, Any]) -> list[int]:
    ((code, value),) = typed.items()
    if code == "S":
        return [len(value)]
    if code == "B":
        return [len(value) * 3 // 4 - value.count("=")]
    return [] if code in ("N", "BOOL", "NULL") else [len(value)]


def sort_key(typed: dict[str, Any]) -> Any:
    ((code, value),) = typed.items()
    if code == "N":
        return Decimal(value)
    return value.encode() if code == "S" else b64decode(value)


def naive(node: Any, item: dict[str, Any]) -> bool:  # noqa: C901, PLR0912
    if isinstance(node, Not):
        return not naive(node.part, item)
    if isinstance(node, And):
        return all(naive(part, item) for part in node.parts)
    if isinstance(node, Or):
        return any(naive(part, item) for part in node.parts)
    if isinstance(node, In):
        return any(naive(Compare("=", node.operand, choice), item) for choice in node.choices)
    if isinstance(node, Between):
        return naive(Compare(">=", node.operand, node.low), item) and naive(
            Compare("<=", node.operand, node.high), item
        )
    if isinstance(node, Compare):
        left, right = find(node.left, item), find(node.right, item)
        if node.operator in ("=", "<>"):
            return bool(left and right and left == right) is (node.operator == "=")
        if not left or not right or left[0].keys() != right[0].keys() or not left[0].keys() & {"S", "N", "B"}:
            return False
        one, two = sort_key(left[0]), sort_key(right[0])
        return {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[node.operator]
    found = [value for operand in node.args for value in find(operand, item)]
    if node.name == "attribute_not_exists":
        return not found
    if len(found) < len(node.args):
        return False
    if node.name == "attribute_exists":
        return True
    ((code, value),), second = found[0].items(), found[1]
    if node.name == "attribute_type":
        return second == {"S": code}
    if node.name == "begins_with":
        return code in ("S", "B") and code in second and sort_key(found[0])[: len(sort_key(second))] == sort_key(second)
    if code in ("S", "B"):
        return code in second and sort_key(second) in sort_key(found[0])
    if code in ("SS", "NS", "BS"):
        return any(second == {code[0]: member} for member in value)
    return code == "L" and second in value


@given(conditions, items)
@settings(deadline=None, max_examples=300)
def test_agrees_with_a_naive_reading_of_typed_json(node: Condition, item: dict[str, Any]) -> None:
    before = copy.deepcopy(item)
    assert evaluate(node, item) is naive(node, item)
    assert item == before


def test_depth_does_not_matter() -> None:
    node: Condition = Compare("=", Name(("n",)), Value(5))
    for _ in range(5_000):
        node = Not(Not(Or((And((node,)), Function("attribute_exists", (Name(("gone",)),))))))
    assert evaluate(node, ITEM)


def test_empty_joints() -> None:
    assert evaluate(And(()), {})
    assert not evaluate(Or(()), {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n", {"n": 5}),
        ("n, gone", {"n": 5}),
        ("gone", {}),
        ("m.x", {"m": {"x": 1}}),
        ("m.x, m.y.z", {"m": {"x": 1, "y": {"z": 2}}}),
        ("m.q", {}),
        ("m.y.q, n", {"n": 5}),
        ("l[1]", {"l": ["two"]}),
        ("l[2], l[0]", {"l": [1, {"deep": [3]}]}),
        ("l[2].deep[0], l[0], l[7]", {"l": [1, {"deep": [3]}]}),
        ("s[0], n.x, l.x", {}),
    ],
)
def test_projections(text: str, expected: dict[str, Any]) -> None:
    assert project(parse_projection(text), ITEM) == expected


@given(st.lists(names, max_size=3), items)
@settings(deadline=None)
def test_what_is_projected_is_what_the_paths_lead_to(paths: list[Name], item: dict[str, Any]) -> None:
    projected = project(paths, item)
    assert projected.keys() <= item.keys()
    for path in paths:
        if len(path.parts) == 1:
            assert (path.parts[0] in projected) is (path.parts[0] in item)


def test_a_projection_of_nothing_and_a_path_too_deep() -> None:
    assert project([], ITEM) == {}
    with pytest.raises(ExpressionError, match="A path may have 32 parts, and this one has 10000"):
        project([Name(("a",) * 10_000)], ITEM)


def test_a_whole_attribute_beats_a_part_of_it() -> None:
    whole, part = Name(("m",)), Name(("m", "x"))
    assert project([whole, part], ITEM) == project([part, whole], ITEM) == {"m": ITEM["m"]}
