"""Bringing back what was: `tw.restore(key)` a marked item, `tw.restore(key, 3)` the contents of an earlier version.

The latter is a write like any other: it is the next version, unique values are claimed again, and nobody's write in
between is lost, because it insists on the version it replaces. `tw.forget(key)` deletes an item with all its versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.features.history.versions import OneVersion, with_history
from tablewright.runtime.features.history.write_along import is_kept, versions_request
from tablewright.runtime.features.soft_delete import purge, unmark
from tablewright.runtime.features.version import field_of
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.key import key_of
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.batch_retry import repacked, rounds
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call, existence, read_own, table_of
from tablewright.wire.limits import MAX_BATCH_WRITE_ITEMS

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.key import Key
    from tablewright.runtime.operations.delete import Delete
    from tablewright.runtime.operations.update import Update

E = TypeVar("E", bound="StoredItem")
E_co = TypeVar("E_co", covariant=True)


class Restore(Tunable, msgspec.Struct, Generic[E_co], frozen=True):
    """Writes the contents of an earlier version as the next one; the answer is the item."""

    layout: Layout
    composites: Values
    number: int
    options: Options = DEFAULT

    method = "restore"

    def params(self) -> Params:
        """The request that reads the version."""
        return OneVersion[Any](self.layout, self.composites, self.number, self.options).params()

    def flow(self) -> Flow[E_co]:
        layout = self.layout
        reply = yield from call("GetItem", self.params())
        table, key = table_of(layout, self.options), layout.key(self.composites)
        kept: Params = reply.get("Item") or {}
        stored: Params | None = kept.get("item")
        if stored is None:
            what = "is a deletion" if is_kept(kept) else "is not kept"
            raise RequestError(f"{layout.name}: version {self.number} {what}; choose one of tw.versions(...)")
        reply = yield from call("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True})
        assert layout.plan is not None  # what is kept has versions
        settled = yield from layout.plan.run(_rewriting(layout, table, stored, reply.get("Item")))
        return read_own(layout, settled.body["Item"], DEFAULT)  # type: ignore[no-any-return]


class _Rewriting(msgspec.Struct, frozen=True):
    """A put of an item as it was stored, in place of the one that is there now."""

    layout: Layout
    table: str
    item: Params
    values: Params
    only_new: bool
    options: Options = DEFAULT

    method = "put"

    def clause(self) -> Params:
        layout = self.layout
        condition = existence(layout, exists=not self.only_new)
        if not self.only_new:
            same = nodes.Compare("=", nodes.Name((field_of(layout),)), nodes.Value(self.item[field_of(layout)] - 1))
            condition = nodes.all_of(condition, same)
        assert condition is not None
        placeholders = Placeholders()
        body: Params = {
            "TableName": self.table,
            "Item": self.item,
            "ConditionExpression": render_condition(condition, placeholders),
            "ExpressionAttributeNames": placeholders.names,
        }
        return {"Put": {**body, "ExpressionAttributeValues": placeholders.values} if placeholders.values else body}


def _rewriting(layout: Layout, table: str, stored: Params, current: Params | None) -> _Rewriting:
    lock = field_of(layout)
    number = 0 if current is None else int(current.get(lock, 0))
    dropped = layout.marked_by
    item = {**{field: value for field, value in stored.items() if field != dropped}, **layout.identity}
    item[lock] = number + 1
    values = {layout.by_field[field].name: value for field, value in item.items() if field in layout.by_field}
    values[layout.by_field[lock].name] = number
    return _Rewriting(layout, table, item, values, only_new=current is None)


class Forget(Tunable, msgspec.Struct, frozen=True):
    """Deletes an item and all its versions; the answer is how many versions there were. It can be run again."""

    deletion: Any
    options: Options = DEFAULT

    method = "forget"

    @property
    def layout(self) -> Layout:
        return self.deletion.layout  # type: ignore[no-any-return]

    def params(self) -> Params:
        return self.deletion.params()  # type: ignore[no-any-return]

    def flow(self) -> Flow[int]:
        layout = self.layout
        table, key = table_of(layout, self.options), layout.key(self.deletion.composites)
        yield from self.deletion.with_options(table=self.options.table).flow()
        request = versions_request(layout, table, key, ConsistentRead=True)
        count: int = 0
        while True:
            reply = yield from call("Query", request)
            keys = [{field: item[field] for field in layout.table_fields} for item in reply["Items"]]
            whole: Params = {"RequestItems": {table: [{"DeleteRequest": {"Key": each}} for each in keys]}}
            books = yield from rounds("BatchWriteItem", list(repacked([whole], MAX_BATCH_WRITE_ITEMS)), self.options)
            if not books.is_complete:
                raise books.error or RequestError(f"{layout.name}: some versions are left; run it again")
            count += sum(map(is_kept, reply["Items"]))
            if "LastEvaluatedKey" not in reply:
                return count
            request = {**request, "ExclusiveStartKey": reply["LastEvaluatedKey"]}


# ---- operations ------------------------------------------------------------------------------------------------------


@overload
def restore(target: E | Key[E], version: None = None) -> Update[E]: ...
@overload
def restore(target: E | Key[E], version: int) -> Restore[E]: ...
def restore(target: E | Key[E], version: int | None = None) -> Update[E] | Restore[E]:
    """Bring back an item that is marked as deleted, or the contents of an earlier version."""
    if version is None:
        return unmark(target)
    key = with_history(target)
    return Restore(key.layout, key.composites, version)


def forget(target: E | Key[E]) -> Forget:
    """Delete an item for good, and all versions of it."""
    deletion: Delete[E] = purge(with_history(key_of(target)))
    return Forget(deletion)
