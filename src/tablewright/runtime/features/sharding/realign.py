"""Bringing stored items to where the declaration puts them today: after the number of shards has changed.

One run reads a page of the table and rewrites the partition keys that are not what they would be if the item was
written now. Every rewrite demands that what the key was made of still holds, and is worked out anew when it does not,
so the job runs beside any other writer; and since it looks at what is stored, it can be stopped, repeated and resumed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import ConditionFailed, Incomplete, RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition, render_update
from tablewright.runtime.flow import Together
from tablewright.runtime.items.cursor import write_cursor
from tablewright.runtime.items.derive import derived
from tablewright.runtime.items.index_keys import keys_for_put
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.items.reading import owns
from tablewright.runtime.operations.query import Page
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Paged
from tablewright.runtime.requests.request import Params, call, check_abort, existence, read_own, table_of
from tablewright.wire.call import Call
from tablewright.wire.document import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem

E = TypeVar("E", bound="StoredItem")
E_co = TypeVar("E_co", covariant=True)

ATTEMPTS = 10
AT_ONCE = 8


class Realign(Paged, msgspec.Struct, Generic[E_co], frozen=True):
    """`tw.realign(Task)`: a page of it reads a page of the table, and has the items that were moved."""

    layout: Layout
    options: Options = DEFAULT

    method = "scan"

    def search(self) -> Scan[Any]:
        options = msgspec.structs.replace(self.options, consistent=True, across_tenants=True, expired=True)
        return Scan(self.layout, options=options)

    def params(self) -> Params:
        """The request that reads a page."""
        return self.search().params()

    def flow(self) -> Flow[Page[E_co]]:
        check_abort(self.options)
        reply = yield from call("Scan", self.search().request(sending=True))
        own = [item for item in reply.get("Items", ()) if owns(self.layout, item, by_key=False)]
        astray = [(item, request) for item in own if (request := self.rewrite(item)) is not None]
        calls = tuple(Call("UpdateItem", to_wire(request)) for _, request in astray)
        outcomes: list[Any] = (yield Together(calls, self.options.width or AT_ONCE)) if calls else []
        for (item, _), outcome in zip(astray, outcomes, strict=True):
            if isinstance(outcome, ConditionFailed):
                yield from self.insist(self.key(item))
            elif isinstance(outcome, Exception):
                raise outcome
        last = reply.get("LastEvaluatedKey")
        moved = [read_own(self.layout, item, DEFAULT) for item, _ in astray]
        return Page(moved, write_cursor(last) if last else None)

    def insist(self, key: Params) -> Flow[None]:
        """Someone changed the item meanwhile: see whether it is in its place now, and put it there otherwise."""
        table = table_of(self.layout, self.options)
        for _ in range(ATTEMPTS):
            reply = yield from call("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True})
            request = self.rewrite(reply["Item"]) if reply.get("Item") else None
            if request is None:
                return
            try:
                yield from call("UpdateItem", request)
            except ConditionFailed:
                continue
            return
        raise Incomplete("TryAgain", f"{key} changed faster than it could be moved; run the same again", details={})

    def key(self, item: Params) -> Params:
        return {field: item[field] for field in self.layout.table_fields}

    def rewrite(self, item: Params) -> Params | None:
        """The update that puts an item into its place; None when it is there."""
        layout = self.layout
        fields = _placed(layout, item)
        changes = {field: value for field, value in fields.items() if item.get(field) != value}
        if not changes:
            return None
        actions = [
            nodes.Remove(nodes.Name((field,))) if value is None else nodes.Set(nodes.Name((field,)), nodes.Value(value))
            for field, value in changes.items()
        ]
        update = nodes.Update(
            set=tuple(each for each in actions if isinstance(each, nodes.Set)),
            remove=tuple(each for each in actions if isinstance(each, nodes.Remove)),
        )
        placeholders = Placeholders()
        condition = nodes.all_of(existence(layout, exists=True), *_still_so(layout, item, changes))
        params: Params = {"TableName": table_of(layout, self.options), "Key": self.key(item)}
        params["UpdateExpression"] = render_update(update, placeholders)
        if condition is not None:
            params["ConditionExpression"] = render_condition(condition, placeholders)
        return {
            **params,
            "ExpressionAttributeNames": placeholders.names,
            **({"ExpressionAttributeValues": placeholders.values} if placeholders.values else {}),
        }


def _spread_keys(layout: Layout) -> list[Any]:
    return [keys for keys in layout.keys.values() if keys.pattern.is_spread and keys.pattern.index is not None]


def _placed(layout: Layout, item: Params) -> dict[str, Any]:
    """The fields that say where an item is in its spread indexes, as they should be; None for what it should lack."""
    stored = {layout.by_field[field].name: value for field, value in item.items() if field in layout.by_field}
    values = derived(layout.derived, stored)
    plan = keys_for_put(layout, values)
    sides = [side for keys in _spread_keys(layout) for side in (keys.pk, keys.sk) if side is not None and side.field]
    fields = {side.field: plan.set.get(side.field) for side in sides if side.field not in layout.table_fields}
    names = [each.name for each in layout.derived if each.name not in layout.table_composites]
    return {**fields, **{layout.attributes[name].field: values.get(name) for name in names}}


def _still_so(layout: Layout, item: Params, changes: Params) -> Iterator[nodes.Condition]:
    """That everything the keys are made of, and the fields that change, are as they were read."""
    names = {
        name for keys in _spread_keys(layout) for name in (*keys.pattern.composites, *(keys.pattern.depends_on or ()))
    }
    names |= {source for each in layout.derived for source in each.sources}
    fields = {layout.attributes[name].field for name in names - set(layout.table_composites)}
    for field in sorted({*fields, *changes} - layout.table_fields):
        path = nodes.Name((field,))
        if field in item:
            yield nodes.Compare("=", path, nodes.Value(item[field]))
        else:
            yield nodes.Function("attribute_not_exists", (path,))


def realign(entity: type[E]) -> Realign[E]:
    """Put items where their access patterns look for them today: `for moved in db.iter(tw.realign(Task))`.

    A page's cursor resumes it: `tw.realign(Task).after(cursor)`.
    """
    layout = entity.__tablewright_layout__()
    if not _spread_keys(layout):
        remedy = "only items of a secondary index with shards or periods can move"
        raise RequestError(f"{layout.name} has nothing to realign: {remedy}", code=2002)
    return Realign(layout)
