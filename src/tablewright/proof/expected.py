"""The items that the tables must hold, and the units that reading and writing them must cost.

The engine is not involved: this is the prediction that its bill is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.design.cost.units.reading import pages_of
from tablewright.proof.client.expressions import passes
from tablewright.proof.client.items import Key, image, key_in, types_of
from tablewright.proof.client.reads import added, joined, key_of, key_value, partitions
from tablewright.proof.client.tables import index_of, key_names_of, table_of
from tablewright.wire.capacity import index_write_wcu, read_rcu, write_wcu
from tablewright.wire.keys import key_bytes
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

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
                if is_written(item, change, steps):
                    written.append(key)
    return Images(before, after, tuple(dict.fromkeys(written)))


def is_written(item: ItemType, change: InstanceChange, steps: tuple[WriteStep, ...]) -> bool:
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
        items, units = step_units(design, stored, step, sources)
        answers.append(joined(design, step, answers[step.keys_from or 0], items) if step.joins else items)
        spent.append({step.index or "table": units})
    return added(spent)


def step_units(
    design: Design, stored: StoredItems, step: ReadStep, sources: list[Mapping[str, Any]]
) -> tuple[list[Item], float]:
    if step.operation == "Query":
        answers = [merged_units(design, stored, step, values) for values in sources]
        return [item for items, _ in answers for item in items], sum(units for _, units in answers)
    keys = dict.fromkeys(tuple(key_of(design, step, values).values()) for values in sources)
    items = [stored.get((step.table, *key)) for key in keys]
    sizes = [0 if item is None else item_size_bytes(item) for item in items]
    return [item for item in items if item is not None], sum(read_rcu(s, consistent=step.consistent) for s in sizes)


def merged_units(
    design: Design, stored: StoredItems, step: ReadStep, values: Mapping[str, Any]
) -> tuple[list[Item], float]:
    """The items of all partitions that are queried, merged in order and cut at the limit, and their units."""
    found = [query_units(design, stored, step, each) for each in partitions(step, values)]
    items = [item for each, _ in found for item in each]
    if len(found) > 1:
        _, sort = key_names_of(table_of(design, step.table), step.index)
        items.sort(key=lambda item: [key_bytes(item[name]) for name in sort], reverse=step.backwards)
    return items[: step.limit], sum(units for _, units in found)


def query_units(
    design: Design, stored: StoredItems, step: ReadStep, values: Mapping[str, Any]
) -> tuple[list[Item], float]:
    """The items of one partition, and their units page by page; without a filter the limit ends a page."""
    found = find_entries(design, stored, step, values)
    sizes = tuple(item_size_bytes(entry) for entry in found)
    limit = None if step.filters else step.limit
    pages = pages_of(sizes, limit)
    kept = [item for item in found[:limit] if passes(step.filters, item, values)]
    return kept, sum(read_rcu(page, consistent=step.consistent) for page in pages)


def find_entries(design: Design, stored: StoredItems, step: ReadStep, values: Mapping[str, Any]) -> list[Item]:
    table = table_of(design, step.table)
    index = index_of(table, step.index)
    wanted = {each.field: key_value(design, each.template, values) for each in step.pk}
    _, sort = key_names_of(table, step.index)
    found = [
        entry
        for (name, _, _), item in stored.items()
        if name == step.table and all(item.get(field) == value for field, value in wanted.items())
        for entry in [entry_of(table, index, item)]
        if entry is not None and all(meets_condition(design, each, entry, values) for each in step.sk)
    ]
    return sorted(found, key=lambda item: [key_bytes(item[name]) for name in sort], reverse=step.backwards)


def meets_condition(design: Design, condition: SortCondition, item: Item, values: Mapping[str, Any]) -> bool:
    """Whether a sort key meets a condition; keys are compared by their bytes, as DynamoDB does."""
    key, low = key_bytes(item[condition.field]), key_bytes(key_value(design, condition.low, values))
    match condition.operator:
        case "=":
            return key == low
        case "begins_with":
            return key.startswith(low)
        case "between":
            return low <= key <= key_bytes(key_value(design, condition.high or condition.low, values))
        case _:
            return {"<": key < low, "<=": key <= low, ">": key > low, ">=": key >= low}[condition.operator]


def entry_of(table: TableDesign, index: Index | None, item: Item) -> Item | None:
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
        size = write_wcu(size_of(old) or 0, size_of(new) or 0, transactional=transaction)
        indexes = {each.name: index_units(table, each, old, new, transaction) for each in (*table.gsis, *table.lsis)}
        spent.append({"table": size, **{name: units for name, units in indexes.items() if units}})
    return added(spent)


def index_units(table: TableDesign, index: Index, old: Item | None, new: Item | None, transaction: bool) -> float:
    was = None if old is None else entry_of(table, index, old)
    became = None if new is None else entry_of(table, index, new)
    keys = [each.name for each in (*index.pk, *index.sk)]
    return index_write_wcu(
        size_of(was),
        size_of(became),
        key_changed=was is not None and became is not None and any(was[name] != became[name] for name in keys),
        view_changed=was != became,
        transactional=transaction,
    )


def size_of(item: Item | None) -> int | None:
    return None if item is None else item_size_bytes(item)
