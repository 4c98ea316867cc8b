"""Symmetric edges: every item has a twin in which two attributes have changed places.

    pk  USER#a   sk  FRIEND#USER#b    user a, friend b
    pk  USER#b   sk  FRIEND#USER#a    user b, friend a

Both are items of the entity, with all their keys; whichever is written, the other is written along. An item between
a node and itself is its own twin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.features.companion import Change, Clause
from tablewright.runtime.features.edges.mirrors import never
from tablewright.runtime.features.member import unchanged
from tablewright.runtime.operations.put import index_keys

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.features.companion import Item, Kind
    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.model import Entity


class _Twins(msgspec.Struct, frozen=True, eq=False):
    """Writes the twins of one entity along."""

    pair: tuple[str, str]
    fields: frozenset[str]

    def needs(self, kind: Kind, fields: Collection[str]) -> Collection[str] | None:  # noqa: ARG002 - a Companion
        return () if kind == "put" else self.fields

    def holds(self, change: Change) -> Iterable[Condition]:
        return unchanged(change.layout, change.old) if change.old is not None and change.kind == "update" else ()

    def clauses(self, changes: Sequence[Change]) -> Iterator[Clause]:
        for change in changes:
            clause = self.clause(change)
            if clause is not None:
                yield clause

    def clause(self, change: Change) -> Clause | None:
        layout, item = change.layout, change.new if change.new is not None else change.old
        if item is None:
            return None
        twin = twin_of(layout, self.pair, item)
        key = {field: twin[field] for field in layout.table_fields}
        if key == change.key:
            return None
        if change.new is None:
            return Clause(layout, "delete_twin", "Delete", {"TableName": change.table, "Key": key}, never)
        return Clause(layout, "put_twin", "Put", {"TableName": change.table, "Item": twin}, never)


def symmetric_companion(entity: Entity) -> _Twins | None:
    pair = entity.features.symmetric
    return None if pair is None else _Twins(pair, frozenset(each.field for each in entity.attributes))


def twin_of(layout: Layout, pair: tuple[str, str], item: Item) -> dict[str, Any]:
    """The item with the two attributes in each other's place, and the keys that follow."""
    values = {name: item[each.field] for name, each in layout.attributes.items() if each.field in item}
    one, other = pair
    values[one], values[other] = values[other], values[one]
    keys, _ = index_keys(layout, values)
    fields = {layout.attributes[name].field: value for name, value in values.items()}
    return {**fields, **keys, **layout.identity}
