"""Types as annotations. Constants get a name of their own, maps a class, both above the class that needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tablewright.codegen.names import pascal
from tablewright.codegen.python.classes.faults import Faults
from tablewright.codegen.python.classes.functions import Supplied
from tablewright.codegen.python.literals import Code, docstring, invoke, printed, text
from tablewright.codegen.python.names import unique
from tablewright.schema.types import Attribute, Enum, Free, ListOf, MapOf, OneOf, RecordOf, Scalar, SetOf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.schema.functions import NamedFunction
    from tablewright.schema.places import Place
    from tablewright.schema.types import Type

SCALARS = {"string": "str", "number": "Number", "boolean": "bool", "binary": "bytes"}


class Workshop:
    """A module in the making: names that are taken, what must stand above the entities, functions, and faults."""

    def __init__(self, taken: Iterable[str], named: Iterable[NamedFunction]) -> None:
        self._taken = set(taken)
        self.aliases: list[str] = []
        self.maps: list[str] = []
        self.map_classes: dict[MapOf, tuple[str, dict[str, str]]] = {}
        self.kinds: dict[str, dict[str, str]] = {}  # by alias: types of attributes
        self.supplied = Supplied(named)
        self.faults = Faults()

    def name(self, wanted: str) -> str:
        found = unique(pascal(wanted), self._taken)
        self._taken.add(found)
        return found


PrintMap: TypeAlias = "Callable[[Workshop, str, MapOf, Place], tuple[list[str], dict[str, str]]]"
"""Writes the fields of a map's class; answers with their lines, and their names by property."""


def annotation(shop: Workshop, kind: Type, owner: str, place: Place, print_map: PrintMap) -> str:
    """The type as code; `owner` is what constants and maps are named after."""
    match kind:
        case Scalar(name):
            return SCALARS[name]
        case Free():
            return "Any"
        case Enum():
            return constants(shop, kind, owner, place)
        case SetOf(items):
            return f"set[{annotation(shop, items, owner, place, print_map)}]"
        case ListOf(items):
            return f"list[{element(shop, items, owner, place / 'items', print_map)}]"
        case RecordOf(values):
            return f"dict[str, {element(shop, values, owner, place / 'values', print_map)}]"
        case MapOf():
            return map_class(shop, kind, owner, place, print_map)
        case OneOf(_, members):
            each = (map_class(shop, kind, f"{owner} {name}", place / name, print_map) for name, kind in members)
            return " | ".join(each)


def constants(shop: Workshop, kind: Enum, owner: str, place: Place) -> str:
    if not kind.choices or any(isinstance(each, (float, bool)) for each in kind.choices):
        shop.faults.add(place, f"the constants {list(kind.choices)!r:.60} are not all texts or whole numbers")
        return "Any"
    name = shop.name(owner)
    shown = [Code(text(each)) if isinstance(each, str) else Code(repr(each)) for each in kind.choices]
    call = printed(invoke("Literal", *shown), 0, len(name) + len(": TypeAlias = "))
    shop.aliases.append(f"{name}: TypeAlias = Literal[{call[len('Literal(') : -1]}]")
    return name


def element(shop: Workshop, items: Attribute | None, owner: str, place: Place, print_map: PrintMap) -> str:
    if items is None:
        return "Any"
    plain = Attribute(name=items.name, field=items.field, type=items.type, required=items.required, doc=items.doc)
    if items != plain:
        shop.faults.add(place, "options of elements have no place in a class")
    return annotation(shop, items.type, f"{owner} item", place, print_map)


def map_class(shop: Workshop, kind: MapOf, owner: str, place: Place, print_map: PrintMap) -> str:
    name = shop.name(owner)
    lines, fields = print_map(shop, name, kind, place)
    about = docstring([f"The map {owner}."], "    ")
    shop.maps.append("\n".join([f"class {name}(tw.Map):", about, *([""] if lines else []), *lines]))
    shop.map_classes[kind] = name, fields
    return name
