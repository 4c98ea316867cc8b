from __future__ import annotations

import enum
import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.wire.values import UnstorableValueError, marshal, marshal_item, type_code, unmarshal, unmarshal_item

PAIRS: list[tuple[Any, dict[str, Any]]] = [
    ("", {"S": ""}),
    ("é", {"S": "é"}),
    (1, {"N": "1"}),
    (0.1, {"N": "0.1"}),
    (True, {"BOOL": True}),
    (None, {"NULL": True}),
    (b"\x00\xff", {"B": "AP8="}),
    ([], {"L": []}),
    ([1, ["a"]], {"L": [{"N": "1"}, {"L": [{"S": "a"}]}]}),
    ({}, {"M": {}}),
    ({"a": {"b": None}}, {"M": {"a": {"M": {"b": {"NULL": True}}}}}),
    ({"b", "a"}, {"SS": ["a", "b"]}),
    ({10, 9, -1}, {"NS": ["-1", "9", "10"]}),
    ({b"b", b"a"}, {"BS": ["YQ==", "Yg=="]}),
]


@pytest.mark.parametrize(("plain", "typed"), PAIRS)
def test_both_directions(plain: Any, typed: dict[str, Any]) -> None:
    assert marshal(plain) == typed
    assert unmarshal(typed) == plain
    assert type(unmarshal(typed)) is type(plain)
    assert type_code(plain) in typed


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    ("plain", "typed"),
    [
        ((1, "a"), {"L": [{"N": "1"}, {"S": "a"}]}),
        (frozenset({"a"}), {"SS": ["a"]}),
        (bytearray(b"a"), {"B": "YQ=="}),
        (memoryview(b"a"), {"B": "YQ=="}),
        ({0.1, Decimal("0.1")}, {"NS": ["0.1"]}),
        (Level.LOW, {"N": "1"}),
        (Colour.RED, {"S": "red"}),
    ],
)
def test_more_python_types_are_taken(plain: Any, typed: dict[str, Any]) -> None:
    assert marshal(plain) == typed
    assert type_code(plain) in typed


@pytest.mark.parametrize(
    ("item", "path", "reason"),
    [
        ({"a": set()}, "a", "a set may not be empty"),
        ({"a": {"b": [1, {1, "x"}]}}, "a.b[1]", "not a mixture"),
        ({"a": [[object()]]}, "a[0][0]", "object is not a type DynamoDB stores"),
        ({"a": {1: 2}}, "a", "the name 1 is not a str"),
        ({"a": {True, False}}, "a", "a set cannot hold bool"),
        ({"a": {None}}, "a", "a set cannot hold NoneType"),
        ({"a": math.nan}, "a", "cannot be converted to a numeric value"),
        ({"a": {"b": 10**126}}, "a.b", "Number overflow"),
        ({"a": {Decimal("1e-131")}}, "a", "Number underflow"),
        ({"a": 1 + 2j}, "a", "complex is not a type"),
    ],
)
def test_what_cannot_be_stored_is_named_with_its_place(item: dict[str, Any], path: str, reason: str) -> None:
    with pytest.raises(UnstorableValueError, match=reason) as fault:
        marshal_item(item)
    assert fault.value.path == path
    assert str(fault.value).startswith(f"{path}: ")


def nested(levels: int) -> Any:
    value: Any = "core"
    for _ in range(levels):
        value = [value]
    return value


def test_nesting_is_limited_rather_than_overflowing() -> None:
    assert unmarshal(marshal(nested(32))) == nested(32)
    with pytest.raises(UnstorableValueError, match="nested deeper than 32 levels"):
        marshal(nested(33))
    with pytest.raises(UnstorableValueError, match="nested deeper than 32 levels"):
        marshal(nested(10_000))
    typed: dict[str, Any] = {"S": "core"}
    for _ in range(10_000):
        typed = {"M": {"a": typed}}
    with pytest.raises(UnstorableValueError, match="nested deeper than 32 levels"):
        unmarshal(typed)


@pytest.mark.parametrize("typed", [{}, {"S": "a", "N": "1"}, {"X": 1}])
def test_what_is_not_typed_json(typed: dict[str, Any]) -> None:
    with pytest.raises(UnstorableValueError, match="type"):
        unmarshal(typed)


def test_bytes_that_botocore_has_decoded() -> None:
    assert unmarshal({"B": b"\x00"}) == b"\x00"
    assert unmarshal({"BS": [b"\x00", "AQ=="]}) == {b"\x00", b"\x01"}


def test_the_types_of_sets() -> None:
    assert [type_code(value) for value in ({"a"}, {1}, {b"a"}, set[str]())] == ["SS", "NS", "BS", "SS"]
    with pytest.raises(UnstorableValueError, match="object is not a type"):
        type_code(object())


numbers = st.one_of(
    st.integers(-(10**38) + 1, 10**38 - 1),
    # Beyond 2**53 a float stands for the number it prints as, which Python does not call equal.
    st.floats(-1e15, 1e15).filter(lambda value: value == 0 or abs(value) > 1e-100),
)
scalars = st.one_of(st.text(max_size=5), numbers, st.booleans(), st.none(), st.binary(max_size=5))
sets = st.one_of(
    st.sets(st.text(max_size=3), min_size=1, max_size=3),
    st.sets(numbers, min_size=1, max_size=3),
    st.sets(st.binary(max_size=3), min_size=1, max_size=3),
)
values = st.recursive(
    st.one_of(scalars, sets),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=4), values, max_size=3))
@settings(deadline=None, max_examples=100)
def test_items_come_back_as_they_were(item: dict[str, Any]) -> None:
    typed = marshal_item(item)
    assert unmarshal_item(typed) == item
    assert marshal_item(unmarshal_item(typed)) == typed
