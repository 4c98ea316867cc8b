"""Change parts of an item: update creates it when it is missing, patch insists that it exists.

One update expression holds what the caller asked for, what watchers make of it, the index keys that follow, and the
table composites and identifiers, so that an item created by an update is a complete one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_update
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.items.letter_case import only_if_spelled
from tablewright.runtime.items.visibility import is_unmarked
from tablewright.runtime.operations.delete import NOTHING, answer, read_written
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Returning
from tablewright.runtime.requests.changes import Change
from tablewright.runtime.requests.draft import Draft
from tablewright.runtime.requests.prepared import sent_update
from tablewright.runtime.requests.request import (
    WRITE_PARAMS,
    Params,
    add_condition,
    add_options,
    currency,
    existence,
    finish,
    shown,
    table_of,
    upgrading,
    write_typed,
)
from tablewright.runtime.requests.shapes import filled, joined, remember_prepared, remember_shape
from tablewright.runtime.types.values import ABSENT
from tablewright.wire.document import to_wire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.runtime.flow import Flow

E_co = TypeVar("E_co", covariant=True)


class Update(Returning, msgspec.Struct, Generic[E_co], frozen=True):
    """`Task.key(...).update(...)`, or with `must_exist` `Task.key(...).patch(...)`.

    `known` are values the caller vouches for: they complete index keys, and the update demands that they still hold.
    """

    layout: Layout
    composites: Values
    changes: tuple[Change, ...] = ()
    must_exist: bool = False
    known: Values = NOTHING
    condition: nodes.Condition | None = None
    options: Options = DEFAULT
    remembered: Values = NOTHING  # what the item it was called on knows

    method = "update"

    def composite(self, **values: Any) -> Self:
        """Values that complete index keys (None: absent); the update demands that they hold."""
        known = self.layout.take(values)
        for name, value in self.known.items():
            if known.setdefault(name, value) != value:
                said = self.layout.called(name)
                raise RequestError(f"composite() says {value!r} and {known[name]!r} of {said}", code=2010)
        return msgspec.structs.replace(self, known=known)

    def request(self, *, in_transaction: bool = False) -> Params:
        layout, options = self.layout, self.options
        params: Params = {"TableName": table_of(layout, options), "Key": layout.key(self.composites)}
        if options is not DEFAULT:
            add_options(params, layout, options, WRITE_PARAMS, in_transaction=in_transaction)
        quick = filled(self) if self.has_shape else None
        if quick is None:
            return finish(params, self.write_expressions(params), options)
        params["UpdateExpression"], condition, placeholders = quick
        condition = joined(condition, self.condition, placeholders)
        if condition:
            params["ConditionExpression"] = condition
        return finish(params, placeholders, options)

    @property
    def has_shape(self) -> bool:
        """Whether its text may be that of an earlier update."""
        layout = self.layout
        return layout.strict and layout.plan is None and not layout.mixes and not layout.upgrades

    def sent(self) -> Params:
        """The request in typed JSON."""
        if not self.has_shape:
            return to_wire(self.request())
        prepared = sent_update(self, table_of(self.layout, self.options), remember_prepared)
        return to_wire(self.request()) if prepared is None else prepared

    def write_expressions(self, params: Params) -> Placeholders:
        """Work the expressions out from the schema."""
        draft = self.draft()
        placeholders = Placeholders()
        params["UpdateExpression"] = render_update(draft.update(), placeholders)
        rests_on = {**{name: self.remembered[name] for name in draft.used}, **self.known}
        condition = nodes.all_of(self.existence(), *_still_holds(self.layout, rests_on), self.condition)
        if self.layout.mixes:  # index keys of the other spelling would stay, and contradict the item
            condition = nodes.all_of(only_if_spelled(self.layout, self.composites), condition)
        if self.layout.plan is not None:
            condition = nodes.all_of(self.layout.plan.insisted(self), condition)
        add_condition(params, "ConditionExpression", condition, placeholders)
        if self.has_shape:
            remember_shape(self, draft, self.existence())
        return placeholders

    def existence(self) -> nodes.Condition | None:
        """That the item is there where it must be; one that is marked as deleted is not."""
        there = nodes.all_of(existence(self.layout, exists=True), is_unmarked(self.layout)) if self.must_exist else None
        return nodes.all_of(there, currency(self.layout, exists=self.must_exist)) if self.layout.upgrades else there

    def draft(self) -> Draft:
        layout = self.layout
        draft = Draft(layout)
        for change in self.changes:
            draft.take(change)
        draft.finish()
        draft.watch()
        composites = layout.composites_of(self.composites)
        known = {**composites, **self.known} if layout.strict else {**self.known, **composites}
        draft.upkeep(known, self.remembered, may_create=not self.must_exist)
        fields = {layout.attributes[name].field: layout.as_stored(name, value) for name, value in composites.items()}
        draft.assign({field: value for field, value in fields.items() if field not in layout.table_fields})
        draft.assign(layout.identity)
        if layout.plan is not None:
            draft.actions += layout.plan.counting(self)
        return draft

    def params(self) -> Params:
        return shown(self)

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        return {"Update": self.request(in_transaction=True)}

    def flow(self) -> Flow[E_co | None]:
        if not self.layout.upgrades:
            return self.once()
        return upgrading(self.once, self.layout, self.composites, self.options)

    def once(self) -> Flow[E_co | None]:
        if self.layout.plan is not None:
            settled = yield from self.layout.plan.run(self)
            return read_written(self.layout, self.composites, settled.reply, self.options)  # type: ignore[no-any-return]
        reply = yield from write_typed("UpdateItem", self.sent(), self.layout)
        return answer(self.layout, self.composites, reply, self.options)  # type: ignore[no-any-return]


def _still_holds(layout: Layout, known: Values) -> Iterable[nodes.Condition]:
    """That the values the update rests on are still those of the item."""
    for name, value in known.items():
        if layout.strict and name in layout.table_composites:
            continue
        path = nodes.Name((layout.attributes[name].field,))
        if value is ABSENT:
            yield nodes.Function("attribute_not_exists", (path,))
        else:
            yield nodes.Compare("=", path, nodes.Value(layout.as_stored(name, value)))
