"""What the printers share about a design: its service, and what everything is called in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.codegen.entities import main_item, returned_attributes, taken_attributes
from tablewright.codegen.functions import snake_names
from tablewright.codegen.names import pascal, snake
from tablewright.codegen.python.literals import text
from tablewright.codegen.python.names import (
    CHANGING,
    RUNNING,
    attribute_names,
    class_names,
    make_distinct,
    make_unique,
    package_name,
    python_names,
)
from tablewright.design.model import Design, ItemAttribute, ItemKeys, ItemType
from tablewright.design.service import is_typed, service_of
from tablewright.schema.model import AccessPattern, Entity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PRIMARY = "key"
_TYPES = {
    "string": "str",
    "timestamp": "str",
    "number": "Number",
    "boolean": "bool",
    "binary": "bytes",
    "map": "dict[str, Any]",
    "list": "list[Any]",
    "set": "set[str]",
    "any": "Any",
}
"""Timestamps are ISO 8601 texts."""


class EntityView(msgspec.Struct, frozen=True):
    """One way to find items of a type: its name on the class, the design's keys, and the service's access pattern."""

    name: str
    keys: ItemKeys
    pattern: AccessPattern


class Excerpt(msgspec.Struct, frozen=True):
    """The class of answers that hold some attributes only, perhaps some of a parent."""

    name: str
    attributes: Mapping[str, ItemAttribute]


class NamedDesign(msgspec.Struct, frozen=True, kw_only=True):
    """A design and its names."""

    design: Design
    package: str
    classes: Mapping[str, str]  # by item type
    attributes: Mapping[str, Mapping[str, str]]  # by item type and stored name
    functions: Mapping[str, str]  # by pattern
    constants: Mapping[str, str]  # by pattern: what its steps are called
    choices: Mapping[tuple[str, ...], str]  # by values: the alias of what they may be
    entities: Mapping[str, Entity]  # by item type: as the service has it
    services: Mapping[str, str]  # by table
    plain: bool = False  # for boto3: entities are classes of their own, and nothing else
    excerpts: Mapping[tuple[str, tuple[str, ...]], Excerpt] = {}  # by entity and attributes: a part of it
    ids: Mapping[str, str] = {}  # by entity that is asked for by many ids: the class of these

    def item(self, name: str) -> ItemType:
        return next(each for each in self.design.items if each.name == name)

    def type_of(self, attribute: ItemAttribute) -> str:
        """`Number`, or the alias of an attribute's values."""
        return self.choices.get(attribute.values) or type_of(attribute.type, attribute.values)


def type_of(kind: str, values: tuple[str, ...] = ()) -> str:
    return f"Literal[{', '.join(text(each) for each in values)}]" if values and kind == "string" else _TYPES[kind]


def name_design(design: Design, *, plain: bool = False) -> NamedDesign:
    classes = class_names(design)
    choices = _choice_names(design, classes)
    excerpts = _excerpts_of(design, classes, plain=plain)
    service = service_of(design, mirrors=False)
    return NamedDesign(
        design=design,
        package=package_name(design),
        classes=classes,
        attributes={
            item.name: attribute_names(item, _further_attributes(item, service.entities.get(item.name)))
            for item in design.items
        },
        functions=make_distinct(snake_names(design), (*CHANGING, *RUNNING, "requests")),
        constants=make_distinct({each.id: snake(each.id).upper() for each in design.patterns}, ("STORED", "KEEP")),
        choices=choices,
        entities=service.entities,
        services=_service_names(design, classes),
        plain=plain,
        excerpts=excerpts,
        ids=_id_names(
            design, classes, (*classes.values(), *choices.values(), *(each.name for each in excerpts.values()))
        ),
    )


def _further_attributes(item: ItemType, entity: Entity | None) -> Iterator[str]:
    """Attributes that are none of the application's: when an item goes, and the period it lies in."""
    if item.ttl_attribute is not None:
        yield item.ttl_attribute
    for pattern in entity.patterns if entity is not None else ():
        if pattern.bucket is not None:
            yield pattern.bucket.attribute


def _excerpts_of(
    design: Design, classes: Mapping[str, str], *, plain: bool
) -> dict[tuple[str, tuple[str, ...]], Excerpt]:
    """For answers that hold some attributes only; typed entities do with what is there, unless a parent's is."""
    found: dict[tuple[str, tuple[str, ...]], Excerpt] = {}
    for pattern in design.patterns:
        is_cut = pattern.returns and not pattern.writes and (plain or taken_attributes(design, pattern))
        for entity in pattern.entities if is_cut else ():
            taken = (*classes.values(), *(each.name for each in found.values()))
            name = make_unique(f"{classes[main_item(design, entity).name]}Excerpt", taken)
            made = Excerpt(name, returned_attributes(design, pattern, entity))
            found.setdefault((entity, pattern.returns), made)
    return found


def _id_names(design: Design, classes: Mapping[str, str], taken: Iterable[str]) -> dict[str, str]:
    """For reads of many items by their ids."""
    asked = dict.fromkeys(each.entities[0] for each in design.patterns if each.kind == "batch")
    return make_distinct({entity: f"{classes[main_item(design, entity).name]}Id" for entity in asked}, taken)


def _service_names(design: Design, classes: Mapping[str, str]) -> dict[str, str]:
    """One for every table, called after the design, or after the tables."""
    if len(design.tables) == 1:
        return {design.tables[0].name: make_unique(snake(design.name), (*classes.values(), "tw", "attr"))}
    return python_names((each.name for each in design.tables), (*classes.values(), "tw", "attr"))


def _choice_names(design: Design, classes: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """Aliases for what attributes may be, named after the first that has these values."""
    found: dict[tuple[str, ...], str] = {}
    for item in design.items:
        for each in item.attributes:
            if each.values and each.type == "string" and each.values not in found:
                name = f"{classes[item.name]}{pascal(each.name)}"
                found[each.values] = make_unique(name, (*classes.values(), *found.values()))
    return found


def views(named: NamedDesign, item: ItemType) -> Iterator[EntityView]:
    """The table's own key first."""
    placed = [keys for keys in item.keys if not is_typed(named.design, keys)]
    taken = set(named.attributes[item.name].values())
    for keys, pattern in zip(placed, named.entities[item.name].patterns, strict=True):
        name = PRIMARY if keys.index is None else make_unique(snake(pattern.name), taken)
        taken.add(name)
        yield EntityView(name, keys, pattern)


def table_view(named: NamedDesign, item: ItemType) -> str:
    """What a query of the table's own key is called."""
    taken = {*named.attributes[item.name].values(), *(each.name for each in views(named, item))}
    names = [named.attributes[item.name][each] for each in item.keys[0].partition]
    return make_unique("of_" + "_and_".join(names) if names else "everything", taken)
