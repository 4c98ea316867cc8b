"""Constant defaults as code: of the Python type that the attribute has, or None where the value does not fit it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.codegen.python.literals import Code, Invocation, invoke, printed
from tablewright.schema.types import Enum, Free, ListOf, MapOf, RecordOf, Scalar, SetOf

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.schema.types import Type

Maps: TypeAlias = "Mapping[MapOf, tuple[str, dict[str, str]]]"
"""By map: its class, and its fields by property."""
SCALARS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float, Decimal),
    "boolean": (bool,),
    "binary": (bytes,),
}


class Misfit(ValueError):
    """The value is of another type than its attribute."""


def code_of(kind: Type, value: Any, maps: Maps) -> Any:
    """What `printed` makes the value of."""
    match kind:
        case Scalar(name) if isinstance(value, SCALARS[name]) and (name == "boolean") == isinstance(value, bool):
            return plain(value)
        case Enum(choices) if not isinstance(value, (list, dict, set)) and value in choices:
            return plain(value)
        case Free() if value is not None:
            return plain(value)
        case SetOf(items) if isinstance(value, (list, set)) and value:
            members = [code_of(items, each, maps) for each in sorted(cast("Iterable[Any]", value), key=repr)]
            return Invocation("", tuple(members), opening="{", closing="}")
        case ListOf(items) if isinstance(value, list):
            elements = cast("Iterable[Any]", value)
            return [plain(each) if items is None else code_of(items.type, each, maps) for each in elements]
        case RecordOf(values) if isinstance(value, dict):
            fields = cast("dict[str, Any]", value)
            return {name: code_of(values.type, each, maps) for name, each in fields.items()}
        case MapOf() if isinstance(value, dict) and kind in maps:
            return map_code(kind, cast("dict[str, Any]", value), maps)
        case _:
            raise Misfit


def map_code(kind: MapOf, value: dict[str, Any], maps: Maps) -> Invocation:
    name, fields = maps[kind]
    known = {each.name: each for each in kind.properties}
    given = {fields[key]: code_of(known[key].type, each, maps) for key, each in value.items() if key in known}
    return invoke(name, **given)


def plain(value: Any) -> Any:
    """Data of any kind, as literals."""
    if value is None or isinstance(value, (str, bool, int, bytes)):
        return value
    if isinstance(value, Decimal):
        return invoke("Decimal", str(value))
    if isinstance(value, float):
        return Code(printed(value))
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in cast("Iterable[Any]", value)]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in cast("dict[str, Any]", value).items()}
    raise Misfit


def is_mutable(value: Any) -> bool:
    return isinstance(value, (list, dict, Invocation)) and not (
        isinstance(value, Invocation) and value.name == "Decimal"
    )
