"""Key conditions fitted to a table or index: which attributes, which types, which stretch of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.faults import invalid_parameters, validation
from tablewright.engine.keys import partition_bytes
from tablewright.engine.reads.ranges import Limits, sort_limits, values_of
from tablewright.expr.faults import ExpressionError
from tablewright.expr.key_condition import KeyCondition, split_key_condition
from tablewright.expr.nodes import Compare, Condition, Function, Name
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from tablewright.engine.reads.pages import Source


def fit_key_condition(source: Source, condition: Condition) -> KeyCondition:
    """The condition on each key attribute of the source."""
    keys = source.keys
    try:
        parts = split_key_condition(condition, keys.pk, keys.sk)
    except ExpressionError as error:
        raise validation(str(error)) from None
    for part in (*parts.partition, *parts.sort):
        check_values(source, part)
    return parts


def check_values(source: Source, part: Condition) -> None:
    name = key_of(part)
    wanted = source.table.types[name]
    values = values_of(part)
    if any(type_code(value) != wanted for value in values):
        raise invalid_parameters("Condition parameter type does not match schema type")


def key_of(part: Any) -> str:
    """The attribute a fitted condition is about: always what stands first."""
    if isinstance(part, Compare):
        name = part.left
    else:
        name = part.args[0] if isinstance(part, Function) else part.operand
    assert isinstance(name, Name)
    return str(name.parts[0])


def partition_of(parts: KeyCondition) -> bytes:
    return partition_bytes([values_of(part)[0] for part in parts.partition])


def limits_of(source: Source, parts: KeyCondition) -> Limits:
    return sort_limits(parts.sort, of=len(source.keys.sk))
