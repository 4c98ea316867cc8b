"""Every function that is a condition is read, checked and evaluated by its line in the table."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tablewright.expr.evaluate import evaluate
from tablewright.expr.functions import FUNCTIONS, FunctionName
from tablewright.expr.parse import ExpressionError, parse_condition

CALLS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "attribute_exists": ("attribute_exists(a)", {"a": 1}, {}),
    "attribute_not_exists": ("attribute_not_exists(a)", {}, {"a": 1}),
    "attribute_type": ("attribute_type(a, :string)", {"a": "x"}, {"a": 1}),
    "begins_with": ("begins_with(a, :x)", {"a": "xy"}, {"a": "yx"}),
    "contains": ("contains(a, :x)", {"a": "yxy"}, {"a": "y"}),
}
"""A call, an item for which it holds, and one for which it does not."""


def test_every_name_has_its_line() -> None:
    assert [*FUNCTIONS] == [*get_args(FunctionName)] == [*CALLS]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_holds_or_not(name: FunctionName) -> None:
    text, fits, other = CALLS[name]
    condition = parse_condition(text, values={":x": "x", ":string": "S"})
    assert evaluate(condition, fits)
    assert not evaluate(condition, other)
    assert evaluate(condition, {}) == FUNCTIONS[name].of_missing


@pytest.mark.parametrize("name", FUNCTIONS)
def test_operands_are_counted(name: FunctionName) -> None:
    with pytest.raises(ExpressionError, match="Incorrect number of operands"):
        parse_condition(f"{name}(a, b, c)")
