"""Write whole items: put replaces, create insists that nothing is there yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.expr.nodes import Condition, all_of
from tablewright.expr.render import Placeholders
from tablewright.runtime.items import strict_upkeep, upkeep
from tablewright.runtime.items.intake import complete
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Returning
from tablewright.runtime.requests.request import (
    WRITE_PARAMS,
    Params,
    add_condition,
    add_options,
    call,
    existence,
    finish,
    read_own,
    table_of,
)

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow

E_co = TypeVar("E_co", covariant=True)


def index_keys(layout: Layout, values: Values) -> tuple[dict[str, Any], dict[str, None]]:
    """The key fields of a complete item, and those it must not have."""
    keys = strict_upkeep.keys_for_put(layout, values) if layout.strict else upkeep.keys_for_put(layout, values)
    return keys.set, keys.remove


class Put(Returning, msgspec.Struct, Generic[E_co], frozen=True):
    """`task.put()`, or with `only_new` `task.create()`."""

    layout: Layout
    values: Values
    only_new: bool = False
    condition: Condition | None = None
    options: Options = DEFAULT

    method = "put"

    def item(self) -> Params:
        """The item as it will be stored, with all its keys and identifiers."""
        layout = self.layout
        values = complete(layout, self.values)
        item = {layout.attributes[name].field: value for name, value in values.items()}
        item.update(index_keys(layout, values)[0])
        item.update(layout.identity)
        return item

    def request(self, *, in_transaction: bool = False) -> Params:
        params: Params = {"TableName": table_of(self.layout, self.options), "Item": self.item()}
        add_options(params, self.layout, self.options, WRITE_PARAMS, in_transaction=in_transaction)
        condition = all_of(existence(self.layout, exists=False) if self.only_new else None, self.condition)
        if condition is None:
            return finish(params, None, self.options)
        placeholders = Placeholders()
        add_condition(params, "ConditionExpression", condition, placeholders)
        return finish(params, placeholders, self.options)

    def params(self) -> Params:
        return self.request()

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        return {"Put": self.request(in_transaction=True)}

    def flow(self) -> Flow[E_co | None]:
        request = self.request()
        reply = yield from call("PutItem", request)
        return self.read(reply, request["Item"])  # type: ignore[no-any-return]

    def read(self, reply: Params, item: Params) -> Any:
        """What was written, unless the caller wanted the old item, nothing, or the bare reply."""
        options = self.options
        if options.data == "raw":
            return reply
        if options.response == "none":
            return None
        found = item if options.response == "default" else reply.get("Attributes")
        return read_own(self.layout, found, options) if found else None
