"""From what a class statement and its attributes declare to `Features`: one function for each field.

Class keywords arrive in `said` under their own names; attributes keep theirs in `slot.attr.options`. Python names
become the names that the schema knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from tablewright.errors import SchemaError
from tablewright.runtime.declare.links import LINKS
from tablewright.runtime.declare.queues import PAST
from tablewright.schema.features import NO_FEATURES, Belonging, Features, Large, Reference, TimeToLive

if TYPE_CHECKING:
    from tablewright.runtime.declare.attr import Slot, Slots

Said = Mapping[str, Any]  # the keywords of the class statement that declare features, where they were given


def features_of(where: str, slots: Slots, said: Said) -> Features:
    """All features of an entity class; `where` is its name for errors."""
    declared = {name: read(where, slots, said) for name, read in DECLARED.items()}
    features = Features(**declared)
    return NO_FEATURES if features == NO_FEATURES else features


def _with_option(slots: Slots, option: str) -> list[Slot]:
    """The attributes that were declared with an option."""
    return [slot for slot in slots.values() if slot.attr.options.get(option)]


def _schema_name(where: str, slots: Slots, name: Any, keyword: str) -> str:
    """The schema's name for an attribute that a class keyword names."""
    slot = slots.get(name) if isinstance(name, str) else None
    if slot is None:
        raise SchemaError(f"{where}: {keyword} names {name!r}; its attributes are {', '.join(slots)}", code=1009)
    return slot.name


def _version(where: str, slots: Slots, _: Said) -> str | None:
    marked = _with_option(slots, "version")
    if len(marked) > 1:
        names = " and ".join(slot.python_name for slot in marked)
        raise SchemaError(f"{where}: {names} both count versions; mark one attribute", code=1009)
    return marked[0].name if marked else None


def _unique(where: str, slots: Slots, said: Said) -> tuple[tuple[str, ...], ...]:
    single = [(slot.name,) for slot in _with_option(slots, "unique")]
    given: Any = said.get("unique", ())
    if isinstance(given, str):
        raise SchemaError(f'{where}: unique is a list of groups; write unique=["{given}"]', code=1009)
    groups = [(each,) if isinstance(each, str) else tuple(cast("tuple[Any, ...]", each)) for each in given]
    named = [tuple(_schema_name(where, slots, name, "unique") for name in group) for group in groups]
    return tuple(dict.fromkeys((*single, *named)))


def _large(_where: str, slots: Slots, _: Said) -> tuple[Large, ...]:
    declared = ((slot.name, slot.attr.options) for slot in slots.values())
    found = (Large(name, options.get("offload"), options.get("compress")) for name, options in declared)
    return tuple(each for each in found if each.offload_bytes is not None or each.compress is not None)


def _tenant(where: str, slots: Slots, said: Said) -> str | None:
    given = said.get("tenant")
    return None if given is None else _schema_name(where, slots, given, "tenant")


def _references(_where: str, slots: Slots, _: Said) -> tuple[Reference, ...]:
    noted = ((slot, slot.codec.note or (slot.codec.items and slot.codec.items.note)) for slot in slots.values())
    return tuple(Reference(slot.name, note[1]) for slot, note in noted if note and note[0] == "refers")


def _paths(_where: str, slots: Slots, _: Said) -> tuple[str, ...]:
    return tuple(slot.name for slot in slots.values() if slot.codec.note and slot.codec.note[0] == "path")


def _entity_name(entity: Any) -> str:
    """The name of an entity that is given as its class or by name."""
    return entity if isinstance(entity, str) else str(entity.__tablewright_about__.name)


def _belongs_to(_where: str, _: Slots, said: Said) -> tuple[Belonging, ...]:
    given: dict[str, Any] = said["belongs_to"]
    groups: dict[str, tuple[Any, ...]] = {
        pattern: each if isinstance(each, tuple) else (each,) for pattern, each in given.items()
    }
    return tuple(Belonging(pattern, tuple(map(_entity_name, group))) for pattern, group in groups.items())


def _ttl(where: str, slots: Slots, _: Said) -> TimeToLive | None:
    marked = _with_option(slots, "ttl")
    hiding = _with_option(slots, "hide_expired")
    if len(marked) > 1:
        names = " and ".join(slot.python_name for slot in marked)
        raise SchemaError(f"{where}: {names} both say when items expire; DynamoDB looks at one attribute", code=1009)
    if not marked:
        if hiding:
            name = hiding[0].python_name
            raise SchemaError(
                f"{where}.{name}: hide_expired needs ttl; write attr(ttl=True, hide_expired=True)", code=1009
            )
        return None
    lifetime = marked[0].attr.lifetime
    seconds = None if lifetime is None else max(1, int(lifetime.total_seconds()))
    return TimeToLive(marked[0].name, seconds, bool(hiding))


DECLARED: dict[str, Callable[[str, Slots, Said], Any]] = {
    "tenant": _tenant,
    "references": _references,
    "paths": _paths,
    "belongs_to": _belongs_to,
    "version": _version,
    "unique": _unique,
    "ttl": _ttl,
    "large": _large,
    **LINKS,
    **PAST,
}
