from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.engine.store.numerals import NOT_NUMERIC, OVERFLOW, TOO_LONG, UNDERFLOW
from tablewright.engine.store.values import EMPTY_NAME, TOO_DEEP, depth_of, from_text, read_item, read_value, to_text
from tablewright.errors import ServiceError
from tablewright.wire.values import marshal, number_text

if TYPE_CHECKING:
    from tablewright.engine.store.values import Wording

ONE_TYPE = "must contain exactly one of the supported datatypes"
INVALID = "One or more parameter values were invalid: "


def refusal(value: Any, wording: Wording = "current") -> str:
    with pytest.raises(ServiceError) as refused:
        read_value(value, wording=wording)
    assert refused.value.name == "ValidationException"
    return refused.value.service_message


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(depth):
        value = {"M": {"n": value}}
    return value


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("+5", "5"), ("-0", "0"), ("+1e2", "100"), ("1.5E+3", "1500"), ("+.5", "0.5"), ("5.", "5"), ("1.e5", "100000"),
        ("00042", "42"), ("+1e-2", "0.01"), ("0042.1200", "42.12"), ("1E125", "1" + "0" * 125), ("0e125", "0"),
    ],
)  # fmt: skip
def test_numbers_in_their_canonical_form(sent: str, kept: str) -> None:
    assert number_text(read_value({"N": sent})) == kept


@pytest.mark.parametrize(
    "text", ["+e2", "e2", "1+2", "1.2.3", "++5", "-+5", "+", "1e", "1e+", ".", "0x5", "NaN", "1_000", " 5", "5 ", "١"]
)
def test_what_is_no_number(text: str) -> None:
    assert refusal({"N": text}) == f"{NOT_NUMERIC}: {text}"


@pytest.mark.parametrize(
    ("text", "current", "older"),
    [
        ("", f"{NOT_NUMERIC}: ", NOT_NUMERIC),
        ("1e126", OVERFLOW, OVERFLOW),
        ("-1e-131", UNDERFLOW, UNDERFLOW),
        ("1e2147483647", OVERFLOW, UNDERFLOW),
        ("1e99999999999", OVERFLOW, f"{NOT_NUMERIC}: 1e99999999999"),
        ("1e9223372036854775808", f"{NOT_NUMERIC}: 1e9223372036854775808", f"{NOT_NUMERIC}: 1e9223372036854775808"),
        ("0e126", OVERFLOW, OVERFLOW),
        ("0e-131", UNDERFLOW, UNDERFLOW),
        ("1" * 39, TOO_LONG, TOO_LONG),
    ],
)
def test_numbers_out_of_range(text: str, current: str, older: str) -> None:
    assert (refusal({"N": text}), refusal({"N": text}, "older")) == (current, older)
    assert refusal({"NS": ["1", text]}) == current


def test_the_current_layer_can_say_it_in_classic_words() -> None:
    assert refusal({"N": ""}, "classic") == NOT_NUMERIC
    assert refusal({"N": "1e2147483647"}, "classic") == OVERFLOW


@pytest.mark.parametrize(
    ("sent", "current", "older"),
    [
        (
            {"SS": ["b", "a", "b"]},
            f'{INVALID}Input collection ["a", "b", "b"] contains duplicates.',
            f"{INVALID}Input collection [b, a, b] contains duplicates.",
        ),
        (
            {"BS": ["/w==", "AA==", "AA=="]},
            f'{INVALID}Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.',
            f"{INVALID}Input collection [/w==, AA==, AA==]of type BS contains duplicates.",
        ),
        (
            {"NS": ["1", "1.0"]},
            f"{INVALID}Input collection contains duplicates.",
            "Input collection contains duplicates",
        ),
    ],
)
def test_duplicates(sent: dict[str, Any], current: str, older: str) -> None:
    assert refusal(sent) == current
    assert refusal(sent, "older") == refusal(sent, "classic") == older


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({}, f"Supplied AttributeValue is empty, {ONE_TYPE}"),
        ({"X": "1"}, f"Supplied AttributeValue is empty, {ONE_TYPE}"),
        (
            {"S": "a", "N": "1"},
            f"Supplied AttributeValue has more than one datatypes set, {ONE_TYPE}",
        ),
        ({"S": "a", "N": "b"}, f"{NOT_NUMERIC}: b"),
        ({"NULL": False}, f"{INVALID}Null attribute value types must have the value of true"),
        ({"SS": []}, f"{INVALID}An string set  may not be empty"),
        ({"NS": []}, f"{INVALID}An number set  may not be empty"),
        ({"BS": []}, f"{INVALID}Binary sets should not be empty"),
        ({"L": [{"M": {"x": {"SS": []}}}]}, f"{INVALID}An string set  may not be empty"),
    ],
)
def test_what_is_no_value(sent: dict[str, Any], message: str) -> None:
    assert refusal(sent) == message


def test_sets_may_hold_nothing_but_an_empty_text() -> None:
    assert read_value({"SS": ["", "a"]}) == {"", "a"}
    assert read_value({"BS": [""]}) == {b""}


def test_32_levels() -> None:
    assert read_value(nested(31))
    assert refusal(nested(32)) == TOO_DEEP
    assert refusal({"L": [nested(5_000)]}) == TOO_DEEP
    assert [depth_of({"a": nested(depth), "b": {"S": ""}}) for depth in (0, 1, 40)] == [0, 1, 40]


def test_names() -> None:
    for item, message in (
        ({"": {"S": "x"}, "d": nested(40)}, EMPTY_NAME),
        ({"m": {"M": {"": {"S": "x"}}}}, EMPTY_NAME),
        ({"m": {"M": {"": {"S": "x"}}}, "d": nested(40)}, TOO_DEEP),
        ({"n" * 65_536: {"S": ""}}, "Attribute name is too large, must be less than 65536 bytes"),
    ):
        with pytest.raises(ServiceError) as refused:
            read_item(item)
        assert refused.value.service_message == message
    assert read_item({"n" * 65_535: {"S": ""}})


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.text()
    | st.binary()
    | st.integers(-(10**20), 10**20)
    | st.sets(st.text(), min_size=1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.text(min_size=1), PLAIN, max_size=5))
def test_stored_items_come_back(item: dict[str, Any]) -> None:
    assert read_item({name: marshal(value) for name, value in item.items()}) == item
    assert from_text(to_text(item)) == item
