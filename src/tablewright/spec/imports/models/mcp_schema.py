"""From `schema.json` of the AWS DynamoDB MCP server: entities with fields, key templates and access patterns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.errors import DesignError
from tablewright.spec.imports.draft import DraftAttribute, DraftPattern, words_of
from tablewright.spec.imports.models.item_kinds import ItemKind, KeyAttributes, draft_of, id_of
from tablewright.spec.imports.models.json_parts import Json, mapping, objects, sequence
from tablewright.spec.imports.models.samples import is_ordered, kind_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.imports.draft import Draft
    from tablewright.spec.model import AttributeType

FIELD = re.compile(r"\{([A-Za-z_]\w*)\}")
TYPES: dict[str, AttributeType] = {
    "string": "string",
    "uuid": "string",
    "integer": "number",
    "decimal": "number",
    "boolean": "boolean",
    "array": "list",
    "object": "map",
}
TIMES = re.compile(r"(^|_)(at|on|date|time|timestamp)$|(At|On|Date|Time|Timestamp)$")
READS = {"GetItem": "get", "Query": "query"}
WRITES = {"PutItem": "put", "UpdateItem": "update", "DeleteItem": "delete"}
RANGES = ("between", ">=", "<=", ">", "<", "begins_with")


def draft_from_mcp_schema(content: Json, name: str) -> Draft:
    tables = objects(content["tables"], f"{name}: tables")
    kinds = [kind for at, each in enumerate(tables) for kind in _table_kinds(each, f"{name}: tables[{at}]")]
    if not kinds:
        raise DesignError(f"{name}: no table has entities; nothing can be inferred from it")
    config = mapping(tables[0].get("table_config") or {}, f"{name}: tables[0].table_config")
    slug = str(config.get("table_name") or name.partition(".")[0])
    origin = f"the schema {name} of the AWS DynamoDB MCP server"
    return draft_of("-".join(words_of(slug)).lower() or "application", "", origin, kinds, _list_cross_table(content))


def _list_cross_table(content: Json) -> Iterator[str]:
    for each in content.get("cross_table_access_patterns") or ():
        about = each.get("description") or each.get("name") or each.get("pattern_id")
        yield f'Not taken over, for it spans tables: "{about}". Add it as op: transact with its entities.'


def _fields_of(template: Any) -> tuple[str, ...]:
    """Those of a template, or of the several of a multi-attribute key."""
    if isinstance(template, list):
        return tuple(name for each in sequence(template, "template") for name in _fields_of(each))
    return tuple(dict.fromkeys(FIELD.findall(str(template or ""))))


def _table_kinds(table: Json, place: str) -> Iterator[ItemKind]:
    for name, given in mapping(table.get("entities"), f"{place}.entities").items():
        yield _kind_of(str(name), mapping(given, f"{place}.entities.{name}"), f"{place}.entities.{name}")


def _kind_of(name: str, entity: Json, place: str) -> ItemKind:
    fields = objects(entity.get("fields"), f"{place}.fields")
    if not fields:
        raise DesignError(f"{place}.fields should list the entity's fields, each with name and type")
    attributes = tuple(_attribute_of(each, f"{place}.fields[{at}]") for at, each in enumerate(fields))
    own = KeyAttributes(_fields_of(entity.get("pk_template")), _fields_of(entity.get("sk_template")))
    if not own.partition and not own.sort:
        raise DesignError(f"{place}: neither pk_template nor sk_template holds a field such as {{userId}}")
    mappings = objects(entity.get("gsi_mappings"), f"{place}.gsi_mappings")
    indexes = [
        KeyAttributes(_fields_of(each.get("pk_template")), _fields_of(each.get("sk_template")), str(each.get("name")))
        for each in mappings
    ]
    kind = ItemKind(name=kind_name(name), attributes=attributes, places=(own, *(i for i in indexes if i.partition)))
    return ItemKind(
        name=kind.name,
        attributes=attributes,
        places=kind.places,
        remark=f"entity {name}" if kind.name != name else "",
        patterns=tuple(_patterns(entity, kind, place)),
    )


def _attribute_of(field: Json, place: str) -> DraftAttribute:
    name, kind = str(field.get("name") or ""), str(field.get("type") or "string")
    if not name:
        raise DesignError(f"{place} has no name")
    if kind not in TYPES:
        raise DesignError(f"{place}: {kind} is no type; there are {', '.join(TYPES)}")
    found = "timestamp" if kind == "string" and TIMES.search(name) else TYPES[kind]
    return DraftAttribute(name=name, type=found, required=bool(field.get("required")))


# ---- access patterns ------------------------------------------------------------------------------------------------


def _patterns(entity: Json, kind: ItemKind, place: str) -> Iterator[DraftPattern]:
    for asked in objects(entity.get("access_patterns"), f"{place}.access_patterns"):
        operation = str(asked.get("operation") or "")
        about = str(asked.get("description") or asked.get("name") or f"pattern {asked.get('pattern_id')}").rstrip(".")
        remark = f"pattern {asked.get('pattern_id')}"
        if operation in WRITES:
            yield _write_of(asked, kind, about, remark)
        elif operation in READS:
            found = _read_of(asked, kind, about, remark)
            if found is not None:
                yield found


def _write_of(asked: Json, kind: ItemKind, about: str, remark: str) -> DraftPattern:
    """An update changes the parameters that are not its id; one that takes the whole item changes all of it."""
    op: Any = WRITES[str(asked["operation"])]
    ids = id_of(kind)
    known = [each.name for each in kind.attributes if each.name not in ids]
    given = [str(each.get("name")) for each in asked.get("parameters") or ()]
    changes = [each for each in known if each in given] or known if op == "update" else []
    return DraftPattern(
        description=about,
        kind="write",
        op=op,
        entities=(kind.name,),
        by=ids,
        changes=tuple(changes),
        remark=remark,
    )


def _read_of(asked: Json, kind: ItemKind, about: str, remark: str) -> DraftPattern | None:
    if asked["operation"] == "GetItem":
        return DraftPattern(description=about, kind="get", entities=(kind.name,), by=id_of(kind), remark=remark)
    index = str(asked.get("index_name") or "")
    place = next((each for each in kind.places if each.index == index), None)
    if place is None or not place.partition:
        return None
    types = {each.name: each for each in kind.attributes}
    sort = next((each for each in place.sort if each not in place.partition), None)
    ordered = sort is not None and is_ordered(types.get(sort))
    ranged = sort if ordered and asked.get("range_condition") in RANGES else None
    return DraftPattern(
        description=about,
        kind="query",
        entities=(kind.name,),
        by=place.partition,
        range_attr=ranged,
        sort=((sort, "asc"),) if ordered and sort is not None else (),
        remark=remark,
    )
