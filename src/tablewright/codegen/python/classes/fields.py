"""Attributes of entities and maps as lines of a class: `task_id: Attr[str] = attr(name="taskId")`.

Types are annotations; constants get a name of their own and maps a class, both above the class that needs them. A
constant default is code of the Python type that the attribute has.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.codegen.python.classes.draft import TAKEN_IN_MAPS, field_names
from tablewright.codegen.python.classes.functions import Role
from tablewright.codegen.python.entities import field
from tablewright.codegen.python.literals import Code, Invocation, docstring, invoke, kept, printed, text
from tablewright.schema.types import (
    PLAIN_OPTIONS,
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

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tablewright.codegen.python.classes.draft import Draft
    from tablewright.schema.places import Place
    from tablewright.schema.types import Type

_ANNOTATIONS = {"string": "str", "number": "Number", "boolean": "bool", "binary": "bytes"}
_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float, Decimal),
    "boolean": (bool,),
    "binary": (bytes,),
}
_Maps: TypeAlias = "Mapping[MapOf, tuple[str, dict[str, str]]]"
"""By map: its class, and its fields by property."""


def field_lines(
    draft: Draft,
    owner: str,
    attributes: tuple[Attribute, ...],
    names: Mapping[str, str],
    place: Place,
    must: Collection[str] = (),
) -> tuple[list[str], dict[str, str]]:
    """The lines, and by attribute its type; those in `must` are never absent, whatever the schema says."""
    lines: list[str] = []
    kinds: dict[str, str] = {}
    for each in attributes:
        kinds[each.name] = _annotation(draft, each.type, f"{owner} {each.name}", place / each.name)
        if not each.name:
            draft.faults.add(place, "an attribute has no name")
        present = each.required or each.name in must
        lines.append(_line(draft, each, names, kinds[each.name], place / each.name, present=present))
    return lines, kinds


def _line(
    draft: Draft, attribute: Attribute, names: Mapping[str, str], kind: str, place: Place, *, present: bool
) -> str:
    optional = not present and kind != "Any" and not isinstance(attribute.default, Constant)
    shown = f"{kind} | None" if optional else kind
    options = {
        **_default_options(draft, attribute, kind, shown, place, present=present),
        **_naming_options(attribute, names[attribute.name]),
        **_behaviour_options(draft, attribute, names, shown, place),
    }
    return field(names[attribute.name], shown, options)


def _naming_options(attribute: Attribute, name: str) -> dict[str, Any]:
    padding, digits = attribute.padding, attribute.digits
    return kept(
        name=attribute.name if name != attribute.name else None,
        field=attribute.field if attribute.field != attribute.name else None,
        padding=(padding.length, padding.char) if padding is not None and padding.char else None,
        digits=(digits.whole, digits.decimals) if digits is not None else None,
    ) | {name: value for name in PLAIN_OPTIONS if isinstance(value := getattr(attribute, name), str)}


def _behaviour_options(
    draft: Draft, attribute: Attribute, names: Mapping[str, str], shown: str, place: Place
) -> dict[str, Any]:
    value = shown if shown == "Any" or shown.endswith("| None") else f"{shown} | None"
    accessor = Role((f"value: {value}", "item: Any"), value)
    test = Role((f"value: {shown.removesuffix(' | None')}",), "object")
    watch = attribute.watch
    flags = {name: True for name in PLAIN_OPTIONS if getattr(attribute, name) is True}
    rest = kept(
        validate=_function(draft, attribute.validate, test, place / "validate"),
        get=_function(draft, attribute.get, accessor, place / "get"),
        set=_function(draft, attribute.set, accessor, place / "set"),
        watch=watch if watch is None or isinstance(watch, str) else [names.get(each, each) for each in watch],
        doc=attribute.doc,
    )
    return {**({"read_only": True} if attribute.type == Free("static") else {}), **flags, **rest}


def _function(draft: Draft, given: Any, role: Role, place: Place) -> Any:
    if given is None or isinstance(given, Pattern):
        return None if given is None else given.source
    return draft.supplied.wrapper(given, role, str(place))


def _default_options(
    draft: Draft, attribute: Attribute, kind: str, shown: str, place: Place, *, present: bool
) -> dict[str, Any]:
    """What the attribute is when nobody says; one that may be absent is None."""
    given = attribute.default
    if given is None:
        return {} if present else {"default": None}
    if not isinstance(given, Constant):
        return {"default_factory": draft.supplied.wrapper(given, Role((), shown), str(place / "default"))}
    try:
        code = _value_code(attribute.type, given.value, draft.map_classes)
    except _MisfitError:
        draft.faults.add(place / "default", f"{given.value!r:.40} is no {kind}")
        return {}
    if not _is_mutable(code):
        return {"default": code}
    return {"default_factory": Code(f"lambda: {printed(code, 2, len('default_factory=lambda: '))}")}


# ---- types -----------------------------------------------------------------------------------------------------------


def _annotation(draft: Draft, kind: Type, owner: str, place: Place) -> str:
    """The type as code; `owner` is what constants and maps are named after."""
    match kind:
        case Scalar(name):
            return _ANNOTATIONS[name]
        case Free():
            return "Any"
        case Enum():
            return _constants(draft, kind, owner, place)
        case SetOf(items):
            return f"set[{_annotation(draft, items, owner, place)}]"
        case ListOf(items):
            return f"list[{_element(draft, items, owner, place / 'items')}]"
        case RecordOf(values):
            return f"dict[str, {_element(draft, values, owner, place / 'values')}]"
        case MapOf():
            return _map_class(draft, kind, owner, place)
        case OneOf(_, members):
            each = (_map_class(draft, kind, f"{owner} {name}", place / name) for name, kind in members)
            return " | ".join(each)


def _constants(draft: Draft, kind: Enum, owner: str, place: Place) -> str:
    if not kind.choices or any(isinstance(each, (float, bool)) for each in kind.choices):
        draft.faults.add(place, f"the constants {list(kind.choices)!r:.60} are not all texts or whole numbers")
        return "Any"
    name = draft.name(owner)
    shown = [Code(text(each)) if isinstance(each, str) else Code(repr(each)) for each in kind.choices]
    call = printed(invoke("Literal", *shown), 0, len(name) + len(": TypeAlias = "))
    draft.aliases.append(f"{name}: TypeAlias = Literal[{call[len('Literal(') : -1]}]")
    return name


def _element(draft: Draft, items: Attribute | None, owner: str, place: Place) -> str:
    if items is None:
        return "Any"
    plain = Attribute(name=items.name, field=items.field, type=items.type, required=items.required, doc=items.doc)
    if items != plain:
        draft.faults.add(place, "options of elements have no place in a class")
    return _annotation(draft, items.type, f"{owner} item", place)


def _map_class(draft: Draft, kind: MapOf, owner: str, place: Place) -> str:
    name = draft.name(owner)
    names = field_names((each.name for each in kind.properties), TAKEN_IN_MAPS)
    lines, _ = field_lines(draft, name, kind.properties, names, place)
    about = docstring([f"The map {owner}."], "    ")
    draft.maps.append("\n".join([f"class {name}(tw.Map):", about, *([""] if lines else []), *lines]))
    draft.map_classes[kind] = name, names
    return name


# ---- constant defaults -----------------------------------------------------------------------------------------------


class _MisfitError(ValueError):
    """The value is of another type than its attribute."""


def _value_code(kind: Type, value: Any, maps: _Maps) -> Any:
    """What `printed` makes the value of."""
    match kind:
        case Scalar(name) if isinstance(value, _KINDS[name]) and (name == "boolean") == isinstance(value, bool):
            return _literal(value)
        case Enum(choices) if not isinstance(value, (list, dict, set)) and value in choices:
            return _literal(value)
        case Free() if value is not None:
            return _literal(value)
        case SetOf(items) if isinstance(value, (list, set)) and value:
            members = [_value_code(items, each, maps) for each in sorted(cast("Iterable[Any]", value), key=repr)]
            return Invocation("", tuple(members), opening="{", closing="}")
        case ListOf(items) if isinstance(value, list):
            elements = cast("Iterable[Any]", value)
            return [_literal(each) if items is None else _value_code(items.type, each, maps) for each in elements]
        case RecordOf(values) if isinstance(value, dict):
            fields = cast("dict[str, Any]", value)
            return {name: _value_code(values.type, each, maps) for name, each in fields.items()}
        case MapOf() if isinstance(value, dict) and kind in maps:
            return _map_code(kind, cast("dict[str, Any]", value), maps)
        case _:
            raise _MisfitError


def _map_code(kind: MapOf, value: dict[str, Any], maps: _Maps) -> Invocation:
    name, fields = maps[kind]
    known = {each.name: each for each in kind.properties}
    given = {fields[key]: _value_code(known[key].type, each, maps) for key, each in value.items() if key in known}
    return invoke(name, **given)


def _literal(value: Any) -> Any:
    """Data of any kind, as literals."""
    if value is None or isinstance(value, (str, bool, int, bytes)):
        return value
    if isinstance(value, Decimal):
        return invoke("Decimal", str(value))
    if isinstance(value, float):
        return Code(printed(value))
    if isinstance(value, (list, tuple)):
        return [_literal(each) for each in cast("Iterable[Any]", value)]
    if isinstance(value, dict):
        return {name: _literal(each) for name, each in cast("dict[str, Any]", value).items()}
    raise _MisfitError


def _is_mutable(value: Any) -> bool:
    return isinstance(value, (list, dict, Invocation)) and not (
        isinstance(value, Invocation) and value.name == "Decimal"
    )
