"""Who reads what: the patterns behind every key of a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.readers import key_of, keys_together
from tablewright.architect.plans.registry import PLACE_OF
from tablewright.architect.search.keep import keys_of
from tablewright.design.wording import in_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.plans.values import Choice, PlacedKey


def place_name(key: PlacedKey) -> str:
    """`the table`, `gsi1`, `lsi1`."""
    return PLACE_OF[key.place].name_of(key.number)


def readers_of(choice: Choice) -> Mapping[PlacedKey, tuple[str, ...]]:
    """By key: the read patterns, and the writes that look up a table key there."""
    found: dict[PlacedKey, list[str]] = {key: [] for key in keys_of(choice)}
    for pattern, plan in choice.plans.items():
        found[key_of(choice, plan)].append(pattern)
    for pattern in choice.collections:
        for key in keys_together(choice, pattern):
            found[key].append(pattern)
    for (pattern, _), plan in choice.located.items():
        found[key_of(choice, plan)].append(pattern)
    return {key: tuple(sorted(set(patterns), key=in_order)) for key, patterns in found.items()}
