"""Sparse indexes: which items are in them, decided in one place, and how to say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.schema.functions import having

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.conditions import Predicate


def fits(when: Predicate | None, item: Mapping[str, Any]) -> bool:
    """Whether an item is as its place in an index demands."""
    return when is None or bool(having(when.required)(item))


def told_when(when: Predicate) -> str:
    """`while status is open`"""
    said = [f"it has {name}" if value is None else f"{name} is {value}" for name, value in when.required.items()]
    return f"while {' and '.join(said)}"
