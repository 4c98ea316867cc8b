"""The fields of every part of a service, in the order in which they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tablewright.schema.features import NO_FEATURES
from tablewright.schema.form.attributes import ATTRIBUTES
from tablewright.schema.form.features import FEATURES
from tablewright.schema.form.kinds import (
    FLAG,
    NAME,
    NAMES,
    TEXT,
    Field,
    Kind,
    Reading,
    Record,
    Writing,
    choice,
    listed,
    one_or_many,
    optional,
    read_mapping,
    record,
)
from tablewright.schema.form.past import LEASE
from tablewright.schema.form.spread import BUCKET, SHARDS
from tablewright.schema.form.values import FUNCTION, read_function, write_function
from tablewright.schema.model import AccessPattern, Entity, Identifiers, KeySide

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_SIDE = Record(
    KeySide,
    (
        Field("field", TEXT, "The stored field; left out for composite indexes.", ""),
        Field("composite", NAMES, "The attributes the key is made of, in order."),
        Field("template", optional(NAME), "Literal text with ${attribute} in it, instead of the usual pattern.", None),
        Field("casing", choice("default", "lower", "upper", "none"), "Letter case of the finished key.", "default"),
        Field("cast", optional(choice("string", "number")), "The type to store the key as.", None),
    ),
    "How the partition key or the sort key is composed.",
)


def _read_projection(value: Any, at: Reading) -> Any:
    return _PROJECTED.read(value, at) if isinstance(value, (list, tuple)) else _PROJECTION_WORD.read(value, at)


_PROJECTED = listed(NAME, least=1)
_PROJECTION_WORD = choice("all", "keys_only")
PROJECTION = Kind(
    _read_projection,
    {"anyOf": [_PROJECTION_WORD.schema, _PROJECTED.schema]},
)

PATTERN = Record(
    AccessPattern,
    (
        Field("doc", TEXT, "The question this access pattern answers.", ""),
        Field("index", optional(NAME), "The secondary index; left out for the table's own key.", None),
        Field("kind", choice("isolated", "clustered", "composite"), "How entities share the index.", "isolated"),
        Field("collection", one_or_many(NAME), "The collection, or sub-collections from the outermost.", ()),
        Field("scope", TEXT, "Extra text on the partition key.", ""),
        Field("pk", record(KEY_SIDE), "The partition key."),
        Field("sk", optional(record(KEY_SIDE)), "The sort key.", None),
        Field("condition", optional(FUNCTION), "Whether an item belongs into this (sparse) index.", None),
        Field("depends_on", optional(NAMES), "The attributes the condition reads.", None),
        Field("projection", PROJECTION, "What the index holds.", "all"),
        Field("shards", optional(record(SHARDS)), "Its items spread over several partitions.", None),
        Field("bucket", optional(record(BUCKET)), "A partition for every period of a time.", None),
        Field("queue", optional(record(LEASE)), "Its items are claimed by workers.", None),
        Field("across_tenants", FLAG, "It finds items of all tenants, on purpose.", False),
    ),
    "One way to find an entity.",
)

IDENTIFIERS = Record(
    Identifiers,
    (
        Field("entity", NAME, "The field that holds the entity's name.", "__edb_e__"),
        Field("version", optional(NAME), "The field that holds the entity's version; null for none.", "__edb_v__"),
    ),
    "The stored fields that say what an item is.",
)


def _read_patterns(value: Any, at: Reading) -> tuple[AccessPattern, ...]:
    return tuple(PATTERN.read(each, at / name, name=name) for name, each in read_mapping(value, at).items())


PATTERNS = Kind(
    _read_patterns,
    {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/access_pattern"}},
    lambda value, to: {each.name: PATTERN.write(each, to) for each in value},
)


def _read_filters(value: Any, at: Reading) -> Mapping[str, Any]:
    return {name: read_function(each, at / name) for name, each in read_mapping(value, at).items()}


FILTERS = Kind(
    _read_filters,
    {"type": "object", "additionalProperties": FUNCTION.schema},
    lambda value, to: {name: write_function(each, to) for name, each in value.items()},
)

ENTITY = Record(
    Entity,
    (
        Field("doc", TEXT, "What the entity is.", ""),
        Field("name", NAME, "Its name in keys and items; the alias unless given.", inherits="alias"),
        Field("service", TEXT, "Its service's name in keys, where the letter case differs.", inherits="service"),
        Field("version", TEXT, "Its version in items, and in keys unless key_version says another."),
        Field("key_version", optional(TEXT), "The version in keys, where items of several versions share them.", None),
        Field("table", optional(TEXT), "Its table, where it is not the service's.", inherits="table"),
        Field("identifiers", record(IDENTIFIERS), "Names of the identifying fields.", Identifiers()),
        Field("legacy", FLAG, "ElectroDB's beta keys: the version stands in the partition key.", False),
        Field("attributes", ATTRIBUTES, "Its attributes, in order."),
        Field("access_patterns", PATTERNS, "Its access patterns, in order.", model="patterns"),
        Field("filters", FILTERS, "Named filters (ElectroDB's, deprecated there).", {}),
        Field("features", record(FEATURES), "What it does beyond storing attributes.", NO_FEATURES),
    ),
    "An entity.",
)


@dataclass(frozen=True, slots=True)
class CollectionNotes:
    """What is written about a collection; its members follow from the entities."""

    doc: str = ""


COLLECTION = Record(CollectionNotes, (Field("doc", TEXT, "What one query answers.", ""),), "Notes on a collection.")


def _read_collections(value: Any, at: Reading) -> dict[str, CollectionNotes]:
    return {name: COLLECTION.read(each, at / name) for name, each in read_mapping(value, at).items()}


COLLECTIONS = Kind(
    _read_collections,
    {"type": "object", "additionalProperties": record(COLLECTION).schema},
    lambda value, to: {name: COLLECTION.write(each, to) for name, each in value.items()},
)


def _read_entities(value: Any, at: Reading) -> dict[str, Entity]:
    found = read_mapping(value, at).items()
    return {alias: ENTITY.read(each, (at / alias).inheriting(alias=alias)) for alias, each in found}


def _write_entities(value: Mapping[str, Entity], to: Writing) -> dict[str, Any]:
    return {alias: ENTITY.write(each, to.inheriting(alias=alias)) for alias, each in value.items()}


ENTITIES = Kind(
    _read_entities,
    {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/entity"}},
    _write_entities,
)


@dataclass(frozen=True, slots=True)
class WrittenService:
    """A service as it is written: what can be derived (physical indexes, collection members) is left out."""

    service: str
    entities: Mapping[str, Entity]
    table: str | None = None
    doc: str = ""
    collections: Mapping[str, CollectionNotes] = field(default_factory=dict[str, CollectionNotes])


SERVICE = Record(
    WrittenService,
    (
        Field("service", TEXT, "The service's name."),
        Field("doc", TEXT, "What the service is.", ""),
        Field("table", optional(NAME), "The table's name.", None),
        Field("entities", ENTITIES, "Its entities by alias."),
        Field("collections", COLLECTIONS, "Notes on collections by name.", {}),
    ),
    "A service and its entities in one DynamoDB table.",
)
