"""What an item adds to others: to which one, and how much. From two versions of an item follows what changes there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import SchemaError
from tablewright.expr.compare import is_equal
from tablewright.runtime.features.edges.symmetric import twin_of
from tablewright.runtime.items.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.runtime.features.companion import Change, Item
    from tablewright.schema.features import Aggregate

Place: TypeAlias = tuple[Any, ...]  # the table and the key of an item that is added to


class Fed(msgspec.Struct, frozen=True):
    """What one item adds to one attribute of another: its value, and the rank by which it is compared."""

    parent: Layout
    composites: tuple[tuple[str, Any], ...]
    value: Any = 1
    rank: Any = None


class Part(msgspec.Struct):
    """What changes for one attribute: something to add, or values that come and go."""

    kind: str
    field: str
    amount: Any = 0
    come: list[Fed] = []
    gone: list[Fed] = []

    @property
    def is_needed(self) -> bool:
        return bool(self.amount or self.come or self.gone)


class Delta(msgspec.Struct):
    """What changes for one item: parts by the field they are about."""

    parent: Layout
    table: str
    key: dict[str, Any]
    composites: dict[str, Any]
    parts: dict[str, Part] = {}

    def part(self, aggregate: Aggregate) -> Part:
        field = field_of(self.parent, aggregate)
        return self.parts.setdefault(field, Part(aggregate.kind, field))


def deltas(aggregates: Iterable[Aggregate], changes: Iterable[Change]) -> list[Delta]:
    """What some changes of an entity mean for the items they add to, each of those once."""
    found: dict[Place, Delta] = {}
    for change in _both_sides(changes):
        for aggregate in aggregates:
            before, after = fed(change.layout, aggregate, change.old), fed(change.layout, aggregate, change.new)
            if before == after:
                continue
            for one, sign in ((before, -1), (after, 1)):
                if one is not None:
                    _note(_delta_for(found, change, one).part(aggregate), one, sign)
    for delta in found.values():
        delta.parts = {field: part for field, part in delta.parts.items() if part.is_needed}
    return [delta for delta in found.values() if delta.parts]


def _both_sides(changes: Iterable[Change]) -> Iterator[Change]:
    """A symmetric item stands for its twin as well."""
    for change in changes:
        yield change
        pair = change.layout.entity.features.symmetric
        if pair is None:
            continue
        old, new = (None if item is None else twin_of(change.layout, pair, item) for item in (change.old, change.new))
        there = new if new is not None else old
        if there is not None and any(there[field] != change.key[field] for field in change.key):
            yield msgspec.structs.replace(change, old=old, new=new)


def _note(part: Part, one: Fed, sign: int) -> None:
    if part.kind in ("count", "sum"):
        part.amount += sign * one.value
    else:
        (part.come if sign > 0 else part.gone).append(one)


def _delta_for(found: dict[Place, Delta], change: Change, one: Fed) -> Delta:
    composites = dict(one.composites)
    key = one.parent.key(composites)
    return found.setdefault((change.table, *key.items()), Delta(one.parent, change.table, key, composites))


# ---- one item ----------------------------------------------------------------------------------------------------


def fed(layout: Layout, aggregate: Aggregate, item: Item | None) -> Fed | None:
    """What an item adds; None when it does not count, belongs to nothing or has nothing to add."""
    if item is None or layout.marked_by in item or not _counts(layout, aggregate, item):
        return None
    parent = _parent_of(layout, aggregate)
    composites = {theirs: item.get(ours) for theirs, ours in key_fields(layout, parent, aggregate).items()}
    if any(value is None for value in composites.values()):
        return None
    named = tuple(composites.items())
    if aggregate.of is None:
        return Fed(parent, named)
    value = item.get(layout.attributes[aggregate.of].field)
    rank = value if aggregate.at is None else item.get(layout.attributes[aggregate.at].field)
    return None if value is None or rank is None else Fed(parent, named, value, rank)


def _counts(layout: Layout, aggregate: Aggregate, item: Item) -> bool:
    """Whether every attribute of its `where` has one of the values asked for (None: is absent)."""
    for name, values in aggregate.where:
        value = item.get(layout.attributes[name].field)
        if not any(value is each if value is None or each is None else is_equal(value, each) for each in values):
            return False
    return True


def _parent_of(layout: Layout, aggregate: Aggregate) -> Layout:
    found = layout.home.layout(aggregate.into)
    if found is None:
        raise SchemaError(
            f"{layout.name} adds to {aggregate.into}.{aggregate.attribute}, but no entity of that name is declared in "
            f"service {layout.entity.service}; import its module as well",
            code=1009,
        )
    return found


def field_of(parent: Layout, aggregate: Aggregate) -> str:
    """The stored field that is added to."""
    name = _name_in(parent, aggregate.attribute)
    if name not in parent.entity.features.aggregated:
        remedy = f"declare it there: {aggregate.attribute}: Attr[...] = attr(aggregate=True, default=...)"
        raise SchemaError(f"{parent.name}.{aggregate.attribute} is no aggregate; {remedy}", code=1009)
    return parent.attributes[name].field


def key_fields(layout: Layout, parent: Layout, aggregate: Aggregate) -> Mapping[str, str]:
    """By key attribute of the other entity: the field here that holds its value."""
    by = dict(aggregate.by)
    if "" in by:
        by = {parent.table_composites[0]: by[""]} if len(parent.table_composites) == 1 else {}
    named = {_name_in(parent, theirs): ours for theirs, ours in by.items()}
    known = all(ours in layout.attributes for ours in named.values())
    if {*named} != {*parent.table_composites} or not known:
        wanted = parent.listed(parent.table_composites)
        raise SchemaError(
            f"{layout.name} adds to {parent.name}.{aggregate.attribute}, whose key is made of {wanted}; say which "
            "attributes hold it: by={...}",
            code=1009,
        )
    return {theirs: layout.attributes[ours].field for theirs, ours in named.items()}


def _name_in(layout: Layout, name: str) -> str:
    """The schema's name of an attribute that may have been named as Python does."""
    if name in layout.attributes:
        return name
    return next((known for known, said in layout.said.items() if said == name), name)
