"""Comparisons in place of values: `created_at=tw.lt(today)`, and ANY for a sort composite that is left out."""

from __future__ import annotations

from typing import Any, Generic, TypeAlias, TypeVar, Union

import msgspec

from tablewright.runtime.requests.ranges import Operator

T = TypeVar("T")


class _Any:
    def __repr__(self) -> str:
        return "ANY"


ANY: Any = _Any()
"""The default of a sort composite that a caller may leave out."""


class Bound(msgspec.Struct, Generic[T], frozen=True):
    """A comparison in place of a value: `created_at=tw.lt(today)`."""

    operator: Operator
    low: T
    high: T | None = None


Range: TypeAlias = Union[T, Bound[T]]  # noqa: UP007 - an alias with a type variable must be a Union in 3.11


def lt(value: T) -> Bound[T]:
    """Below the value."""
    return Bound("lt", value)


def lte(value: T) -> Bound[T]:
    """Up to the value, itself included."""
    return Bound("lte", value)


def gt(value: T) -> Bound[T]:
    """Above the value."""
    return Bound("gt", value)


def gte(value: T) -> Bound[T]:
    """From the value on, itself included."""
    return Bound("gte", value)


def between(low: T, high: T) -> Bound[T]:
    """From `low` to `high`, both included."""
    return Bound("between", low, high)


def begins_with(prefix: str) -> Bound[str]:
    """Text that begins so."""
    return Bound("begins", prefix)
