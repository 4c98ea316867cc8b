from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tablewright.wire.limits import MAX_ITEM_BYTES
from tablewright.wire.sizes import item_size_bytes, name_size_bytes, number_size_bytes, value_size_bytes


@pytest.mark.parametrize(
    ("number", "size"),
    [
        (0, 1), (1, 2), (9, 2), (10, 2), (99, 2), (100, 2), (123, 3), (1000, 2), (Decimal("100.00"), 2), (0.0001, 2),
        (1010, 3), (1.5, 3), (1.234, 4), (3.14159, 5), (123456, 4), (100.5, 4), (0.15, 2), (1e-100, 2), (10**125, 2),
        (12345678901234567890, 11), (10**38 - 1, 20), (-1, 3), (-(10**38) + 1, 21),
    ],
)  # fmt: skip
def test_numbers_take_a_byte_for_two_digits(number: int | float | Decimal, size: int) -> None:
    assert number_size_bytes(number) == size


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("", 0), ("abc", 3), ("é", 2), (b"\x00\xff", 2), (True, 1), (False, 1), (None, 1),
        ([], 3), ({}, 3), (["a"], 5), (["a", "b"], 7), ({"k": "v"}, 6), ([["a"]], 9), ((1,), 6),
        ({"a"}, 1), ({"a", "bc"}, 3), ({1, 2}, 4), ({b"abc"}, 3), (frozenset({"é"}), 2),
    ],
)  # fmt: skip
def test_values(value: Any, size: int) -> None:
    assert value_size_bytes(value) == size


def test_names_count_in_utf8() -> None:
    assert [name_size_bytes(name) for name in ("id", "é", "😀")] == [2, 2, 4]


def test_items() -> None:
    assert item_size_bytes({}) == 0
    assert item_size_bytes({"pk": "k", "big": "x" * 409_594}) == MAX_ITEM_BYTES
    assert item_size_bytes({"id": 7, "é": {"tags": ["x"]}}) == 2 + 2 + 2 + (3 + 1 + 4 + (3 + 1 + 1))


def test_depth_does_not_matter() -> None:
    value: Any = ""
    for _ in range(10_000):
        value = [value]
    assert value_size_bytes(value) == 40_000
