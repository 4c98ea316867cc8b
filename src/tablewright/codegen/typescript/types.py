"""Attributes as types of TypeScript, entities as interfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.typescript.literals import comment, key, text
from tablewright.codegen.typescript.names import interface_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design, ItemAttribute, ItemType, Parameter

TYPES = {
    "string": "string",
    "timestamp": "string",
    "number": "number",
    "boolean": "boolean",
    "binary": "Uint8Array",
    "map": "{ [name: string]: Value }",
    "list": "Value[]",
    "set": "Set<string>",
    "any": "Value",
}
"""Timestamps are ISO 8601 texts."""


def type_of(kind: str, values: tuple[str, ...] = ()) -> str:
    return " | ".join(text(each) for each in values) if values else TYPES[kind]


def entity_attributes(design: Design, entity: str) -> list[ItemAttribute]:
    """All attributes of an entity, also those that lie in an item of their own."""
    found: dict[str, ItemAttribute] = {}
    maps = {(item.holder, item.inside) for item in design.items}  # no part of an answer
    for item in design.items:
        if item.entity == entity and item.kind in ("entity", "detail", "embedded"):
            own = [each for each in item.attributes if (item.name, each.name) not in maps]
            found |= {each.name: each for each in own if each.name not in found}
    return list(found.values())


def interfaces(design: Design) -> Iterable[str]:
    for entity, name in interface_names(design).items():
        notes = next((item.notes for item in design.items if item.entity == entity and item.notes), "")
        lines = [
            f"  {key(each.name)}{'' if each.required else '?'}: {type_of(each.type, each.values)};"
            for each in entity_attributes(design, entity)
        ]
        head = comment([notes or f"{entity}: {identified(design, entity)}."])
        yield "\n".join([head, f"export interface {name} {{", *lines, "}"])


def identified(design: Design, entity: str) -> str:
    item = main_item(design, entity)
    return f"identified by {' and '.join(item.id)}"


def main_item(design: Design, entity: str) -> ItemType:
    return next(item for item in design.items if item.entity == entity and item.kind in ("entity", "embedded"))


def parameter_type(design: Design, parameter: Parameter, *, may_go: bool) -> str:
    """`may_go`: null takes the attribute off the item."""
    if parameter.each:
        return f"readonly {interface_names(design)[parameter.entity or parameter.name]}[]"
    found = type_of(parameter.type, parameter.values)
    return f"{found} | null" if may_go and not parameter.required else found
