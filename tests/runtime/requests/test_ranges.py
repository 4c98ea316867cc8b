"""Exact comparisons find just what a comparison of the attributes would find, and never leave their group."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, Range
from tablewright.expr.evaluate import evaluate
from tablewright.expr.parse import parse_condition, parse_key_condition

library = tw.Service("library", table="library")
Kind = Literal["book", "map", "print"]


class Loan(tw.Entity, service=library, name="loan"):
    """Three sort composites of different types, in an isolated, a clustered and a templated index."""

    loan: Attr[str]
    member: Attr[str]
    kind: Attr[Kind]
    shelf: Attr[str]
    due: Attr[str]

    @tw.primary
    def key(self, loan: str) -> None:
        """One loan."""

    @tw.index("gsi1", collection="desk")
    def isolated(self, member: str, *, kind: Range[Kind] = ANY, shelf: Range[str] = ANY, due: Range[str] = ANY) -> None:
        """Isolated."""

    @tw.index("gsi2", kind="clustered")
    def clustered(
        self, member: str, *, kind: Range[Kind] = ANY, shelf: Range[str] = ANY, due: Range[str] = ANY
    ) -> None:
        """Clustered."""

    @tw.index("gsi3", pk="MEMBER#{member}", sk="{kind}/{shelf}/{due}")
    def templated(
        self, member: str, *, kind: Range[Kind] = ANY, shelf: Range[str] = ANY, due: Range[str] = ANY
    ) -> None:
        """Templated."""


TEXT = st.text("abc0 !~", max_size=3)
KINDS = st.sampled_from(["book", "map", "print"])
LOANS = st.builds(Loan, loan=st.just("l"), member=st.just("m"), kind=KINDS, shelf=TEXT, due=TEXT)
COMPARE = {
    "lt": lambda value, low, _: value < low,
    "lte": lambda value, low, _: value <= low,
    "gt": lambda value, low, _: value > low,
    "gte": lambda value, low, _: value >= low,
    "between": lambda value, low, high: low <= value <= high,
    "begins": lambda value, low, _: value.startswith(low),
}
BOUND = {"lt": tw.lt, "lte": tw.lte, "gt": tw.gt, "gte": tw.gte, "begins": tw.begins_with}


def finds(query: Any, loan: Loan) -> bool:
    """Whether DynamoDB would give this item as an answer."""
    params, item = query.params(), loan.put().params()["Item"]
    names, values = params["ExpressionAttributeNames"], params["ExpressionAttributeValues"]
    if not evaluate(parse_key_condition(params["KeyConditionExpression"], names, values), item):
        return False
    text = params.get("FilterExpression")
    return text is None or evaluate(parse_condition(text, names, values), item)


def bound_of(operator: str, low: Any, high: Any) -> Any:
    return tw.between(low, high) if operator == "between" else BOUND[operator](low)


def is_ordered(operator: str, low: str, high: str) -> bool:
    return operator != "between" or low <= high


@pytest.mark.parametrize("pattern", ["isolated", "clustered", "templated"])
@given(LOANS, st.sampled_from(sorted(COMPARE)), TEXT, TEXT)
@example(Loan(loan="l", member="m", kind="map", shelf="a", due="b"), "lt", "b", "b")
@example(Loan(loan="l", member="m", kind="map", shelf="a", due="b c"), "gt", "b", "b")
def test_on_the_last_composite(pattern: str, loan: Loan, operator: str, low: str, high: str) -> None:
    if not is_ordered(operator, low, high):
        low, high = high, low
    if operator == "lt" and low == "":
        return
    query = getattr(Loan, pattern)("m", kind="map", shelf="a", due=bound_of(operator, low, high))
    wanted = loan.kind == "map" and loan.shelf == "a" and COMPARE[operator](loan.due, low, high)
    assert finds(query, loan) is wanted


@pytest.mark.parametrize("pattern", ["isolated", "clustered"])
@given(LOANS, st.sampled_from(sorted(COMPARE)), KINDS, KINDS)
def test_on_the_first_composite(pattern: str, loan: Loan, operator: str, low: Any, high: Any) -> None:
    if not is_ordered(operator, low, high):
        low, high = high, low
    query = getattr(Loan, pattern)("m", kind=bound_of(operator, low, high))
    assert finds(query, loan) is COMPARE[operator](loan.kind, low, high)


WORD = st.text("ab0~", max_size=3)


@pytest.mark.parametrize("pattern", ["isolated", "clustered"])
@given(LOANS, st.sampled_from(sorted(COMPARE)), WORD, WORD, WORD)
def test_on_free_text_in_the_middle(pattern: str, loan: Loan, operator: str, shelf: str, low: str, high: str) -> None:
    loan.shelf = shelf
    if not is_ordered(operator, low, high):
        low, high = high, low
    query = getattr(Loan, pattern)("m", kind="map", shelf=bound_of(operator, low, high))
    assert finds(query, loan) is (loan.kind == "map" and COMPARE[operator](loan.shelf, low, high))
