"""Names and types in TypeScript: interfaces, modules and functions, no two alike and none as the package's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.entities import entities_of, entity_attributes, main_item
from tablewright.codegen.functions import camel_names
from tablewright.codegen.names import pascal, physical_name, words_of
from tablewright.codegen.typescript.literals import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design, Parameter

TAKEN_TYPES = frozenset(
    (
        "Array BigInt Boolean Buffer Collected ConditionFailedError CursorError Database Date Documents Entity"
        " Error Function IndexKeys Input Item ItemKeys ItemType Map NotFoundError Number Object Page PageOptions"
        " Partial Pick Promise ReadStep Readonly Record RegExp Service Set String Symbol Table"
        " TransactionRefusedError Uint8Array Value"
    ).split()
)
TAKEN_FUNCTIONS = frozenset(
    (
        "accessPatterns arguments bound changed collected collectionPaging connect db eval input page pageOf paging"
        " readExtreme readItem readItems readNumber readTyped removed services write written writtenTogether"
    ).split()
)
LONGEST_PACKAGE_NAME = 214
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


def interface_names(design: Design) -> dict[str, str]:
    """By entity: its interface, named after it."""
    found: dict[str, str] = {}
    for entity in entities_of(design):
        name = pascal(entity)
        found[entity] = make_unique(f"{name}Item" if name in TAKEN_TYPES else name, {*found.values(), *TAKEN_TYPES})
    return found


def function_names(design: Design) -> dict[str, str]:
    """By pattern: its function."""
    found: dict[str, str] = {}
    for id_, name in camel_names(design).items():
        found[id_] = make_unique(name, {*found.values(), *TAKEN_FUNCTIONS})
    return found


def make_unique(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where it is taken."""
    numbered = (name, *(f"{name}{number}" for number in range(2, len(list(taken)) + 3)))
    return next(each for each in numbered if each not in taken)


def module_of(entity: str) -> str:
    return "-".join(word.lower() for word in words_of(entity)) or "items"


def package_name(design: Design) -> str:
    return physical_name(design.name).lower().lstrip("._-")[:LONGEST_PACKAGE_NAME] or "tables"


def type_of(kind: str, values: tuple[str, ...] = ()) -> str:
    return " | ".join(text(each) for each in values) if values else TYPES[kind]


def parameter_type(design: Design, parameter: Parameter, *, writes: bool, may_go: bool) -> str:
    """`may_go`: null takes the attribute off the item. Of a list a write takes items, a read their ids."""
    if parameter.each:
        entity = parameter.entity or parameter.name
        item = interface_names(design)[entity]
        ids = " | ".join(text(each) for each in main_item(design, entity).id)
        left_out = [each.name for each in entity_attributes(design, entity).values() if each.default is not None]
        if writes and left_out:
            names = " | ".join(text(each) for each in left_out)
            return f"readonly (Omit<{item}, {names}> & Partial<Pick<{item}, {names}>>)[]"
        return f"readonly {item}[]" if writes else f"readonly Pick<{item}, {ids}>[]"
    found = type_of(parameter.type, parameter.values)
    return f"{found} | null" if may_go and not parameter.required else found
