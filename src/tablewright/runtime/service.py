"""Services: what belongs together in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError, SchemaError
from tablewright.runtime.items.layout import Home
from tablewright.runtime.items.reading import owns, present
from tablewright.runtime.types.renaming import renaming
from tablewright.schema.model import CASINGS, Identifiers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tablewright.runtime.collection import Collection
    from tablewright.runtime.database import Database
    from tablewright.runtime.electrodb.service import LoadedService
    from tablewright.runtime.entity import Entity
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.types.renaming import Rename
    from tablewright.schema import model
    from tablewright.schema.model import Casing


class Table:
    """The physical table: its name, its key fields, and those of its indexes where they are not `gsi1pk`, `gsi1sk`.

    `Table("shop", pk="PK", sk="SK", indexes={"GSI1": ("GSI1PK", "GSI1SK")})`
    """

    __slots__ = ("indexes", "name", "pk", "sk")

    def __init__(
        self,
        name: str | None,
        *,
        pk: str = "pk",
        sk: str = "sk",
        indexes: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.name = name
        self.pk = pk
        self.sk = sk
        self.indexes = dict(indexes or {})

    def fields_of(self, index: str | None) -> tuple[str, str]:
        """The stored fields of an index's partition and sort key."""
        if index is None:
            return self.pk, self.sk
        fields = self.indexes.get(index, (f"{index}pk", f"{index}sk"))
        return fields[0], fields[-1]

    def __repr__(self) -> str:
        return f"Table({self.name!r})"


def _place_of(kind: type[Any]) -> tuple[str, str]:
    return kind.__module__, kind.__qualname__


class Service:
    """A service: entities and collections that share a table. Nothing is opened or checked before it is used."""

    def __init__(
        self,
        name: str,
        *,
        table: Table | str,
        identifiers: Identifiers | None = None,
        casing: Casing = "none",
        rename: Rename | None = None,
    ) -> None:
        """`casing` is the letter case of all keys that do not say their own: kept as it is (`none`), or `default`,
        which is lower case, for a table that is shared with ElectroDB.
        """
        if not name:
            raise SchemaError("a service needs a name: it stands at the front of every key")
        if casing not in CASINGS:
            known = ", ".join(repr(each) for each in CASINGS)
            raise SchemaError(f"service {name} has the casing {casing!r}; known are {known}", code=1009)
        self.name = name
        self.table = Table(table) if isinstance(table, str) else table
        self.identifiers = identifiers or Identifiers()
        self.casing: Casing = casing
        renaming(rename, f"service {name}")  # refuses what is no rule
        self.rename: Rename | None = rename
        self.home = Home(self.table.name)
        self.entities: dict[str, type[Entity]] = {}
        self.home.members = self.entities
        self.collections: dict[str, type[Collection]] = {}

    def __repr__(self) -> str:
        return f"Service({self.name!r}, table={self.table.name!r})"

    def add(self, entity: type[Entity]) -> None:
        """Called by every entity class that names this service."""
        name = entity.__tablewright_about__.name
        other = self.entities.get(name)
        if other is not None and _place_of(other) != _place_of(entity):  # the same place: its module was loaded again
            raise SchemaError(f"service {self.name} has two entities named {name!r}: {other} and {entity}")
        self.entities[name] = entity

    def add_collection(self, collection: type[Collection]) -> None:
        """Called by every collection class that names this service."""
        self.collections[collection.__tablewright_about__[1]] = collection

    def bind(self, database: Database | None) -> None:
        """Let `operation.go()` run on this database."""
        from tablewright.runtime.database import AsyncDatabase

        if isinstance(database, AsyncDatabase):
            raise RequestError("go() awaits nothing; bind a Database, or use await db.run(operation)", code=1023)
        self.home.database = database

    def tenant(self, tenant: Any) -> Tenant:
        """One tenant: access patterns with the tenant filled in, and what `db.tenant(...)` binds a database to."""
        from tablewright.runtime.features.tenant.scope import Tenant

        return Tenant(self, tenant)

    def tenant_keys(self, tenant: Any) -> list[str]:
        """The partition keys of one tenant, for a policy's `dynamodb:LeadingKeys`: exact, or beginnings with `*`."""
        return self.tenant(tenant).keys()

    @property
    def schema(self) -> model.Service:
        """The whole service as data, checked: entities on their own and together."""
        from tablewright.schema.service import build_service

        entities = {name: entity.schema() for name, entity in self.entities.items()}
        for collection in self.collections.values():
            collection.__tablewright_members__()
        return build_service(entities, name=self.name, table=self.table.name)

    def __tablewright_homes__(self) -> list[tuple[str | None, model.Entity]]:
        return [(self.home.table, entity) for entity in self.schema.entities.values()]

    def __tablewright_layouts__(self) -> list[Layout]:
        return [entity.__tablewright_layout__() for entity in self.entities.values()]

    def describe(self) -> str:
        """The access patterns as a table of text."""
        from tablewright.schema.describe import describe

        return describe(self.schema)

    def parse(self, item: Mapping[str, Any]) -> Entity | None:
        """A stored item (with plain values) as an object of the entity it belongs to; None when it is nobody's."""
        for entity in self.entities.values():
            layout = entity.__tablewright_layout__()
            if owns(layout, item, by_key=False):
                made: Entity = layout.make(present(layout, item))
                return made
        return None

    @staticmethod
    def load(
        source: str | Path | Mapping[str, Any],
        *,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        table: str | None = None,
        client: Any = None,
        identifiers: Identifiers | Mapping[str, Any] | None = None,
    ) -> LoadedService:
        """A service from data: our JSON or YAML, or an ElectroDB schema, with ElectroDB's chains.

        `identifiers` renames the fields that say whose an item is, for all entities or by alias. `client` is
        what they run on: a database (an `AsyncDatabase` is awaited), a boto3 client or a transport.
        """
        from tablewright.runtime.electrodb.service import LoadedService
        from tablewright.schema.load import load

        schema = load(source, functions=functions, identifiers=identifiers)
        return LoadedService(schema, table=table, client=client)
