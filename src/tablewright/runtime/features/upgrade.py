"""Items of older versions brought up to today, one page of the table at a time: `db.iter(tw.upgrade(Task))`.

An item stays where it is where its key stays the same; otherwise it moves, in one transaction. Either way it is
written only if it is still what was read, and read again if it is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import ConditionFailed, Incomplete, RequestError, TransactionCancelled
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.features.member import unchanged
from tablewright.runtime.items.cursor import write_cursor
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.items.reading import is_older, unwrap, upgraded
from tablewright.runtime.operations.put import index_keys
from tablewright.runtime.operations.query import Page
from tablewright.runtime.operations.scan import Scan
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Paged
from tablewright.runtime.requests.request import Params, call, check_abort, read_own, table_of

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem

E = TypeVar("E", bound="StoredItem")
E_co = TypeVar("E_co", covariant=True)

ATTEMPTS = 10


class Upgrade(Paged, msgspec.Struct, Generic[E_co], frozen=True):
    """`tw.upgrade(Task)`: a page of it reads a page of the table, and has the items that were written anew."""

    layout: Layout
    options: Options = DEFAULT

    method = "scan"

    def params(self) -> Params:
        """The request that reads a page: whatever says that it is of an older version, wherever it lies."""
        layout = self.layout
        identifiers = layout.entity.identifiers
        versions = tuple(nodes.Value(version) for version in layout.upgrades)
        owner = nodes.Compare("=", nodes.Name((identifiers.entity,)), nodes.Value(layout.entity.name))
        older = nodes.In(nodes.Name((str(identifiers.version),)), versions)
        placeholders = Placeholders()
        found = render_condition(nodes.And((owner, older)), placeholders)
        params = self.search().request(sending=True)
        return {
            **params,
            "FilterExpression": found,
            "ExpressionAttributeNames": placeholders.names,
            "ExpressionAttributeValues": placeholders.values,
        }

    def search(self) -> Scan[Any]:
        options = msgspec.structs.replace(self.options, consistent=True, across_tenants=True, expired=True)
        return Scan(self.layout, options=options)

    def flow(self) -> Flow[Page[E_co]]:
        check_abort(self.options)
        reply = yield from call("Scan", self.params())
        written: list[Any] = []
        for item in reply.get("Items", ()):
            made = yield from self.renew(item)
            if made is not None:
                written.append(read_own(self.layout, made, DEFAULT))
        last = reply.get("LastEvaluatedKey")
        return Page(written, write_cursor(last) if last else None)

    def renew(self, item: Params) -> Flow[Params | None]:
        """Write one item anew; None where somebody else did, or it is gone."""
        table, key = table_of(self.layout, self.options), {field: item[field] for field in self.layout.table_fields}
        for _ in range(ATTEMPTS):
            made = renewed(self.layout, item)
            try:
                yield from call(*_request(self.layout, table, item, made))
            except (ConditionFailed, TransactionCancelled):
                reply = yield from call("GetItem", {"TableName": table, "Key": key, "ConsistentRead": True})
                item = reply.get("Item", {})
                if not is_older(self.layout, item):
                    return None
            else:
                return made
        raise Incomplete("TryAgain", f"{key} changed faster than it could be upgraded; run the same again", details={})


def upgrade_at(layout: Layout, composites: Any, options: Options) -> Flow[bool]:
    """Bring the item of a key up to today; whether it was of an older version."""
    key = {"TableName": table_of(layout, options), "Key": layout.key(composites), "ConsistentRead": True}
    item = (yield from call("GetItem", key)).get("Item", {})
    if not is_older(layout, item):
        return False
    made = yield from Upgrade[Any](layout, options).renew(item)
    return made is not None


def renewed(layout: Layout, item: Params) -> Params:
    """The item as today's version stores it; fields that the entity does not know stay."""
    stored = {field: value for field, value in upgraded(layout, item).items() if field not in layout.key_fields}
    known = {field: layout.by_field[field] for field in stored if field in layout.by_field}
    values = {each.name: unwrap(layout, each, stored[field]) for field, each in known.items()}
    missing = [name for name in layout.required if name not in values]
    if missing:
        what = f"{layout.name}: the upgrade of an item left out {layout.listed(missing)}"
        raise RequestError(f"{what}; let its function give every required attribute", code=2002)
    return {**stored, **index_keys(layout, values)[0], **layout.identity}


def _request(layout: Layout, table: str, old: Params, new: Params) -> tuple[str, Params]:
    """A put in its place, or a move: the new one where nothing is, the old one gone."""
    placeholders = Placeholders()
    same = nodes.all_of(*unchanged(layout, old))
    assert same is not None
    condition: Params = {"ConditionExpression": render_condition(same, placeholders)}
    condition |= {"ExpressionAttributeNames": placeholders.names, "ExpressionAttributeValues": placeholders.values}
    if all(old[field] == new[field] for field in layout.table_fields):
        return "PutItem", {"TableName": table, "Item": new, **condition}
    field = layout.primary.pk.field
    absent = {"ConditionExpression": "attribute_not_exists(#pk)", "ExpressionAttributeNames": {"#pk": field}}
    gone = {"TableName": table, "Key": {name: old[name] for name in layout.table_fields}, **condition}
    return "TransactWriteItems", {
        "TransactItems": [{"Put": {"TableName": table, "Item": new, **absent}}, {"Delete": gone}]
    }


def upgrade(entity: type[E]) -> Upgrade[E]:
    """Write items of older versions anew, and move them where keys carry another version now.

    `for task in db.iter(tw.upgrade(Task))` does all; a page's cursor resumes it: `tw.upgrade(Task).after(cursor)`.
    """
    layout = entity.__tablewright_layout__()
    if not layout.upgrades or layout.entity.identifiers.version is None:
        raise RequestError(f"{layout.name} has no upgrades; write upgrades={{...}} in its class statement", code=2002)
    return Upgrade(layout)
