"""An entity of the loaded style: `Task.query.byEmployee(employee="e1").go()`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tablewright.errors import RequestError
from tablewright.runtime.items.layout import Home, Layout, Values, lay_out
from tablewright.runtime.items.reading import owns
from tablewright.runtime.loaded.chain import Batch, Changing, Checking, Conditional, Querying, Updating, merge
from tablewright.runtime.loaded.conversions import Conversions
from tablewright.runtime.operations.batch import BatchGet, BatchWrite
from tablewright.runtime.operations.delete import Check, Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.query import Query
from tablewright.runtime.operations.request import Params, read_own
from tablewright.runtime.operations.scan import Scan, find, match
from tablewright.runtime.operations.update import Update
from tablewright.runtime.operations.upsert import Upsert
from tablewright.runtime.options import read_options
from tablewright.schema.model import Entity

Given = Mapping[str, Any] | None
Listener = Callable[[dict[str, Any]], Any]


class Patterns:
    """`entity.query` and `entity.scan`: one method for each access pattern."""

    def __init__(self, layout: Layout, start: Callable[[str, Values], Any]) -> None:
        self._layout = layout
        self._start = start

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        self._layout.pattern(name)
        return lambda given=None, /, **named: self._start(name, merge(given, named))

    __getitem__ = __getattr__


class Scanning(Conditional[Any]):
    """A scan of the table; `scan.<pattern>` scans that index instead."""

    def __getattr__(self, name: str) -> Any:
        pattern = self.operation.layout.keys.get(name)
        if pattern is None:
            return super().__getattr__(name)
        return Conditional(self.owner, Scan(self.operation.layout, name))


class LoadedEntity:
    """Everything ElectroDB's Entity offers, under Python names."""

    def __init__(
        self,
        schema: Entity,
        *,
        table: str | None = None,
        client: Any = None,
        listeners: Sequence[Listener] = (),
        ignore_ownership: bool = False,
        home: Home | None = None,
    ) -> None:
        self.schema = schema
        home = home or Home(table or schema.table)
        self.layout = lay_out(schema, ignore_ownership=ignore_ownership, home=home)
        self._client = client
        self.listeners = tuple(listeners)
        if any(not callable(listener) for listener in listeners):
            raise RequestError("a listener is a function that takes an event", code=1021)

    @property
    def client(self) -> Any:
        return self._client if self._client is not None else self.layout.home.database

    def set_client(self, client: Any) -> None:
        self._client = client

    @property
    def table_name(self) -> str | None:
        return self.layout.home.table

    def set_table_name(self, table: str | None) -> None:
        self.layout.home.table = table

    @property
    def conversions(self) -> Conversions:
        return Conversions(self.layout)

    # ---- one item ------------------------------------------------------------------------------------------------

    def get(self, given: Given | Sequence[Values] = None, /, **named: Any) -> Any:
        if is_batch(given):
            return Batch(self, BatchGet(tuple(Get(self.layout, merge(each, {})) for each in given)))
        return Conditional(self, Get(self.layout, merge(given, named)))

    def put(self, given: Given | Sequence[Values] = None, /, **named: Any) -> Any:
        if is_batch(given):
            return Batch(self, BatchWrite(tuple(Put(self.layout, merge(each, {})) for each in given)))
        return Conditional(self, Put(self.layout, merge(given, named)))

    def create(self, given: Given = None, /, **named: Any) -> Conditional[Put[Any]]:
        return Conditional(self, Put(self.layout, merge(given, named), only_new=True))

    def upsert(self, given: Given = None, /, **named: Any) -> Changing[Upsert[Any]]:
        return Changing(self, Upsert(self.layout, merge(given, named)))

    def update(self, given: Given = None, /, **named: Any) -> Updating[Update[Any]]:
        return Updating(self, Update(self.layout, merge(given, named)))

    def patch(self, given: Given = None, /, **named: Any) -> Updating[Update[Any]]:
        return Updating(self, Update(self.layout, merge(given, named), must_exist=True))

    def delete(self, given: Given | Sequence[Values] = None, /, **named: Any) -> Any:
        if is_batch(given):
            return Batch(self, BatchWrite(tuple(Delete(self.layout, merge(each, {})) for each in given)))
        return Conditional(self, Delete(self.layout, merge(given, named)))

    def remove(self, given: Given = None, /, **named: Any) -> Conditional[Delete[Any]]:
        return Conditional(self, Delete(self.layout, merge(given, named), must_exist=True))

    def check(self, given: Given = None, /, **named: Any) -> Checking[Check[Any]]:
        return Checking(self, Check(self.layout, merge(given, named)))

    # ---- many items ----------------------------------------------------------------------------------------------

    @property
    def query(self) -> Any:
        return Patterns(self.layout, lambda name, given: Querying(self, Query(self.layout, name, given)))

    @property
    def scan(self) -> Any:
        return Scanning(self, Scan(self.layout))

    def match(self, given: Given = None, /, **named: Any) -> Conditional[Any]:
        return Conditional(self, match(self.layout, merge(given, named)))

    def find(self, given: Given = None, /, **named: Any) -> Conditional[Any]:
        found = find(self.layout, merge(given, named))
        return Querying(self, found) if isinstance(found, Query) else Conditional(self, found)

    # ---- what came from elsewhere --------------------------------------------------------------------------------

    def parse(self, response: Params | None, **given: Any) -> dict[str, Any] | None:
        """Items out of a DynamoDB response (with plain values), as if this entity had asked for it."""
        if response is None:
            return None
        options = read_options({"ignore_ownership": True, **given})
        if options.data == "raw":
            return {"data": response}

        def read(item: Params, *, loose: bool = False) -> Any:
            by_key = bool(options.ignore_ownership)
            optional = loose or options.attributes is not None
            if not item or not owns(self.layout, item, by_key=by_key, keys_optional=by_key and optional):
                return None
            return read_own(self.layout, item, options)

        if "Items" in response:
            read_items = [read(item) for item in response["Items"]]
            return {"data": [item for item in read_items if item is not None]}
        if "Attributes" in response:
            return {"data": read(response["Attributes"], loose=True)}
        return {"data": read(response["Item"]) if response.get("Item") else None}


def is_batch(given: Any) -> bool:
    return isinstance(given, list | tuple)
