"""The units that reading and writing must cost: the arithmetic of the steps, applied to the very items that are there.

The engine is not involved: this is the prediction that its bill is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.design.cost.units.reading import pages_of
from tablewright.design.tables import index_of, key_names_of, table_of
from tablewright.design.values.buckets import buckets_between, with_bucket
from tablewright.design.values.templates import SHARD
from tablewright.expr.evaluate import evaluate
from tablewright.proof.database import add_units
from tablewright.proof.expected import images_of, instances_of
from tablewright.proof.items import derive, key_value
from tablewright.wire.capacity import index_write_wcu, read_rcu, write_wcu
from tablewright.wire.keys import key_bytes
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.model import Design, Index, ReadStep, SortCondition, TableDesign
    from tablewright.proof.application.state import Applied
    from tablewright.proof.context import Subject
    from tablewright.proof.expected import Images, StoredItems

Item = dict[str, Any]
Units: TypeAlias = Mapping[str, float]


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_units(design: Design, stored: StoredItems, steps: Iterable[ReadStep], inputs: Mapping[str, Any]) -> Units:
    answers: list[list[Item]] = []
    spent: list[Units] = []
    for step in steps:
        earlier: list[Item] = [{}] if step.keys_from is None else answers[step.keys_from]
        sources: list[Mapping[str, Any]] = [{**inputs, **item} for item in earlier]
        items, units = _step_units(design, stored, step, sources)
        answers.append(_complete(design, step, answers[step.keys_from or 0], items) if step.joins else items)
        spent.append({step.index or "table": units})
    return add_units(spent)


def _complete(design: Design, step: ReadStep, shown: list[Item], found: list[Item]) -> list[Item]:
    """Items completed by those with the same id."""
    ids = next(each.id for each in design.items if each.entity == step.entities[0])
    more = {tuple(item.get(name) for name in ids): item for item in found}
    return [{**more.get(tuple(item.get(name) for name in ids), {}), **item} for item in shown]


def _step_units(
    design: Design, stored: StoredItems, step: ReadStep, sources: list[Mapping[str, Any]]
) -> tuple[list[Item], float]:
    if step.operation == "Query":
        answers = [_merged_units(design, stored, step, values) for values in sources]
        return [item for items, _ in answers for item in items], sum(units for _, units in answers)
    keys = dict.fromkeys(_key_of(design, step, values) for values in sources)
    items = [stored.get((step.table, *key)) for key in keys]
    sizes = [0 if item is None else item_size_bytes(item) for item in items]
    return [item for item in items if item is not None], sum(read_rcu(s, consistent=step.consistent) for s in sizes)


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


def _merged_units(
    design: Design, stored: StoredItems, step: ReadStep, values: Mapping[str, Any]
) -> tuple[list[Item], float]:
    """The items of all partitions that are queried, merged in order and cut at the limit, and their units."""
    found = [_query_units(design, stored, step, each) for each in _partitions(step, values)]
    items = [item for each, _ in found for item in each]
    if len(found) > 1:
        _, sort = key_names_of(table_of(design, step.table), step.index)
        items.sort(key=lambda item: [key_bytes(item[name]) for name in sort], reverse=step.backwards)
    return items[: step.limit], sum(units for _, units in found)


def _query_units(
    design: Design, stored: StoredItems, step: ReadStep, values: Mapping[str, Any]
) -> tuple[list[Item], float]:
    """The items of one partition, and their units page by page; without a filter the limit ends a page."""
    found = _find_entries(design, stored, step, values)
    sizes = tuple(item_size_bytes(entry) for entry in found)
    limit = None if step.filters else step.limit
    pages = pages_of(sizes, limit)
    kept = [item for item in found[:limit] if all(evaluate(each.fill(values), item) for each in step.filters)]
    return kept, sum(read_rcu(page, consistent=step.consistent) for page in pages)


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
