"""The units that reading and writing must cost: the arithmetic of the steps, applied to the very items that are there.

The engine is not involved: this is the prediction that its bill is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.design.cost.units.reading import pages_of
from tablewright.design.tables import index_of, key_names_of, table_of
from tablewright.design.values.buckets import buckets_between, with_bucket
from tablewright.design.values.templates import SHARD
from tablewright.expr.evaluate import evaluate
from tablewright.proof.data import WRITTEN_AT
from tablewright.proof.database import add_units
from tablewright.proof.expected import images_of, instances_of
from tablewright.proof.items import derive, key_value
from tablewright.wire.capacity import index_write_wcu, read_rcu, write_wcu
from tablewright.wire.keys import key_bytes
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.layout.forms import Merge
    from tablewright.design.model import Design, Index, ReadStep, SortCondition, TableDesign
    from tablewright.proof.application.state import Applied
    from tablewright.proof.context import Subject
    from tablewright.proof.expected import Images, StoredItems

Item = dict[str, Any]
Units: TypeAlias = Mapping[str, float]
Found: TypeAlias = tuple[int, Item]
"""An item and the step that found it."""


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_units(
    design: Design,
    stored: StoredItems,
    steps: Iterable[ReadStep],
    inputs: Mapping[str, Any],
    now: int = WRITTEN_AT,
) -> Units:
    """What the steps cost that are sent until every list is full, or at its end."""
    reading = _Reading(design, stored, tuple(steps), inputs, now)
    for answering in _lists_of(reading.steps):
        reading.read_list(answering)
    return reading.spent


def _lists_of(steps: tuple[ReadStep, ...]) -> list[list[int]]:
    """The steps that answer, with those that go on with their lists."""
    used = {each.keys_from for each in steps if not each.joins}
    found: list[list[int]] = []
    for at, each in enumerate(steps):
        if not each.joins and at not in used:
            goes_on = each.continues or each.merges is not None
            found[-1:] = [[*found[-1], at]] if goes_on else [*found[-1:], [at]]
    return found


def _merged(sources: list[Iterator[Found]], merge: Merge, *, backwards: bool) -> Iterator[Found]:
    """What comes first in the order of the list, of the next of each source."""
    heads: list[Found | None] = [None] * len(sources)
    while True:
        heads = [head or next(source, None) for head, source in zip(heads, sources, strict=True)]
        there = {at: _order_of(head[1], merge, backwards=backwards) for at, head in enumerate(heads) if head}
        if not there:
            return
        first = (max if backwards else min)(there, key=there.__getitem__)
        head, heads[first] = heads[first], None
        if head is not None:
            yield head


def _order_of(item: Item, merge: Merge, *, backwards: bool) -> list[tuple[Any, ...]]:
    lacking = 2 if (merge.absent == "last") != backwards else 0
    return [(1, item[name]) if name in item else (lacking,) for name in merge.attributes]


class _Reading:
    """Steps under way: requests are sent when their items are asked for, and paid for then."""

    def __init__(
        self, design: Design, stored: StoredItems, steps: tuple[ReadStep, ...], inputs: Mapping[str, Any], now: int
    ) -> None:
        self.design, self.stored, self.steps, self.inputs, self.now = design, stored, steps, inputs, now
        self.spent: dict[str, float] = {}

    def pay(self, step: ReadStep, sizes: Iterable[int]) -> None:
        units = sum(read_rcu(size, consistent=step.consistent) for size in sizes)
        if units:
            self.spent[step.index or "table"] = self.spent.get(step.index or "table", 0.0) + units

    def read_list(self, answering: list[int]) -> None:
        """Until it is full; what completes its items is fetched then."""
        most = self.limit_of(answering[0])
        strands: list[list[int]] = []
        for at in answering:
            strands[-1:] = [[*strands[-1], at]] if self.steps[at].continues else [*strands[-1:], [at]]
        merge = self.steps[strands[-1][0]].merges
        sources = [self.chain(each, most) for each in strands]
        backwards = self.steps[answering[0]].backwards
        source = sources[0] if merge is None else _merged(sources, merge, backwards=backwards)
        found = list(islice(source, most))
        for step in self.steps:
            completed = [item for at, item in found if step.joins and step.keys_from == at]
            list(self.fetch(step, ({**self.inputs, **item} for item in completed), len(completed)))

    def chain(self, strand: list[int], left: int | None) -> Iterator[Found]:
        """Each step is asked for what those before it left to find."""
        for at in strand:
            for item in self.items(at, left):
                left = None if left is None else left - 1
                yield at, item

    def limit_of(self, at: int) -> int | None:
        """That of the step whose keys are fetched, where it fetches."""
        step = self.steps[at]
        while step.limit is None and step.operation == "BatchGetItem" and step.keys_from is not None:
            step = self.steps[step.keys_from]
        return step.limit

    def items(self, at: int, limit: int | None) -> Iterator[Item]:
        step = self.steps[at]
        if step.each:
            yield from self.fetch(step, ({**self.inputs, **each} for each in self.inputs[step.each]), limit)
        elif step.keys_from is None:
            yield from self.find(step, self.inputs, limit)
        elif step.operation == "BatchGetItem":
            keys = self.items(step.keys_from, limit)
            yield from self.fetch(step, ({**self.inputs, **item} for item in keys), limit)
        else:
            most = self.steps[step.keys_from].limit
            for item in islice(self.items(step.keys_from, most), most):
                yield from self.find(step, {**self.inputs, **item}, limit)

    def find(self, step: ReadStep, values: Mapping[str, Any], limit: int | None) -> Iterator[Item]:
        if step.operation != "Query":
            yield from self.fetch(step, iter([values]), 1)
            return
        parts = [self.query(step, each, limit) for each in _partitions(step, values)]
        _, sort = key_names_of(table_of(self.design, step.table), step.index)
        heads: list[Item | None] = [None] * len(parts)
        while True:
            heads = [head or next(part, None) for head, part in zip(heads, parts, strict=True)]
            there = {at: [key_bytes(head[name]) for name in sort] for at, head in enumerate(heads) if head}
            if not there:
                return
            first = (max if step.backwards else min)(there, key=there.__getitem__)
            head, heads[first] = heads[first], None
            if head is not None:
                yield head

    def query(self, step: ReadStep, values: Mapping[str, Any], limit: int | None) -> Iterator[Item]:
        """The items of one partition, page by page; without a filter the limit ends a page."""
        found = _find_entries(self.design, self.stored, step, values)
        filters = () if step.unfold else step.filters
        if filters or limit is None:
            self.pay(step, pages_of([item_size_bytes(entry) for entry in found]))
            yield from (each for each in found if self.is_kept(step, each, values))
            return
        for begin in range(0, len(found) + 1, limit):
            page = found[begin : begin + limit]
            self.pay(step, pages_of([item_size_bytes(entry) for entry in page]))
            yield from (each for each in page if step.unfold or self.is_kept(step, each, values))

    def fetch(self, step: ReadStep, sources: Iterator[Mapping[str, Any]], limit: int | None) -> Iterator[Item]:
        """Items by their keys, a hundred at a time or as many as are wanted."""
        while chunk := list(islice(sources, min(MAX_BATCH_GET_ITEMS, limit or MAX_BATCH_GET_ITEMS))):
            keys = [_key_of(self.design, step, values) for values in chunk]
            items = {key: self.stored.get((step.table, *key)) for key in keys}
            self.pay(step, (0 if item is None else item_size_bytes(item) for item in items.values()))
            for key, values in zip(keys, chunk, strict=True):
                item = items[key]
                if item is not None and (step.unfold or self.is_kept(step, item, values)):
                    yield item

    def is_kept(self, step: ReadStep, item: Item, values: Mapping[str, Any]) -> bool:
        until = item.get(step.unexpired) if step.unexpired else None
        if until is not None and until <= self.now:
            return False
        return all(evaluate(each.fill(values), item) for each in step.filters)


def _key_of(design: Design, step: ReadStep, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """The whole key of one item."""
    given = derive(values, step.shard_of, step.shards, step.bucket, design.key_style)
    templates = [*(each.template for each in step.pk), *(each.low for each in step.sk)]
    return tuple(key_value(each, given, design.key_style) for each in templates)


def _partitions(step: ReadStep, values: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The values of every query of a step: one for each shard, listed value and bucket."""
    spread = {name: found or _between(step, values) for name, found in step.for_each.items()}
    for chosen in product(*spread.values()):
        asked = {**with_bucket(values, step.bucket), **dict(zip(spread, chosen, strict=True))}
        yield from [asked] if step.shards == 1 else ({**asked, SHARD: str(at)} for at in range(step.shards))


def _between(step: ReadStep, values: Mapping[str, Any]) -> list[str]:
    """The buckets between the range's ends."""
    assert step.bucket is not None
    return buckets_between(str(values["from"]), str(values["to"]), step.bucket.length)


def _find_entries(design: Design, stored: StoredItems, step: ReadStep, values: Mapping[str, Any]) -> list[Item]:
    table = table_of(design, step.table)
    index = index_of(table, step.index)
    wanted = {each.field: key_value(each.template, values, design.key_style) for each in step.pk}
    _, sort = key_names_of(table, step.index)
    found = [
        entry
        for (name, _, _), item in stored.items()
        if name == step.table and all(item.get(field) == value for field, value in wanted.items())
        for entry in [_entry_of(table, index, item)]
        if entry is not None and all(_meets_condition(design, each, entry, values) for each in step.sk)
    ]
    return sorted(found, key=lambda item: [key_bytes(item[name]) for name in sort], reverse=step.backwards)


def _meets_condition(design: Design, condition: SortCondition, item: Item, values: Mapping[str, Any]) -> bool:
    """Whether a sort key meets a condition; keys are compared by their bytes, as DynamoDB does."""
    key, low = key_bytes(item[condition.field]), key_bytes(key_value(condition.low, values, design.key_style))
    match condition.operator:
        case "=":
            return key == low
        case "begins_with":
            return key.startswith(low)
        case "between":
            return low <= key <= key_bytes(key_value(condition.high or condition.low, values, design.key_style))
        case _:
            return {"<": key < low, "<=": key <= low, ">": key > low, ">=": key >= low}[condition.operator]


def _entry_of(table: TableDesign, index: Index | None, item: Item) -> Item | None:
    """The attributes of an item that the table or an index holds; None where the item is not in the index."""
    if index is None:
        return item
    keys = {each.name for each in (*index.pk, *index.sk)}
    if not all(name in item for name in keys):
        return None
    if index.projection.type == "ALL":
        return item
    kept = {*keys, table.pk.name, table.sk.name, *index.projection.attributes}
    return {name: value for name, value in item.items() if name in kept}


# ---- writes ---------------------------------------------------------------------------------------------------------


def writing_units(design: Design, subject: Subject, before: StoredItems, applied: Applied, after: StoredItems) -> Units:
    """Write units of one run: what a transaction writes is doubled; without one each item is written by itself."""
    pattern = subject.design
    transaction = pattern.transaction or pattern.idempotent
    instances = instances_of(applied.state)
    groups = [applied.changed] if subject.meant.op == "transact" else [(each,) for each in applied.changed]
    spent = [
        write_units(design, images_of(design, before, group, instances, pattern.writes), transaction=transaction)
        for group in groups
    ]
    del after
    return add_units(spent)


def write_units(design: Design, images: Images, *, transaction: bool) -> Units:
    """Write units of the table and of each index."""
    spent: list[Units] = []
    for key in images.written:
        table = table_of(design, key[0])
        old, new = images.before.get(key), images.after.get(key)
        size = write_wcu(_size_of(old) or 0, _size_of(new) or 0, transactional=transaction)
        indexes = {each.name: _index_units(table, each, old, new, transaction) for each in (*table.gsis, *table.lsis)}
        spent.append({"table": size, **{name: units for name, units in indexes.items() if units}})
    return add_units(spent)


def _index_units(table: TableDesign, index: Index, old: Item | None, new: Item | None, transaction: bool) -> float:
    was = None if old is None else _entry_of(table, index, old)
    became = None if new is None else _entry_of(table, index, new)
    keys = [each.name for each in (*index.pk, *index.sk)]
    return index_write_wcu(
        _size_of(was),
        _size_of(became),
        key_changed=was is not None and became is not None and any(was[name] != became[name] for name in keys),
        view_changed=was != became,
        transactional=transaction,
    )


def _size_of(item: Item | None) -> int | None:
    return None if item is None else item_size_bytes(item)
