"""`items.ts`: an interface for every entity, and how each item type is keyed and stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.entities import entity_attributes, main_item
from tablewright.codegen.typescript.literals import INDENT, comment, key, literal, text
from tablewright.codegen.typescript.names import interface_names, type_of
from tablewright.codegen.typescript.patterns import mentions
from tablewright.design.steps.compiling.items import compile_stored

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design
    from tablewright.design.steps.model import Stored


def items_file(design: Design) -> str:
    stored = compile_stored(design)
    parts = [
        comment([f"Items of {design.title or design.name}: what they hold and how they are keyed."]),
        _imports(design),
        *_interfaces(design),
        _item_types(stored),
        *_facts(stored),
    ]
    return "\n\n".join(parts) + "\n"


def _imports(design: Design) -> str:
    holds_any = mentions("\n".join(_interfaces(design)), "Value")
    names = ["IndexKeys", "ItemType", *(["Value"] if holds_any else [])]
    return f'import type {{ {", ".join(names)} }} from "./model.js";'


def _interfaces(design: Design) -> Iterator[str]:
    for entity, name in interface_names(design).items():
        notes = next((item.notes for item in design.items if item.entity == entity and item.notes), "")
        lines = [
            f"  {key(each.name)}{'' if each.required else '?'}: {type_of(each.type, each.values)};"
            for each in entity_attributes(design, entity).values()
        ]
        head = comment([notes or f"{entity}: identified by {' and '.join(main_item(design, entity).id)}."])
        yield "\n".join([head, f"export interface {name} {{", *lines, "}"])


def _item_types(stored: Stored) -> str:
    lines = [f"{INDENT}{key(name)}: {literal(each, 1, len(key(name)) + 2)}," for name, each in stored.types.items()]
    head = comment(["Every kind of item, as it is stored."])
    return "\n".join([head, "export const itemTypes: { readonly [name: string]: ItemType } = {", *lines, "};"])


def _facts(stored: Stored) -> Iterator[str]:
    """What reads need to know of tables and stored items."""
    yield "\n".join(
        [
            comment(["The attribute that says what an item is."]),
            f"export const typeField = {text(stored.type_field)};",
        ]
    )
    yield "\n".join(
        [
            comment(["What is stored besides the application's own attributes."]),
            f"export const hiddenFields: ReadonlySet<string> = {literal(stored.hidden, 0, 46)};",
        ]
    )
    yield "\n".join(
        [
            "const places: { readonly [place: string]: IndexKeys } = " + literal(stored.places, 0, 56) + ";",
            "",
            comment(["The sort attributes of a table or index, and all that a page has to begin behind."]),
            "export function indexKeys(table: string, index?: string): IndexKeys {",
            "  return places[index === undefined ? table : `${table}/${index}`]!;",
            "}",
        ]
    )
