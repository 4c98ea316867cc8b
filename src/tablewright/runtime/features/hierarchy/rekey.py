"""An item under another key: what is stored stays as it is, but for the path, what follows from it, and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.expr.nodes import all_of
from tablewright.expr.render import Placeholders
from tablewright.runtime.features.member import unchanged
from tablewright.runtime.items.derive import derived
from tablewright.runtime.items.intake import is_triggered, is_watcher, place, store
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.items.reading import unwrap
from tablewright.runtime.operations.put import index_keys
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.request import Params, add_condition, existence
from tablewright.runtime.types.values import ABSENT

if TYPE_CHECKING:
    from tablewright.expr.nodes import Condition


class Rekeyed(msgspec.Struct, frozen=True):
    """One member of the transaction that moves items: role put, delete or parent (a check)."""

    layout: Layout
    role: str
    action: str
    body: Params
    options: Options = DEFAULT

    method = "move"

    @property
    def composites(self) -> dict[str, Any]:
        return {}

    @property
    def only_new(self) -> bool:
        return self.role == "put"

    @property
    def place(self) -> str:
        """The key, in words."""
        held: Params = self.body["Key"] if "Key" in self.body else self.body["Item"]
        return ", ".join(f"{field}={held[field]!r}" for field, _ in self.layout.table_key)

    def clause(self) -> Params:
        return {self.action: dict(self.body)}

    @classmethod
    def of_parent(cls, layout: Layout, table: str, key: Params) -> Rekeyed:
        body = _conditional({"TableName": table, "Key": key}, existence(layout, exists=True))
        return cls(layout, "parent", "ConditionCheck", body)


def rekeyed(layout: Layout, table: str, item: Params, attribute: str, value: Any) -> list[Rekeyed]:
    """Write the item with another value of a key attribute, and delete it where it was, if it is as it was."""
    new = _changed(layout, item, attribute, value)
    old_key = {field: item[field] for field, _ in layout.table_key}
    put = _conditional({"TableName": table, "Item": new}, existence(layout, exists=False))
    delete = _conditional(
        {"TableName": table, "Key": old_key}, all_of(existence(layout, exists=True), *unchanged(layout, item))
    )
    return [Rekeyed(layout, "put", "Put", put), Rekeyed(layout, "delete", "Delete", delete)]


def _changed(layout: Layout, item: Params, attribute: str, value: Any) -> Params:
    values = {each.name: unwrap(layout, each, item[field]) for field, each in layout.by_field.items() if field in item}
    values[attribute] = value
    before = dict(values)
    for each in layout.attributes.values():
        if is_watcher(each) and is_triggered(each, (attribute,)):
            place(values, each.name, store(each, values.get(each.name, ABSENT), before))
    if layout.derived:
        names = {each.name for each in layout.derived}
        values = derived(layout.derived, {name: each for name, each in values.items() if name not in names})
    kept = {
        field: each for field, each in item.items() if field not in layout.key_fields and field not in layout.by_field
    }
    own = {layout.attributes[name].field: each for name, each in values.items()}
    return {**kept, **own, **index_keys(layout, values)[0]}


def _conditional(body: Params, condition: Condition | None) -> Params:
    placeholders = Placeholders()
    add_condition(body, "ConditionExpression", condition, placeholders)
    body["ExpressionAttributeNames"] = placeholders.names
    if placeholders.values:
        body["ExpressionAttributeValues"] = placeholders.values
    return body
