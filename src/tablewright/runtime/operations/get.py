"""Read one item by its table key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.expr.nodes import Condition
from tablewright.expr.render import Placeholders
from tablewright.runtime.codecs.choose_reader import reader_for
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.letter_case import spelling_of
from tablewright.runtime.items.page_items import UNSURE
from tablewright.runtime.items.visibility import can_hide
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Projected
from tablewright.runtime.requests.request import (
    GET_PARAMS,
    Params,
    add_condition,
    add_options,
    add_projection,
    finish,
    ignores_ownership,
    read_item,
    table_of,
)
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.wire.call import Reply

E_co = TypeVar("E_co", covariant=True)


class Get(Projected, msgspec.Struct, Generic[E_co], frozen=True):
    """`Task.key("web", task_id="t1").get()`."""

    layout: Layout
    composites: Values
    condition: Condition | None = None  # attached because ElectroDB does; DynamoDB has no use for it
    options: Options = DEFAULT

    method = "get"

    def request(self, *, sending: bool) -> Params:
        layout, options = self.layout, self.options
        params: Params = {"TableName": table_of(layout, options), "Key": layout.key(self.composites)}
        add_options(params, layout, options, GET_PARAMS)
        if self.condition is None and not options.attributes:
            return finish(params, None, options)
        placeholders = Placeholders()
        add_condition(params, "ConditionExpression", self.condition, placeholders)
        identified = sending and options.data != "raw" and not ignores_ownership(layout, None, options)
        add_projection(layout, params, placeholders, options, identified=identified)
        return finish(params, placeholders, options)

    def params(self) -> Params:
        return self.request(sending=self.layout.strict)

    def read_clause(self) -> Params:
        """The operation as a member of a transaction of reads, which are always consistent and cannot be told so."""
        request = self.request(sending=self.layout.strict)
        if self.layout.strict:
            request.pop("ConsistentRead", None)
        return {"Get": request}

    def flow(self) -> Flow[E_co | None]:
        reply = yield Call("GetItem", self.sent())
        found = self.answer(reply)
        if found is None and self.layout.upgrades and self.layout.entity.key_version == self.layout.entity.version:
            found = yield from self.unmoved()
        return found  # type: ignore[no-any-return]

    def unmoved(self) -> Flow[Any]:
        """The item where an older version had it, until `tw.upgrade` has moved all."""
        for version in self.layout.older:
            older = msgspec.structs.replace(self, layout=self.layout.of_version(version))
            found = yield from older.flow()
            if found is not None:
                return found
        return None

    def sent(self) -> Params:
        """The request in typed JSON; most hold nothing but a key, and are spared the rest."""
        if self.options is not DEFAULT or self.condition is not None:
            return to_wire(self.request(sending=True))
        key = self.layout.key(self.composites)
        return {"TableName": table_of(self.layout, DEFAULT), "Key": marshal_item(key)}

    def answer(self, reply: Reply | msgspec.Raw) -> Any:
        """What the caller gets for the text of a reply."""
        layout = self.layout
        spelling = spelling_of(layout, layout.primary, self.composites) if layout.folds else None
        is_generic = can_hide(layout, self.options) or (spelling is not None and not spelling.is_plain)
        reader = None if is_generic else reader_for(layout, self.options)
        if reader is not None and (found := reader.one(reply)) is not UNSURE:
            return found if found is None or spelling is None or spelling.fits_made(found) else None
        return self.read(read_reply(reply))

    def read(self, reply: Params) -> Any:
        if self.options.data == "raw":
            return reply
        return self.read_stored(reply.get("Item"), self.options)

    def read_stored(self, item: Params | None, options: Options) -> Any:
        """The stored item as the caller gets it; None where it is spelled another way than it was asked for."""
        layout = self.layout
        spelling = spelling_of(layout, layout.primary, self.composites)
        if item is not None and spelling is not None and not spelling.fits(item):
            return None
        return read_item(layout, item, options, ignore=ignores_ownership(layout, None, options))
