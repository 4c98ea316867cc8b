"""DynamoDB conditions over plain dictionaries, as far as specs of applications use them."""

from __future__ import annotations

from collections.abc import Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from tablewright.expr.nodes import And, Between, Compare, Function, In, Name, Not, Or, Slot, Value

Item = Mapping[str, Any]
ABSENT = object()
COMPARISONS = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def holds(tree: Any, item: Item, inputs: Item) -> bool:
    """Whether a condition is true of an item; nothing is true of an attribute that is absent but that it is."""
    match tree:
        case And(parts):
            return all(holds(each, item, inputs) for each in parts)
        case Or(parts):
            return any(holds(each, item, inputs) for each in parts)
        case Not(part):
            return not holds(part, item, inputs)
        case Compare(operator, left, right):
            return _compared(operator, _value(left, item, inputs), _value(right, item, inputs))
        case Between(operand, low, high):
            value = _value(operand, item, inputs)
            ends = _value(low, item, inputs), _value(high, item, inputs)
            return _compared(">=", value, ends[0]) and _compared("<=", value, ends[1])
        case In(operand, choices):
            value = _value(operand, item, inputs)
            return any(_compared("=", value, _value(each, item, inputs)) for each in choices)
        case Function(name, (operand, *others)):
            return _function(name, _value(operand, item, inputs), [_value(each, item, inputs) for each in others])
        case _:
            raise TypeError(f"no condition: {tree}")


def _value(node: Any, item: Item, inputs: Item) -> Any:
    match node:
        case Name(parts):
            return item.get(str(parts[-1]), ABSENT)
        case Value(Slot(name)):
            return inputs.get(name, ABSENT)
        case Value(value):
            return value
        case Slot(name):
            return inputs.get(name, ABSENT)
        case _:
            raise TypeError(f"no value: {node}")


def _compared(operator: str, left: Any, right: Any) -> bool:
    if ABSENT in (left, right):
        return operator == "<>"
    if isinstance(left, str) and isinstance(right, str):
        left, right = left.encode(), right.encode()
    return bool(COMPARISONS[operator](left, right))


def _function(name: str, value: Any, others: list[Any]) -> bool:
    match name:
        case "attribute_exists":
            return value is not ABSENT
        case "attribute_not_exists":
            return value is ABSENT
        case "begins_with":
            return value is not ABSENT and str(value).startswith(others[0])
        case "contains":
            return value is not ABSENT and others[0] in value
        case _:
            raise TypeError(f"no function: {name}")
