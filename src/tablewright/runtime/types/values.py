"""What is there and what is not, and the shapes that containers come in."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeGuard


class Absent:
    """The kind of `ABSENT`, which stands for a value that is not there (None is a value)."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Any = Absent()


def is_map(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value may stand for a map."""
    return isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether a value may stand for a list."""
    return isinstance(value, list | tuple)


def is_set(value: Any) -> TypeGuard[set[Any] | frozenset[Any]]:
    """Whether a value is a set already."""
    return isinstance(value, set | frozenset)


def set_members(value: Any) -> list[Any] | None:
    """The members of whatever may stand for a set: a set, a list, or one scalar; None for anything else."""
    if is_set(value) or is_list(value):
        return list(value)
    if isinstance(value, str | int | float | Decimal | bytes) and not isinstance(value, bool):
        return [value]
    return None
