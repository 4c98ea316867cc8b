"""What a fault is, and faults that several checks share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.schema.places import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.model import AttributeSpec, EntitySpec

SpecFault: TypeAlias = tuple[str, str]
"""A place in the spec, and what is wrong there."""

HOLDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "timestamp": (str,),
    "number": (int, float),
    "boolean": (bool,),
}
"""By type: what a constant of it is in a file."""


def unknown_attributes(place: str, names: Iterable[str], entity: EntitySpec) -> Iterator[SpecFault]:
    for name in names:
        if name not in entity.attributes:
            known = ", ".join(entity.attributes)
            hint = nearest(name, entity.attributes)
            yield place, f'{entity.name} has no attribute "{name}".{hint} It has: {known}.'


def possible_values(attribute: AttributeSpec) -> int | None:
    """How many values it can take, where the spec lists them or the type tells."""
    if attribute.values:
        return len(set(attribute.values))
    return 2 if attribute.type == "boolean" else None


def constant_faults(place: str, entity: EntitySpec, attribute: AttributeSpec, value: Any) -> Iterator[SpecFault]:
    """A constant that the attribute can never have."""
    wanted = HOLDS.get(attribute.type)
    named = f"{entity.name}.{attribute.name}"
    if wanted is not None and (not isinstance(value, wanted) or (bool not in wanted and isinstance(value, bool))):
        yield place, f"{named} is a {attribute.type}, and {value!r} is none."
    elif attribute.values and str(value) not in attribute.values:
        hint = nearest(str(value), attribute.values)
        yield place, f'{named} never is "{value}".{hint} It can be: {", ".join(attribute.values)}.'
