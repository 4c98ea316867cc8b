"""From `dynamodb_data_model.json` of the AWS DynamoDB MCP server: CreateTable arguments, sample items, access patterns.

A pattern there names a table, an index and an operation with a command as its example; the attributes behind the keys
are what the caller has.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import DesignError
from tablewright.spec.imports.draft import DraftPattern, entity_name, words_of
from tablewright.spec.imports.models.item_kinds import ItemKind, KeyAttributes, draft_of, entity_of
from tablewright.spec.imports.models.json_parts import Json, mapping, objects
from tablewright.spec.imports.models.samples import (
    INTERNAL,
    Item,
    attribute,
    is_generic,
    is_ordered,
    kind_name,
    kinds_of,
    parts_of_key,
    read_item,
    type_code,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.imports.draft import Draft

READS = {"GetItem": "get", "Query": "query", "BatchGetItem": "get"}
WRITES = {"PutItem": "put", "UpdateItem": "update", "DeleteItem": "delete"}


class _McpTable(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of the table's key and of every index, and its sample items."""

    name: str
    keys: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]  # by index, "" is the table: partition and sort fields
    types: Mapping[str, str]
    items: list[Item]


def draft_from_mcp_model(content: Json, name: str) -> Draft:
    given = objects(content["tables"], f"{name}: tables")
    tables = [_table_of(content, each, f"{name}: tables[{at}]", name) for at, each in enumerate(given)]
    if not tables:
        raise DesignError(f"{name}: tables is empty; nothing can be inferred from it")
    kinds = [(table, kind) for table in tables for kind in _table_kinds(table)]
    asked = list(_patterns(content, kinds, name))
    own = [
        msgspec.structs.replace(kind, patterns=tuple(found for target, found in asked if target == kind.name))
        for _, kind in kinds
    ]
    slug = tables[0].name if len(tables) == 1 else name.rsplit("/", 1)[-1].partition(".")[0]
    origin = f"the data model {name} of the AWS DynamoDB MCP server"
    return draft_of("-".join(words_of(slug)).lower() or "application", "", origin, own, _list_unread(content))


def _list_unread(content: Json) -> Iterator[str]:
    """What is asked there and is no request of one table's items."""
    known = {**READS, **WRITES}
    for given in objects(content.get("access_patterns"), "access_patterns"):
        if given.get("dynamodb_operation") not in known:
            about = given.get("description") or given.get("pattern")
            yield f'Not taken over: "{about}" ({given.get("dynamodb_operation") or "no operation"}). Say it yourself.'


# ---- tables ---------------------------------------------------------------------------------------------------------


def _table_of(content: Json, table: Json, place: str, name: str) -> _McpTable:
    if not table.get("TableName") or not table.get("KeySchema"):
        raise DesignError(f"{place} should be the arguments of CreateTable, with TableName and KeySchema")
    title = str(table["TableName"])
    indexes = [
        each
        for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
        for each in objects(table.get(kind), f"{place}.{kind}")
    ]
    keys = {"": _sides(table, place), **{str(each.get("IndexName")): _sides(each, place) for each in indexes}}
    puts = objects(mapping(content.get("items") or {}, f"{name}: items").get(title), f"{name}: items.{title}")
    stored = [_put_item(each, f"{name}: items.{title}[{number}]") for number, each in enumerate(puts)]
    defined = objects(table.get("AttributeDefinitions"), f"{place}.AttributeDefinitions")
    types = {str(each.get("AttributeName")): str(each.get("AttributeType") or "S") for each in defined}
    types |= {field: type_code(value) for item in stored for field, value in item.items()}
    items = [read_item(each, f"{name}: items.{title}[{number}]") for number, each in enumerate(stored)]
    return _McpTable(name=title, keys=keys, types=types, items=items)


def _sides(holder: Json, place: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A multi-attribute key repeats HASH and RANGE."""
    schema = objects(holder.get("KeySchema"), f"{place}: KeySchema")
    found = [(str(each.get("AttributeName")), each.get("KeyType")) for each in schema]
    return tuple(n for n, kind in found if kind == "HASH"), tuple(n for n, kind in found if kind == "RANGE")


def _put_item(given: Json, place: str) -> Json:
    return mapping(mapping(given.get("PutRequest"), f"{place}.PutRequest").get("Item"), f"{place}.PutRequest.Item")


def _table_kinds(table: _McpTable) -> Iterator[ItemKind]:
    key = tuple(field for side in table.keys[""] for field in side)
    kinds = kinds_of(table.items, key) or {"": table.items}
    for label, items in kinds.items():
        single = not label or len(kinds) == 1
        yield _kind_of(table, entity_name(table.name) if single else kind_name(label), items)


def _kind_of(table: _McpTable, name: str, items: list[Item]) -> ItemKind:
    key_fields = {field for both in table.keys.values() for side in both for field in side}
    names = [field for item in items for field in item] or list(table.types)
    kept = [n for n in dict.fromkeys(names) if n not in INTERNAL and not (n in key_fields and is_generic(n))]
    places = [_place_of(items, both, kept, index) for index, both in table.keys.items()]
    own, rest = places[0], places[1:]
    return ItemKind(
        name=name,
        attributes=tuple(attribute(n, table.types.get(n, "S"), [item.get(n) for item in items]) for n in kept),
        places=(own, *(each for each in rest if each.partition)),
        remark=f"table {table.name}",
    )


def _place_of(
    items: list[Item], both: tuple[tuple[str, ...], tuple[str, ...]], known: list[str], index: str
) -> KeyAttributes:
    inside = next((item for item in items if all(field in item for field in both[0])), Item())
    if not inside:
        plain = not items and all(field in known and not is_generic(field) for field in both[0])
        return KeyAttributes(both[0], both[1], index) if plain else KeyAttributes((), (), index)
    partition, sort = (tuple(p for f in side for p in parts_of_key(inside, f, known)) for side in both)
    return KeyAttributes(partition, sort, index)


# ---- access patterns ------------------------------------------------------------------------------------------------


def _patterns(content: Json, kinds: list[tuple[_McpTable, ItemKind]], name: str) -> Iterator[tuple[str, DraftPattern]]:
    """Each with the name of the entity it is about."""
    for asked in objects(content.get("access_patterns"), f"{name}: access_patterns"):
        fitting = [kind for table, kind in kinds if table.name == asked.get("table")]
        operation = str(asked.get("dynamodb_operation") or "")
        if not fitting or operation not in {**READS, **WRITES}:
            continue
        kind = _find_kind(asked, fitting)
        found = _pattern_of(asked, operation, kind)
        if found is not None:
            yield kind.name, found


def _find_kind(asked: Json, kinds: list[ItemKind]) -> ItemKind:
    """The entity that a description speaks of soonest, else whose key the command shows, else the first."""
    words = [each.lower() for each in words_of(str(asked.get("description") or ""))]
    command = str(asked.get("implementation") or "").lower()

    def rank(kind: ItemKind) -> tuple[int, int]:
        own = kind.name.lower()
        spoken = next((at for at, word in enumerate(words) if word in (own, f"{own}s")), len(words))
        return spoken, -command.count(own)

    return min(kinds, key=rank)


def _pattern_of(asked: Json, operation: str, kind: ItemKind) -> DraftPattern | None:
    index = asked.get("index")
    wanted = "" if not index or str(index).lower() in ("none", "null", "primary", "main") else str(index)
    place = next((each for each in kind.places if each.index == wanted), None)
    if place is None or (operation == "Query" and not place.partition):
        return None
    entity = entity_of(kind)
    about = str(asked.get("description") or f"pattern {asked.get('pattern')}").strip().rstrip(".")
    remark = f"pattern {asked.get('pattern')}"
    if operation in WRITES:
        changes = (
            tuple(n.name for n in entity.attributes if n.name not in entity.id) if operation == "UpdateItem" else ()
        )
        op: Any = WRITES[operation]
        return DraftPattern(
            description=about, kind="write", op=op, entities=(kind.name,), by=entity.id, changes=changes, remark=remark
        )
    if operation != "Query":
        return DraftPattern(description=about, kind="get", entities=(kind.name,), by=entity.id, remark=remark)
    backwards, limit = _options(str(asked.get("implementation") or ""))
    types = {each.name: each for each in kind.attributes}
    first = next((each for each in place.sort if is_ordered(types.get(each))), None)
    sort = ((first, "desc" if backwards else "asc"),) if first else ()
    return DraftPattern(
        description=about,
        kind="query",
        entities=(kind.name,),
        by=place.partition,
        sort=sort,
        limit=limit,
        remark=remark,
    )


def _options(command: str) -> tuple[bool, int | None]:
    """Whether a command reads backwards, and how many items it takes."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    limits = [words[at + 1] for at, each in enumerate(words[:-1]) if each in ("--limit", "--max-items", "--page-size")]
    number = next((int(each) for each in limits if re.fullmatch(r"\d+", each)), None)
    return "--no-scan-index-forward" in words, number
