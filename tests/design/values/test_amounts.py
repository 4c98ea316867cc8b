"""Totals and amounts: written, read, and added up."""

from __future__ import annotations

import pytest

from tablewright.design.values.amounts import Amount, Total, add, difference, subtract
from tablewright.expr.nodes import Slot


@pytest.mark.parametrize("text", ["count", "sum amount", "max the longest", "min x"])
def test_totals_are_written_and_read(text: str) -> None:
    assert str(Total.parse(text)) == text


@pytest.mark.parametrize("text", ["", "count x", "sum", "sum ", "mean x"])
def test_what_is_no_total_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no total"):
        Total.parse(text)


@pytest.mark.parametrize(
    ("amount", "text", "sum_"),
    [
        (add(1), "1", 1),
        (subtract(1), "-1", -1),
        (add(Slot("new")), "{new}", 7),
        (subtract(Slot("new")), "-{new}", -7),
        (difference(Slot("new"), Slot("old.x")), "{new} - {old.x}", 5),
        (difference(Slot("new"), Slot("absent")), "{new} - {absent}", 7),
    ],
)
def test_amounts_are_written_read_and_added_up(amount: Amount, text: str, sum_: int) -> None:
    assert str(amount) == text
    assert Amount.parse(text) == amount
    assert amount.sum({"new": 7, "old.x": 2}.get) == sum_


@pytest.mark.parametrize("text", ["", "x", "1 2", "{a} {b}", "{a} - ", "{a} - {b} - {c}", "--1", "1; rm"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no amount"):
        Amount.parse(text)
