"""Whether values keep the rules of their attributes: types, required ones, validators.

Every fault names its place, and all of them are found before anything is refused.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from tablewright.errors import FieldFault, ValidationError
from tablewright.runtime.types.values import ABSENT, is_list, is_map, set_members
from tablewright.schema.types import (
    Attribute,
    Enum,
    Free,
    ListOf,
    MapOf,
    OneOf,
    Pattern,
    RecordOf,
    Scalar,
    SetOf,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.runtime.items.layout import Layout

CHECKS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float | Decimal) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "binary": lambda value: isinstance(value, bytes | bytearray | memoryview),
}


ROOT = re.compile(r"[^.\[]+")


def refuse(layout: Layout, faults: list[FieldFault]) -> None:
    shapes: list[FieldFault] = [fault for fault in faults if isinstance(fault, _ShapeFault)]
    if shapes and not layout.strict:
        faults = shapes[:1]
    if faults:
        told = [as_called(layout, fault) for fault in faults]
        raise ValidationError(told, message=f"{layout.name} cannot be written")


def as_called(layout: Layout, fault: FieldFault) -> FieldFault:
    """The fault under the name that the caller gives the attribute."""
    name = ROOT.match(fault.path)
    said = None if name is None else layout.said.get(name[0])
    return (
        fault
        if said is None or name is None
        else FieldFault(said + fault.path[name.end() :], fault.reason, fault.cause)
    )


def inspect(attribute: Attribute, value: Any, path: str, *, quiet: bool = False) -> list[FieldFault]:
    """Every fault of a value and of what is nested in it.

    `quiet` (the typed style) spares validators the absent values. Without it a required value with a default may be
    absent where defaults do not apply, as in a map that an update sets.
    """
    if value is ABSENT:
        if attribute.required and (quiet or attribute.default is None):
            return [FieldFault(path, "is required")]
        return [] if quiet else _run_validator(attribute, value, path)
    faults = inspect_type(attribute, value, path, quiet=quiet)
    return faults or _run_validator(attribute, value, path)


def inspect_type(attribute: Attribute, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    match attribute.type:
        case Scalar(name):
            return [] if CHECKS[name](value) else [_expected(path, name, value)]
        case Enum(choices):
            return [] if _is_choice(value, choices) else [_unlisted(path, choices, value)]
        case SetOf(items):
            return _inspect_set(items, value, path)
        case ListOf(items):
            return _inspect_list(items, value, path, quiet=quiet)
        case MapOf(properties):
            return _inspect_map(properties, value, path, quiet=quiet)
        case RecordOf(values):
            return _inspect_record(values, value, path, quiet=quiet)
        case OneOf() as union:
            return _inspect_union(union, value, path, quiet=quiet)
        case Free():
            return []


class _ShapeFault(FieldFault, frozen=True):
    """Something that is no map, list or set where one must be. In the loaded style it hides all other faults."""


def _expected(path: str, wanted: str, value: Any) -> FieldFault:
    kind = FieldFault if wanted in CHECKS else _ShapeFault
    return kind(path, f"must be a {wanted}, not {type(value).__name__} {value!r:.60}")


def _unlisted(path: str, choices: tuple[Any, ...], value: Any) -> FieldFault:
    listed = ", ".join(repr(choice) for choice in choices)
    return FieldFault(path, f"must be one of {listed}, not {value!r}")


def _is_choice(value: Any, choices: tuple[Any, ...]) -> bool:
    return any(value == choice and isinstance(value, bool) is isinstance(choice, bool) for choice in choices)


def _inspect_set(items: Scalar | Enum, value: Any, path: str) -> list[FieldFault]:
    members = set_members(value)
    if members is None:
        return [_expected(path, "set", value)]
    element = Attribute(name="*", type=items, field="*")
    return [fault for each in members for fault in inspect_type(element, each, f"{path}[*]", quiet=True)]


def _inspect_list(items: Attribute | None, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not is_list(value):
        return [_expected(path, "list", value)]
    if items is None:
        return []
    return [fault for at, each in enumerate(value) for fault in inspect(items, each, f"{path}[{at}]", quiet=quiet)]


def _inspect_map(properties: tuple[Attribute, ...], value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not is_map(value):
        return [_expected(path, "map", value)]
    return [
        fault
        for each in properties
        for fault in inspect(each, value.get(each.name, ABSENT), f"{path}.{each.name}", quiet=quiet)
    ]


def _inspect_record(values: Attribute, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not is_map(value):
        return [_expected(path, "map", value)]
    faults = [
        FieldFault(path, f"has a key that is no string: {key!r}")
        for key in cast("Iterable[Any]", value)
        if not isinstance(key, str)
    ]
    nested = [fault for key, each in value.items() for fault in inspect(values, each, f"{path}.{key}", quiet=quiet)]
    return faults + nested


def _inspect_union(union: OneOf, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not is_map(value):
        return [_expected(path, "map", value)]
    member = dict(union.members).get(value.get(union.tag, ABSENT))
    if member is None:
        tags = tuple(tag for tag, _ in union.members)
        return [_unlisted(f"{path}.{union.tag}", tags, value.get(union.tag))]
    return _inspect_map(member.properties, value, path, quiet=quiet)


def _run_validator(attribute: Attribute, value: Any, path: str) -> list[FieldFault]:
    validate = attribute.validate
    if validate is None:
        return []
    if isinstance(validate, Pattern):
        fits = value is ABSENT or (isinstance(value, str) and re.search(validate.source, value) is not None)
        return [] if fits else [FieldFault(path, f"does not match /{validate.source}/")]
    given = None if value is ABSENT else value
    if isinstance(attribute.type, SetOf) and given is not None:
        given = list(dict.fromkeys(set_members(given) or ()))
    try:
        passed = validate(given)
    except Exception as error:  # noqa: BLE001  # whatever a user's validator raises is its verdict
        return [FieldFault(path, str(error) or type(error).__name__, error)]
    return [] if passed is None or passed else [FieldFault(path, f"was refused by its validator: {given!r:.60}")]
