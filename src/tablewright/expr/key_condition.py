"""What a key condition may say: equality on the partition key, at most one condition on the sort key, in any order.

`check_key_condition` judges what needs no table, `split_key_condition` fits the condition to the key of a table or
index. An index may have several partition and several sort attributes: all of the former by equality, the latter from
left to right with everything but equality last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from tablewright.expr.faults import ExpressionError
from tablewright.expr.nodes import (
    And,
    Between,
    Comparator,
    Compare,
    Condition,
    Function,
    In,
    Name,
    Not,
    Operand,
    Or,
    Size,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NOT_SUPPORTED = "Query key condition not supported"
ONE_EACH = "KeyConditionExpressions must only contain one condition per key"

_TURNED: dict[Comparator, Comparator] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_REFUSED: dict[type, str] = {Or: "OR", Not: "NOT", In: "IN"}


class KeyCondition(msgspec.Struct, frozen=True):
    """A key condition taken apart: each condition has its key attribute as the left or first operand."""

    partition: tuple[Compare, ...]
    sort: tuple[Condition, ...] = ()


def check_key_condition(condition: Condition) -> None:
    """The rules that hold for any key; raises `ExpressionError`."""
    conditions_by_key(condition)


def split_key_condition(condition: Condition, partition: Sequence[str], sort: Sequence[str] = ()) -> KeyCondition:
    """The condition for a key made of these attributes; raises `ExpressionError` when it does not fit."""
    return fit_to_key(conditions_by_key(condition), partition, sort)


def conditions_by_key(condition: Condition) -> dict[str, Condition]:
    """The conjuncts by the attribute they are about, which is turned to be their left or first operand.

    Raises `ExpressionError` for what is not a condition on keys, whatever the keys are.
    """
    by_key: dict[str, Condition] = {}
    for part in _conjuncts(condition):
        name = _key_of(part)
        if name in by_key:
            raise ExpressionError(ONE_EACH)
        by_key[name] = _turned(part)
    return by_key


def fit_to_key(by_key: Mapping[str, Condition], partition: Sequence[str], sort: Sequence[str] = ()) -> KeyCondition:
    """Conditions on attributes as conditions on a key; raises `ExpressionError` when they do not fit it."""
    names = (*partition, *sort)
    if len(by_key) > max(len(names), 2):
        raise ExpressionError("Conditions can be of length 1 or 2 only")
    if len(names) == 1 and len(by_key) > 1:
        raise ExpressionError(NOT_SUPPORTED)
    equalities = tuple(_equality(by_key, name) for name in partition)
    ranges = _leading(by_key, sort)
    if len(equalities) + len(ranges) < len(by_key):
        missed = [name for name in names if name not in by_key]
        raise ExpressionError(f"Query condition missed key schema element: {missed[0]}")
    return KeyCondition(equalities, ranges)


def _equality(by_key: Mapping[str, Condition], name: str) -> Compare:
    found = by_key.get(name)
    if found is None:
        raise ExpressionError(f"Query condition missed key schema element: {name}")
    if not _is_equality(found):
        raise ExpressionError(NOT_SUPPORTED)
    return cast("Compare", found)


def _is_equality(condition: Condition | None) -> bool:
    return isinstance(condition, Compare) and condition.operator == "="


def _leading(by_key: Mapping[str, Condition], sort: Sequence[str]) -> tuple[Condition, ...]:
    """The conditions on the sort attributes: from the left, without gaps, all but the last by equality."""
    last = max((place for place, name in enumerate(sort) if name in by_key), default=-1)
    loose = [name for name in sort[: max(last, 0)] if not _is_equality(by_key.get(name))]
    if loose:
        wanted = f"RANGE key attributes {', '.join(loose)} must have equality conditions specified in the query"
        raise ExpressionError(f"{wanted} because a condition is present on key attribute {sort[last]}")
    return tuple(by_key[name] for name in sort[: last + 1])


def _conjuncts(condition: Condition) -> Iterator[Condition]:
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        if isinstance(part, And):
            waiting.extend(reversed(part.parts))
        else:
            yield part


def _key_of(part: Condition) -> str:
    """The name of the key attribute that a conjunct is about."""
    _refuse_operator(part)
    operands = _operands_of(part)
    if isinstance(part, Between | Function) and isinstance(operands[0], Value):
        operator = "BETWEEN" if isinstance(part, Between) else part.name
        reason = f"{operator} operator must have the key attribute as its first operand"
        raise ExpressionError(f"Invalid condition in KeyConditionExpression: {reason}")
    return _only_name(operands)


def _refuse_operator(part: Condition) -> None:
    refused = _REFUSED.get(type(part), "")
    if isinstance(part, Function) and part.name != "begins_with":
        refused = part.name
    elif isinstance(part, Compare) and part.operator == "<>":
        refused = "<>"
    if refused:
        raise ExpressionError(f"Invalid operator used in KeyConditionExpression: {refused}")


def _operands_of(part: Condition) -> tuple[Operand, ...]:
    if isinstance(part, Compare):
        return (part.left, part.right)
    if isinstance(part, Between):
        return (part.operand, part.low, part.high)
    return part.args if isinstance(part, Function) else ()


def _only_name(operands: tuple[Operand, ...]) -> str:
    names = [operand for operand in operands if isinstance(operand, Name)]
    if any(isinstance(operand, Size) for operand in operands) and len(names) < 2:
        raise ExpressionError("KeyConditionExpressions cannot contain nested operations")
    if not names:
        raise ExpressionError("Invalid condition in KeyConditionExpression: No key attribute specified")
    if any(len(name.parts) > 1 for name in names[:1]):
        raise ExpressionError("KeyConditionExpressions cannot have conditions on nested attributes")
    if len(names) > 1:
        reason = "Multiple attribute names used in one condition"
        raise ExpressionError(f"Invalid condition in KeyConditionExpression: {reason}")
    return str(names[0].parts[0])


def _turned(part: Condition) -> Condition:
    """`:low < sk` as `sk > :low`."""
    if isinstance(part, Compare) and isinstance(part.right, Name):
        return Compare(_TURNED[part.operator], part.right, part.left)
    return part
