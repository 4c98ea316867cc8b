from __future__ import annotations

import pytest

from tablewright.design import wording
from tablewright.design.wording import (
    amount,
    concat,
    exact_percent,
    money,
    percent,
    size,
    some,
    tally,
    times,
    units,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (money(0), "$0.00"),
        (money(0.004), "<$0.01"),
        (money(-12.5), "-$12.50"),
        (money(123456.7), "$123,457"),
        (amount(950), "950"),
        (amount(12_500), "12.5k"),
        (amount(3e6), "3M"),
        (amount(2.5e9), "2.5G"),
        (amount(0.123), "0.12"),
        (units(0.5), "0.5"),
        (units(1234.5), "1,234"),
        (units(0.00003), "<0.01"),
        (size(300), "300 B"),
        (size(2048), "2.0 KB"),
        (size(5 * 1024**4), "5120 GB"),
        (times(1.25), "1.2x"),
        (times(625), "625x"),
        (times(62_500), "more than 1,000x"),
        (percent(0.0004), "<0.1%"),
        (percent(0.001), "0.1%"),
        (percent(0.05), "5%"),
        (percent(0.223), "22%"),
        (percent(0.0), "0%"),
        (exact_percent(0.000505), "0.0505%"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert text == expected


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1 item"), (0.96, "1 item"), (2.5, "2.5 items"), (1500, "1,500 items"), (0, "0 items")]
)
def test_counts(value: float, text: str) -> None:
    assert tally(value, "item") == text


def test_lists_and_sentences() -> None:
    assert concat([]) == "nothing"
    assert concat(["a"]) == "a"
    assert concat(["a", "b", "c"]) == "a, b and c"
    assert concat(["a", "b"], "or") == "a or b"
    assert some(list("abcd")) == "a, b, c and d"
    assert some(list("abcde")) == "a, b, c and 2 more"
    assert wording.sentence(" one thing ") == "One thing."
    assert wording.sentences("One.", "", "Two.") == "One. Two."
    assert (wording.an("Order"), wording.an("Product")) == ("an Order", "a Product")
    assert sorted(["AP10", "AP2", "put"], key=wording.in_order) == ["AP2", "AP10", "put"]
