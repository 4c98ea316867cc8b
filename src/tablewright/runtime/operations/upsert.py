"""Write an item whether it exists or not, by an update: what is not mentioned stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_update
from tablewright.runtime.items.intake import complete
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.operations.delete import answer, read_written
from tablewright.runtime.operations.put import index_keys
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Returning
from tablewright.runtime.requests.changes import (
    Change,
    Verb,
    check_value,
    check_verb,
    find_target,
    is_reference,
    is_static,
    to_action,
)
from tablewright.runtime.requests.draft import Draft
from tablewright.runtime.requests.request import (
    WRITE_PARAMS,
    Params,
    add_condition,
    add_options,
    currency,
    finish,
    shown,
    table_of,
    upgrading,
    write,
)
from tablewright.runtime.types.values import ABSENT

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
        values, others = self.taken(draft) if layout.strict else self.told_apart()
        self.refuse_static(values)
        keys, not_in = index_keys(layout, values)
        draft.assign(layout.identity)
        draft.actions += [
            self.assignment(name, keys.get(layout.attributes[name].field, value))  # it may be a key field itself
            for name, value in values.items()
            if self.is_assigned(name)
        ]
        written = {action.path.parts for action in draft.actions}
        draft.assign({f: v for f, v in keys.items() if f not in layout.table_fields and (f,) not in written})
        draft.finish()
        draft.actions += others
        gone = [layout.attributes[name].field for name in self.unsaid(values, draft)]
        draft.actions += [nodes.Remove(nodes.Name((field,))) for field in (*not_in, *gone)]
        placeholders = Placeholders()
        params: Params = {"TableName": table_of(layout, options), "Key": layout.key(values)}
        params["UpdateExpression"] = render_update(draft.update(), placeholders)
        add_options(params, layout, options, WRITE_PARAMS, in_transaction=in_transaction)
        condition = self.condition if layout.plan is None else nodes.all_of(layout.plan.insisted(self), self.condition)
        if layout.upgrades:
            condition = nodes.all_of(currency(layout, exists=False), condition)
        add_condition(params, "ConditionExpression", condition, placeholders)
        return finish(params, placeholders, options)

    def taken(self, draft: Draft) -> tuple[dict[str, Any], list[nodes.Action]]:
        """The attributes that are set; the draft takes the changes that depend on what is stored (typed style)."""
        for change in self.changes:
            if not _is_plain_set(change):
                draft.take(change)
        taken = [str(change.path[0]) for change, _ in draft.pending if len(change.path) == 1]
        if self.layout.plan is not None:
            draft.actions += self.layout.plan.counting(self)
            taken += [self.layout.plan.lock] if self.layout.plan.lock is not None else []
        extra = {str(change.path[0]): change.value for change in self.changes if _is_plain_set(change)}
        return complete(self.layout, {**self.values, **extra}, without=taken), []

    def told_apart(self) -> tuple[dict[str, Any], list[nodes.Action]]:
        """As ElectroDB does it: all that was said makes one item; an attribute's last clause says how it is written.

        So operands are checked and set like values, count as given, and keys are made of what is set alone.
        """
        layout = self.layout
        given, verbs = dict(self.values), dict[str, Verb]()
        for change in self.changes:
            target = find_target(layout.attributes, change.path)
            if target is not None:
                check_value(layout, change, target)
            if len(change.path) == 1:  # places inside of attributes are overlooked
                given[str(change.path[0])], verbs[str(change.path[0])] = change.value, change.verb
        given = {name: value for name, value in given.items() if value is not ABSENT}
        values = complete(layout, given)
        apart = [name for name in verbs if verbs[name] != "set" and name in given and name in values]
        return values, [self.other(name, verbs[name], values.pop(name)) for name in apart]

    def other(self, name: str, verb: Verb, value: Any) -> nodes.Action:
        """Something else than an assignment; what is read-only keeps the value it has, whatever was to be done."""
        change, target = Change(verb, (name,), value), find_target(self.layout.attributes, (name,))
        assert target is not None
        if self.keeps(name):
            return self.assignment(name, value)
        check_verb(change, target)
        return to_action(change, target, self.layout.as_stored(name, value))

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
        path = nodes.Name((self.layout.attributes[name].field,))
        if self.keeps(name):
            return nodes.Set(path, nodes.IfNotExists(path, nodes.Value(value)))
        return nodes.Set(path, nodes.Value(value))

    def keeps(self, name: str) -> bool:
        """Whether a value that is there stays: read-only, and no key has to follow it."""
        is_in_key = name in self.layout.index_composites or name in self.layout.composed
        return self.layout.attributes[name].read_only and not is_in_key

    def params(self) -> Params:
        return shown(self)

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        return {"Update": self.request(in_transaction=True)}

    def flow(self) -> Flow[E_co | None]:
        if not self.layout.upgrades:
            return self.once()
        return upgrading(self.once, self.layout, self.values, self.options)

    def once(self) -> Flow[E_co | None]:
        if self.layout.plan is not None:
            settled = yield from self.layout.plan.run(self)
            return read_written(self.layout, {}, settled.reply, self.options)  # type: ignore[no-any-return]
        reply = yield from write("UpdateItem", self.request(), self.layout)
        return answer(self.layout, {}, reply, self.options)  # type: ignore[no-any-return]


def _is_plain_set(change: Change) -> bool:
    """Whether a change gives a whole attribute a value, as the item does with its own."""
    return change.verb == "set" and len(change.path) == 1 and not is_reference(change.value)
