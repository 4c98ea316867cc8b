"""The GraphQL schema: a type for every entity, a field for every access pattern."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tablewright.codegen.functions import about_in_short, camel_names, returns
from tablewright.codegen.names import check_graphql_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, Parameter, PatternDesign

_TYPES = {
    "string": "String",
    "timestamp": "String",
    "number": "Float",
    "boolean": "Boolean",
    "binary": "String",
    "map": "AWSJSON",
    "list": "AWSJSON",
    "set": "[String!]",
    "any": "AWSJSON",
}


def schema_of(design: Design, patterns: list[PatternDesign]) -> str:
    entities = list(dict.fromkeys(each.entity for each in design.items))
    pages = dict.fromkeys(each.entities for each in patterns if returns(each) == "items")
    blocks = [
        *("\n".join(_type_lines(design, each)) for each in entities),
        *("\n".join(_page_lines(each)) for each in pages),
        *_root(design, "Query", [each for each in patterns if each.kind != "write"]),
        *_root(design, "Mutation", [each for each in patterns if each.kind == "write"]),
    ]
    return "\n\n".join(blocks) + "\n"


def description(text: str) -> str:
    """A text in GraphQL, on one line; it has JSON's escapes."""
    return json.dumps(
        " ".join("".join(each if each.isprintable() else " " for each in text).split()), ensure_ascii=False
    )


def _type_lines(design: Design, entity: str) -> Iterator[str]:
    yield f"type {check_graphql_name(entity, 'the entity')} {{"
    attributes = {
        each.name: each
        for item in reversed(design.items)
        if item.entity == entity and item.kind in ("entity", "detail", "embedded")
        for each in item.attributes
    }
    for each in attributes.values():
        yield f"  {check_graphql_name(each.name, f'the attribute of {entity}')}: {_TYPES[each.type]}"
    yield "}"


def _page_name(entities: tuple[str, ...]) -> str:
    return "".join(entities) + "Page"


def _page_lines(entities: tuple[str, ...]) -> Iterator[str]:
    kind = entities[0] if len(entities) == 1 else "".join(entities)
    if len(entities) > 1:
        yield f"union {kind} = {' | '.join(entities)}\n"
    yield f"type {_page_name(entities)} {{"
    yield f"  items: [{kind}!]!"
    yield "  nextToken: String"
    yield "}"


def _root(design: Design, name: str, patterns: list[PatternDesign]) -> Iterator[str]:
    """A root needs a field at least."""
    names = camel_names(design)
    if patterns:
        fields = [line for each in patterns for line in _field_lines(each, names[each.id])]
        yield "\n".join([f"type {name} {{", *fields, "}"])


def _field_lines(pattern: PatternDesign, name: str) -> Iterator[str]:
    yield f"  {description(f'{pattern.id}: {about_in_short(pattern)}')}"
    arguments = [_argument(pattern, each) for each in pattern.parameters]
    kind = returns(pattern)
    if kind == "items":
        arguments += ["limit: Int", "nextToken: String"]
    given = f"({', '.join(arguments)})" if arguments else ""
    result = {
        "nothing": "Boolean",
        "number": "Float",
        "item": pattern.entities[0],
        "items": f"{_page_name(pattern.entities)}!",
    }[kind]
    yield f"  {name}{given}: {result}"


def _argument(pattern: PatternDesign, parameter: Parameter) -> str:
    name = check_graphql_name(parameter.name, f"the parameter of {pattern.id}")
    needed = "!" if parameter.required and pattern.op != "update" else ""
    return f"{name}: {_TYPES[parameter.type]}{needed}"
