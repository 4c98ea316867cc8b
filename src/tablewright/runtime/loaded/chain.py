"""ElectroDB's chains with Python manners: each step gives a new chain, the last one shows, runs or commits.

Values are given as keyword arguments, or as one dict where a name is no identifier (`{"odd-name": 1, "dims.beam": 2}`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Self, TypeVar

import msgspec


from tablewright.errors import RequestError
from tablewright.expr.nodes import all_of
from tablewright.runtime.items.intake import ABSENT
from tablewright.runtime.loaded.results import run
from tablewright.runtime.loaded.where import read_data, read_filter, read_where
from tablewright.runtime.operations.changes import Change, Verb, parse_path
from tablewright.runtime.operations.conditions import Operator, Sort
from tablewright.runtime.options import read_options

Op = TypeVar("Op")


def merge(given: Mapping[str, Any] | None, named: Mapping[str, Any]) -> dict[str, Any]:
    """Values from a dict and from keyword arguments; absent ones left out."""
    merged = {**(given or {}), **named}
    return {name: value for name, value in merged.items() if value is not ABSENT}


class Chain(Generic[Op]):
    """An operation in the making, and whose it is."""

    def __init__(self, owner: Any, operation: Op) -> None:
        self.owner = owner
        self.operation: Any = operation

    def _with(self, **fields: Any) -> Self:
        return type(self)(self.owner, msgspec.structs.replace(self.operation, **fields))

    def _ready(self, options: Mapping[str, Any]) -> Any:
        read = read_options({name: value for name, value in options.items() if name != "client"})
        return msgspec.structs.replace(self.operation, options=read)

    def params(self, **options: Any) -> Any:
        """The request, with plain values."""
        return self._ready(options).params()

    def go(self, **options: Any) -> Any:
        """Run it; the answer has ElectroDB's shape."""
        operation = self._ready(options)
        client = options.get("client") or self.owner.client
        return run(operation, client, operation.options, self.owner.listeners)

    def commit(self, **options: Any) -> Any:
        """The operation as a member of a transaction."""
        operation = self._ready(options)
        if not hasattr(operation, "clause"):
            raise RequestError(f"{type(operation).__name__} cannot be a member of a transaction", code=5002)
        return operation


class Conditional(Chain[Op]):
    """A chain that takes conditions (writes) or filters (reads)."""

    def where(self, callback: Callable[[Any, Any], Any]) -> Self:
        return self._and(read_where(self._layouts(), callback))

    def filter(self, callback: Callable[..., Any]) -> Self:
        """The older form of where: `lambda a: a.status.eq("open")`."""
        return self._and(read_filter(self.operation.layout, callback))

    def _and(self, condition: Any) -> Self:
        return self._with(condition=all_of(self.operation.condition, condition))

    def _layouts(self) -> tuple[Any, ...]:
        members = getattr(self.operation, "members", None)
        return tuple(members.values()) if members else (self.operation.layout,)

    def __getattr__(self, name: str) -> Callable[..., Self]:
        """The filters that the schema names are methods of the chain."""
        if name.startswith("_") or name in ("operation", "owner"):
            raise AttributeError(name)
        named = self.operation.layout.entity.filters.get(name)
        if named is None:
            raise AttributeError(f"{type(self).__name__} has no {name!r}, and the schema no filter of that name")
        return lambda *args: self._and(read_filter(self.operation.layout, named, *args))


class Changing(Conditional[Op]):
    """update, patch and upsert: clauses that change attributes."""

    def _change(self, verb: Verb, given: Mapping[str, Any] | None, named: Mapping[str, Any]) -> Self:
        layout = self.operation.layout
        changes = [Change(verb, parse_path(layout, name), value) for name, value in merge(given, named).items()]
        return self._with(changes=(*self.operation.changes, *changes))

    def set(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._change("set", given, named)

    def add(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._change("add", given, named)

    def subtract(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._change("subtract", given, named)

    def append(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._change("append", given, named)

    def delete(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._change("delete", given, named)

    def if_not_exists(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._change("if_not_exists", given, named)

    def remove(self, names: Iterable[str]) -> Self:
        layout = self.operation.layout
        changes = [Change("remove", parse_path(layout, name)) for name in names]
        return self._with(changes=(*self.operation.changes, *changes))


class Updating(Changing[Op]):
    """update and patch."""

    def data(self, callback: Callable[[Any, Any], Any]) -> Self:
        return self._with(changes=(*self.operation.changes, *read_data(self.operation.layout, callback)))

    def composite(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        """Values that complete index keys; the update demands that they hold."""
        known = dict(self.operation.known)
        for name, value in merge(given, named).items():
            if name not in self.operation.layout.index_composites:
                continue
            if name in known and known[name] != value:
                raise RequestError(f"composite() says {known[name]!r} and {value!r} of {name}", code=2010)
            known[name] = value
        return self._with(known=known)


class Querying(Conditional[Op]):
    """query and collections: comparisons on the sort key."""

    def _compare(self, operator: Operator, low: Mapping[str, Any], high: Mapping[str, Any] | None = None) -> Self:
        return self._with(sort=Sort(operator, low, high or {}))

    def between(self, low: Mapping[str, Any], high: Mapping[str, Any]) -> Self:
        return self._compare("between", merge(low, {}), merge(high, {}))

    def begins(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._compare("begins", merge(given, named))

    def gt(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._compare("gt", merge(given, named))

    def gte(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._compare("gte", merge(given, named))

    def lt(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._compare("lt", merge(given, named))

    def lte(self, given: Mapping[str, Any] | None = None, /, **named: Any) -> Self:
        return self._compare("lte", merge(given, named))
