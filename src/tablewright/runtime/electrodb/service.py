"""A service of the loaded style: entities by alias, collections, transactions, and parsing whoever's items they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tablewright.errors import RequestError
from tablewright.runtime.electrodb.chain import Chain, Conditional, Querying, merge
from tablewright.runtime.electrodb.entity import Listener, LoadedEntity, check_listeners
from tablewright.runtime.electrodb.execute import check_client
from tablewright.runtime.items.layout import Home
from tablewright.runtime.items.reading import owns, present
from tablewright.runtime.operations.collect import Collect
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.transactions import TransactGet, TransactWrite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.requests.request import Params
    from tablewright.schema import model
    from tablewright.schema.model import Service


class _Collections:
    """`service.collections.workload(employee="e1")`."""

    def __init__(self, service: LoadedService) -> None:
        self._service = service

    def __getattr__(self, name: str) -> Callable[..., Conditional[Collect]]:
        collection = self._service.schema.collection(name)
        if collection is None:
            known = ", ".join(each.name for each in self._service.schema.collections) or "none"
            raise AttributeError(f"service {self._service.schema.name} has no collection {name!r}; it has: {known}")
        members = {each.alias: self._service.entities[each.alias].layout for each in collection.members}

        chain = Conditional[Collect] if collection.kind == "isolated" else Querying[Collect]

        def start(given: Mapping[str, Any] | None = None, /, **named: Any) -> Conditional[Collect]:
            return chain(self._service, Collect(collection, members, merge(given, named)))

        return start

    __getitem__ = __getattr__


class _Transactions:
    """`service.transaction.write(lambda tasks: [tasks.put(...).commit(), ...])`."""

    def __init__(self, service: LoadedService) -> None:
        self._service = service

    def write(self, members: Callable[..., Sequence[Any]]) -> Chain[TransactWrite]:
        writes = tuple(members(**self._service.entities))
        if any(isinstance(member, Get) for member in writes):
            raise RequestError("a write transaction takes no gets; use check to depend on an item", code=5002)
        return Chain(self._service, TransactWrite(writes))

    def get(self, members: Callable[..., Sequence[Any]]) -> Chain[TransactGet]:
        gets = tuple(members(**self._service.entities))
        if not all(isinstance(member, Get) for member in gets):
            raise RequestError("a get transaction takes commits of get alone", code=5002)
        return Chain(self._service, TransactGet(gets))


class _Entities(dict[str, LoadedEntity]):
    """`service.entities.tasks`, or `service.entities["items"]` where a dict has a method of that name."""

    def __getattr__(self, alias: str) -> LoadedEntity:
        if alias not in self:
            raise AttributeError(f"the service has no entity {alias!r}; it has {', '.join(self)}")
        return self[alias]


class LoadedService:
    """Everything ElectroDB's Service offers, under Python names."""

    def __init__(
        self,
        schema: Service,
        *,
        table: str | None = None,
        client: Any = None,
        listeners: Sequence[Listener] = (),
        logger: Listener | None = None,
        ignore_ownership: bool = False,
    ) -> None:
        self.schema = schema
        self.home = Home(table or schema.table.name)
        self._client = None if client is None else check_client(client)
        self.listeners = check_listeners(listeners, logger)
        self.entities = _Entities()
        for alias, entity in schema.entities.items():
            self.entities[alias] = LoadedEntity(
                entity,
                client=self._client,
                listeners=self.listeners,
                ignore_ownership=ignore_ownership,
                home=self.home if table or entity.table in (None, schema.table.name) else None,
            )
        self.home.members = {each.layout.name: each for each in self.entities.values()}

    @property
    def client(self) -> Any:
        return self._client if self._client is not None else self.home.database

    def bind(self, database: Any) -> None:
        """Run operations on this database from now on."""
        self.home.database = database

    def __tablewright_homes__(self) -> list[tuple[str | None, model.Entity]]:
        return [(entity.table_name, entity.schema) for entity in self.entities.values()]

    def __tablewright_layouts__(self) -> list[Layout]:
        return [entity.layout for entity in self.entities.values()]

    def __getattr__(self, alias: str) -> LoadedEntity:
        entities: _Entities = self.__dict__.get("entities", _Entities())
        return entities.__getattr__(alias)

    @property
    def collections(self) -> _Collections:
        return _Collections(self)

    @property
    def transaction(self) -> _Transactions:
        return _Transactions(self)

    def parse(
        self, item: Params, *, data: Literal["attributes", "includeKeys"] = "attributes"
    ) -> tuple[str, Any] | None:
        """Whose item this is (its alias) and what it says; None when no entity of the service owns it."""
        for alias, entity in self.entities.items():
            if owns(entity.layout, item, by_key=False):
                return alias, present(entity.layout, item, include_keys=data == "includeKeys")
        return None
