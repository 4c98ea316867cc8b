"""An entity of the loaded style: `Task.query.byEmployee(employee="e1").go()`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.electrodb.chain import Batch, Changing, Checking, Conditional, Querying, Updating, merge
from tablewright.runtime.electrodb.conversions import Conversions
from tablewright.runtime.electrodb.execute import check_client
from tablewright.runtime.electrodb.javascript_calls import patient_entity
from tablewright.runtime.electrodb.options import read_loaded_options
from tablewright.runtime.features.hooks import hooks_of
from tablewright.runtime.items.layout import Home, Layout, Values, lay_out
from tablewright.runtime.operations.batches import BatchGet, BatchWrite
from tablewright.runtime.operations.delete import Check, Delete
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.query import Query
from tablewright.runtime.operations.scan import Scan, find, match
from tablewright.runtime.operations.update import Update
from tablewright.runtime.operations.upsert import Upsert
from tablewright.runtime.requests.request import Params, read_item, read_own
from tablewright.runtime.types.values import is_list

if TYPE_CHECKING:
    from tablewright.schema.keys import PatternKeys
    from tablewright.schema.model import Entity, Identifiers

Given = Mapping[str, Any] | None
log = logging.getLogger("tablewright")
Listener = Callable[[dict[str, Any]], Any]


class Patterns:
    """`entity.query` and `entity.scan`: one method for each access pattern."""

    def __init__(self, layout: Layout, start: Callable[[str, Values], Any]) -> None:
        self._layout = layout
        self._start = start

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        keys = self._layout.pattern(name)

        def start(given: Given = None, /, **named: Any) -> Any:
            values = merge(given, named)
            _warn_of_gap(self._layout, keys, values)
            return self._start(name, values)

        return start

    __getitem__ = __getattr__


def _warn_of_gap(layout: Layout, keys: PatternKeys, given: Values) -> None:
    """Say that sort composites behind a missing one are not looked at."""
    if keys.sk is None:
        return
    behind = [piece.name for piece in keys.sk.pieces[keys.sk.given(given) :]]
    stray = [name for name in behind if name in given]
    if stray:
        where = f"{layout.name}.{keys.pattern.name}"
        log.warning("%s: %s does not count, because %s in front of it is missing", where, ", ".join(stray), behind[0])


class Scanning(Conditional[Any]):
    """A scan of the table; `scan.<pattern>` scans that index instead."""

    def __getattr__(self, name: str) -> Any:
        layout: Layout = self.operation.layout
        return (
            super().__getattr__(name) if name not in layout.keys else Conditional(self.owner, Scan[Any](layout, name))
        )


class LoadedEntity:
    """Everything ElectroDB's Entity offers, under Python names."""

    def __init__(
        self,
        schema: Entity,
        *,
        table: str | None = None,
        client: Any = None,
        listeners: Sequence[Listener] = (),
        logger: Listener | None = None,
        ignore_ownership: bool = False,
        identifiers: Identifiers | None = None,
        home: Home | None = None,
    ) -> None:
        self._ignore_ownership = ignore_ownership
        self._home = home or Home(table or schema.table)
        self._lay_out(schema, identifiers or schema.identifiers)
        self._client = None if client is None else check_client(client)
        self.listeners = check_listeners(listeners, logger)

    def _lay_out(self, schema: Entity, identifiers: Identifiers) -> None:
        self.schema = msgspec.structs.replace(schema, identifiers=identifiers)
        self.layout = lay_out(
            patient_entity(self.schema), ignore_ownership=self._ignore_ownership, home=self._home, hooks_of=hooks_of
        )

    def set_identifier(self, kind: str, field: str) -> None:
        """Store the name ("entity") or the version of items in this field from now on."""
        if kind not in ("entity", "version"):
            raise RequestError(f"{kind!r} is no identifier; there are entity, version", code=1002)
        self._home.large = tuple(each for each in self._home.large if each is not self.layout.large)
        self._lay_out(self.schema, msgspec.structs.replace(self.schema.identifiers, **{kind: field}))

    @property
    def client(self) -> Any:
        return self._client if self._client is not None else self.layout.home.database

    def set_client(self, client: Any) -> None:
        self._client = check_client(client)

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
        if is_list(given):
            return Batch(self, BatchGet(tuple(Get(self.layout, merge(each, {})) for each in given)))
        return Conditional(self, Get[Any](self.layout, merge(given, named)))

    def put(self, given: Given | Sequence[Values] = None, /, **named: Any) -> Any:
        if is_list(given):
            return Batch(self, BatchWrite(tuple(Put(self.layout, merge(each, {})) for each in given)))
        return Conditional(self, Put[Any](self.layout, merge(given, named)))

    def create(self, given: Given = None, /, **named: Any) -> Conditional[Put[Any]]:
        return Conditional(self, Put(self.layout, merge(given, named), only_new=True))

    def upsert(self, given: Given = None, /, **named: Any) -> Changing[Upsert[Any]]:
        return Changing(self, Upsert(self.layout, merge(given, named)))

    def update(self, given: Given = None, /, **named: Any) -> Updating[Update[Any]]:
        return Updating(self, Update(self.layout, merge(given, named)))

    def patch(self, given: Given = None, /, **named: Any) -> Updating[Update[Any]]:
        return Updating(self, Update(self.layout, merge(given, named), must_exist=True))

    def delete(self, given: Given | Sequence[Values] = None, /, **named: Any) -> Any:
        if is_list(given):
            return Batch(self, BatchWrite(tuple(Delete(self.layout, merge(each, {})) for each in given)))
        return Conditional(self, Delete[Any](self.layout, merge(given, named)))

    def remove(self, given: Given = None, /, **named: Any) -> Conditional[Delete[Any]]:
        return Conditional(self, Delete(self.layout, merge(given, named), must_exist=True))

    def check(self, given: Given = None, /, **named: Any) -> Checking[Check[Any]]:
        return Checking(self, Check(self.layout, merge(given, named)))

    # ---- many items ----------------------------------------------------------------------------------------------

    @property
    def query(self) -> Any:
        return Patterns(self.layout, lambda name, given: Querying(self, Query[Any](self.layout, name, given)))

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
        options = read_loaded_options({"ignore_ownership": True, **given})
        if options.data == "raw":
            return {"data": response}
        ignore = bool(options.ignore_ownership)
        if response.get("Item") is not None:
            return {"data": read_item(self.layout, response["Item"], options, ignore=ignore)}
        if "Items" in response:
            found = [read_item(self.layout, item, options, ignore=ignore) for item in response["Items"]]
            return {"data": [item for item in found if item is not None]}
        if "Attributes" in response:  # the answer to a write tells only what was asked for, so it is taken on trust
            return {"data": read_own(self.layout, response["Attributes"], options)}
        return {"data": None}


def check_listeners(listeners: Any, logger: Any) -> tuple[Listener, ...]:
    """All that want to hear of requests and results."""
    if not is_list(listeners):
        raise RequestError(f"listeners are a list of functions, not {listeners!r:.40}", code=1021)
    found = (*listeners, *(() if logger is None else (logger,)))
    if not all(callable(each) for each in found):
        raise RequestError("a listener or logger is a function that takes an event", code=1021)
    return found
