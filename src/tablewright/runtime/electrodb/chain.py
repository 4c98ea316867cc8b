"""ElectroDB's chains with Python manners: each step gives a new chain, the last one shows, runs or commits.

Values are given as keyword arguments, or as one dict where a name is no identifier (`{"odd-name": 1, "dims.beam": 2}`).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.expr.nodes import all_of
from tablewright.runtime.electrodb.data import read_data
from tablewright.runtime.electrodb.execute import Answering, run
from tablewright.runtime.electrodb.filters import read_filter
from tablewright.runtime.electrodb.options import read_loaded_options
from tablewright.runtime.electrodb.where import read_where
from tablewright.runtime.requests.changes import Change, PathParts, Verb, fault, is_free, parse_path, path_text
from tablewright.runtime.requests.draft import Draft
from tablewright.runtime.requests.ranges import Operator, Sort
from tablewright.runtime.types.values import ABSENT, is_map

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout

Op = TypeVar("Op")

ON_THE_WAY = frozenset({"pages", "concurrent", "cursor"})
NOTHING: Mapping[str, Any] = MappingProxyType({})


def merge(given: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes from a dict and from keyword arguments; absent ones left out.

    What is no dict has no attributes, so that the operation names those it misses.
    """
    merged = {**(given if is_map(given) else {}), **named}
    return {name: value for name, value in merged.items() if value is not ABSENT}


def _clause(given: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """What a clause says of which attributes, absent values too."""
    if not is_map(given):
        raise RequestError(f"a clause takes a dict of attributes or keyword arguments, not {given!r:.40}", code=5002)
    return {**given, **named}


class Chain(Generic[Op]):
    """An operation in the making, and whose it is."""

    def __init__(self, owner: Any, operation: Op) -> None:
        self.owner = owner
        self.operation: Any = operation

    def _with(self, **fields: Any) -> Self:
        return type(self)(self.owner, msgspec.structs.replace(self.operation, **fields))

    def _ready(self, options: Mapping[str, Any]) -> Any:
        read = read_loaded_options({name: value for name, value in options.items() if name != "client"})
        return msgspec.structs.replace(self.operation, options=read)

    def params(self, **options: Any) -> Any:
        """The request, with plain values. What only matters on the way is not looked at."""
        shaping = {name: value for name, value in options.items() if name not in ON_THE_WAY}
        return self._ready(shaping).params()

    def go(self, **options: Any) -> Any:
        """Run it; the answer has ElectroDB's shape. With an `AsyncDatabase` as the client, await it."""
        operation = self._ready(options)
        client = self.owner.client if options.get("client") is None else options["client"]
        return run(operation, client, operation.options, self.owner.listeners)

    def flow(self) -> Flow[Any]:
        """As an operation without options, for a database to run: `await adb.run(chain)`."""
        operation = self._ready({})
        return Answering(operation, operation.options, self.owner.listeners).flow()

    def commit(self, **options: Any) -> Any:
        """The operation as a member of a transaction."""
        operation = self._ready(options)
        if not (hasattr(operation, "clause") or hasattr(operation, "read_clause")):
            raise RequestError(f"{type(operation).__name__} cannot be a member of a transaction", code=5002)
        return operation


class Batch(Chain[Op]):
    """Many gets, puts or deletes. ElectroDB would take a condition here and forget it."""

    def where(self, *_: Any) -> NoReturn:
        raise RequestError("DynamoDB takes no conditions in a batch; use single writes or a transaction", code=5002)

    filter = where


class Conditional(Chain[Op]):
    """A chain that takes conditions (writes) or filters (reads); nothing but more of them can follow."""

    def where(self, callback: Callable[..., Any]) -> Conditional[Op]:
        return self._and(read_where(self._layouts(), callback))

    def filter(self, callback: Callable[..., Any]) -> Conditional[Op]:
        """The older form of where: `lambda a: a.status.eq("open")`."""
        return self._and(read_filter(self.operation.layout, callback))

    def _and(self, condition: Any) -> Conditional[Op]:
        joined = all_of(self.operation.condition, condition)
        return Conditional(self.owner, msgspec.structs.replace(self.operation, condition=joined))

    def _layouts(self) -> tuple[Any, ...]:
        members = getattr(self.operation, "members", None)
        return tuple(members.values()) if members else (self.operation.layout,)

    def __getattr__(self, name: str) -> Callable[..., Conditional[Op]]:
        """The filters that the schema names are methods of the chain."""
        if name.startswith("_") or name in ("operation", "owner"):
            raise AttributeError(name)
        named = self.operation.layout.entity.filters.get(name)
        if named is None:
            raise AttributeError(f"{type(self).__name__} has no {name!r}, and the schema no filter of that name")
        return lambda *args: self._and(read_filter(self.operation.layout, named, *args))


class Checking(Conditional[Op]):
    """check: a member of transactions, and nothing besides."""

    def params(self, **_: Any) -> NoReturn:
        raise RequestError("check belongs in a transaction: end it with commit()", code=5002)

    go = params


class Changing(Conditional[Op]):
    """update, patch and upsert: clauses that change attributes."""

    def _change(self, verb: Verb, given: Any, named: Mapping[str, Any]) -> Self:
        layout = self.operation.layout
        changes = [Change(verb, _path_of(layout, name), value) for name, value in _clause(given, named).items()]
        return self._with(changes=(*self.operation.changes, *changes))

    def set(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        return self._change("set", given, named)

    def add(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        return self._change("add", given, named)

    def subtract(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        return self._change("subtract", given, named)

    def append(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        return self._change("append", given, named)

    def if_not_exists(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        return self._change("if_not_exists", given, named)


class Updating(Changing[Op]):
    """update and patch."""

    def delete(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        return self._change("delete", given, named)

    def remove(self, names: Iterable[str]) -> Self:
        if isinstance(names, str):
            raise RequestError(f"remove takes a list of attributes: remove([{names!r}])", code=5002)
        layout = self.operation.layout
        paths = [_path_of(layout, name) for name in names]
        for path in paths:
            _refuse_inside_free(layout, path)
        return self._with(changes=(*self.operation.changes, *(Change("remove", path) for path in paths)))

    def data(self, callback: Callable[..., Any]) -> Self:
        return self._with(changes=(*self.operation.changes, *read_data(self.operation.layout, callback)))

    def if_not_exists(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        """The one clause of an update that ElectroDB checks as it is written, in front of all others."""
        layout, changing = self.operation.layout, super().if_not_exists(given, **named)
        draft = Draft(layout)
        for change in changing.operation.changes[len(self.operation.changes) :]:
            draft.take(change)
        return changing

    def composite(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Self:
        """Values that complete index keys; the update demands that they hold."""
        known = dict(self.operation.known)
        for name, value in _clause(given, named).items():
            if name not in self.operation.layout.index_composites:
                continue
            if known.get(name, value) != value or value is ABSENT:
                raise RequestError(f"composite() says {known.get(name)!r} and {value!r} of {name}", code=2010)
            known[name] = value
        return self._with(known=known)


def _path_of(layout: Layout, text: str) -> PathParts:
    path = parse_path(layout, text)
    if not path:
        raise RequestError("a clause names an attribute with no name", code=1012)
    return path


def _refuse_inside_free(layout: Layout, path: PathParts) -> None:
    """ElectroDB does not look into `any` when it removes by name (data() does)."""
    root = layout.attributes.get(str(path[0]))
    if root is not None and is_free(root) and len(path) > 1:
        reason = "is inside an attribute of type any; remove it with data(lambda a, op: op.remove(...))"
        raise fault(layout, path_text(path), reason)


class Querying(Conditional[Op]):
    """query, find and some collections: one comparison on the sort key."""

    def _compare(
        self, operator: Operator, low: Mapping[str, Any], high: Mapping[str, Any] = NOTHING
    ) -> Conditional[Op]:
        sort = Sort(operator, low, high)
        return Conditional(self.owner, msgspec.structs.replace(self.operation, sort=sort))

    def between(self, low: Mapping[str, Any], high: Mapping[str, Any]) -> Conditional[Op]:
        return self._compare("between", merge(low, {}), merge(high, {}))

    def begins(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Conditional[Op]:
        return self._compare("begins", merge(given, named))

    def gt(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Conditional[Op]:
        return self._compare("gt", merge(given, named))

    def gte(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Conditional[Op]:
        return self._compare("gte", merge(given, named))

    def lt(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Conditional[Op]:
        return self._compare("lt", merge(given, named))

    def lte(self, given: Mapping[str, Any] = NOTHING, /, **named: Any) -> Conditional[Op]:
        return self._compare("lte", merge(given, named))
