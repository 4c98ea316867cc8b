"""Which of a design's item types ElectroDB can hold, and what they are called: schemas, aliases, services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.codegen.names import camel, pascal
from tablewright.codegen.typescript.literals import IDENTIFIER, text
from tablewright.codegen.typescript.names import make_unique
from tablewright.design.service import pattern_names, service_of
from tablewright.schema.electro.write import dump_service

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemKeys, ItemType
    from tablewright.schema.model import Service
    from tablewright.spec.model import KeyStyle


def schemas_of(design: Design) -> dict[str, dict[str, Any]]:
    """By item type: ElectroDB's schema, without the indexes whose keys it could not fill."""
    dumped = dump_service(_service_of(design))
    return {
        item.name: _schema_of(dumped[item.name], item, design.key_style)
        for item in design.items
        if item.name in dumped and not is_derived(item.keys[0])
    }


def _service_of(design: Design) -> Service:
    """The service as ElectroDB has it: numbers of plain keys are written by `keys.ts`, and not by the schema."""
    found = service_of(design, mirrors=False)
    entities = {
        name: msgspec.structs.replace(
            each, attributes=tuple(msgspec.structs.replace(one, digits=None) for one in each.attributes)
        )
        for name, each in found.entities.items()
    }
    return msgspec.structs.replace(found, entities=entities)


def _schema_of(dumped: dict[str, Any], item: ItemType, style: KeyStyle) -> dict[str, Any]:
    names = dict(zip(pattern_names(item), item.keys, strict=True))
    kept = {name: each for name, each in dumped["indexes"].items() if name not in names or not is_derived(names[name])}
    hidden = {name for name, each in dumped["attributes"].items() if each.get("hidden")}
    attributes = {name: each for name, each in dumped["attributes"].items() if name not in hidden}
    kept = {name: _projecting(each, hidden) for name, each in kept.items()}
    return {"model": _model_of(dumped["model"], style), "attributes": attributes, "indexes": kept}


def _projecting(index: dict[str, Any], hidden: set[str]) -> dict[str, Any]:
    """Without what the schema does not have: ElectroDB takes no index that projects it."""
    said = index.get("projection")
    if not isinstance(said, list):
        return index
    return {**index, "projection": [name for name in cast("list[str]", said) if name not in hidden]}


def _model_of(said: dict[str, str], style: KeyStyle) -> dict[str, str]:
    """ElectroDB writes a version with every item; plain items say their type alone, so that both are the same."""
    return {**said, "version": said["entity"]} if style == "plain" else said


def writes_values(design: Design) -> bool:
    """Whether keys hold what ElectroDB writes otherwise: any value of plain keys, numbers below zero and decimals."""
    return design.key_style == "plain" or any(
        each.get("padding") for schema in schemas_of(design).values() for each in schema["attributes"].values()
    )


def is_derived(keys: ItemKeys) -> bool:
    """Whether a key has a shard or a period in it, which ElectroDB cannot work out."""
    return keys.shards > 1 or keys.bucket is not None


def index_name(item: ItemType, keys: ItemKeys) -> str:
    return pattern_names(item)[item.keys.index(keys)]


def schema_names(design: Design) -> dict[str, str]:
    """By item type: the constant of its schema."""
    found: dict[str, str] = {}
    for name in schemas_of(design):
        found[name] = make_unique(f"{camel(name)}Schema", found.values())
    return found


def aliases(design: Design) -> dict[str, str]:
    """By item type: the entity in its service."""
    found: dict[str, str] = {}
    for name in schemas_of(design):
        found[name] = make_unique(pascal(name), found.values())
    return found


def service_names(design: Design) -> dict[str, str]:
    """By table of which ElectroDB holds anything: its service."""
    found: dict[str, str] = {}
    known = schemas_of(design)
    for table in dict.fromkeys(item.table for item in design.items if item.name in known):
        found[table] = make_unique(camel(table), found.values())
    return found


def service_path(design: Design, table: str) -> str:
    return f"db.services.{service_names(design)[table]}"


def entity_path(design: Design, item: ItemType) -> str:
    return f"{service_path(design, item.table)}.entities.{aliases(design)[item.name]}"


def property_of(value: str, name: str) -> str:
    return f"{value}.{name}" if IDENTIFIER.fullmatch(name) else f"{value}[{text(name)}]"
