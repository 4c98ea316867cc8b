"""`items.ts`: an interface for every entity, and how each item type is keyed and stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.typescript.literals import INDENT, comment, kept, key, literal, text
from tablewright.codegen.typescript.patterns import mentions
from tablewright.codegen.typescript.types import interfaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Design, ItemKeys, ItemType


SECONDS_PER_DAY = 86_400


def items_file(design: Design) -> str:
    parts = [
        comment([f"Items of {design.title or design.name}: what they hold and how they are keyed."]),
        imports(design),
        *interfaces(design),
        item_types(design),
        *facts(design),
    ]
    return "\n\n".join(parts) + "\n"


def imports(design: Design) -> str:
    holds_any = mentions("\n".join(interfaces(design)), "Value")
    names = ["ItemType", *(["Value"] if holds_any else [])]
    return f'import type {{ {", ".join(names)} }} from "./model.js";'


def item_types(design: Design) -> str:
    lines = [
        f"{INDENT}{key(item.name)}: {literal(item_type(item), 1, len(key(item.name)) + 2)}," for item in design.items
    ]
    head = comment(["Every kind of item, as it is stored."])
    return "\n".join([head, "export const itemTypes: { readonly [name: string]: ItemType } = {", *lines, "};"])


def item_type(item: ItemType) -> dict[str, Any]:
    return {
        "entity": item.entity,
        "table": item.table,
        "id": item.id,
        "attributes": [each.name for each in item.attributes],
        "fixed": dict(item.fixed),
        "keys": [item_keys(each) for each in item.keys if not each.native],
        **kept(expiry=expiry_of(item), inside=item.inside, holder=item.holder),
    }


def expiry_of(item: ItemType) -> dict[str, Any] | None:
    if item.ttl_attribute is None or item.ttl_days is None:
        return None
    return {"attribute": item.ttl_attribute, "seconds": round(item.ttl_days * SECONDS_PER_DAY)}


def item_keys(keys: ItemKeys) -> dict[str, Any]:
    return {
        **kept(index=keys.index),
        "needs": leading(keys),
        "fields": {each.field: each.text for each in (*keys.pk, *keys.sk)},
        **kept(when={name: value for name, value in _required(keys).items() if value is not None}),
        **kept(shards=keys.shards if keys.shards > 1 else None, bucket=str(keys.bucket or "")),
    }


def _required(keys: ItemKeys) -> dict[str, Any]:
    return keys.when.required if keys.when else {}


def leading(keys: ItemKeys) -> tuple[str, ...]:
    """The attributes without which an item is not in an index."""
    bucketed = (keys.bucket.attribute,) if keys.bucket else ()
    any_value = (name for name, value in _required(keys).items() if value is None)
    return tuple(dict.fromkeys((*keys.partition, *keys.lead, *bucketed, *any_value)))


def facts(design: Design) -> Iterator[str]:
    """What reads need to know of tables and stored items."""
    yield "\n".join(
        [
            comment(["The attribute that says what an item is."]),
            f"export const typeField = {text(design.encoding.type_field)};",
        ]
    )
    hidden = literal(hidden_fields(design), 0, 46)
    yield "\n".join(
        [
            comment(["What is stored besides the application's own attributes."]),
            f"export const hiddenFields: ReadonlySet<string> = new Set({hidden});",
        ]
    )
    yield index_facts(design)


def hidden_fields(design: Design) -> list[str]:
    found: dict[str, None] = {}
    for item in design.items:
        found |= dict.fromkeys(each.field for keys in item.keys if not keys.native for each in (*keys.pk, *keys.sk))
        found |= dict.fromkeys(item.fixed)
        found |= dict.fromkeys(each for each in (item.inside, item.ttl_attribute) if each)
    return list(found)


def index_facts(design: Design) -> str:
    places: dict[str, Any] = {}
    for table in design.tables:
        own = (table.pk.name, table.sk.name)
        places[table.name] = {"sort": [table.sk.name], "all": own}
        for index in (*table.gsis, *table.lsis):
            names = [each.name for each in (*index.pk, *index.sk)]
            sort = [each.name for each in index.sk]
            places[f"{table.name}/{index.name}"] = {"sort": sort, "all": list(dict.fromkeys((*own, *names)))}
    return "\n".join(
        [
            "interface IndexKeys {",
            "  readonly sort: readonly string[];",
            "  readonly all: readonly string[];",
            "}",
            "",
            "const places: { readonly [place: string]: IndexKeys } = " + literal(places, 0, 56) + ";",
            "",
            comment(["The sort attributes of a table or index, and all that a page has to begin behind."]),
            "export function indexKeys(table: string, index?: string): IndexKeys {",
            "  return places[index === undefined ? table : `${table}/${index}`]!;",
            "}",
        ]
    )
