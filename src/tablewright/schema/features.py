"""What an entity does beyond storing its attributes: patterns of single-table design, as declared facts.

Every feature is one field of `Features`, empty by default, and names attributes as the schema does. Whoever adds one
adds its row in `form/features.py` (how it is written) and in `TOLD` here (how `describe` says it).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """The features of one entity."""

    version: str | None = None  # the attribute that counts writes, for optimistic locking
    unique: tuple[tuple[str, ...], ...] = ()  # attributes (or several together) that no two items share


NO_FEATURES = Features()


def told_features(features: Features) -> list[str]:
    """One short phrase for each thing declared."""
    declared = ((getattr(features, name), getattr(NO_FEATURES, name), phrase) for name, phrase in TOLD.items())
    return [phrase(value) for value, default, phrase in declared if value != default]


def _unique(groups: tuple[tuple[str, ...], ...]) -> str:
    return "unique " + ", ".join(" + ".join(group) for group in groups)


TOLD: dict[str, Callable[[Any], str]] = {
    "version": lambda name: f"version in {name}",
    "unique": _unique,
}
