from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tablewright.expr.compare import MISSING, begins_with, contains, is_equal, is_less, look_up, size_of

KINDS: list[Any] = [1, "1", True, b"1", None, [1], {"a": 1}, {"1"}, {1}, {b"1"}]


@pytest.mark.parametrize("left", KINDS)
@pytest.mark.parametrize("right", KINDS)
def test_values_of_different_types_are_never_equal_nor_ordered(left: Any, right: Any) -> None:
    assert is_equal(left, right) is (left is right)
    if left is not right:
        assert not is_less(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (0.1, Decimal("0.10")),
        (10**30, Decimal("1e30")),
        ([1, {"x": 0.1}], [Decimal(1), {"x": Decimal("0.1")}]),
        ({"a", "b"}, frozenset({"b", "a"})),
        ({1, Decimal("0.1")}, {0.1, 1.0}),
        ((1, 2), [1, 2]),
        (b"a", bytearray(b"a")),
    ],
)
def test_equal_whatever_python_holds_them_in(left: Any, right: Any) -> None:
    assert is_equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, 2), ([1], [True]), ({"a": 1}, {"a": 1, "b": 2}), ([1, 2], [2, 1]), ({1}, {1, 2}), (0, False)],
)
def test_not_equal(left: Any, right: Any) -> None:
    assert not is_equal(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [(0.1, Decimal("0.2")), (-2, 1), ("Z", "a"), ("\uffff", "\U00010000"), (b"\x7f", b"\x80"), ("a", "aa")],
)
def test_order(left: Any, right: Any) -> None:
    assert is_less(left, right)
    assert not is_less(right, left)


@pytest.mark.parametrize(
    ("whole", "part", "expected"),
    [
        ("hello", "ell", True),
        ("hello", 1, False),
        (b"hello", b"ell", True),
        (b"hello", "ell", False),
        ({1, 2}, 2.0, True),
        ({1, 2}, "2", False),
        ([1, {2}, [3]], {2}, True),
        ([1, {2}, [3]], [3], True),
        ([1], True, False),
        ({"a": 1}, "a", False),
        (12, 1, False),
    ],
)
def test_contains(whole: Any, part: Any, *, expected: bool) -> None:
    assert contains(whole, part) is expected


def test_begins_with() -> None:
    assert begins_with("abc", "ab")
    assert begins_with(b"abc", b"ab")
    assert not begins_with("abc", b"ab")
    assert not begins_with(["a"], "a")


@pytest.mark.parametrize(
    ("value", "size"),
    [("é", 1), ("😀", 2), (b"abc", 3), ([1, 2], 2), ({"a": 1}, 1), ({1, 2}, 2), (5, None), (True, None), (None, None)],
)
def test_size(value: Any, size: int | None) -> None:
    assert size_of(value) == size


def test_look_up() -> None:
    item = {"m": {"l": [1, {"x": None}]}, "s": "text"}
    assert look_up(("m", "l", 0), item) == 1
    assert look_up(("m", "l", 1, "x"), item) is None
    for parts in (("x",), ("m", "x", "y"), ("m", 0), ("m", "l", 2), ("m", "l", "x"), ("s", 0), ("m", "l", 0, "x")):
        assert look_up(parts, item) is MISSING
