"""Expressions on plain items: `evaluate` a condition, `apply` an update, `project` some paths.

An item is a dict of plain values and is never changed. An attribute that is missing makes every comparison false, but
for `<>`, which is true: nothing is not equal to anything. Nesting costs memory, never recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.expr.apply import apply
from tablewright.expr.compare import (
    MISSING,
    has_order,
    is_equal,
    is_less,
    look_up,
    size_of,
    step,
)
from tablewright.expr.faults import ExpressionError, too_deep
from tablewright.expr.functions import FUNCTIONS
from tablewright.expr.nodes import And, Between, Compare, Condition, Function, In, Name, Not, Operand, Or, Value
from tablewright.wire.limits import MAX_PATH_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["apply", "evaluate", "project"]


def evaluate(condition: Condition, item: Mapping[str, Any]) -> bool:
    """Whether the condition holds for the item; for an item that does not exist pass an empty one."""
    waiting: list[tuple[Condition, int]] = [(condition, 0)]
    holds = True
    while waiting:
        node, done = waiting.pop()
        if isinstance(node, Not):
            if done:
                holds = not holds
            else:
                waiting += ((node, 1), (node.part, 0))
        elif isinstance(node, And | Or):
            decisive = isinstance(node, Or)
            if done == 0:
                holds = not decisive
            if holds is not decisive and done < len(node.parts):
                waiting += ((node, done + 1), (node.parts[done], 0))
        else:
            holds = _JUDGES[type(node)](node, item)
    return holds


def _value(operand: Operand, item: Mapping[str, Any]) -> Any:
    if isinstance(operand, Value):
        return operand.value
    if isinstance(operand, Name):
        return look_up(operand.parts, item)
    measured = look_up(operand.path.parts, item)
    size = None if measured is MISSING else size_of(measured)
    return MISSING if size is None else size


_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": is_less,
    ">": lambda left, right: is_less(right, left),
    "<=": lambda left, right: has_order(left, right) and not is_less(right, left),
    ">=": lambda left, right: has_order(left, right) and not is_less(left, right),
}


def _compare(node: Compare, item: Mapping[str, Any]) -> bool:
    left, right = _value(node.left, item), _value(node.right, item)
    if left is MISSING or right is MISSING:
        return node.operator == "<>"
    if node.operator in _ORDERS:
        return _ORDERS[node.operator](left, right)
    return is_equal(left, right) is (node.operator == "=")


def _between(node: Between, item: Mapping[str, Any]) -> bool:
    value, low, high = (_value(operand, item) for operand in (node.operand, node.low, node.high))
    if value is MISSING or low is MISSING or high is MISSING:
        return False
    return _ORDERS[">="](value, low) and _ORDERS["<="](value, high)


def _in(node: In, item: Mapping[str, Any]) -> bool:
    value = _value(node.operand, item)
    if value is MISSING:
        return False
    choices = (_value(choice, item) for choice in node.choices)
    return any(choice is not MISSING and is_equal(value, choice) for choice in choices)


def _function(node: Function, item: Mapping[str, Any]) -> bool:
    values = [_value(operand, item) for operand in node.args]
    function = FUNCTIONS[node.name]
    return function.of_missing if any(value is MISSING for value in values) else function.holds(*values)


_JUDGES: dict[type, Callable[[Any, Mapping[str, Any]], bool]] = {
    Compare: _compare,
    Between: _between,
    In: _in,
    Function: _function,
}


def project(paths: Iterable[Name], item: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an item that the paths lead to, in their places; elements of a list move together."""
    wanted: dict[str | int, Any] = {}
    for path in paths:
        if len(path.parts) > MAX_PATH_DEPTH:
            raise ExpressionError(f"Invalid ProjectionExpression: {too_deep(path)}")
        _want(wanted, path.parts)
    picked = _pick(wanted, item) if wanted else MISSING
    return {} if picked is MISSING else picked


def _want(wanted: dict[str | int, Any], parts: tuple[str | int, ...]) -> None:
    """Note a path among the wanted; None stands for all that is there, and beats what is wanted inside."""
    *leading, last = parts
    branch: Any = wanted
    for part in leading:
        branch = branch.setdefault(part, {})
        if branch is None:
            return
    branch[last] = None


def _pick(wanted: dict[str | int, Any] | None, value: Any) -> Any:
    """What is wanted of a map or list, all of it for None; MISSING when it has none of that."""
    if wanted is None:
        return value
    found: dict[str | int, Any] = {}
    for part in sorted(wanted, key=_list_order):
        inner = step(value, part)
        picked = MISSING if inner is MISSING else _pick(wanted[part], inner)
        if picked is not MISSING:
            found[part] = picked
    if not found:
        return MISSING
    return found if isinstance(value, dict) else list(found.values())


def _list_order(part: str | int) -> int:
    return part if isinstance(part, int) else 0  # sorting is stable: fields keep the order of the paths
