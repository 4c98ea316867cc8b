"""Write an item whether it exists or not, by an update: what is not mentioned stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_update
from tablewright.runtime.features.version import counting, insisted
from tablewright.runtime.items.intake import complete
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.operations.delete import answer, read_written
from tablewright.runtime.operations.put import index_keys
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Returning
from tablewright.runtime.requests.changes import Change, is_reference, is_static
from tablewright.runtime.requests.draft import Draft
from tablewright.runtime.requests.request import (
    WRITE_PARAMS,
    Params,
    add_condition,
    add_options,
    finish,
    planned,
    table_of,
    write,
)

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow

E_co = TypeVar("E_co", covariant=True)


class Upsert(Returning, msgspec.Struct, Generic[E_co], frozen=True):
    """`task.upsert()`: all rules of put; read-only attributes keep the value they have."""

    layout: Layout
    values: Values
    changes: tuple[Change, ...] = ()
    condition: nodes.Condition | None = None
    options: Options = DEFAULT

    method = "upsert"

    def request(self, *, in_transaction: bool = False) -> Params:
        layout, options = self.layout, self.options
        draft = Draft(layout)
        for change in self.changes:
            if not is_plain_set(change):
                draft.take(change)
        taken = [str(change.path[0]) for change, _ in draft.pending if len(change.path) == 1]
        if layout.plan is not None:
            draft.actions += counting(layout)
            taken += [layout.plan.lock] if layout.plan.lock is not None else []
        values = self.completed(taken)
        self.refuse_static(values)
        keys, not_in = index_keys(layout, values)
        draft.assign(layout.identity)
        draft.actions += [self.assignment(name, value) for name, value in values.items() if self.is_assigned(name)]
        written = {action.path.parts for action in draft.actions}
        draft.assign({f: v for f, v in keys.items() if f not in layout.table_fields and (f,) not in written})
        draft.finish()
        gone = [layout.attributes[name].field for name in self.unsaid(values, draft)]
        draft.actions += [nodes.Remove(nodes.Name((field,))) for field in (*not_in, *gone)]
        placeholders = Placeholders()
        params: Params = {"TableName": table_of(layout, options), "Key": layout.key(values)}
        params["UpdateExpression"] = render_update(draft.update(), placeholders)
        add_options(params, layout, options, WRITE_PARAMS, in_transaction=in_transaction)
        condition = self.condition if layout.plan is None else nodes.all_of(insisted(self), self.condition)
        add_condition(params, "ConditionExpression", condition, placeholders)
        return finish(params, placeholders, options)

    def completed(self, taken: list[str]) -> dict[str, Any]:
        """All attributes as they will be stored, except those that another clause takes care of."""
        extra = {str(change.path[0]): change.value for change in self.changes if is_plain_set(change)}
        return complete(self.layout, {**self.values, **extra}, without=taken)

    def unsaid(self, values: Values, draft: Draft) -> list[str]:
        """What the index keys were told is absent (typed style): a stored value would contradict them, so it goes."""
        if not self.layout.strict:
            return []
        names = [name for name in self.layout.attributes if name in self.layout.composed]
        return [name for name in names if name not in values and name not in draft.touched]

    def refuse_static(self, values: Values) -> None:
        """A static attribute is written once, by put; an upsert might be the second time."""
        static = [name for name in values if is_static(self.layout.attributes[name])]
        if static and not self.layout.strict:
            raise RequestError(
                f"{self.layout.name}.{static[0]} is static, and upsert cannot write it; use put", code=5002
            )

    def is_assigned(self, name: str) -> bool:
        return self.layout.attributes[name].field not in self.layout.table_fields

    def assignment(self, name: str, value: Any) -> nodes.Set:
        attribute = self.layout.attributes[name]
        path = nodes.Name((attribute.field,))
        if attribute.read_only and name not in self.layout.index_composites | self.layout.composed:
            return nodes.Set(path, nodes.IfNotExists(path, nodes.Value(value)))
        return nodes.Set(path, nodes.Value(value))

    def params(self) -> Params:
        return self.request()

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        return {"Update": self.request(in_transaction=True)}

    def flow(self) -> Flow[E_co | None]:
        if self.layout.plan is not None:
            settled = yield from planned(self)
            return read_written(self.layout, {}, settled.reply, self.options)  # type: ignore[no-any-return]
        reply = yield from write("UpdateItem", self.request(), self.layout)
        return answer(self.layout, {}, reply, self.options)  # type: ignore[no-any-return]


def is_plain_set(change: Change) -> bool:
    """Whether a change gives a whole attribute a value, as the item does with its own."""
    return change.verb == "set" and len(change.path) == 1 and not is_reference(change.value)
