"""The one schema: a service with its table, indexes, entities, access patterns and collections.

A Python class, an ElectroDB schema and the architect's answer all become these frozen values; the runtime, the
engine, the generators and the studio only read them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from tablewright.schema.features import NO_FEATURES, Bucket, Features, Lease, Shards
from tablewright.schema.types import Attribute, Item

Casing: TypeAlias = Literal["default", "lower", "upper", "none"]
CASINGS: tuple[Casing, ...] = get_args(Casing)
IndexKind: TypeAlias = Literal["isolated", "clustered", "composite"]
Projection: TypeAlias = Literal["all", "keys_only"] | tuple[str, ...]
IndexCondition: TypeAlias = Callable[[Item], Any]


class KeySide(msgspec.Struct, frozen=True, kw_only=True):
    """The partition or sort key of one access pattern: the stored field and how its value is composed.

    `template` is ElectroDB's `${name}` text, or None for composed keys. `field` is empty for composite
    (multi-attribute) indexes, whose key attributes are the attributes themselves.
    """

    field: str
    composite: tuple[str, ...]
    template: str | None = None
    casing: Casing = "default"
    cast: Literal["string", "number"] | None = None


class AccessPattern(msgspec.Struct, frozen=True, kw_only=True):
    """One way to find an entity: by the table's own key (`index` is None) or by a secondary index.

    `depends_on` lists the attributes that `condition` reads, where that was declared (None: unknown, as in ElectroDB).
    """

    name: str
    index: str | None
    pk: KeySide
    sk: KeySide | None = None
    collection: tuple[str, ...] = ()
    kind: IndexKind = "isolated"
    scope: str = ""
    condition: IndexCondition | None = None
    depends_on: tuple[str, ...] | None = None
    projection: Projection = "all"
    shards: Shards | None = None
    bucket: Bucket | None = None
    queue: Lease | None = None
    across_tenants: bool = False  # the tenant is not in its partition key, on purpose
    doc: str = ""

    @property
    def composites(self) -> tuple[str, ...]:
        """The composites of both sides, partition key first, without repetition."""
        sort = self.sk.composite if self.sk else ()
        return tuple(dict.fromkeys((*self.pk.composite, *sort)))

    @property
    def is_spread(self) -> bool:
        """Whether the answer to one question lies in several partitions."""
        return self.shards is not None or self.bucket is not None


class Identifiers(msgspec.Struct, frozen=True, kw_only=True):
    """The stored fields that say which entity and version an item belongs to.

    `Identifiers(entity="Type", version=None)` is for tables with one plain type attribute.
    """

    entity: str = "__edb_e__"
    version: str | None = "__edb_v__"


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """An entity: attributes in order of definition, access patterns in order of definition."""

    name: str
    service: str
    version: str
    attributes: tuple[Attribute, ...]
    patterns: tuple[AccessPattern, ...]
    table: str | None = None
    identifiers: Identifiers = Identifiers()
    legacy: bool = False  # ElectroDB's "beta" form: the version stands in the partition key
    key_version: str | None = None  # the version in keys, where items of several versions share them
    filters: Mapping[str, Callable[..., Any]] = msgspec.field(default_factory=dict[str, Callable[..., Any]])
    features: Features = NO_FEATURES
    doc: str = ""

    @property
    def primary(self) -> AccessPattern:
        return next(pattern for pattern in self.patterns if pattern.index is None)

    def attribute(self, name: str) -> Attribute | None:
        return next((each for each in self.attributes if each.name == name), None)

    def pattern(self, name: str) -> AccessPattern | None:
        return next((each for each in self.patterns if each.name == name), None)


class KeyAttribute(msgspec.Struct, frozen=True, kw_only=True):
    """A field that is a key attribute of the table or an index, with DynamoDB's type code."""

    field: str
    type: Literal["S", "N", "B"]


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """A physical index (or, with `name` None, the table itself)."""

    name: str | None
    pk: tuple[KeyAttribute, ...]
    sk: tuple[KeyAttribute, ...] = ()
    kind: Literal["table", "gsi", "lsi"] = "gsi"
    projection: Projection = "all"  # stored field names where it is a list


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The physical table: its name, its own key and its secondary indexes."""

    name: str | None
    primary: Index
    indexes: tuple[Index, ...] = ()


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """An entity's part in a collection: the alias under which results appear, the entity and its access pattern."""

    alias: str
    entity: str
    pattern: str


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """Several entities that one query answers together."""

    name: str
    index: str | None
    kind: IndexKind
    members: tuple[Member, ...]
    doc: str = ""


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """A service: entities by alias, the table they share and the collections they form."""

    name: str
    entities: Mapping[str, Entity]
    table: Table
    collections: tuple[Collection, ...] = ()
    doc: str = ""

    def collection(self, name: str) -> Collection | None:
        return next((each for each in self.collections if each.name == name), None)
