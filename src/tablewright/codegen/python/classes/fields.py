"""Attributes of entities and maps as lines of a class: `task_id: Attr[str] = attr(name="taskId")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.python.classes.functions import Role
from tablewright.codegen.python.classes.names import TAKEN_IN_MAPS, field_names
from tablewright.codegen.python.classes.types import Workshop, annotation
from tablewright.codegen.python.classes.values import Misfit, code_of, is_mutable
from tablewright.codegen.python.entities import field
from tablewright.codegen.python.literals import Code, kept, printed
from tablewright.schema.types import PLAIN_OPTIONS, Attribute, Constant, Free, Pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tablewright.schema.places import Place
    from tablewright.schema.types import MapOf


def fields(
    shop: Workshop,
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
        kinds[each.name] = annotation(shop, each.type, f"{owner} {each.name}", place / each.name, print_map)
        if not each.name:
            shop.faults.add(place, "an attribute has no name")
        present = each.required or each.name in must
        lines.append(line(shop, each, names, kinds[each.name], place / each.name, present=present))
    return lines, kinds


def print_map(shop: Workshop, name: str, kind: MapOf, place: Place) -> tuple[list[str], dict[str, str]]:
    names = field_names((each.name for each in kind.properties), TAKEN_IN_MAPS)
    return fields(shop, name, kind.properties, names, place)[0], names


def line(
    shop: Workshop, attribute: Attribute, names: Mapping[str, str], kind: str, place: Place, *, present: bool
) -> str:
    optional = not present and kind != "Any" and not isinstance(attribute.default, Constant)
    shown = f"{kind} | None" if optional else kind
    options = {
        **default(shop, attribute, kind, shown, place, present=present),
        **naming(attribute, names[attribute.name]),
        **behaviour(shop, attribute, names, shown, place),
    }
    return field(names[attribute.name], shown, options)


def naming(attribute: Attribute, name: str) -> dict[str, Any]:
    padding, digits = attribute.padding, attribute.digits
    return kept(
        name=attribute.name if name != attribute.name else None,
        field=attribute.field if attribute.field != attribute.name else None,
        padding=(padding.length, padding.char) if padding is not None and padding.char else None,
        digits=(digits.whole, digits.decimals) if digits is not None else None,
    ) | {name: value for name in PLAIN_OPTIONS if isinstance(value := getattr(attribute, name), str)}


def behaviour(
    shop: Workshop, attribute: Attribute, names: Mapping[str, str], shown: str, place: Place
) -> dict[str, Any]:
    value = shown if shown == "Any" or shown.endswith("| None") else f"{shown} | None"
    accessor = Role((f"value: {value}", "item: Any"), value)
    test = Role((f"value: {shown.removesuffix(' | None')}",), "object")
    watch = attribute.watch
    flags = {name: True for name in PLAIN_OPTIONS if getattr(attribute, name) is True}
    rest = kept(
        validate=function(shop, attribute.validate, test, place / "validate"),
        get=function(shop, attribute.get, accessor, place / "get"),
        set=function(shop, attribute.set, accessor, place / "set"),
        watch=watch if watch is None or isinstance(watch, str) else [names.get(each, each) for each in watch],
        doc=attribute.doc,
    )
    return {**({"read_only": True} if attribute.type == Free("static") else {}), **flags, **rest}


def function(shop: Workshop, given: Any, role: Role, place: Place) -> Any:
    if given is None or isinstance(given, Pattern):
        return None if given is None else given.source
    return shop.supplied.wrapper(given, role, str(place))


def default(
    shop: Workshop, attribute: Attribute, kind: str, shown: str, place: Place, *, present: bool
) -> dict[str, Any]:
    """What the attribute is when nobody says; one that may be absent is None."""
    given = attribute.default
    if given is None:
        return {} if present else {"default": None}
    if not isinstance(given, Constant):
        return {"default_factory": shop.supplied.wrapper(given, Role((), shown), str(place / "default"))}
    try:
        code = code_of(attribute.type, given.value, shop.map_classes)
    except Misfit:
        shop.faults.add(place / "default", f"{given.value!r:.40} is no {kind}")
        return {}
    if not is_mutable(code):
        return {"default": code}
    return {"default_factory": Code(f"lambda: {printed(code, 2, len('default_factory=lambda: '))}")}
