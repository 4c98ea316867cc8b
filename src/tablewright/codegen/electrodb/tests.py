"""A small test that needs no database: ElectroDB gives every sample item the keys that the design says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.electrodb.names import aliases, is_derived, service_names
from tablewright.codegen.typescript.literals import INDENT, literal, text
from tablewright.codegen.typescript.tests import sample_of

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemType


def test_file(design: Design) -> str:
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
            lines += ["", *sample_test(item, entity)]
    return "\n".join([*lines, ""])


def sample_test(item: ItemType, entity: str) -> list[str]:
    stored = sample_of(item)
    names = [*(each.name for each in item.attributes), item.ttl_attribute]
    given = {name: stored[name] for name in names if name in stored}
    maps = {name for name, value in item.fixed.items() if isinstance(value, dict)}
    wanted = {name: value for name, value in stored.items() if name not in maps}
    return [
        f"test({text(f'ElectroDB gives a sample of {item.name} its keys')}, () => {{",
        f"{INDENT}const put = {entity}.put({literal(given, 1, len(entity) + 20)});",
        f"{INDENT}const {{ Item }} = put.params() as {{ Item: object }};",
        f"{INDENT}assert.deepEqual(Item, {literal(wanted, 1, 26)});",
        "});",
    ]
