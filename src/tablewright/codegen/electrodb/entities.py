"""`entities/`: ElectroDB's schema of every item type, with the types of its attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.electrodb.names import aliases, schema_names, schemas_of, service_names, writes_values
from tablewright.codegen.typescript.literals import INDENT, Code, comment, key, literal, text
from tablewright.codegen.typescript.names import TYPES, make_unique, module_of
from tablewright.codegen.typescript.patterns import mentions
from tablewright.design.steps.compiling.items import hidden_fields

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemType

OWN_TYPES = ("string", "number", "boolean")


def entity_files(design: Design) -> dict[str, str]:
    """By module: the schema of one item type."""
    schemas, names, modules = schemas_of(design), schema_names(design), _entity_modules(design)
    types = {item.name: item for item in design.items}
    hidden = frozenset(hidden_fields(design))
    return {modules[name]: _entity_file(types[name], names[name], schema, hidden) for name, schema in schemas.items()}


def _entity_modules(design: Design) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in schemas_of(design):
        found[name] = make_unique(module_of(name), found.values())
    return found


def _entity_file(item: ItemType, name: str, schema: dict[str, Any], hidden: frozenset[str]) -> str:
    attributes = {
        each: _attribute_data(item, each, said, each in hidden) for each, said in schema["attributes"].items()
    }
    indexes = {each: _index_data(said) for each, said in schema["indexes"].items()}
    shown = literal({**schema, "attributes": attributes, "indexes": indexes}, 0, len(name) + 28)
    custom = "CustomAttributeType, " if mentions(shown, "CustomAttributeType") else ""
    lines = [f'import {{ {custom}createSchema }} from "electrodb";']
    if mentions(shown, "Value"):
        lines.append('import type { Value } from "../documents/model.js";')
    said = item.notes or f"{item.name}: identified by {' and '.join(item.id)}"
    return "\n".join([*lines, "", comment([f"{said}."]), f"export const {name} = createSchema({shown});", ""])


def _attribute_data(item: ItemType, name: str, said: dict[str, Any], is_hidden: bool) -> dict[str, Any]:
    """What ElectroDB has no type for passes through it as it is; what is no part of an answer stays hidden."""
    if "validate" in said:
        said = {**said, "validate": Code(f"new RegExp({text(said['validate']['$regex'])})")}
    known = next((each for each in item.attributes if each.name == name), None)
    kind = said["type"]
    if known is None or is_hidden:
        held = Code(f'CustomAttributeType<{TYPES["map"]}>("any")') if kind == "any" else kind
        return {**said, "type": held, "hidden": True}
    if isinstance(kind, list):
        return {**said, "type": Code(f"{literal(kind)} as const")}
    if known.type == "timestamp" or (known.type in OWN_TYPES and kind == known.type):
        return {**said, "type": kind}
    rest = {name: value for name, value in said.items() if name not in ("items", "properties")}
    return {**rest, "type": Code(f'CustomAttributeType<{TYPES[known.type]}>("any")')}


def _index_data(said: dict[str, Any]) -> dict[str, Any]:
    """A condition that is data as the function ElectroDB wants."""
    if "condition" not in said:
        return said
    (values,) = said["condition"]["args"]
    tests = [
        f"item[{text(name)}] !== undefined" if value is None else f"item[{text(name)}] === {literal(value)}"
        for name, value in values.items()
    ]
    code = f"(item: Readonly<Record<string, unknown>>) => {' && '.join(tests)}"
    return {**said, "condition": Code(code)}


def service_file(design: Design) -> str:
    """`service.ts`: a service for every table, on a client."""
    names, modules = schema_names(design), _entity_modules(design)
    configs = [
        f"{INDENT}const {_config_of(design, table)} = {{ {_settings_of(design, table)} }};"
        for table in service_names(design)
    ]
    keys = ['import { withKeys } from "./keys.js";'] if writes_values(design) else []
    lines = [
        comment(["The entities as ElectroDB's services, one for every table."]),
        "",
        'import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";',
        'import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";',
        'import { Entity, Service } from "electrodb";',
        'import { type Database as Documents, tableName } from "./documents/database.js";',
        *(f'import {{ {names[each]} }} from "./entities/{modules[each]}.js";' for each in names),
        *keys,
        "",
        comment(["Services on a client; what their tables are called may differ from the design."]),
        "export function servicesOf(db: Documents) {",
        *configs,
        f"{INDENT}return {{",
        *(line for table in service_names(design) for line in _service_lines(design, table)),
        f"{INDENT}}};",
        "}",
        "",
        CONNECT,
    ]
    return "\n".join(lines)


def _service_lines(design: Design, table: str) -> list[str]:
    names, alias, config = schema_names(design), aliases(design), _config_of(design, table)
    held = [item.name for item in design.items if item.table == table and item.name in names]
    return [
        f"{INDENT * 2}{key(service_names(design)[table])}: new Service(",
        f"{INDENT * 3}{{",
        *(f"{INDENT * 4}{alias[each]}: {_entity_code(design, names[each], config)}," for each in held),
        f"{INDENT * 3}}},",
        f"{INDENT * 3}{config},",
        f"{INDENT * 2}),",
    ]


def _entity_code(design: Design, schema: str, config: str) -> str:
    made = f"new Entity({schema}, {config})"
    return f"withKeys({made})" if writes_values(design) else made


def _settings_of(design: Design, table: str) -> str:
    """Where an item says what it is, if that is not ElectroDB's own place."""
    said = f"client: db.client, table: tableName(db, {text(table)})"
    field = text(design.encoding.type_field)
    return f"{said}, identifiers: {{ entity: {field}, version: {field} }}" if design.key_style == "plain" else said


def _config_of(design: Design, table: str) -> str:
    return "config" if len(service_names(design)) == 1 else f"{service_names(design)[table]}Config"


CONNECT = """/** A connection: ElectroDB's services, and the client for what ElectroDB has no words for. */
export interface Database extends Documents {
  readonly services: ReturnType<typeof servicesOf>;
}

/** A database on a new client; give an endpoint to talk to a local one. */
export function connect(config: DynamoDBClientConfig = {}, tables: Documents["tables"] = {}): Database {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(config), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const db = { client, tables };
  return { ...db, services: servicesOf(db) };
}
"""
