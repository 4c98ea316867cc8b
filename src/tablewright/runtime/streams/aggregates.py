"""Aggregates kept by a stream: changes are added when their records arrive, each once.

Every record is applied in one transaction with a note of its id, so that a record that comes again adds nothing.

    pk  __fed__#app#<id of the change>     sk  __fed__
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import ConditionFailed
from tablewright.runtime.features.aggregates.addition import FED, addition
from tablewright.runtime.features.aggregates.deltas import Delta, deltas
from tablewright.runtime.features.aggregates.recount import repair
from tablewright.runtime.features.companion import Change, Clause, Item, companion_identity, companion_key
from tablewright.runtime.features.plan import Plan
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.request import Params, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.database import AsyncDatabase, Database
    from tablewright.runtime.entity import Entity
    from tablewright.runtime.features.companion import Kind
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.streams.changes.events import AnyEvent
    from tablewright.runtime.streams.handlers import Handlers


class _Applying(msgspec.Struct, frozen=True, eq=False):
    """The companion of a note: what its record adds."""

    found: tuple[Delta, ...]

    def needs(self, kind: Kind, fields: Collection[str]) -> Collection[str] | None:  # noqa: ARG002 - a Companion
        return ()

    def holds(self, change: Change) -> Iterable[Condition]:  # noqa: ARG002
        return ()

    def clauses(self, changes: Sequence[Change]) -> Iterable[Clause]:  # noqa: ARG002
        return [addition(delta, repair) for delta in self.found]


class _Note(msgspec.Struct, frozen=True):
    """The write of a note, with everything that its record adds."""

    layout: Layout
    id: str
    only_new: bool = True
    options: Options = DEFAULT

    method = "put"

    @property
    def values(self) -> Params:
        return {}

    def clause(self) -> Params:
        layout = self.layout
        key = companion_key(layout, f"{FED}#{layout.entity.service}#{self.id}", FED)
        return {
            "Put": {
                "TableName": table_of(layout, self.options),
                "Item": {**key, **companion_identity(layout, "fed")},
                "ConditionExpression": "attribute_not_exists(#pk)",
                "ExpressionAttributeNames": {"#pk": layout.primary.pk.field},
            }
        }


class Apply(msgspec.Struct, frozen=True):
    """Adds what one change of an item means to the items it adds to; once, by the change's id."""

    layout: Layout
    id: str
    old: Item | None
    new: Item | None
    options: Options = DEFAULT

    method = "apply"

    def params(self) -> Params:
        return _Note(self.layout, self.id).clause()

    def flow(self) -> Flow[None]:
        layout = self.layout
        there = self.new if self.new is not None else self.old
        assert there is not None
        key = {field: there[field] for field in layout.table_fields}
        table = table_of(layout, self.options)
        change = Change(layout, table, "put", key, self.old, self.new)
        mine = [each for each in layout.entity.features.aggregates if each.kept == "stream"]
        found = tuple(deltas(mine, [change]))
        if not found:
            return
        plan = Plan(None, (_Applying(found),))
        noting = msgspec.structs.replace(layout, plan=plan)
        try:
            yield from plan.run(_Note(noting, self.id, options=self.options))
        except ConditionFailed:  # it was applied when the record came first
            return


def keep_aggregates(handlers: Handlers, db: Database | AsyncDatabase) -> None:
    """Let handlers of a stream keep all aggregates that are declared with kept="stream".

    The stream must show old and new images. An `AsyncDatabase` makes the handlers async.
    """
    for entity in handlers.owners.entities():
        layout = entity.__tablewright_layout__()
        if any(each.kept == "stream" for each in layout.entity.features.aggregates):
            _register(handlers, entity, db)


def _register(handlers: Handlers, entity: type[Entity], db: Any) -> None:
    from tablewright.runtime.database import AsyncDatabase
    from tablewright.runtime.streams.changes.events import Event

    def apply(event: AnyEvent) -> Any:
        return db.run(application(event))

    async def apply_async(event: AnyEvent) -> None:
        await db.run(application(event))

    handler: Callable[[AnyEvent], Any] = apply_async if isinstance(db, AsyncDatabase) else apply
    handler.__qualname__ = f"keep_aggregates.{entity.__name__}"  # by which the handlers remember what is done
    handlers.on(Event[entity])(handler)  # type: ignore[valid-type]


def application(event: AnyEvent) -> Apply:
    """What is to be done for an event; a stream without images cannot tell."""
    old, new = event.stored_sides()
    return Apply(event.entity.__tablewright_layout__(), event.id, old, new)
