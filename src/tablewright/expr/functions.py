"""The functions that are conditions, a line each: what the parser counts, the checks allow and `evaluate` asks.

Values that compare are in `compare.py`; `size`, `if_not_exists` and `list_append` are no conditions and have nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from tablewright.expr.compare import begins_with, contains
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Callable

FunctionName: TypeAlias = Literal[
    "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains"
]


class _ConditionFunction(NamedTuple):
    """How a function is called and when it holds."""

    operands: int
    holds: Callable[..., bool]
    """Of the values of its operands, all of which are there."""
    of_missing: bool = False
    """Whether it holds where one of them is missing."""
    takes: Literal["path", "operands", "type"] = "operands"
    """A path alone, operands that differ, or such of which the second names a type."""
    types: frozenset[str] | None = None
    """The types that literals among its operands may have; None is any."""


def _is_there(_value: Any) -> bool:
    return True


def _is_not_there(_value: Any) -> bool:
    return False


def _has_type(value: Any, code: str) -> bool:
    return type_code(value) == code


FUNCTIONS: dict[FunctionName, _ConditionFunction] = {
    "attribute_exists": _ConditionFunction(1, _is_there, takes="path"),
    "attribute_not_exists": _ConditionFunction(1, _is_not_there, of_missing=True, takes="path"),
    "attribute_type": _ConditionFunction(2, _has_type, takes="type"),
    "begins_with": _ConditionFunction(2, begins_with, types=frozenset({"S", "B"})),
    "contains": _ConditionFunction(2, contains),
}
