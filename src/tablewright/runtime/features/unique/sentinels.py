"""Sentinels read and repaired: the item behind a unique value, and a check of all sentinels of an entity.

The repair reads the whole table. It claims values for items that have no sentinel (they are older than the rule, or
were written by something that does not know it), removes sentinels whose owner has no such value any more, and reports
values that several items share, which only you can resolve. Each step is a transaction that insists on what it rests
on, so that it may run while others write, be stopped anywhere, and be run again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError, TransactionCancelled
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.clock import new_id
from tablewright.runtime.features.companion import Change, companion_identity
from tablewright.runtime.features.member import is_still, unchanged
from tablewright.runtime.features.unique.claims import (
    OWNER,
    Claim,
    UniqueValues,
    claim_of,
    entity_mark,
    give_back,
    sentinel_key,
    take,
)
from tablewright.runtime.items.intake import store
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.items.reading import owns
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call, owner_filter, read_item, table_of
from tablewright.runtime.types.values import ABSENT

if TYPE_CHECKING:
    from tablewright.runtime.features.companion import Clause
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem

E = TypeVar("E", bound="StoredItem")


class FindUnique(Tunable, msgspec.Struct, Generic[E], frozen=True):
    """`tw.find_unique(User, email="ann@example.com")`: the one item that has the value, by two consistent gets."""

    layout: Layout
    group: tuple[str, ...]
    values: tuple[Any, ...]
    options: Options = DEFAULT

    method = "find_unique"

    def params(self) -> Params:
        """The request for the sentinel, which knows the owner's key."""
        key = sentinel_key(self.layout, self.group, self.values)
        return {"TableName": table_of(self.layout, self.options), "Key": key, "ConsistentRead": True}

    def flow(self) -> Flow[E | None]:
        request = self.params()
        sentinel = (yield from call("GetItem", request)).get("Item")
        if sentinel is None:
            return None
        found = (yield from call("GetItem", {**request, "Key": sentinel[OWNER]})).get("Item")
        if found is None or self.has_moved_on(found):  # between the two gets
            return None
        return read_item(self.layout, found, self.options, ignore=self.layout.ignore_ownership)  # type: ignore[no-any-return]

    def has_moved_on(self, item: Params) -> bool:
        claim = claim_of(self.layout, self.group, item, {})
        return claim is None or dict(claim.sentinel) != sentinel_key(self.layout, self.group, self.values)


def find_unique(entity: type[E], **attributes: Any) -> FindUnique[E]:
    """The item with these values of attributes that are declared unique, together or alone."""
    layout = entity.__tablewright_layout__()
    values = layout.take(attributes)
    group = next((each for each in layout.entity.features.unique if {*each} == {*values}), None)
    if group is None or any(value is ABSENT for value in values.values()):
        declared = "; ".join(layout.listed(each) for each in layout.entity.features.unique) or "nothing"
        raise RequestError(
            f"{layout.name}: {', '.join(attributes)} cannot be looked up; unique are {declared}", code=2002
        )
    return FindUnique(layout, group, tuple(_as_stored(layout, name, values) for name in group))


def _as_stored(layout: Layout, name: str, values: dict[str, Any]) -> Any:
    """A value as items hold it: after its setter, and as a key where the attribute is one."""
    return layout.as_stored(name, store(layout.attributes[name], values[name], values))


class Repaired(msgspec.Struct, frozen=True):
    """What a repair found: items seen, values claimed for them, sentinels removed, and values that several share."""

    items: int = 0
    claimed: int = 0
    removed: int = 0
    shared: tuple[tuple[tuple[str, ...], tuple[Any, ...], dict[str, Any]], ...] = ()  # attributes, values, whose key


class RepairUnique(Tunable, msgspec.Struct, frozen=True):
    """`tw.repair_unique(User)`."""

    layout: Layout
    options: Options = DEFAULT

    method = "repair_unique"

    def params(self) -> Params:
        """The first request of the scan."""
        identity = companion_identity(self.layout, "unique")
        sentinels = [nodes.Compare("=", nodes.Name((field,)), nodes.Value(each)) for field, each in identity.items()]
        either = nodes.Or((owner_filter(self.layout), nodes.And(tuple(sentinels))))
        placeholders = Placeholders()
        return {
            "TableName": table_of(self.layout, self.options),
            "ConsistentRead": True,
            "FilterExpression": render_condition(either, placeholders),
            "ExpressionAttributeNames": placeholders.names,
            "ExpressionAttributeValues": placeholders.values,
        }

    def flow(self) -> Flow[Repaired]:
        request, seen = self.params(), Repaired()
        while True:
            reply = yield from call("Scan", request)
            for item in reply.get("Items", ()):
                if owns(self.layout, item, by_key=False):
                    seen = yield from self.claim_all(item, seen)
                elif item.get("entity") == entity_mark(self.layout):
                    seen = yield from self.check_sentinel(item, seen)
            if not reply.get("LastEvaluatedKey"):
                return seen
            request = {**request, "ExclusiveStartKey": reply["LastEvaluatedKey"]}

    # ---- items without sentinel ----------------------------------------------------------------------------------

    def claim_all(self, item: Params, seen: Repaired) -> Flow[Repaired]:
        """See that every value of an item has its sentinel."""
        change = self.change(item)
        for claim in _companion_of(self.layout).claims(change, item).values():
            sentinel = yield from self.get(dict(claim.sentinel))
            if sentinel is None:
                done = yield from self.send(self.check(change, claim), take(change, claim, claim))
                seen = msgspec.structs.replace(seen, claimed=seen.claimed + done)
            elif sentinel[OWNER] != dict(claim.owner):
                shared = (claim.attributes, claim.values, dict(claim.composites))
                seen = msgspec.structs.replace(seen, shared=(*seen.shared, shared))
        return msgspec.structs.replace(seen, items=seen.items + 1)

    # ---- sentinels without item ----------------------------------------------------------------------------------

    def check_sentinel(self, sentinel: Params, seen: Repaired) -> Flow[Repaired]:
        """Remove a sentinel whose owner is gone or has another value."""
        owner: Params = sentinel[OWNER]
        item = yield from self.get(owner)
        group = tuple(sentinel["attributes"])
        claim = claim_of(self.layout, group, item, owner)
        key = {field: sentinel[field] for field, _ in self.layout.table_key}
        if claim is not None and dict(claim.sentinel) == key:
            return seen
        stale = Claim(group, (), tuple(key.items()), tuple(owner.items()), ())
        conditions = list(unchanged(self.layout, item)) if item is not None else [_missing(self.layout)]
        change = self.change(owner)
        done = yield from self.send(self.checking(owner, conditions), give_back(change, stale))
        return msgspec.structs.replace(seen, removed=seen.removed + done)

    # ---- requests ------------------------------------------------------------------------------------------------

    def change(self, item: Params) -> Change:
        key = {field: item[field] for field, _ in self.layout.table_key}
        return Change(self.layout, table_of(self.layout, self.options), "put", key)

    def get(self, key: Params) -> Flow[Params | None]:
        request = {"TableName": table_of(self.layout, self.options), "Key": key, "ConsistentRead": True}
        return (yield from call("GetItem", request)).get("Item")

    def check(self, change: Change, claim: Claim) -> Params:
        """That the item still has the values."""
        fields = [self.layout.attributes[name].field for name in claim.attributes]
        held = dict(zip(fields, claim.values, strict=True))
        return self.checking(dict(change.key), [is_still(held, field) for field in fields])

    def checking(self, key: Params, conditions: list[nodes.Condition]) -> Params:
        placeholders = Placeholders()
        text = render_condition(nodes.And(tuple(conditions)), placeholders)
        body: Params = {"TableName": table_of(self.layout, self.options), "Key": key, "ConditionExpression": text}
        body["ExpressionAttributeNames"] = placeholders.names
        return {**body, "ExpressionAttributeValues": placeholders.values} if placeholders.values else body

    def send(self, check: Params, clause: Clause) -> Flow[bool]:
        """Whether it was done; when something has changed meanwhile, whoever changed it has seen to the sentinels."""
        members = [{"ConditionCheck": check}, {clause.action: clause.body}]
        try:
            yield from call("TransactWriteItems", {"TransactItems": members, "ClientRequestToken": new_id()})
        except TransactionCancelled:
            return False
        return True


def repair_unique(entity: type[StoredItem]) -> RepairUnique:
    """Give every item the sentinels it lacks, remove those that nobody owns, and report values that items share."""
    layout = entity.__tablewright_layout__()
    if not layout.entity.features.unique:
        raise RequestError(f"{layout.name} declares nothing unique; there is nothing to repair", code=2002)
    return RepairUnique(layout)


def _missing(layout: Layout) -> nodes.Condition:
    return nodes.Function("attribute_not_exists", (nodes.Name((layout.table_key[0][0],)),))


def _companion_of(layout: Layout) -> UniqueValues:
    assert layout.plan is not None
    return next(each for each in layout.plan.companions if isinstance(each, UniqueValues))
