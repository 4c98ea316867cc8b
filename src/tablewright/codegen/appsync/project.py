"""The AppSync project: schema, resolvers, functions, what deploys them, and which patterns it cannot say."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING

from tablewright.codegen.appsync.hindrances import hindrance
from tablewright.codegen.appsync.resolvers import resolver_of
from tablewright.codegen.entities import entity_attributes, main_item
from tablewright.codegen.functions import about_in_short, camel_names, returns
from tablewright.codegen.names import check_graphql_name
from tablewright.design.steps.compile import compile_design
from tablewright.report.markdown import inline, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, Parameter, PatternDesign

FOLDER = "appsync"


def appsync(design: Design) -> dict[str, str]:
    names, compiled = camel_names(design), compile_design(design)
    refused = {each.id: why for each in design.patterns if (why := hindrance(compiled, each.id)) is not None}
    served = [each for each in design.patterns if each.id not in refused]
    files = {
        "schema.graphql": _schema_of(design, served),
        "support.js": _static("support.js"),
        "encoding.js": _static(f"encoding.{design.key_style}.js"),
        "README.md": _readme(design, refused),
        "package.json": json.dumps(_PACKAGE, indent=2) + "\n",
    }
    manifest: list[dict[str, object]] = []
    for pattern in served:
        name = names[pattern.id]
        found = resolver_of(design, compiled, pattern)
        functions = {f"functions/{name}{at}.js": code for at, code in enumerate(found.functions, 1)}
        files |= {f"resolvers/{name}.js": found.code, **functions}
        manifest.append(_entry(pattern, name, list(functions)))
    files["resolvers.json"] = json.dumps(manifest, indent=2) + "\n"
    return {f"{FOLDER}/{name}": text for name, text in files.items()}


def _entry(pattern: PatternDesign, name: str, functions: list[str]) -> dict[str, object]:
    """What a deployment needs to know of one field."""
    return {
        "pattern": pattern.id,
        "type": "Mutation" if pattern.kind == "write" else "Query",
        "field": name,
        "code": f"resolvers/{name}.js",
        "functions": functions,
    }


_PACKAGE = {
    "private": True,
    "type": "module",
    "scripts": {
        "build": "esbuild resolvers/*.js functions/*.js --bundle --format=esm --target=es2020 --outdir=dist"
        " --external:@aws-appsync/utils",
        "lint": "eslint .",
    },
    "devDependencies": {"@aws-appsync/eslint-plugin": "^2.0.0", "@aws-appsync/utils": "^2.0.0", "esbuild": "^0.25.0"},
}


def _static(name: str) -> str:
    return (resources.files("tablewright.codegen.appsync") / "static" / name).read_text("utf-8")


def _readme(design: Design, refused: dict[str, str]) -> str:
    lines = [
        f"# AppSync resolvers of {inline(design.title or design.name)}",
        "",
        "`schema.graphql`, and for each of its fields a resolver in JavaScript (runtime APPSYNC_JS 1.0.0) on a data",
        "source of type AMAZON_DYNAMODB. `npm run build` bundles them; `resolvers.json` lists fields, code and the",
        "functions of pipelines for whatever deploys them. One query that asks several partitions is a pipeline with a",
        "function for each, whose response merges their answers; it has no `nextToken`, nor has a list that is read",
        "with its parent, and fails with `Incomplete` where one request does not find all. A page may be shorter than",
        "its limit where items have expired: its `nextToken` goes on. A list of ids, or of entries whose items are",
        "fetched, has at most 100.",
    ]
    if refused:
        abouts = {each.id: about_in_short(each) for each in design.patterns}
        lines += [
            "",
            "These access patterns have no resolver; call the generated TypeScript from a Lambda instead:",
            "",
        ]
        lines += [f"- {paragraph(f'{id_} ({abouts[id_]}): {why}')}" for id_, why in refused.items()]
    return "\n".join([*lines, ""])


# ---- the schema -----------------------------------------------------------------------------------------------------
# A type for every entity, a field for every access pattern.

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


def _schema_of(design: Design, patterns: list[PatternDesign]) -> str:
    entities = list(dict.fromkeys(each.entity for each in design.items))
    pages = dict.fromkeys(each.entities for each in patterns if returns(each) == "items")
    blocks = [
        *("\n".join(_type_lines(design, each)) for each in entities),
        *("\n".join(_id_lines(design, each)) for each in _asked_by_id(patterns)),
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
        if item.entity == entity and item.kind in ("entity", "detail", "embedded", "packed")
        for each in item.attributes
        if each.copy_of is None
    }
    for each in attributes.values():
        yield f"  {check_graphql_name(each.name, f'the attribute of {entity}')}: {_TYPES[each.type]}"
    yield "}"


def _asked_by_id(patterns: list[PatternDesign]) -> list[str]:
    """Entities of which a list of ids is given."""
    return list(dict.fromkeys(each.entity or "" for pattern in patterns for each in pattern.parameters if each.each))


def _id_lines(design: Design, entity: str) -> Iterator[str]:
    kinds = {each.name: each.type for each in entity_attributes(design, entity).values()}
    yield f"input {_id_name(entity)} {{"
    yield from (f"  {name}: {_TYPES[kinds[name]]}!" for name in main_item(design, entity).id)
    yield "}"


def _id_name(entity: str | None) -> str:
    return f"{entity}IdInput"


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
    """A root needs a field at least, and a schema the root of queries: without a resolver its field is null."""
    names = camel_names(design)
    fields = [line for each in patterns for line in _field_lines(each, names[each.id])]
    if not fields and name == "Query":
        fields = [f"  {description('No read has a resolver here, and GraphQL wants a query: it answers null.')}"]
        fields.append("  nothing: Boolean")
    if fields:
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
    kind = f"[{_id_name(parameter.entity)}!]" if parameter.each else _TYPES[parameter.type]
    return f"{name}: {kind}{needed}"
