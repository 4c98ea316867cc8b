"""Second items: the same attributes under another key of the same table, written in the same transaction.

    pk  USER#a   sk  FOLLOWS#USER#b       Type  Follows       source a, target b, since ...
    pk  USER#b   sk  FOLLOWED_BY#USER#a   Type  FollowedBy    source a, target b, since ...

A second item is in no index but the table's own key. What is found by it is an item of the entity like any other:
whatever is done with it is done to both. To ElectroDB the second items are an entity of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.companion import Change, Clause
from tablewright.runtime.features.member import is_still, unchanged
from tablewright.runtime.items.layout import identity_of
from tablewright.schema.guards import guarded
from tablewright.schema.keys import PatternKeys, compile_keys, in_order
from tablewright.schema.ordered import forms_in
from tablewright.schema.second import mirror_entity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tablewright.expr.nodes import Condition
    from tablewright.runtime.features.companion import Item, Kind, Verdict
    from tablewright.runtime.items.layout import Layout
    from tablewright.schema.model import Entity


class _Second(msgspec.Struct, frozen=True):
    """One kind of second item: its keys and its identifiers."""

    loose: PatternKeys
    strict: PatternKeys  # the same with guards, for the typed style
    identity: dict[str, str]

    def key(self, layout: Layout, item: Item) -> dict[str, Any]:
        values = {name: item[each.field] for name, each in layout.attributes.items() if each.field in item}
        keys = self.strict if layout.strict else self.loose
        sides = (keys.pk, keys.sk)
        missing = [name for side in sides if side is not None for name in side.missing(values)]
        if missing:
            raise RequestError(
                f"{layout.name}: without {layout.listed(missing)} there is no key for its second item "
                f"({keys.pattern.name}); give it a value",
                code=2002,
            )
        return {side.field: side.compose(values) for side in sides if side is not None}

    def item(self, layout: Layout, first: Item) -> dict[str, Any]:
        attributes = {field: value for field, value in first.items() if field in layout.by_field}
        return {**attributes, **self.key(layout, first), **self.identity}


class _Mirrors(msgspec.Struct, frozen=True, eq=False):
    """Writes the second items of one entity along."""

    seconds: tuple[_Second, ...]
    fields: frozenset[str]
    moving: tuple[str, ...]  # fields in keys of second items that are in no key of the first

    def needs(self, kind: Kind, fields: Collection[str]) -> Collection[str] | None:  # noqa: ARG002 - a Companion
        return self.moving if kind == "put" else self.fields

    def holds(self, change: Change) -> Iterable[Condition]:
        if change.old is None:
            return ()
        if change.kind == "update":  # the second item is written whole, so the whole first must be what it was
            return unchanged(change.layout, change.old)
        return [is_still(change.old, field) for field in self.moving]

    def clauses(self, changes: Sequence[Change]) -> Iterator[Clause]:
        for change in changes:
            for second in self.seconds:
                yield from _both_ways(change, second)


def _both_ways(change: Change, second: _Second) -> Iterator[Clause]:
    """What the change of a first item means for its second one."""
    layout = change.layout
    key = None if change.new is None else second.key(layout, change.new)
    before = None if change.old is None else second.key(layout, change.old)
    if before is not None and before != key:
        yield Clause(layout, "delete_second", "Delete", {"TableName": change.table, "Key": before}, never)
    if change.new is not None:
        item = second.item(layout, change.new)
        yield Clause(layout, "put_second", "Put", {"TableName": change.table, "Item": item}, never)


def never(_: Item | None) -> Verdict:
    """It has no condition that could fail."""
    return "again"


def mirror_companion(entity: Entity) -> _Mirrors:
    fields = {each.name: each.field for each in entity.attributes}
    names = dict.fromkeys(name for each in entity.features.mirrors for name in (*each.pk, *each.sk))
    moving = tuple(fields[name] for name in names if name not in entity.primary.composites)
    seconds = tuple(_second_of(entity, each.pattern) for each in entity.features.mirrors)
    return _Mirrors(seconds, frozenset(fields.values()), moving)


def _second_of(entity: Entity, pattern: str) -> _Second:
    second = mirror_entity(entity, pattern)
    keys = in_order(compile_keys(second), forms_in(second, {}))
    return _Second(keys[pattern], guarded(second, keys)[pattern], identity_of(second))
