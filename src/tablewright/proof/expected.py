"""The items that the tables must hold, and the units that reading and writing them must cost.

The engine is not involved: this is the prediction that its bill is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.design.cost.units.reading import pages_of
from tablewright.design.tables import index_of, key_names_of, table_of
from tablewright.design.values.buckets import buckets_between, with_bucket
from tablewright.design.values.templates import SHARD
from tablewright.expr.evaluate import evaluate
from tablewright.proof.database import add_units
from tablewright.proof.items import Key, derive, image, key_in, key_value, types_of
from tablewright.wire.capacity import index_write_wcu, read_rcu, write_wcu
from tablewright.wire.keys import key_bytes
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.model import (
        Design,
        Index,
        ItemType,
        ReadStep,
        SortCondition,
        TableDesign,
        WriteStep,
    )
    from tablewright.proof.reference_model import InstanceChange

Item = dict[str, Any]
StoredItems: TypeAlias = dict[Key, Item]
Units: TypeAlias = Mapping[str, float]


def expected_items(design: Design, instances: Mapping[str, Iterable[Item]]) -> StoredItems:
    """All items that the instances are stored as."""
    found: StoredItems = {}
    for item in design.items:
        for instance in instances[item.entity]:
            key = key_in(design, item, instance)
            if key is not None and key not in found:
                found[key] = image(design, item, instance, instances)
    return found


class Images(msgspec.Struct, frozen=True):
    """Stored items of the changed instances before and after a write, and the keys of those it wrote."""

    before: Mapping[Key, Item]
    after: Mapping[Key, Item]
    written: tuple[Key, ...]


def images_of(
    design: Design,
    stored: StoredItems,
    changes: Iterable[InstanceChange],
    instances: Mapping[str, Iterable[Item]],
    steps: tuple[WriteStep, ...] = (),
) -> Images:
    """`instances` are those after the changes; `steps` tell which items are not written because nothing changes."""
    before: dict[Key, Item] = {}
    after: dict[Key, Item] = {}
    written: list[Key] = []
    for change in changes:
        for item in types_of(design, change.entity):
            for instance in (change.before, change.after):
                key = None if instance is None else key_in(design, item, instance)
                if instance is None or key is None:
                    continue
                if key in stored:
                    before[key] = stored[key]
                if item.kind in ("total", "embedded") or instance is change.after:
                    after[key] = image(design, item, instance, instances)
                if _is_written(item, change, steps):
                    written.append(key)
    return Images(before, after, tuple(dict.fromkeys(written)))


def _is_written(item: ItemType, change: InstanceChange, steps: tuple[WriteStep, ...]) -> bool:
    was, is_now = change.before or {}, change.after or {}
    return any(
        not step.unless_same or any(was.get(name) != is_now.get(name) for name in step.unless_same)
        for step in steps
        if step.item == item.name
    )


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
