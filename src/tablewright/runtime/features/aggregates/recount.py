"""Recounting: what an item's aggregates should be, from the items they are made of, and put right where they are not.

The items are read first, then the result is written on condition that nothing was added meanwhile (`__fed__`); else it
is counted again. Read from the table's own key that is exact, whoever writes at the same time. A secondary index lags
behind by moments, so that there a recount is exact once writers rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import ConditionFailed, Conflict, RequestError, TablewrightError
from tablewright.expr import nodes
from tablewright.expr.compare import is_equal
from tablewright.runtime.clock import new_id
from tablewright.runtime.features.aggregates.addition import FED, LOST, NUMBERS, best, expressions, rank_field, set_to
from tablewright.runtime.features.aggregates.children import children
from tablewright.runtime.features.aggregates.deltas import Fed, Part, fed, field_of, key_fields
from tablewright.runtime.features.member import is_still
from tablewright.runtime.features.plan import ATTEMPTS, between
from tablewright.runtime.items.layout import Layout, Values
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call, existence, read_item, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.runtime.features.aggregates.deltas import Delta
    from tablewright.runtime.features.companion import After, Item
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.key import Key
    from tablewright.schema.features import Aggregate

E = TypeVar("E", bound="StoredItem")

MOST = 10_000


class Recount(Tunable, msgspec.Struct, Generic[E], frozen=True):
    """`tw.recount(Project.key("p"))`."""

    layout: Layout
    composites: Values
    most: int = MOST
    scan: bool = False
    fields: frozenset[str] | None = None  # the fields to put right; None for all
    exact: bool = False  # refuse to count from an index, which lags behind
    options: Options = DEFAULT

    method = "recount"

    def params(self) -> Params:
        """The request for the item, with which it begins."""
        key = self.layout.key(self.composites)
        return {"TableName": table_of(self.layout, self.options), "Key": key, "ConsistentRead": True}

    def flow(self) -> Flow[E | None]:
        get = self.params()
        for count in range(ATTEMPTS):
            yield from between(count)
            item = (yield from call("GetItem", get)).get("Item")
            if item is None:
                return None
            parts = yield from self.counted()
            try:
                found = yield from call("UpdateItem", self.correction(get, item, parts))
            except ConditionFailed:
                continue
            return read_item(self.layout, found["Attributes"], self.options, ignore=self.layout.ignore_ownership)  # type: ignore[no-any-return]
        message = f"{self.layout.name}: its aggregates kept changing while they were recounted; try later"
        raise Conflict("ConditionalCheckFailedException", message)

    def counted(self) -> Flow[list[Part]]:
        """What every aggregate should be."""
        parts: dict[str, Part] = {}
        for child, aggregates in _feeders(self.layout):
            asked = [each for each in aggregates if self.fields is None or field_of(self.layout, each) in self.fields]
            for aggregate in asked:
                field = field_of(self.layout, aggregate)
                parts.setdefault(field, Part(aggregate.kind, field))
            for group in _by_key(child, self.layout, asked):
                given = self.given(child, group[0])
                items = yield from children(
                    child, given, self.options, most=self.most, scan=self.scan, exact=self.exact
                )
                for aggregate in group:
                    self.count(parts[field_of(self.layout, aggregate)], child, aggregate, items)
        return list(parts.values())

    def given(self, child: Layout, aggregate: Aggregate) -> dict[str, Any]:
        """The attributes that the items to be counted have in common."""
        fields = key_fields(child, self.layout, aggregate)
        return {child.by_field[ours].name: self.composites[theirs] for theirs, ours in fields.items()}

    def count(self, part: Part, child: Layout, aggregate: Aggregate, items: list[Item]) -> None:
        for item in items:
            one = fed(child, aggregate, item)
            if one is None or not self.is_mine(one):
                continue
            if part.kind in NUMBERS:
                part.amount += one.value
            else:
                part.come.append(one)

    def is_mine(self, one: Fed) -> bool:
        return all(is_equal(value, self.composites[name]) for name, value in one.composites)

    def correction(self, get: Params, item: Item, parts: list[Part]) -> Params:
        actions: list[nodes.Action] = [nodes.Set(nodes.Name((FED,)), nodes.Value(new_id()))]
        for part in parts:
            actions += _corrected(part)
        ranked = {part.field for part in parts if part.kind not in NUMBERS}
        if ranked:
            actions.append(nodes.Delete(nodes.Name((LOST,)), nodes.Value(ranked)))
        condition = nodes.all_of(existence(self.layout, exists=True), is_still(item, FED))
        request = {"TableName": get["TableName"], "Key": get["Key"], "ReturnValues": "ALL_NEW"}
        return {**request, **expressions(actions, condition)}


def _corrected(part: Part) -> Iterator[nodes.Action]:
    if part.kind in NUMBERS:
        yield nodes.Set(nodes.Name((part.field,)), nodes.Value(part.amount))
        return
    come = best(part.kind, part.come)
    if come is not None:
        yield from set_to(part, come)
        return
    for field in dict.fromkeys((part.field, rank_field(part))):
        yield nodes.Remove(nodes.Name((field,)))


def _feeders(parent: Layout) -> Iterator[tuple[Layout, list[Aggregate]]]:
    """The entities that add to another, with what they add."""
    for name in parent.home.members:
        child = parent.home.layout(name)
        assert child is not None
        mine = [each for each in child.entity.features.aggregates if parent.home.layout(each.into) is parent]
        if mine:
            yield child, mine


def _by_key(child: Layout, parent: Layout, aggregates: list[Aggregate]) -> list[list[Aggregate]]:
    """Aggregates that are made of the same items stand together."""
    groups: dict[Any, list[Aggregate]] = {}
    for each in aggregates:
        groups.setdefault(tuple(key_fields(child, parent, each).items()), []).append(each)
    return list(groups.values())


def recount(key: Key[E], *, most: int = MOST, scan: bool = False) -> Recount[E]:
    """Put the aggregates of an item right; the answer is the item (None: there is none).

    It reads what they are made of, `most` items at the most. `scan=True` lets it read the whole table where no access
    pattern finds them.
    """
    layout = key.layout
    if not layout.entity.features.aggregated:
        raise RequestError(f"{layout.name} has no aggregates to recount", code=2002)
    return Recount(layout, key.composites, most, scan)


RECOUNTED = 1_000  # items at the most that a write reads to find an extreme again


def repair(delta: Delta, lost: frozenset[str]) -> After:
    """The recount that finds what was lost. Where it cannot, it stays lost: there are too many items, or only an index
    has them, which does not know of this write yet.
    """

    def after() -> Flow[None]:
        options = Options(table=delta.table)
        try:
            again = Recount[Any](delta.parent, delta.composites, RECOUNTED, fields=lost, exact=True, options=options)
            yield from again.flow()
        except TablewrightError:  # the write is done; the loss is on record
            return

    return after
