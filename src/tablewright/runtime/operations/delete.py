"""Delete one item by its key, and check one inside a transaction."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import msgspec

from tablewright.expr.nodes import Condition, all_of
from tablewright.expr.render import Placeholders
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.letter_case import only_if_spelled
from tablewright.runtime.items.page_items import UNSURE
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Conditional, Returning
from tablewright.runtime.requests.request import (
    WRITE_PARAMS,
    Params,
    add_condition,
    add_options,
    existence,
    finish,
    read_own,
    shown,
    table_of,
    whole_item,
    write,
)
from tablewright.wire.document import read_reply

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.hooks import Marking
    from tablewright.wire.call import Reply

E_co = TypeVar("E_co", covariant=True)

NOTHING: Values = MappingProxyType({})  # shared by all that remember nothing


class Delete(Returning, msgspec.Struct, Generic[E_co], frozen=True):
    """`Task.key(...).delete()`, or with `must_exist` `Task.key(...).remove()`."""

    layout: Layout
    composites: Values
    must_exist: bool = False
    condition: Condition | None = None
    options: Options = DEFAULT
    remembered: Values = NOTHING  # what the item it was called on knows of its version
    for_good: bool = False  # also where deleting only marks

    method = "delete"

    @property
    def marking(self) -> Marking | None:
        """How it is marked, where deleting does no more than that."""
        return None if self.for_good else self.layout.marking

    def request(self, *, in_transaction: bool = False) -> Params:
        if self.marking is not None:
            return self.marking.as_update(self).request(in_transaction=in_transaction)  # type: ignore[no-any-return]
        params: Params = {"TableName": table_of(self.layout, self.options), "Key": self.layout.key(self.composites)}
        add_options(params, self.layout, self.options, WRITE_PARAMS, in_transaction=in_transaction)
        condition = all_of(existence(self.layout, exists=True) if self.must_exist else None, self.condition)
        if self.layout.plan is not None:
            condition = all_of(self.layout.plan.insisted(self), condition)
        placeholders = Placeholders()
        add_condition(params, "ConditionExpression", condition, placeholders)
        return finish(params, placeholders, self.options)

    def params(self) -> Params:
        return shown(self)

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        return {"Delete" if self.marking is None else "Update": self.request(in_transaction=True)}

    def flow(self) -> Flow[E_co | None]:
        if self.marking is not None:
            return (yield from self.marking.flow(self))  # type: ignore[no-any-return]
        if self.layout.plan is not None:
            settled = yield from self.layout.plan.run(self)
            return read_written(self.layout, self.composites, settled.reply, self.options)  # type: ignore[no-any-return]
        reply = yield from write("DeleteItem", self.request(), self.layout)
        return answer(self.layout, self.composites, reply, self.options)  # type: ignore[no-any-return]


class Check(Conditional, msgspec.Struct, Generic[E_co], frozen=True):
    """`Task.key(...).check(condition)`: makes a transaction depend on an item it does not write."""

    layout: Layout
    composites: Values
    condition: Condition | None = None
    options: Options = DEFAULT

    method = "check"

    def request(self) -> Params:
        params: Params = {"TableName": table_of(self.layout, self.options), "Key": self.layout.key(self.composites)}
        add_options(params, self.layout, self.options, WRITE_PARAMS, in_transaction=True)
        placeholders = Placeholders()
        add_condition(params, "ConditionExpression", self.condition, placeholders)
        return finish(params, placeholders, self.options)

    def as_sent(self) -> Self:
        """With what ElectroDB's request does not say: that the item is spelled as asked for, where keys fold case."""
        if not self.layout.folds or self.condition is None:
            return self
        spelled = only_if_spelled(self.layout, self.composites)
        return msgspec.structs.replace(self, condition=all_of(spelled, self.condition))

    def params(self) -> Params:
        return self.request()

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        return {"ConditionCheck": self.request()}


def as_sent(write: Any) -> Any:
    """A member of a transaction with what is added when it is sent."""
    is_check = isinstance(write, Check)
    return write.as_sent() if is_check else write  # pyright: ignore[reportUnknownVariableType] - of any entity


def answer(layout: Layout, composites: Values, reply: Reply, options: Options) -> Any:
    """What the caller gets for the text of a reply to update and delete."""
    found = whole_item(layout, reply, options)
    return read_written(layout, composites, read_reply(reply), options) if found is UNSURE else found


def read_written(layout: Layout, composites: Values, reply: Params, options: Options) -> Any:
    """The answer of update and delete: the key attributes, unless the caller asked for more or less."""
    if options.data == "raw":
        return reply
    if options.response == "none":
        return None
    attributes = reply.get("Attributes")
    held = () if options.response.startswith("updated") else None
    found: Any = read_own(layout, attributes, options, held=held) if attributes else None
    if options.response == "default":
        if layout.strict:
            return None
        known = layout.composites_of(composites)
        return {**known, **found} if found else known
    return found
