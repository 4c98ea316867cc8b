from __future__ import annotations

import json
import math
import shutil
import subprocess
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.wire.numbers import NumberError, add, js_number_text, number_text, parse_number, subtract, to_decimal

OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
TOO_LONG = "Attempting to store more than 38 significant digits in a Number"
NOT_A_NUMBER = "The parameter cannot be converted to a numeric value"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (Decimal("-0.00"), "0"),
        (1.0, "1"),
        (0.1, "0.1"),
        (1e21, "1000000000000000000000"),
        (1e-7, "0.0000001"),
        (Decimal("1e3"), "1000"),
        (Decimal("1.500"), "1.5"),
        (10**125, "1" + "0" * 125),
        (-(10**38) + 1, "-" + "9" * 38),
        (Decimal("1e-130"), "0." + "0" * 129 + "1"),
        (Decimal("9.9999999999999999999999999999999999999E+125"), "9" * 38 + "0" * 88),
        (12345678901234567890123456789012345678000, "12345678901234567890123456789012345678000"),
    ],
)
def test_the_text_that_is_stored(value: int | float | Decimal, text: str) -> None:
    assert number_text(value) == text
    assert to_decimal(parse_number(text)) == to_decimal(value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (10**126, OVERFLOW),
        (-(10**126), OVERFLOW),
        pytest.param(10**5000, OVERFLOW, id="longer than Python prints"),
        (Decimal("1e126"), OVERFLOW),
        (1e200, OVERFLOW),
        (Decimal("1e-131"), UNDERFLOW),
        (5e-324, UNDERFLOW),
        (123456789012345678901234567890123456789, TOO_LONG),
        (Decimal("-1.23456789012345678901234567890123456789"), TOO_LONG),
        (math.nan, NOT_A_NUMBER),
        (math.inf, NOT_A_NUMBER),
        (Decimal("-Infinity"), NOT_A_NUMBER),
        (Decimal("sNaN"), NOT_A_NUMBER),
    ],
)
def test_what_would_be_rounded_is_refused(value: int | float | Decimal, reason: str) -> None:
    with pytest.raises(NumberError) as fault:
        number_text(value)
    assert fault.value.reason == reason
    assert str(fault.value).startswith(f"{reason}: ")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("007", 7),
        ("-0", 0),
        ("+5", 5),
        ("1e3", 1000),
        ("1.0", 1),
        (".5", 0.5),
        ("5.", 5),
        ("0.1", 0.1),
        ("1E+125", 10**125),
        ("0.12345678901234567890", Decimal("0.1234567890123456789")),
        ("12345678901234567890.5", Decimal("12345678901234567890.5")),
    ],
)
def test_numbers_come_back_as_the_plainest_exact_type(text: str, value: int | float | Decimal) -> None:
    parsed = parse_number(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    "text", ["", "b", "1_000", " 1", "1 ", "NaN", "Infinity", "0x1", "1e", "١", "--1", "1e9999999"]
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(NumberError) as fault:
        parse_number(text)
    assert fault.value.reason == NOT_A_NUMBER


storable = st.one_of(
    st.integers(-(10**38) + 1, 10**38 - 1),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda value: value == 0 or 1e-130 <= abs(value) < 1e126),
    st.builds(lambda digits, exponent: Decimal(digits).scaleb(exponent), st.integers(0, 10**28), st.integers(-100, 90)),
)


@given(storable)
@settings(deadline=None)
def test_no_digit_is_lost_on_the_way(value: int | float | Decimal) -> None:
    assert to_decimal(parse_number(number_text(value))) == to_decimal(value)


@given(storable.filter(lambda value: isinstance(value, int | float)))
@settings(deadline=None)
def test_ints_and_floats_come_back_equal(value: int | float) -> None:
    assert type(value)(parse_number(number_text(value))) == value


def test_sums_are_exact() -> None:
    assert add(0.1, 0.2) == 0.3
    assert add(Decimal("0.1"), Decimal("0.2")) == 0.3
    assert add(10**36, Decimal("0.1")) == Decimal("1000000000000000000000000000000000000.1")
    assert subtract(1, Decimal("1.0")) == 0
    assert type(subtract(2.5, 0.5)) is int
    with pytest.raises(NumberError, match="Number overflow"):  # so DynamoDB calls it: 39 digits would be needed
        add(10**38, Decimal("0.1"))
    with pytest.raises(NumberError, match="Number overflow"):
        add(Decimal("9e125"), Decimal("9e125"))


JS_TEXTS: list[tuple[int | float | Decimal, str]] = [
    (1.0, "1"),
    (-0.0, "0"),
    (0.1, "0.1"),
    (1e21, "1e+21"),
    (1e20, "100000000000000000000"),
    (1.5e300, "1.5e+300"),
    (1e-7, "1e-7"),
    (1.5e-7, "1.5e-7"),
    (0.000001, "0.000001"),
    (123456.789, "123456.789"),
    (-1e-10, "-1e-10"),
    (math.nan, "NaN"),
    (-math.inf, "-Infinity"),
    (2**53 + 1, "9007199254740993"),
    (10**21 - 1, "999999999999999999999"),
    (10**21, "1e+21"),
    (-(10**22), "-1e+22"),
    (Decimal("1.50"), "1.5"),
    (Decimal("1e3"), "1000"),
    (Decimal("9007199254740993.5"), "9007199254740993.5"),
]


@pytest.mark.parametrize(("value", "text"), JS_TEXTS)
def test_numbers_as_javascript_prints_them(value: int | float | Decimal, text: str) -> None:
    assert js_number_text(value) == text


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_floats_print_as_in_node() -> None:
    floats = [0.1, 1 / 3, 1e21, 1.7976931348623157e308, 5e-324, 123e-20, 1e-6, 1e-7, 4.35, 2.0**70, -1234.5678e15]
    script = f"console.log(JSON.stringify({json.dumps(floats)}.map(String)))"
    printed = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout
    assert [js_number_text(value) for value in floats] == json.loads(printed)
