"""Who reads what: the patterns behind every key of a choice, and what a pattern is read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.assembly.requests import place_of
from tablewright.architect.assembly.views import gathered_views
from tablewright.architect.search.keep import Key, kept_of
from tablewright.architect.search.keep import keys_of as kept_keys
from tablewright.design.wording import in_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.plans.candidates import Plan
    from tablewright.architect.search.choose import Choice
    from tablewright.design.layout.views import View

INDEX_NAMES = {"index": "gsi", "lsi": "lsi"}


def keys_of(choice: Choice) -> tuple[Key, ...]:
    """Table keys, then indexes, then second items."""
    return tuple(kept_keys(kept_of(choice)))


def place_name(key: Key) -> str:
    """`the table`, `gsi1`, `lsi1`."""
    return f"{INDEX_NAMES[key.place]}{key.number + 1}" if key.place in INDEX_NAMES else "the table"


def readers_of(choice: Choice) -> Mapping[Key, tuple[str, ...]]:
    """By key: the read patterns, and the writes that look up a table key there."""
    found: dict[Key, list[str]] = {key: [] for key in keys_of(choice)}
    for pattern, plan in choice.plans.items():
        found[key_of(choice, plan)].append(pattern)
    for pattern in choice.gatherings:
        for key in gathered_keys(choice, pattern):
            found[key].append(pattern)
    for (pattern, _), plan in choice.located.items():
        found[key_of(choice, plan)].append(pattern)
    return {key: tuple(sorted(set(patterns), key=in_order)) for key, patterns in found.items()}


def key_of(choice: Choice, plan: Plan) -> Key:
    """What a plan reads."""
    return key_of_view(place_of(plan, choice))


def key_of_view(view: View) -> Key:
    if view.is_copy:
        return Key("copy", view.shape)
    if view.lsi is not None:
        return Key("lsi", view.shape, view.lsi)
    return Key("table", view.shape) if view.slot is None else Key("index", view.shape, view.slot)


def gathered_keys(choice: Choice, pattern: str) -> tuple[Key, ...]:
    """What a pattern over several entities reads of each."""
    return tuple(key_of_view(view) for view in gathered_views(choice, pattern))
