"""The package: what is written by hand once for all designs, what follows from this one, and a test of its keys."""

from __future__ import annotations

import json
from base64 import b64decode
from importlib import resources
from typing import TYPE_CHECKING, Any

from tablewright.codegen.entities import writes_ruled
from tablewright.codegen.typescript.items import items_file
from tablewright.codegen.typescript.literals import INDENT, key, literal, text
from tablewright.codegen.typescript.names import function_names, package_name
from tablewright.codegen.typescript.patterns import pattern_file, patterns_by_module
from tablewright.design.steps.compiling.reads import compile_reads
from tablewright.design.steps.lists import lists_of
from tablewright.errors import DesignError
from tablewright.report.markdown import in_cell, inline

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.model import Design, ItemType

FOLDER = "typescript"
STATIC = (
    "actions",
    "cascades",
    "cursors",
    "database",
    "errors",
    "expressions",
    "gets",
    "keys",
    "lists",
    "model",
    "numbers",
    "queries",
    "reads",
    "refreshes",
    "rules",
    "sending",
    "steps",
    "times",
    "updates",
    "values",
    "writes",
)
CONFIG = {
    "compilerOptions": {
        "target": "ES2022",
        "lib": ["ES2022"],
        "module": "NodeNext",
        "moduleResolution": "NodeNext",
        "strict": True,
        "noUncheckedIndexedAccess": True,
        "noUnusedLocals": True,
        "noImplicitOverride": True,
        "exactOptionalPropertyTypes": False,
        "declaration": True,
        "outDir": "dist",
        "rootDir": ".",
        "skipLibCheck": True,
        "types": ["node"],
    },
    "include": ["src", "test"],
}


def refuses(design: Design) -> str | None:
    """What the SDK would lose without a word."""
    if any(each.name == "__proto__" for item in design.items for each in item.attributes):
        return "JavaScript objects cannot hold an attribute that is called __proto__; rename it in the spec"
    return None


def typescript(design: Design) -> dict[str, str]:
    reason = refuses(design)
    if reason is not None:
        raise DesignError(f"typescript: {reason}.")
    files = {f"src/{name}.ts": static(f"{name}.ts") for name in STATIC}
    files["src/encoding.ts"] = static(f"encoding.{design.key_style}.ts")
    files["src/items.ts"] = items_file(design)
    files |= {
        f"src/patterns/{module}.ts": pattern_file(design, found) for module, found in patterns_by_module(design).items()
    }
    files["src/index.ts"] = _index_file(design)
    files["test/keys.test.ts"] = _test_file(design)
    files["package.json"] = json.dumps(package(design), indent=2) + "\n"
    files["tsconfig.json"] = json.dumps(CONFIG, indent=2) + "\n"
    files["README.md"] = _readme(design)
    return {f"{FOLDER}/{name}": text for name, text in files.items()}


def static(name: str) -> str:
    return (resources.files("tablewright.codegen.typescript") / "static" / name).read_text("utf-8")


def package(design: Design, name: str = "", more: Mapping[str, str] | None = None) -> dict[str, object]:
    """`more`: further packages that it depends on."""
    sdk = {"@aws-sdk/client-dynamodb": "^3.700.0", "@aws-sdk/lib-dynamodb": "^3.700.0"}
    return {
        "name": name or package_name(design),
        "version": "0.1.0",
        "private": True,
        "type": "module",
        "main": "dist/src/index.js",
        "types": "dist/src/index.d.ts",
        "scripts": {"build": "tsc", "test": "tsc && node --test dist/test/"},
        "engines": {"node": ">=20"},
        "dependencies": {**sdk, **(more or {})},
        "devDependencies": {"@types/node": "^22.0.0", "typescript": "^5.6.0"},
    }


def _index_file(design: Design) -> str:
    names = function_names(design)
    modules = list(patterns_by_module(design))
    lines = [
        'export { connect, type Database } from "./database.js";',
        'export * from "./errors.js";',
        'export type * from "./items.js";',
        'export type { Page, PageOptions } from "./reads.js";',
        *(f'export * from "./patterns/{module}.js";' for module in modules),
        "",
        *(f'import * as {_variable(module)} from "./patterns/{module}.js";' for module in modules),
        "",
        "/** By id: the function of every access pattern. */",
        "export const accessPatterns = {",
    ]
    for module, found in patterns_by_module(design).items():
        lines += [f"  {key(each.id)}: {_variable(module)}.{names[each.id]}," for each in found]
    return "\n".join([*lines, "} as const;", ""])


def _variable(module: str) -> str:
    return "of" + "".join(word.capitalize() for word in module.split("-"))


def _readme(design: Design) -> str:
    names = function_names(design)
    rows = [f"| {in_cell(each.id)} | {in_cell(each.description)} | `{names[each.id]}` |" for each in design.patterns]
    return "\n".join(
        [
            f"# {inline(design.title or design.name)}",
            "",
            "Access patterns of a DynamoDB single-table design on the AWS SDK v3, one function each.",
            "",
            *usage(design, package_name(design)),
            "| pattern | what | function |",
            "| --- | --- | --- |",
            *rows,
            "",
        ]
    )


def usage(design: Design, package: str) -> list[str]:
    """How it is installed, tried and called, and what its answers and errors are."""
    first = next((each for each in design.patterns if each.kind != "write"), design.patterns[0])
    name = function_names(design)[first.id]
    given = ", ".join(f"{key(each.name)}: {_example(each.type)}" for each in first.parameters)
    return [
        "```sh",
        "npm install",
        "npm test",
        "```",
        "",
        "```ts",
        f'import {{ connect, {name} }} from "{package}";',
        "",
        'const db = connect({ region: "us-east-1" });',
        f"const answer = await {name}(db{f', {{ {given} }}' if given else ''});",
        "```",
        "",
        '`connect({ endpoint: "http://127.0.0.1:8000" })` talks to a local DynamoDB, such as that of',
        "`tablewright engine serve`. A second argument says what tables are called where they differ from the design.",
        "",
        "Lists come in pages: `{ limit: 20 }` asks for so many items, and a page that has a `cursor` may have more",
        "behind it. Give the cursor back to go on; without a limit all items come at once. A write throws",
        "`ConditionFailedError` or `TransactionRefusedError` where it was refused, and `NotFoundError` where there was",
        "nothing to change. `null` takes an attribute off an item, what is left out stays as it is. Whole numbers that",
        "JavaScript's `number` cannot hold exactly are read as `bigint`.",
        "",
        *(part for paragraph in _more_usage(design) for part in (*paragraph, "")),
    ]


def _more_usage(design: Design) -> Iterator[list[str]]:
    """What only some designs have a use for."""
    if any(len(lists_of(compile_reads(design, each))) > 1 for each in design.patterns):
        yield [
            "An answer may have several lists, each with a limit of its own: then a `limit` counts the items of each",
            "list that has one, and the others come whole.",
        ]
    if any(step.unexpired for each in design.patterns for step in each.reads):
        yield ["Items whose time has passed are no part of an answer, also while DynamoDB still has them."]
    if any(writes_ruled(each) for each in design.patterns):
        yield [
            "What is left out has its default, where there is one. A value that is not as it must be is refused with",
            "`InvalidValueError` before anything is sent.",
        ]
    if any(step.since for each in design.patterns for step in each.reads):
        yield [
            "Lists that fill many buckets of time are read bucket after bucket, up to the time that `now` of the",
            "database tells, by default this moment.",
        ]
    if any(each.idempotent for each in design.patterns):
        yield [
            "`request_token` makes a write happen once: given again within ten minutes with the same values, nothing",
            "is done twice.",
        ]
    if any(each.cascade for each in design.patterns):
        yield [
            "A delete that takes other items with it deletes the item first, in one step with its conditions, and then",
            "what names it, page by page. Call it again if it was interrupted: it goes on where it stopped.",
        ]
    if any(each.refreshes for each in design.patterns):
        yield [
            "An update that other items keep copies of writes these in its transaction. Call it again where that is",
            "refused: one of them came or went meanwhile.",
        ]


def _example(kind: str) -> str:
    return {"number": "1", "boolean": "true"}.get(kind, '"..."')


# ---- a test that needs no database ----------------------------------------------------------------------------------


def _test_file(design: Design) -> str:
    """Every sample item of the design gets the keys that the design says."""
    lines = [
        'import assert from "node:assert/strict";',
        'import { test } from "node:test";',
        'import { itemTypes } from "../src/items.js";',
        'import { storedItem } from "../src/actions.js";',
    ]
    for item in design.items:
        if item.is_whole_item and item.sample:
            lines += ["", *_sample_test(item)]
    return "\n".join([*lines, ""])


def _sample_test(item: ItemType) -> list[str]:
    attributes, stored = sample_of(item)
    given = literal(attributes, 1, len(item.name) + 50)
    return [
        f"test({text(f'a sample of {item.name} has its keys')}, () => {{",
        f"{INDENT}const stored = storedItem(itemTypes[{text(item.name)}]!, {given}, 0);",
        f"{INDENT}assert.deepEqual(stored, {literal(stored, 1, 26)});",
        "});",
    ]


def sample_of(item: ItemType) -> tuple[dict[str, Any], dict[str, Any]]:
    """A sample's attributes, and all of it as it is stored; sets and bytes are lists and texts in a design."""
    kinds = {each.name: each.type for each in item.attributes}
    stored = {name: _read_sample(value, kinds.get(name, "")) for name, value in item.sample.items()}
    names = [*kinds, item.ttl_attribute]
    return {name: stored[name] for name in names if name in stored}, stored


def _read_sample(value: Any, kind: str) -> Any:
    try:
        return set(value) if kind == "set" else b64decode(value) if kind == "binary" else value
    except (TypeError, ValueError):
        raise DesignError(f"the sample {value!r} is no {kind}; correct the sample, or the attribute's type") from None
