"""From what a class statement and its attributes declare to `Features`: one function for each field.

Class keywords arrive in `said` under their own names; attributes keep theirs in `slot.attr.options`. Python names
become the names that the schema knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from tablewright.errors import SchemaError
from tablewright.runtime.declare.attr import Slot
from tablewright.schema.features import NO_FEATURES, Features

Slots = Mapping[str, Slot]
Said = Mapping[str, Any]  # the keywords of the class statement that declare features, where they were given


def features_of(where: str, slots: Slots, said: Said) -> Features:
    """All features of an entity class; `where` is its name for errors."""
    declared = {name: read(where, slots, said) for name, read in DECLARED.items()}
    features = Features(**declared)
    return NO_FEATURES if features == NO_FEATURES else features


def with_option(slots: Slots, option: str) -> list[Slot]:
    """The attributes that were declared with an option."""
    return [slot for slot in slots.values() if slot.attr.options.get(option)]


def schema_name(where: str, slots: Slots, name: Any, keyword: str) -> str:
    """The schema's name for an attribute that a class keyword names."""
    slot = slots.get(name) if isinstance(name, str) else None
    if slot is None:
        raise SchemaError(f"{where}: {keyword} names {name!r}; its attributes are {', '.join(slots)}", code=1009)
    return slot.name


def _version(where: str, slots: Slots, _: Said) -> str | None:
    marked = with_option(slots, "version")
    if len(marked) > 1:
        names = " and ".join(slot.python_name for slot in marked)
        raise SchemaError(f"{where}: {names} both count versions; mark one attribute", code=1009)
    return marked[0].name if marked else None


def _unique(where: str, slots: Slots, said: Said) -> tuple[tuple[str, ...], ...]:
    single = [(slot.name,) for slot in with_option(slots, "unique")]
    given: Any = said.get("unique", ())
    if isinstance(given, str):
        raise SchemaError(f'{where}: unique is a list of groups; write unique=["{given}"]', code=1009)
    groups = [(each,) if isinstance(each, str) else tuple(cast("tuple[Any, ...]", each)) for each in given]
    named = [tuple(schema_name(where, slots, name, "unique") for name in group) for group in groups]
    return tuple(dict.fromkeys((*single, *named)))


DECLARED: dict[str, Callable[[str, Slots, Said], Any]] = {
    "version": _version,
    "unique": _unique,
}
