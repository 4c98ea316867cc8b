from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings

from tablewright.expr.evaluate import apply
from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import Add, Assigned, Delete, IfNotExists, ListAppend, Name, Plus, Set, Update, Value
from tablewright.expr.parse import parse_update
from tests.expr.strategies import items, updates

VALUES: dict[str, Any] = {
    ":1": 1, ":2": 2, ":3": 3, ":half": 0.5, ":s": "s", ":l": ["x"], ":big": 10**37 * 9, ":tiny": Decimal("1e-130"),
    ":ss": {"x"}, ":xy": {"x", "y"}, ":ns": {1, Decimal("0.1")}, ":max": Decimal("9e125"),
}  # fmt: skip
ITEM: dict[str, Any] = {
    "n": 5,
    "s": "text",
    "l": [0, 1, 2],
    "m": {"x": 1, "in": {"l": [1]}},
    "ss": {"x"},
    "ns": {0.1, 7},
}


def applied(text: str, item: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    before = copy.deepcopy(ITEM if item is None else item)
    given_item = copy.deepcopy(before)
    after = apply(parse_update(text, {"#in": "in"}, VALUES), given_item, **options)
    assert given_item == before, "the item itself is never changed"
    return after


def changes(text: str) -> dict[str, Any]:
    after = applied(text)
    return {name: after.get(name) for name in ITEM | after if name not in ITEM or after.get(name) != ITEM[name]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SET a = :1", {"a": 1}),
        ("SET a = n, n = s", {"a": 5, "n": "text"}),
        ("SET n = n + :1", {"n": 6}),
        ("SET n = :half - n", {"n": -4.5}),
        ("SET n = if_not_exists(n, :1), a = if_not_exists(gone, :2)", {"a": 2}),
        ("SET a = if_not_exists(gone, if_not_exists(m.x, :3)) + :1", {"a": 2}),
        ("SET l = list_append(l, :l)", {"l": [0, 1, 2, "x"]}),
        ("SET l = list_append(:l, if_not_exists(gone, :l))", {"l": ["x", "x"]}),
        ("SET m.y = :2, m.#in.l[0] = :3", {"m": {"x": 1, "y": 2, "in": {"l": [3]}}}),
        ("SET l[1] = :s", {"l": [0, "s", 2]}),
        ("SET l[84] = :1, l[37] = :2, l[50] = :3", {"l": [0, 1, 2, 2, 3, 1]}),
        ("REMOVE n", {"n": None}),
        ("REMOVE gone, m.gone, l[9]", {}),
        ("REMOVE l[0], l[2]", {"l": [1]}),
        ("REMOVE l[1] SET l[2] = :s", {"l": [0, "s"]}),
        ("SET l[2] = :s, l[9] = :3 REMOVE l[0], l[3]", {"l": [1, "s", 3]}),
        ("REMOVE m.x, m.#in.l[0]", {"m": {"in": {"l": []}}}),
        ("REMOVE n SET a = n", {"n": None, "a": 5}),
        ("ADD n :half", {"n": 5.5}),
        ("ADD a :1, m.x :1", {"a": 1, "m": {"x": 2, "in": {"l": [1]}}}),
        ("ADD ss :xy", {"ss": {"x", "y"}}),
        ("ADD a :ss", {"a": {"x"}}),
        ("ADD ns :ns", {"ns": {0.1, 1, 7}}),
        ("DELETE ss :xy", {"ss": None}),
        ("DELETE ns :ns", {"ns": {7}}),
        ("DELETE gone :ss", {}),
    ],
)  # fmt: skip
def test_updates(text: str, expected: dict[str, Any]) -> None:
    assert changes(text) == expected


PATH = "The document path provided in the update expression is invalid for update"
TYPE = "An operand in the update expression has an incorrect data type"
ABSENT = "The provided expression refers to an attribute that does not exist in the item"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SET s.x = :1", PATH),
        ("SET l.x = :1", PATH),
        ("SET gone.x = :1", PATH),
        ("SET gone[0] = :1", PATH),
        ("SET m[0] = :1", PATH),
        ("SET l[9].x = :1", PATH),
        ("REMOVE s.x", PATH),
        ("REMOVE gone[0]", PATH),
        ("ADD gone.x :1", PATH),
        ("DELETE gone.x :ss", PATH),
        ("SET a = gone", ABSENT),
        ("SET a = :1, b = a", ABSENT),
        ("SET a = gone + :1", ABSENT),
        ("SET a = list_append(gone, :l)", ABSENT),
        ("SET a = s + :1", TYPE),
        ("SET a = list_append(s, :l)", TYPE),
        ("SET a = if_not_exists(s, :1) - :1", TYPE),
        ("ADD s :1", TYPE),
        ("ADD n :ss", TYPE),
        ("ADD ns :ss", TYPE),
        ("DELETE n :ss", TYPE),
        ("DELETE ns :ss", TYPE),
        ("SET a = :big + :tiny",
         "Number overflow. Attempting to store a number with magnitude larger than supported range"),
        ("SET a = :max + :max",
         "Number overflow. Attempting to store a number with magnitude larger than supported range"),
    ],
)  # fmt: skip
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as fault:
        applied(text)
    assert str(fault.value) == message


def test_removing_deep_inside_an_item_that_does_not_exist() -> None:
    assert applied("REMOVE x.y, x2[0] SET a = :1", {"pk": "k"}, exists=False) == {"pk": "k", "a": 1}
    with pytest.raises(ExpressionError, match="invalid for update"):
        applied("SET x.y = :1", {"pk": "k"}, exists=False)


def test_what_did_not_change_is_shared_and_what_did_is_not() -> None:
    item: dict[str, Any] = {"m": {"a": {"x": 1}, "b": {"y": 1}}, "copy": None}
    item["copy"] = item["m"]
    after = apply(parse_update("SET m.a.x = :2, m.a.z = :3", {}, VALUES), item)
    assert after["m"] == {"a": {"x": 2, "z": 3}, "b": {"y": 1}}
    assert after["copy"] == {"a": {"x": 1}, "b": {"y": 1}}
    assert after["m"]["b"] is item["m"]["b"]


@given(updates(), items)
@settings(deadline=None, max_examples=200)
def test_the_item_is_never_changed(update: Update, item: dict[str, Any]) -> None:
    before = copy.deepcopy(item)
    try:
        after = apply(update, item)
    except ExpressionError:
        after = item
    assert item == before
    for action in update.set:
        if after is not item and len(action.path.parts) == 1 and isinstance(action.value, Value):
            assert after[str(action.path.parts[0])] == action.value.value


def test_depth_does_not_matter() -> None:
    total: Assigned = Value(0)
    default: Assigned = Value("found")
    joined: Assigned = Value([1])
    for _ in range(10_000):
        total = Plus(Value(1), total)
        default = IfNotExists(Name(("gone",)), default)
    for _ in range(1_000):
        joined = ListAppend(joined, Value([1]))
    paths = [Name((name,)) for name in ("total", "default", "joined")]
    sets = tuple(Set(path, value) for path, value in zip(paths, (total, default, joined), strict=True))
    after = apply(Update(set=sets), {})
    assert (after["total"], after["default"], len(after["joined"])) == (10_000, "found", 1_001)


@pytest.mark.parametrize("section", ["add", "delete"])
def test_operands_that_parsing_would_have_refused(section: str) -> None:
    action = {"add": Add, "delete": Delete}[section](Name(("s",)), Value("text"))
    with pytest.raises(ExpressionError) as fault:
        apply(Update(**{section: (action,)}), ITEM)
    assert str(fault.value) == TYPE
