"""Attributes and parameters as types of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.python.literals import text

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemAttribute, ItemType, Parameter, PatternDesign

TYPES = {
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
WHOLE = ("entity", "detail", "embedded")


def type_of(kind: str, values: tuple[str, ...] = ()) -> str:
    return f"Literal[{', '.join(text(each) for each in values)}]" if values and kind == "string" else TYPES[kind]


def main_item(design: Design, entity: str) -> ItemType:
    return next(item for item in design.items if item.entity == entity and item.kind in ("entity", "embedded"))


def detail_item(design: Design, entity: str) -> ItemType | None:
    return next((item for item in design.items if item.entity == entity and item.kind == "detail"), None)


def entity_attributes(design: Design, entity: str) -> dict[str, ItemAttribute]:
    """All attributes of an entity, also those that lie in an item of their own."""
    found: dict[str, ItemAttribute] = {}
    for item in design.items:
        if item.entity == entity and item.kind in WHOLE:
            found |= {each.name: each for each in own_attributes(design, item) if each.name not in found}
    return found


def own_attributes(design: Design, item: ItemType) -> list[ItemAttribute]:
    """Without maps of what lies inside, which are entities of their own."""
    maps = {each.inside for each in design.items if each.holder == item.name}
    return [each for each in item.attributes if each.name not in maps]


def may_go(design: Design, pattern: PatternDesign, parameter: Parameter) -> bool:
    """Whether None is a value: of an attribute that an update sets and that an item can do without."""
    attribute = parameter.attribute
    if pattern.op in ("put", "delete") or attribute is None or not sets(pattern, parameter.name):
        return False
    owners = [parameter.entity] if parameter.entity else pattern.entities
    known = [entity_attributes(design, entity).get(attribute) for entity in owners]
    return all(each is None or not each.required for each in known) and any(known)


def sets(pattern: PatternDesign, name: str) -> bool:
    """Whether an update writes the parameter into an item that is there."""
    updates = [step for step in pattern.writes if step.operation == "UpdateItem"]
    return any(name in template.names for step in updates for template in step.set.values())
