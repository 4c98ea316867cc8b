"""A small test that needs no database: every sample item of the design gets the keys that the design says."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from tablewright.codegen.typescript.literals import INDENT, literal, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import Design, ItemType


def test_file(design: Design) -> str:
    items = [each for each in design.items if each.is_whole_item and each.sample]
    lines = [
        'import assert from "node:assert/strict";',
        'import { test } from "node:test";',
        'import { itemTypes } from "../src/items.js";',
        'import { storedItem } from "../src/actions.js";',
    ]
    for item in items:
        lines += ["", *sample_test(item)]
    return "\n".join([*lines, ""])


def sample_of(item: ItemType) -> dict[str, Any]:
    """The stored sample; what a design writes down as lists and base64 texts are sets and bytes."""
    kinds = {each.name: each.type for each in item.attributes}
    return {name: MEANT.get(kinds.get(name, ""), same)(value) for name, value in item.sample.items()}


def same(value: Any) -> Any:
    return value


MEANT: dict[str, Callable[[Any], Any]] = {"set": set, "binary": b64decode}


def sample_test(item: ItemType) -> list[str]:
    stored = sample_of(item)
    names = [*(each.name for each in item.attributes), item.ttl_attribute]
    attributes = {name: stored[name] for name in names if name in stored}
    given = literal(attributes, 1, len(item.name) + 50)
    return [
        f"test({text(f'a sample of {item.name} has its keys')}, () => {{",
        f"{INDENT}const stored = storedItem(itemTypes[{text(item.name)}]!, {given}, 0);",
        f"{INDENT}assert.deepEqual(stored, {literal(stored, 1, 26)});",
        "});",
    ]
