"""One write in a plan: its clause taken apart, and put together again with what companions rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.apply import apply
from tablewright.expr.evaluate import evaluate
from tablewright.expr.faults import ExpressionError
from tablewright.expr.parse import parse_condition, parse_update
from tablewright.expr.render import Placeholders, render_condition, render_update
from tablewright.runtime.features.companion import Change, Companion
from tablewright.runtime.features.version import expected_version, field_of, is_broken
from tablewright.runtime.items.hooks import Settled
from tablewright.runtime.operations.delete import as_sent
from tablewright.runtime.requests.request import existence
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.runtime.features.companion import Item, Kind
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options

Params: TypeAlias = dict[str, Any]

KINDS: dict[str, Kind] = {"Put": "put", "Update": "update", "Delete": "delete"}
ANSWERS = frozenset({"all_old", "updated_old", "all_new", "updated_new"})


class Member(msgspec.Struct, frozen=True):
    """A write as a member of a transaction."""

    write: Any
    action: str
    body: Params
    condition: nodes.Condition | None
    update: nodes.Update | None
    concerned: tuple[Companion, ...]
    needs_old: bool

    @property
    def layout(self) -> Layout:
        return self.write.layout  # type: ignore[no-any-return]

    @property
    def is_new(self) -> bool:
        """Whether the write insists that there is no item yet."""
        return bool(getattr(self.write, "only_new", False))

    @property
    def key(self) -> Params:
        body = self.body
        held: Params = body["Key"] if "Key" in body else body["Item"]
        return {field: held[field] for field, _ in self.layout.table_key}

    def get(self) -> Params:
        """The request for the item as it is."""
        return {"TableName": self.body["TableName"], "Key": self.key, "ConsistentRead": True}

    # ---- what it changes -----------------------------------------------------------------------------------------

    def change(self, old: Item | None) -> Change:
        kind = KINDS.get(self.action, "update")
        return Change(self.layout, self.body["TableName"], kind, self.key, old, self.new(old))

    def new(self, old: Item | None) -> Item | None:
        """The item afterwards; None when there will be none, or when only the old one, not asked for, could tell."""
        if self.action == "Put":
            return self.body["Item"]  # type: ignore[no-any-return]
        if self.update is None or not self.needs_old:
            return None
        try:
            return apply(self.update, old if old is not None else self.key, exists=old is not None)
        except ExpressionError as error:
            if self.condition is not None and not evaluate(self.condition, old or {}):
                return old  # its condition fails first, and DynamoDB will say so
            raise RequestError(f"{self.layout.name}: the update does not fit the stored item: {error}") from error

    def numbered(self, number: int, old: Item | None) -> Member:
        """The same write with this version for the item."""
        field = field_of(self.layout)
        if self.update is None:
            body = {**self.body, "Item": {**self.body["Item"], field: number}}
            return msgspec.structs.replace(self, body=body)
        step = nodes.Add(nodes.Name((field,)), nodes.Value(number - int((old or {}).get(field, 0))))
        added = tuple(step if each.path == step.path else each for each in self.update.add)
        update = msgspec.structs.replace(self.update, add=added)
        return msgspec.structs.replace(self, update=update, body=_rendered(self.body, self.condition, update))

    # ---- what is sent --------------------------------------------------------------------------------------------

    def held(self, change: Change) -> Params:
        """The body, on condition that what companions rest on still holds."""
        conditions = list(self.rests_on(change))
        body = _with_condition(self.body, self.condition, conditions)
        return {**body, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if "ConditionExpression" in body else body

    def alone(self, change: Change) -> Params:
        """The same as a request of its own."""
        options: Options = self.write.options
        asked = {"ReturnValues": options.response.upper()} if options.response != "default" else {}
        return {**self.held(change), **asked}

    def rests_on(self, change: Change) -> Iterator[nodes.Condition]:
        if not self.needs_old:
            return
        if not self.is_new:
            there = existence(self.layout, exists=change.old is not None)
            assert there is not None
            yield from there.parts if isinstance(there, nodes.And) else (there,)
        for companion in self.concerned:
            yield from companion.holds(change)
        if self.write.options.response in ANSWERS and change.old is not None:
            yield from unchanged(self.layout, change.old)

    def settled(self, change: Change) -> Settled:
        """The answer that DynamoDB gives to single writes alone, from what is known of the item."""
        response = self.write.options.response
        shown = change.old if response.endswith("old") else change.new
        if response not in ANSWERS or shown is None:
            return Settled({}, self.body)
        if response.startswith("updated") and self.update is not None:
            shown = {field: shown[field] for field in _fields_of(self.update) if field in shown}
        return Settled({"Attributes": dict(shown)}, self.body)

    # ---- when it failed ------------------------------------------------------------------------------------------

    def refuses(self, met: Any) -> bool:
        """Whether its own condition fails on an item (in typed JSON), not only what companions rest on."""
        if self.condition is None:
            return False
        try:
            return not evaluate(self.condition, unmarshal_item(met) if met else {})
        except ExpressionError:
            return True

    def lock_is_broken(self, item: Item | None) -> bool:
        """Whether the item is not at the version that the write expects."""
        return is_broken(self.write, item)

    def why(self, item: Item | None) -> str:
        if not self.lock_is_broken(item):
            return "the condition does not hold for the item as it is"
        expected = expected_version(self.write)
        found = "there is no such item" if item is None else f"it is at version {item.get(field_of(self.layout), 0)}"
        return f"it was read at version {expected}, but now {found}; read it again (the error's item) and decide anew"


def member_of(write: Any, *, answering: bool = False) -> Member:
    """Take the clause of a write apart; `answering` says that the answer will be needed, whoever is concerned."""
    ((action, given),) = as_sent(write).clause().items()
    body: Params = {name: value for name, value in given.items() if not name.startswith("ReturnValues")}
    condition, update = _parsed(body)
    plan = write.layout.plan
    concerned: tuple[Companion, ...] = ()
    needs_old = False
    if plan is not None and action in KINDS:
        fields = _fields_of(update) if update is not None else tuple(write.layout.by_field)
        if update is not None and getattr(write, "must_exist", False):  # then the values in its key stay as they are
            fields = tuple(field for field in fields if field not in _key_attributes(write.layout))
        asked = [(each, each.needs(KINDS[action], fields)) for each in plan.companions]
        concerned = tuple(each for each, needs in asked if needs is not None)
        needs_old = any(needs for _, needs in asked)
    if (concerned or answering) and write.options.response in ANSWERS:
        needs_old = True
    return Member(write, action, body, condition, update, concerned, needs_old)


def _key_attributes(layout: Layout) -> set[str]:
    """The fields of the attributes that the table key is made of."""
    return {layout.attributes[name].field for name in layout.table_composites}


def _parsed(body: Params) -> tuple[nodes.Condition | None, nodes.Update | None]:
    """The expressions of a body as trees."""
    names, values = body.get("ExpressionAttributeNames"), body.get("ExpressionAttributeValues")
    condition = body.get("ConditionExpression")
    update = body.get("UpdateExpression")
    return (
        None if condition is None else parse_condition(condition, names, values),
        None if update is None else parse_update(update, names, values),
    )


def _fields_of(update: nodes.Update) -> tuple[str, ...]:
    """The stored fields that an update writes."""
    actions: tuple[nodes.Action, ...] = (*update.set, *update.remove, *update.add, *update.delete)
    return tuple(dict.fromkeys(str(action.path.parts[0]) for action in actions))


def _with_condition(body: Params, own: nodes.Condition | None, further: list[nodes.Condition]) -> Params:
    """A body with more conditions, joined to its own."""
    condition = nodes.all_of(*further)
    if condition is None:
        return dict(body)
    names, values = body.get("ExpressionAttributeNames", {}), body.get("ExpressionAttributeValues", {})
    placeholders = Placeholders(dict(names), dict(values))
    text = _enclosed(render_condition(condition, placeholders), condition)
    if own is not None:
        text = f"{_enclosed(body['ConditionExpression'], own)} AND {text}"
    return {
        **body,
        "ConditionExpression": text,
        "ExpressionAttributeNames": placeholders.names,
        **({"ExpressionAttributeValues": placeholders.values} if placeholders.values else {}),
    }


def _rendered(body: Params, condition: nodes.Condition | None, update: nodes.Update) -> Params:
    """A body with these expressions in place of its own."""
    placeholders = Placeholders()
    kept = {name: value for name, value in body.items() if not name.startswith(("Expression", "Condition"))}
    kept["UpdateExpression"] = render_update(update, placeholders)
    if condition is not None:
        kept["ConditionExpression"] = render_condition(condition, placeholders)
    names, values = placeholders.names, placeholders.values
    return {**kept, "ExpressionAttributeNames": names, **({"ExpressionAttributeValues": values} if values else {})}


def _enclosed(text: str, condition: nodes.Condition) -> str:
    return f"({text})" if isinstance(condition, nodes.Or) else text


def unchanged(layout: Layout, old: Item) -> Iterable[nodes.Condition]:
    """That an item is still what it was, whole, so that what is known of it may be the answer."""
    for field in dict.fromkeys((*old, *layout.by_field)):
        if field in layout.table_fields:
            continue
        yield is_still(old, field)


def is_still(old: Item | None, field: str) -> nodes.Condition:
    """That a field has the value it had, or has none as before."""
    name = nodes.Name((field,))
    if old is not None and field in old:
        return nodes.Compare("=", name, nodes.Value(old[field]))
    return nodes.Function("attribute_not_exists", (name,))
