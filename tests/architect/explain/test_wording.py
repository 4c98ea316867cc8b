from __future__ import annotations

import pytest

from tablewright.architect.explain.wording import an, counted, joined, sentences, usd


@pytest.mark.parametrize(("value", "text"), [(0.004, "0.00 USD"), (12.3, "12.30 USD"), (1234.5, "1,234 USD")])
def test_money(value, text):
    assert usd(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1 item"), (0.96, "1 item"), (2.5, "2.5 items"), (1500, "1,500 items"), (0, "0 items")]
)
def test_counts(value, text):
    assert counted(value, "item") == text


def test_lists_and_sentences():
    assert joined([]) == "nothing"
    assert joined(["a"]) == "a"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert joined(["a", "b"], "or") == "a or b"
    assert sentences("One.", "", "Two.") == "One. Two."
    assert (an("Order"), an("Product")) == ("an Order", "a Product")
