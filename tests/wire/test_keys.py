from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tablewright.wire.keys import key_bytes
from tablewright.wire.numbers import NumberError, to_decimal

numbers = st.one_of(
    st.integers(-200, 200),
    st.integers(-(10**38) + 1, 10**38 - 1),
    st.builds(
        lambda digits, exponent: Decimal(digits).scaleb(exponent), st.integers(-999, 999), st.integers(-130, 120)
    ),
    st.floats(-1e100, 1e100).filter(lambda value: value == 0 or abs(value) > 1e-100),
)


@given(numbers, numbers)
@example(Decimal("1e-130"), 0)
@example(Decimal("-9.9999999999999999999999999999999999999E+125"), Decimal("-9.9E+125"))
@example(1, Decimal("1.01"))
@example(-1, Decimal("-1.01"))
@example(10, 9)
@example(1000, 1e3)
@example(0.1, Decimal("0.10"))
@settings(deadline=None, max_examples=400)
def test_numbers_sort_by_value(left: int | float | Decimal, right: int | float | Decimal) -> None:
    one, two = to_decimal(left), to_decimal(right)
    assert (key_bytes(left) < key_bytes(right)) is (one < two)
    assert (key_bytes(left) == key_bytes(right)) is (one == two)


@given(st.text(max_size=5), st.text(max_size=5))
def test_text_sorts_by_code_points(left: str, right: str) -> None:
    assert (key_bytes(left) < key_bytes(right)) is (left < right)


@given(st.binary(max_size=5), st.binary(max_size=5))
def test_binary_sorts_unsigned(left: bytes, right: bytes) -> None:
    assert (key_bytes(left) < key_bytes(right)) is (left < right)


def test_a_number_takes_22_bytes_at_most() -> None:
    assert len(key_bytes(-(10**38) + 1)) == 22
    assert len(key_bytes(7)) == 3


@pytest.mark.parametrize("value", [True, None, [1], {"a"}])
def test_what_is_no_key(value: object) -> None:
    with pytest.raises(TypeError, match=f"not {type(value).__name__}"):
        key_bytes(value)


def test_a_number_that_cannot_be_stored_is_no_key() -> None:
    with pytest.raises(NumberError, match="Number overflow"):
        key_bytes(10**126)
