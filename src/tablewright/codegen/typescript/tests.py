"""A small test that needs no database: every sample item of the design gets the keys that the design says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.typescript.literals import INDENT, literal, text

if TYPE_CHECKING:
    from tablewright.architect.design.model import Design, ItemType


def test_file(design: Design) -> str:
    items = [each for each in design.items if each.kind in ("entity", "copy") and plain(each)]
    lines = [
        'import assert from "node:assert/strict";',
        'import { test } from "node:test";',
        'import { itemTypes } from "../src/items.js";',
        'import { storedItem } from "../src/writes.js";',
    ]
    for item in items:
        lines += ["", *sample_test(item)]
    return "\n".join([*lines, ""])


def plain(item: ItemType) -> bool:
    """Whether the sample can be written down as JSON has it."""
    return bool(item.sample) and all(each.type not in ("binary", "set") for each in item.attributes)


def sample_test(item: ItemType) -> list[str]:
    stored: dict[str, Any] = dict(item.sample)
    attributes = {each.name: stored[each.name] for each in item.attributes if each.name in stored}
    return [
        f"test({text(f'a sample of {item.name} has its keys')}, () => {{",
        f"{INDENT}const stored = storedItem(itemTypes[{text(item.name)}]!, {literal(attributes, 1, 40)});",
        f"{INDENT}assert.deepEqual(stored, {literal(stored, 1, 26)});",
        "});",
    ]
