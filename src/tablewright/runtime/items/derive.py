"""Values that follow from others, filled in by every write: whole items, keys and updates.

A whole item has them from its values, an update from what it changes, is told, or remembers of the item it was called
on. An item without the sources is without the attribute, and so is not in the index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.types.values import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.runtime.items.hooks import Derivation

    Values = Mapping[str, Any]

# ---- whole items and keys ------------------------------------------------------------------------------------------


def derived(derivations: tuple[Derivation, ...], values: Values) -> dict[str, Any]:
    """The values with everything that follows from them."""
    result = dict(values)
    for each in derivations:
        if each.is_kept(result.get(each.name)):
            continue
        value = each.value(result)
        if value is ABSENT:
            result.pop(each.name, None)
        else:
            result[each.name] = value
    return result


def keyed(derivations: tuple[Derivation, ...], composites: Values) -> dict[str, Any]:
    """The composites of a table key with those that follow from them."""
    result = dict(composites)
    for each in derivations:
        if each.is_constant and (value := each.value(result)) is not ABSENT:
            result[each.name] = value
    return result


# ---- updates -------------------------------------------------------------------------------------------------------


class _Settled(msgspec.Struct, frozen=True):
    """What an update knows of derived attributes: those it changes, and those that follow from what it knows."""

    changed: dict[str, Any]  # ABSENT where it is to be removed
    told: dict[str, Any]
    remembered: dict[str, Any]


def settle(derivations: tuple[Derivation, ...], fresh: Values, told: Values, remembered: Values) -> _Settled:
    settled = _Settled({}, {}, {})
    known = {**remembered, **told, **fresh}
    for each in derivations:
        if each.is_random:
            settled.told[each.name] = _any_shard_or(known.get(each.name), each)
        elif any(name in fresh for name in each.sources):
            settled.changed[each.name] = each.value(_known_sources(each, known))
        elif all(name in told for name in each.sources):
            settled.told[each.name] = each.value(told)
        elif all(name in known for name in each.sources):
            settled.remembered[each.name] = each.value(known)
    return settled


def _any_shard_or(stored: Any, each: Derivation) -> Any:
    return stored if each.is_kept(stored) else each.value({})


def _known_sources(each: Derivation, known: Values) -> Values:
    missing = [name for name in each.sources if name not in known]
    if missing:
        remedy = "say what they are with .composite(...), or update through the item itself"
        raise RequestError(
            f"this changes {each.name}, for which {', '.join(missing)} must be known; {remedy}", code=2002
        )
    return known


def sources_of(derivations: tuple[Derivation, ...], names: Iterable[str]) -> dict[str, None]:
    """The names, with the sources in place of what follows from them."""
    by_name = {each.name: each.sources for each in derivations}
    return dict.fromkeys(source for name in names for source in by_name.get(name, (name,)))
