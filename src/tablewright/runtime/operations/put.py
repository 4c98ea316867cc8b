"""Write whole items: put replaces, create insists that nothing is there yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.expr.nodes import Condition, all_of
from tablewright.expr.render import Placeholders
from tablewright.runtime.codecs.choose_reader import reader_for
from tablewright.runtime.items.index_keys import keys_for_put
from tablewright.runtime.items.intake import complete
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.page_items import UNSURE
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Returning
from tablewright.runtime.requests.request import (
    WRITE_PARAMS,
    Params,
    add_condition,
    add_options,
    finish,
    newness,
    read_own,
    shown,
    table_of,
    whole_item,
    write,
)
from tablewright.runtime.types.values import is_set
from tablewright.wire.document import Ready, read_reply

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow

E_co = TypeVar("E_co", covariant=True)


def index_keys(layout: Layout, values: Values) -> tuple[dict[str, Any], dict[str, None]]:
    """The key fields of a complete item, and those it must not have."""
    keys = keys_for_put(layout, values)
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
        if layout.plan is not None:
            values = layout.plan.counted(values, only_new=self.only_new)
        item = {layout.attributes[name].field: value for name, value in values.items()}
        item.update(index_keys(layout, values)[0])
        item.update(layout.identity)
        return item

    def ready_item(self) -> Params | Ready:
        """The same, in typed JSON where compiled code can write it."""
        codec = self.layout.codec
        write_item = None if codec is None or self.layout.plan is not None else codec.writer(self.layout)
        if write_item is None:
            return self.item()
        try:
            return Ready(write_item(self.values))
        except Exception:  # noqa: BLE001 - whatever is odd, the generic way knows what to say
            return self.item()

    def request(self, *, in_transaction: bool = False) -> Params:
        return self.around(self.item(), in_transaction=in_transaction)

    def around(self, item: Params | Ready, *, in_transaction: bool = False) -> Params:
        """The request that writes an item."""
        params: Params = {"TableName": table_of(self.layout, self.options), "Item": item}
        add_options(params, self.layout, self.options, WRITE_PARAMS, in_transaction=in_transaction)
        condition = all_of(newness(self.layout) if self.only_new else None, self.condition)
        if self.layout.plan is not None:
            condition = all_of(self.layout.plan.insisted(self), condition)
        if condition is None:
            return finish(params, None, self.options)
        placeholders = Placeholders()
        add_condition(params, "ConditionExpression", condition, placeholders)
        return finish(params, placeholders, self.options)

    def params(self) -> Params:
        return shown(self)

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        return {"Put": self.request(in_transaction=True)}

    def flow(self) -> Flow[E_co | None]:
        if self.layout.plan is not None:
            settled = yield from self.layout.plan.run(self)
            return self.read(settled.reply, settled.body["Item"])  # type: ignore[no-any-return]
        item = self.ready_item()
        reply = yield from write("PutItem", self.around(item), self.layout)
        found = whole_item(self.layout, reply, self.options)
        return self.read(read_reply(reply), item) if found is UNSURE else found  # type: ignore[no-any-return]

    def read(self, reply: Params, item: Params | Ready) -> Any:
        """What was written, unless the caller wanted the old item, nothing, or the bare reply."""
        options = self.options
        if options.data == "raw":
            return reply
        if options.response == "none":
            return None
        if options.response != "default":
            found = reply.get("Attributes")
            return read_own(self.layout, found, options) if found else None
        if isinstance(item, Ready):
            return self.written() if self.is_simply_read() else read_own(self.layout, self.item(), options)
        return read_own(self.layout, item, options)

    def is_simply_read(self) -> bool:
        """Whether an item that was written reads as the values that it was written from."""
        codec = self.layout.codec
        return codec is not None and reader_for(self.layout, self.options) is not None and codec.reads_as_written

    def written(self) -> Any:
        """The item as it would be read; decoding makes copies, so that changing it changes nothing here."""
        attributes = self.layout.attributes
        return self.layout.make(
            {
                name: value
                for name, value in self.values.items()
                if (value or not is_set(value)) and not attributes[name].hidden
            }
        )
