"""What happens to values on their way in: defaults, checks, setters, renaming.

For put, create and upsert every attribute is visited in order of definition: default, type, validate, then the setters,
then the setters of watchers, which see what the others made of the item. An update takes the same steps for the
attributes it mentions, without defaults. In the callbacks None stands for an absent value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from tablewright.errors import FieldFault, ValidationError
from tablewright.runtime.items.layout import Layout, Values
from tablewright.schema.types import (
    Attribute,
    Constant,
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

ABSENT: Any = type("Absent", (), {"__repr__": lambda _: "ABSENT", "__bool__": lambda _: False})()

CHECKS = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float | Decimal) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "binary": lambda value: isinstance(value, bytes | bytearray | memoryview),
}


# ---- whole items ------------------------------------------------------------------------------------------------


def complete(layout: Layout, supplied: Values, *, without: Iterable[str] = ()) -> dict[str, Any]:
    """An item's attributes by name, as they will be stored; `without` names attributes another clause takes care of."""
    skipped = frozenset(without)
    filled: dict[str, Any] = {}
    faults: list[FieldFault] = []
    for attribute in layout.attributes.values():
        if attribute.name in skipped:
            continue
        value = fill(attribute, supplied.get(attribute.name, ABSENT))
        faults += inspect(attribute, value, attribute.name, quiet=layout.strict)
        if faults and not layout.strict:
            break
        if value is not ABSENT:
            filled[attribute.name] = value
    refuse(layout, faults)
    return set_all(layout, filled, [name for name in layout.attributes if name not in skipped])


def refuse(layout: Layout, faults: list[FieldFault]) -> None:
    if not layout.strict:
        faults = [fault for fault in faults if isinstance(fault, ShapeFault)][:1] or faults
    if faults:
        raise ValidationError(faults, message=f"{layout.name} cannot be written")


def set_all(layout: Layout, values: Values, names: Iterable[str]) -> dict[str, Any]:
    """The values after the setters: first those of plain attributes, then those of watchers.

    ElectroDB runs the setters of all watchers when it writes a whole item, whatever was supplied.
    """
    result: dict[str, Any] = dict(values)
    for name in names:
        attribute = layout.attributes[name]
        if not is_watcher(attribute):
            place(result, name, store(attribute, values.get(name, ABSENT), values))
    before = dict(result)
    for attribute in layout.attributes.values():
        if is_watcher(attribute) and (not layout.strict or attribute.name in values or is_triggered(attribute, values)):
            place(result, attribute.name, store(attribute, values.get(attribute.name, ABSENT), before))
    return {name: result[name] for name in layout.attributes if name in result}


def is_watcher(attribute: Attribute) -> bool:
    """Watching only matters on the way in where there is a setter to run."""
    return attribute.watch is not None and attribute.set is not None


def is_triggered(attribute: Attribute, changed: Iterable[str]) -> bool:
    if attribute.watch == "*":
        return True
    return attribute.watch is not None and any(name in attribute.watch for name in changed)


def place(target: dict[str, Any], name: str, value: Any) -> None:
    if value is ABSENT:
        target.pop(name, None)
    else:
        target[name] = value


# ---- defaults ---------------------------------------------------------------------------------------------------


def fill(attribute: Attribute, value: Any) -> Any:
    """The value, or the default where it is absent; nested defaults apply where their parent is present."""
    if value is ABSENT and attribute.default is not None:
        value = default_of(attribute.default)
    match attribute.type:
        case MapOf(properties) if isinstance(value, Mapping):
            return fill_properties(properties, value)
        case ListOf(items) if items is not None and isinstance(value, list | tuple):
            return [fill(items, each) for each in value if each is not ABSENT]
        case _:
            return value


def default_of(default: Constant | Callable[[], Any]) -> Any:
    """A constant is what it is, even None; a function says with None that there is no value."""
    if isinstance(default, Constant):
        return default.value
    value = default()
    return ABSENT if value is None else value


def fill_properties(properties: tuple[Attribute, ...], value: Mapping[str, Any]) -> dict[str, Any]:
    filled = dict(value)
    for each in properties:
        place(filled, each.name, fill(each, value.get(each.name, ABSENT)))
    return filled


# ---- checks -----------------------------------------------------------------------------------------------------


def inspect(attribute: Attribute, value: Any, path: str, *, quiet: bool = False) -> list[FieldFault]:
    """Every fault of a value and of what is nested in it.

    `quiet` (the typed style) spares validators the absent values. Without it a required value with a default may be
    absent where defaults do not apply, as in a map that an update sets.
    """
    if value is ABSENT:
        if attribute.required and (quiet or attribute.default is None):
            return [FieldFault(path, "is required")]
        return [] if quiet else run_validator(attribute, value, path)
    faults = inspect_type(attribute, value, path, quiet=quiet)
    return faults or run_validator(attribute, value, path)


def inspect_type(attribute: Attribute, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    match attribute.type:
        case Scalar(name):
            return [] if CHECKS[name](value) else [expected(path, name, value)]
        case Enum(choices):
            return [] if is_choice(value, choices) else [FieldFault(path, f"must be one of {listed(choices)}, not {value!r}")]
        case SetOf(items):
            return inspect_set(items, value, path)
        case ListOf(items):
            return inspect_list(items, value, path, quiet=quiet)
        case MapOf(properties):
            return inspect_map(properties, value, path, quiet=quiet)
        case RecordOf(values):
            return inspect_record(values, value, path, quiet=quiet)
        case OneOf() as union:
            return inspect_union(union, value, path, quiet=quiet)
        case Free():
            return []


class ShapeFault(FieldFault):
    """Something that is no map, list or set where one must be. In the loaded style it hides all other faults."""


def expected(path: str, wanted: str, value: Any) -> FieldFault:
    kind = FieldFault if wanted in CHECKS else ShapeFault
    return kind(path, f"must be a {wanted}, not {type(value).__name__} {value!r:.60}")


def listed(choices: tuple[Any, ...]) -> str:
    return ", ".join(repr(choice) for choice in choices)


def is_choice(value: Any, choices: tuple[Any, ...]) -> bool:
    return any(value == choice and isinstance(value, bool) is isinstance(choice, bool) for choice in choices)


def inspect_set(items: Scalar | Enum, value: Any, path: str) -> list[FieldFault]:
    members = set_members(value)
    if members is None:
        return [expected(path, "set", value)]
    element = Attribute(name="*", type=items, field="*")
    return [fault for each in members for fault in inspect_type(element, each, f"{path}[*]", quiet=True)]


def set_members(value: Any) -> list[Any] | None:
    """The members of whatever may stand for a set: a set, a list, or one scalar."""
    if isinstance(value, set | frozenset | list | tuple):
        return list(value)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, str | int | float | Decimal | bytes) and not isinstance(value, bool):
        return [value]
    return None


def inspect_list(items: Attribute | None, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not isinstance(value, list | tuple):
        return [expected(path, "list", value)]
    if items is None:
        return []
    elements: Iterable[tuple[int, Any]] = enumerate(value)
    return [fault for at, each in elements for fault in inspect(items, each, f"{path}[{at}]", quiet=quiet)]


def inspect_map(properties: tuple[Attribute, ...], value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not isinstance(value, Mapping):
        return [expected(path, "map", value)]
    given: Mapping[str, Any] = value
    return [
        fault
        for each in properties
        for fault in inspect(each, given.get(each.name, ABSENT), f"{path}.{each.name}", quiet=quiet)
    ]


def inspect_record(values: Attribute, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not isinstance(value, Mapping):
        return [expected(path, "map", value)]
    given: Mapping[Any, Any] = value
    faults = [FieldFault(path, f"has a key that is no string: {key!r}") for key in given if not isinstance(key, str)]
    nested = [fault for key, each in given.items() for fault in inspect(values, each, f"{path}.{key}", quiet=quiet)]
    return faults + nested


def inspect_union(union: OneOf, value: Any, path: str, *, quiet: bool) -> list[FieldFault]:
    if not isinstance(value, Mapping):
        return [expected(path, "map", value)]
    given: Mapping[str, Any] = value
    member = dict(union.members).get(given.get(union.tag, ABSENT))
    if member is None:
        tags = listed(tuple(tag for tag, _ in union.members))
        return [FieldFault(f"{path}.{union.tag}", f"must be one of {tags}, not {given.get(union.tag)!r}")]
    return inspect_map(member.properties, given, path, quiet=quiet)


def run_validator(attribute: Attribute, value: Any, path: str) -> list[FieldFault]:
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
    except Exception as error:  # whatever a user's validator raises is its verdict
        return [FieldFault(path, str(error) or type(error).__name__, error)]
    return [] if passed is None or passed else [FieldFault(path, f"was refused by its validator: {given!r:.60}")]


# ---- setters ----------------------------------------------------------------------------------------------------


def store(attribute: Attribute, value: Any, item: Values) -> Any:
    """The stored form of a value: children first, then the attribute's own setter; nested names become fields."""
    value = store_nested(attribute, value)
    if attribute.set is not None:
        value = attribute.set(None if value is ABSENT else value, item)
        value = ABSENT if value is None else value
    if isinstance(attribute.type, SetOf) and value is not ABSENT:
        members = set_members(value)
        return value if members is None else set(members)
    return value


def store_nested(attribute: Attribute, value: Any) -> Any:
    match attribute.type:
        case MapOf(properties) if isinstance(value, Mapping):
            return store_map(properties, value)
        case ListOf(items) if items is not None and isinstance(value, list | tuple):
            stored = [store(items, each, value) for each in value]  # pyright: ignore[reportUnknownArgumentType]
            return [each for each in stored if each is not ABSENT]
        case RecordOf(values) if isinstance(value, Mapping):
            given: Mapping[str, Any] = value
            return {key: store(values, each, given) for key, each in given.items()}
        case OneOf() as union if isinstance(value, Mapping):
            tagged: Mapping[str, Any] = value
            return store_map(dict(union.members)[tagged[union.tag]].properties, tagged)
        case _:
            return value


def store_map(properties: tuple[Attribute, ...], value: Mapping[str, Any]) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    for each in properties:
        if each.name in value:
            place(stored, each.field, store(each, value[each.name], value))
    return stored
