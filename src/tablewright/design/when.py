"""Sparse indexes: which items are in them, decided in one place, and how to say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.schema.functions import having

if TYPE_CHECKING:
    from collections.abc import Mapping


def fits(when: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    """Whether an item is as its place in an index demands; null stands for any value at all."""
    return not when or bool(having(when)(item))


def told_when(when: Mapping[str, Any]) -> str:
    """`while status is open`"""
    said = [f"it has {name}" if value is None else f"{name} is {value}" for name, value in when.items()]
    return f"while {' and '.join(said)}"
