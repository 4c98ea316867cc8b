"""Aggregates kept together with what they are made of: every write that changes one adds to it in its transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.runtime.features.aggregates.addition import addition
from tablewright.runtime.features.aggregates.deltas import deltas
from tablewright.runtime.features.aggregates.recount import repair
from tablewright.runtime.features.member import is_still
from tablewright.schema.features import Aggregate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.features.companion import Change, Clause, Kind
    from tablewright.schema.model import Entity


class _Keeping(msgspec.Struct, frozen=True, eq=False):
    """Adds the items of one entity to others."""

    aggregates: tuple[Aggregate, ...]
    fields: tuple[str, ...]  # all that matters of an item

    def needs(self, kind: Kind, fields: Collection[str]) -> Collection[str] | None:
        if kind == "update" and not any(field in fields for field in self.fields):
            return None
        return self.fields

    def holds(self, change: Change) -> Iterator[Condition]:
        if change.old is not None:
            for field in self.fields:
                if field not in change.layout.table_fields:
                    yield is_still(change.old, field)

    def clauses(self, changes: Sequence[Change]) -> Iterator[Clause]:
        for delta in deltas(self.aggregates, changes):
            yield addition(delta, repair)


def aggregate_companion(entity: Entity) -> _Keeping | None:
    aggregates = tuple(each for each in entity.features.aggregates if each.kept == "together")
    return _Keeping(aggregates, _fields_of(entity, aggregates)) if aggregates else None


def _fields_of(entity: Entity, aggregates: Sequence[Aggregate]) -> tuple[str, ...]:
    """The stored fields that some aggregates are made of."""
    fields = {each.name: each.field for each in entity.attributes}
    names = [name for each in aggregates for name in (each.of, each.at, *(name for name, _ in each.where)) if name]
    names += [ours for each in aggregates for _, ours in each.by]
    soft = entity.features.soft_delete
    names += [soft.attribute] if soft is not None else []  # what is marked as deleted adds nothing
    return tuple(dict.fromkeys(fields[name] for name in names))
