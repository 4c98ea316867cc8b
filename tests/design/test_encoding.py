"""Values in keys: order of texts is order of values, and no two values share a text."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.design.encoding import key_text
from tablewright.schema.keys import piece_text
from tablewright.schema.ordered import Ordered
from tablewright.schema.types import Padding

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NUMBERS = st.decimals(-(10**12), 10**12, allow_nan=False, places=6)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_plain_text_in_front_of_more_sorts_as_the_values_do(one: str, other: str) -> None:
    texts = [f"{key_text(each)}#next".encode() for each in (one, other)]
    assert (texts[0] < texts[1]) == (one.encode() < other.encode())


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_plain_numbers_sort_as_the_values_do(one: Decimal, other: Decimal) -> None:
    assert (key_text(one) < key_text(other)) == (one < other)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a b#c$", "a$`b$cc$d"),
        (0, "1" + "0" * 26),
        (2.5, "100000000000000000002500000"),
        (-3, "0" + "99999999999999999997000000"),
        (True, "true"),
    ],
)
def test_plain_texts(value: object, text: str) -> None:
    assert key_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a b#c$", "a b#c$"),
        (0, "0000000000000000"),
        (42, "0000000000000042"),
        (2.5, "0000000000000002.5"),
        (-1, "-9999999999999999"),
        (False, "false"),
    ],
)
def test_electrodb_writes_text_as_it_stands_and_pads_numbers(value: object, text: str) -> None:
    assert key_text(value, "electrodb") == text


@settings(deadline=None)
@given(st.integers(1 - 10**16, 10**16 - 1) | TEXTS)
def test_padding_is_what_the_runtime_does(value: int | str) -> None:
    """Signed padding, and from 0 on ElectroDB's own."""
    form = Ordered("n", Padding(16, "0"), signed=True) if isinstance(value, int) else None
    assert key_text(value, "electrodb") == piece_text(value, form)
    if isinstance(value, int) and value >= 0:
        assert key_text(value, "electrodb") == piece_text(value, Padding(16, "0"))


def test_a_number_too_large_for_a_key_is_refused() -> None:
    with pytest.raises(ValueError, match="more than the 20 digits before the point"):
        key_text(10**20)
