"""The package: schemas, services and patterns of ElectroDB, and beside them the document client's own modules."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING

from tablewright.codegen.electrodb.entities import entity_files, service_file
from tablewright.codegen.electrodb.names import aliases, is_derived, schemas_of, service_names, writes_values
from tablewright.codegen.electrodb.patterns import is_electro, patterns_file
from tablewright.codegen.typescript.items import items_file
from tablewright.codegen.typescript.literals import INDENT, key, literal, text
from tablewright.codegen.typescript.names import function_names, package_name
from tablewright.codegen.typescript.project import CONFIG, STATIC, package, sample_of, static, usage
from tablewright.codegen.typescript.project import refuses as typescript_refuses
from tablewright.errors import DesignError
from tablewright.report.markdown import in_cell, inline

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemType

FOLDER = "electrodb"
VERSION, PINNED = "^3.9.3", "3.9.3"
"""Of ElectroDB; `keys.ts` rests on the inside of one."""
VALUES = (
    "Keys hold values that ElectroDB writes otherwise: `src/keys.ts` writes them, in the place where ElectroDB pads",
    f"values. That is inside ElectroDB, so that the package asks for version {PINNED} of it.",
    "",
)
INHERITED = frozenset(
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf".split()
)


def refuses(design: Design) -> str | None:
    names = [each.name for item in design.items for each in item.attributes if each.name in INHERITED]
    if names:
        return f"ElectroDB takes no attribute that is called {names[0]}, as every object has one; rename it in the spec"
    if not schemas_of(design):
        return "ElectroDB can hold none of its items: every key of the table has a shard or a period in it"
    return typescript_refuses(design)


def electrodb(design: Design) -> dict[str, str]:
    reason = refuses(design)
    if reason is not None:
        raise DesignError(f"electrodb: {reason}.")
    files = {f"src/documents/{name}.ts": static(f"{name}.ts") for name in STATIC}
    files["src/documents/encoding.ts"] = static(f"encoding.{design.key_style}.ts")
    files["src/documents/items.ts"] = items_file(design)
    files["src/electro.ts"] = _own_static("electro.ts")
    if writes_values(design):
        files["src/keys.ts"] = _own_static("keys.ts")
    files |= {f"src/entities/{module}.ts": text for module, text in entity_files(design).items()}
    files["src/service.ts"] = service_file(design)
    files["src/patterns.ts"] = patterns_file(design)
    files["src/index.ts"] = _index_file(design)
    files["test/keys.test.ts"] = _test_file(design)
    version = PINNED if writes_values(design) else VERSION
    described = package(design, f"{package_name(design)}-electrodb", {"electrodb": version})
    files["package.json"] = json.dumps(described, indent=2) + "\n"
    files["tsconfig.json"] = json.dumps(CONFIG, indent=2) + "\n"
    files["README.md"] = _readme(design)
    return {f"{FOLDER}/{name}": text for name, text in files.items()}


def _own_static(name: str) -> str:
    return (resources.files("tablewright.codegen.electrodb") / "static" / name).read_text("utf-8")


def _index_file(design: Design) -> str:
    names = function_names(design)
    lines = [
        'export { connect, type Database, servicesOf } from "./service.js";',
        'export * from "./documents/errors.js";',
        'export type * from "./documents/items.js";',
        'export type { Page, PageOptions } from "./documents/reads.js";',
        'export type { Collected } from "./electro.js";',
        'export * from "./patterns.js";',
        "",
        'import * as patterns from "./patterns.js";',
        "",
        "/** By id: the function of every access pattern. */",
        "export const accessPatterns = {",
        *(f"  {key(each.id)}: patterns.{names[each.id]}," for each in design.patterns),
        "} as const;",
        "",
    ]
    return "\n".join(lines)


def _readme(design: Design) -> str:
    names = function_names(design)
    rows = [
        f"| {in_cell(each.id)} | {in_cell(each.description)} | `{names[each.id]}` |"
        f" {'ElectroDB' if is_electro(design, each) else 'document client'} |"
        for each in design.patterns
    ]
    return "\n".join(
        [
            f"# {inline(design.title or design.name)}",
            "",
            "The service as [ElectroDB](https://electrodb.dev) entities, with one function for every access pattern.",
            "What ElectroDB has no words for (copies kept in step, unique values, totals, maps of children, shards,",
            "periods, keys that end where an attribute is absent) goes through the document client of the same",
            "connection, under `src/documents`.",
            "",
            *(VALUES if writes_values(design) else ()),
            *usage(design, f"{package_name(design)}-electrodb"),
            "`db.services` are ElectroDB's own, for everything else you want to ask.",
            "",
            "| pattern | what | function | by |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


# ---- a test that needs no database ----------------------------------------------------------------------------------


def _test_file(design: Design) -> str:
    """ElectroDB gives every sample item the keys that the design says."""
    lines = [
        'import assert from "node:assert/strict";',
        'import { test } from "node:test";',
        'import { connect } from "../src/service.js";',
        "",
        'const { services } = connect({ region: "us-east-1" });',
        "",
        'test("there are services", () => assert.ok(Object.keys(services).length));',
    ]
    known = aliases(design)
    for item in design.items:
        if item.kind == "entity" and item.name in known and item.sample and not any(map(is_derived, item.keys)):
            entity = f"services.{service_names(design)[item.table]}.entities.{known[item.name]}"
            lines += ["", *_sample_test(item, entity)]
    return "\n".join([*lines, ""])


def _sample_test(item: ItemType, entity: str) -> list[str]:
    given, stored = sample_of(item)
    copies = {each.name for each in item.attributes if each.copy_of is not None}  # which its schema does not have
    maps = {name for name, value in item.fixed.items() if isinstance(value, dict)}
    given = {name: value for name, value in given.items() if name not in copies}
    wanted = {name: value for name, value in stored.items() if name not in maps | copies}
    return [
        f"test({text(f'ElectroDB gives a sample of {item.name} its keys')}, () => {{",
        f"{INDENT}const put = {entity}.put({literal(given, 1, len(entity) + 20)});",
        f"{INDENT}const {{ Item }} = put.params() as {{ Item: object }};",
        f"{INDENT}assert.deepEqual(Item, {literal(wanted, 1, 26)});",
        "});",
    ]
