"""Functions of a loaded schema, called as JavaScript calls: with more arguments than they may want.

A getter or setter is offered the value and the item, a validator the value, a condition the item. One that takes fewer
is wrapped, so that whoever calls it need not know; the schema itself keeps the functions it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.schema.functions import arguments_taken
from tablewright.schema.types import Attribute, ListOf, MapOf, OneOf, RecordOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.schema.model import AccessPattern, Entity
    from tablewright.schema.types import Type

OFFERED = {"get": 2, "set": 2, "validate": 1}
"""By option of an attribute: how many arguments its function is offered."""


def patient_entity(entity: Entity) -> Entity:
    """The same entity, whose functions take every argument that they are offered."""
    return msgspec.structs.replace(
        entity,
        attributes=tuple(map(_attribute, entity.attributes)),
        patterns=tuple(map(_pattern, entity.patterns)),
    )


def _attribute(attribute: Attribute) -> Attribute:
    functions = {name: _patient(getattr(attribute, name), offered) for name, offered in OFFERED.items()}
    return msgspec.structs.replace(attribute, type=_type(attribute.type), **functions)


def _type(kind: Type) -> Type:
    match kind:
        case ListOf(items) if items is not None:
            return ListOf(_attribute(items))
        case MapOf():
            return _map(kind)
        case RecordOf(values):
            return RecordOf(_attribute(values))
        case OneOf(tag, members):
            return OneOf(tag, tuple((name, _map(each)) for name, each in members))
        case _:
            return kind


def _map(kind: MapOf) -> MapOf:
    return MapOf(tuple(map(_attribute, kind.properties)))


def _pattern(pattern: AccessPattern) -> AccessPattern:
    return msgspec.structs.replace(pattern, condition=_patient(pattern.condition, 1))


def _patient(function: Any, offered: int) -> Any:
    """Regular expressions and None are no functions."""
    if not callable(function):
        return function
    taken = arguments_taken(function, offered)
    return function if taken == offered else _taking(function, taken)


def _taking(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    return lambda *given: function(*given[:count])
