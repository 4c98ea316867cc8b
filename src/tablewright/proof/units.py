"""The units that reading and writing must cost: the arithmetic of the steps, applied to the very items that are there.

The engine is not involved: this is the prediction that its bill is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import chain, islice, product, repeat
from math import ceil
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.design.tables import index_of, key_names_of, table_of
from tablewright.design.values.buckets import buckets_between, with_bucket
from tablewright.design.values.templates import BUCKET, COPY, CUT, EARLIEST, PACKED, SHARD
from tablewright.engine.store.keys import partition_bytes
from tablewright.expr.evaluate import evaluate
from tablewright.proof.database import add_units
from tablewright.proof.expected import images_of, instances_of
from tablewright.proof.items import derive, item_type, key_in, key_value, may_refuse
from tablewright.proof.values import WRITTEN_AT
from tablewright.spec.intervals import shifted
from tablewright.wire.capacity import index_write_wcu, read_rcu, write_wcu
from tablewright.wire.keys import key_bytes
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_PAGE_BYTES
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.layout.forms import Merge
    from tablewright.design.model import Design, Index, PatternDesign, ReadStep, SortCondition, TableDesign
    from tablewright.proof.application.state import Applied
    from tablewright.proof.expected import Images, StoredItems
    from tablewright.proof.items import Key

Item = dict[str, Any]
Units: TypeAlias = Mapping[str, float]
Found: TypeAlias = tuple[int, Item | None]
"""An item and the step that found it; None is one that is gone and counts."""


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_units(design: Design, stored: StoredItems, steps: Iterable[ReadStep], inputs: Mapping[str, Any]) -> Units:
    """Of the answer to a pattern."""
    reading = _Reading(design, stored, tuple(steps), inputs)
    reading.answer()
    return add_units(reading.spent)


def read_bytes(design: Design, stored: StoredItems, steps: Iterable[ReadStep], inputs: Mapping[str, Any]) -> int:
    """What the answer to a pattern reads, before it is rounded up request by request."""
    reading = _Reading(design, stored, tuple(steps), inputs)
    reading.answer()
    return reading.bytes


def known_first_units(
    design: Design, stored: StoredItems, steps: Iterable[ReadStep], inputs: Mapping[str, Any]
) -> Units:
    """Of what a write has to know: every step is asked by itself, or behind the one that its key comes from."""
    return add_units(read_units(design, stored, chain, inputs) for chain in _chains(steps))


def known_first_bytes(design: Design, stored: StoredItems, steps: Iterable[ReadStep], inputs: Mapping[str, Any]) -> int:
    """The same before it is rounded up."""
    return sum(read_bytes(design, stored, chain, inputs) for chain in _chains(steps))


def _chains(steps: Iterable[ReadStep]) -> Iterator[list[ReadStep]]:
    chain: list[ReadStep] = []
    for step in steps:
        if step.keys_from is None:
            if chain:
                yield chain
            chain = [step]
        else:
            chain.append(msgspec.structs.replace(step, keys_from=len(chain) - 1))
    if chain:
        yield chain


class _Reading:
    """The steps of a read, run on the items that must be stored; only what is taken is asked for."""

    def __init__(
        self, design: Design, stored: StoredItems, steps: tuple[ReadStep, ...], inputs: Mapping[str, Any]
    ) -> None:
        self.design, self.stored, self.steps, self.inputs = design, stored, steps, inputs
        self.spent: list[Units] = []
        self.bytes = 0
        self.partitions: dict[tuple[str, tuple[str, ...]], dict[tuple[Any, ...], list[Item]]] = {}

    def spend(self, step: ReadStep, size: int) -> None:
        self.bytes += size
        self.spent.append({step.index or "table": read_rcu(size, consistent=step.consistent)})

    def answer(self) -> None:
        for strands in _lists_of(self.steps):
            most = self.limit_of(strands[0][0])
            merge, backwards = self.steps[strands[-1][0]].merges, self.steps[strands[0][0]].backwards
            sources = [self.strand(each, most) for each in strands]
            source = sources[0] if merge is None else _merged(sources, merge, backwards=backwards)
            found = [(at, item) for at, item in self.first(source, most) if item is not None]
            for step in self.steps:
                completed = [item for at, item in found if step.joins and step.keys_from == at]
                if step.joins and step.takes:
                    self.get(step, [item for item in completed if _names_one(self.design, step, item)])
                else:
                    self.get(step, [{**self.inputs, **item} for item in completed])

    def first(self, source: Iterator[Found], most: int | None) -> Iterator[Found]:
        """So many, not counting what is beside a list."""
        left = most
        while left != 0 and (found := next(source, None)) is not None:
            at, item = found
            is_beside = item is not None and self.is_beside(self.steps[at], item)
            left = None if left is None else left - (not is_beside)
            yield found

    def is_beside(self, step: ReadStep, item: Item) -> bool:
        label = self.design.encoding.type_field
        own = (each for each in self.design.items if each.entity == step.beside)
        return any(each.fixed.get(label) == item.get(label) for each in own)

    def strand(self, answering: list[int], left: int | None) -> Iterator[Found]:
        """Steps that go on with one list: each is asked for what is missing."""
        for at in answering:
            for item in self.items(at, left):
                left = None if left is None else left - 1
                yield at, item

    def limit_of(self, at: int) -> int | None:
        """That of the step, or of the one whose items it fetches."""
        step = self.steps[at]
        while step.limit is None and step.operation == "BatchGetItem" and step.keys_from is not None:
            step = self.steps[step.keys_from]
        return step.limit

    def items(self, at: int, limit: int | None) -> Iterator[Item | None]:
        step = self.steps[at]
        if step.each:
            yield from self.batches(step, iter(self.inputs[step.each]), limit)
        elif step.keys_from is None:
            yield from self.once(step, self.inputs, limit)
        elif step.operation == "BatchGetItem":
            yield from self.batches(step, map(_there, self.items(step.keys_from, limit)), limit)
        else:
            most = self.steps[step.keys_from].limit
            for item in map(_there, islice(self.items(step.keys_from, most), most)):
                yield from self.once(step, {**self.inputs, **item}, limit)

    def once(self, step: ReadStep, values: Mapping[str, Any], limit: int | None) -> Iterator[Item]:
        found = self.query(step, values, limit) if step.operation == "Query" else iter(self.get(step, [values]))
        for item in found:
            if step.unfold is None:
                yield item
            elif step.unfold == PACKED:
                yield from self.unpacked(step, item, values)
            else:  # entries, and the holder where it is asked for
                yield from item.get(step.unfold, {}).values()
                yield from [item] if len(step.entities) > 1 else []

    def unpacked(self, step: ReadStep, item: Item, values: Mapping[str, Any]) -> Iterator[Item]:
        """The entries of a packed item that answer, in the order of their names."""
        kind = item_type(self.design, step.items[0])
        fields = {*kind.id, *kind.fixed, *(each.field for each in (*kind.table_keys.pk, *kind.table_keys.sk))}
        for name in sorted(set(item) - fields, reverse=step.backwards):
            entry = {**item[name], kind.entry: name}
            yield from [entry] if _passes(step, entry, values) else []

    def asked_for(self, step: ReadStep, limit: int | None) -> int | None:
        """The Limit of a request: of packed items those that usually have so many entries, and one more."""
        if limit is None or step.unfold != PACKED:
            return limit
        return ceil(limit / item_type(self.design, step.items[0]).entries) + 1

    # ---- keys ----

    def batches(self, step: ReadStep, keys: Iterator[Mapping[str, Any]], limit: int | None) -> Iterator[Item | None]:
        """Where what is gone counts, no more keys are asked for than the limit says."""
        left = islice(keys, limit) if step.counts_gone else keys
        while some := list(islice(left, min(MAX_BATCH_GET_ITEMS, limit or MAX_BATCH_GET_ITEMS))):
            found = self.get(step, [{**self.inputs, **each} for each in some])
            yield from found
            yield from [None] * (len(some) - len(found)) if step.counts_gone else []

    def get(self, step: ReadStep, sources: list[Mapping[str, Any]]) -> list[Item]:
        """Each key is asked for once; what does not pass is read all the same."""
        keys = {key: values for values in sources if (key := _key_of(self.design, step, values)) is not None}
        found: list[Item] = []
        for key, values in keys.items():
            item = self.stored.get((step.table, *key))
            self.spend(step, 0 if item is None else item_size_bytes(item))
            if item is not None and (step.unfold or _passes(step, item, values)):
                found.append(item)
        return found

    # ---- queries ----

    def query(self, step: ReadStep, values: Mapping[str, Any], limit: int | None) -> Iterator[Item]:
        """Of a walk bucket after bucket, each asked for what is missing, or for as many again."""
        if step.since is None:
            yield from self.together(step, values, limit)
            return
        left = limit
        for bucket in _walked(step):
            for item in self.together(step, {**values, BUCKET: bucket}, left):
                left = None if left is None else left - 1 or limit
                yield item

    def together(self, step: ReadStep, values: Mapping[str, Any], limit: int | None) -> Iterator[Item]:
        """All partitions in the order of the sort key; one that has nothing at hand is asked for its next page."""
        parts = [self.partition(step, each, limit) for each in _partitions(step, values)]
        heads = [next(part, None) for part in parts]
        _, sort = key_names_of(table_of(self.design, step.table), step.index)
        while any(head is not None for head in heads):
            there = [at for at, head in enumerate(heads) if head is not None]
            choose = max if step.backwards else min
            first = choose(there, key=lambda at: [key_bytes(_there(heads[at])[name]) for name in sort])
            yield _there(heads[first])
            heads[first] = next(parts[first], None)

    def partition(self, step: ReadStep, values: Mapping[str, Any], limit: int | None) -> Iterator[Item]:
        """Without a filter the limit ends a page; what has expired is dropped behind that.

        The first page has one more, where an item lies beside the list.
        """
        found = self.entries(step, values)
        limit = self.asked_for(step, limit)
        pages = chain([limit + bool(step.beside)], repeat(limit)) if limit is not None else repeat(None)
        for most in pages if step.unfold or not step.filters else repeat(None):
            page = _page_of(found, most)
            self.spend(step, sum(item_size_bytes(entry) for entry in page))
            yield from (item for item in page if step.unfold or _passes(step, item, values))
            found = found[len(page) :]
            if not found and len(page) != most:
                return

    def entries(self, step: ReadStep, values: Mapping[str, Any]) -> list[Item]:
        """What a partition has for a step, in the order of its sort key."""
        table = table_of(self.design, step.table)
        index = index_of(table, step.index)
        _, sort = key_names_of(table, step.index)
        wanted = {each.field: key_value(each.template, values, self.design.key_style) for each in step.pk}
        found = [
            entry
            for item in self.items_under(step.table, wanted)
            for entry in [_entry_of(table, index, item)]
            if entry is not None and all(_meets_condition(self.design, each, entry, values) for each in step.sk)
        ]

        def place(item: Item) -> list[bytes]:
            """Among equal sort keys of an index the engine goes by the table's key; DynamoDB promises nothing."""
            own = (partition_bytes([item[table.pk.name]]), key_bytes(item[table.sk.name]))
            return [*(key_bytes(item[name]) for name in sort), *own]

        return sorted(found, key=place, reverse=step.backwards)

    def items_under(self, table: str, wanted: Mapping[str, Any]) -> list[Item]:
        """Items with a partition key; those of hundreds of shards are looked through once, not for every shard."""
        fields = tuple(wanted)
        if (table, fields) not in self.partitions:
            self.partitions[table, fields] = _by_values(self.stored, table, fields)
        return self.partitions[table, fields].get(tuple(wanted.values()), [])


def _by_values(stored: StoredItems, table: str, fields: tuple[str, ...]) -> dict[tuple[Any, ...], list[Item]]:
    found: dict[tuple[Any, ...], list[Item]] = {}
    for (name, _, _), item in stored.items():
        if name == table and all(field in item for field in fields):
            found.setdefault(tuple(item[field] for field in fields), []).append(item)
    return found


def _lists_of(steps: tuple[ReadStep, ...]) -> list[list[list[int]]]:
    """The steps that answer: lists of strands that are merged, each of steps that go on with it."""
    used = {each.keys_from for each in steps if not each.joins}
    found: list[list[list[int]]] = []
    for at, each in enumerate(steps):
        if each.joins or at in used:
            continue
        if each.merges is not None:
            found[-1].append([at])
        elif each.continues:
            found[-1][-1].append(at)
        else:
            found.append([[at]])
    return found


def _merged(sources: list[Iterator[Found]], merge: Merge, *, backwards: bool) -> Iterator[Found]:
    """What comes first in the order of the list, of the next of each source."""
    heads: list[Found | None] = [None] * len(sources)
    while True:
        heads = [head or next(source, None) for head, source in zip(heads, sources, strict=True)]
        there = {at: _order_of(_there(head[1]), merge, backwards=backwards) for at, head in enumerate(heads) if head}
        if not there:
            return
        first = (max if backwards else min)(there, key=there.__getitem__)
        head, heads[first] = heads[first], None
        if head is not None:
            yield head


def _order_of(item: Item, merge: Merge, *, backwards: bool) -> list[tuple[Any, ...]]:
    lacking = 2 if (merge.absent == "last") != backwards else 0
    return [(1, item[name]) if name in item else (lacking,) for name in merge.attributes]


def _there(item: Item | None) -> Item:
    assert item is not None
    return item


def _page_of(found: list[Item], most: int | None) -> list[Item]:
    """A page ends at the limit, or when 1 MB is full."""
    size = 0
    for at, item in enumerate(found[:most]):
        if size >= MAX_PAGE_BYTES:
            return found[:at]
        size += item_size_bytes(item)
    return found[:most]


def _passes(step: ReadStep, item: Item, values: Mapping[str, Any]) -> bool:
    time = None if step.unexpired is None else item.get(step.unexpired)
    if time is not None and time <= WRITTEN_AT:
        return False
    return all(evaluate(each.fill(values), item) for each in step.filters)


def _key_of(design: Design, step: ReadStep, values: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The whole key of one item; None where an entry names what no key can hold."""
    given = derive(_with_copy(step, values), step.shard_of, step.shards, step.bucket, design.key_style)
    templates = [*(each.template for each in step.pk), *(each.low for each in step.sk)]
    if step.counts_gone and any(may_refuse(given[name], design.key_style) for each in templates for name in each.names):
        return None
    return tuple(key_value(each, given, design.key_style) for each in templates)


def _with_copy(step: ReadStep, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """All copies are as large, and each answers alike: the first stands for the one that is read."""
    return {**values, COPY: "1"} if step.copies > 1 else values


def _names_one(design: Design, step: ReadStep, item: Item) -> bool:
    """Whether an item names one that it takes something of, by values that a key can hold."""
    names = {name for each in step.pk for name in each.template.names} | {n for e in step.sk for n in e.low.names}
    own = [item.get(name) for name in names - {SHARD, BUCKET, COPY}]
    if any(each is None or may_refuse(each, design.key_style) for each in own):
        return False
    try:
        _key_of(design, step, item)
    except ValueError:
        return False
    return True


def _partitions(step: ReadStep, values: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The values of every query of a step: one for each shard, listed value and bucket."""
    values = _with_copy(step, values)
    if step.longest is not None:
        values = {**values, EARLIEST: shifted(values["from"], -step.longest)}
    if step.unfold == PACKED and step.bucket is not None:
        length = step.bucket.length
        values = {**values, **{cut: str(values[name])[:length] for name, cut in CUT.items() if name in values}}
    spread = {name: found or _between(step, values) for name, found in step.for_each.items()}
    for chosen in product(*spread.values()):
        found = with_bucket(values, step.bucket) if step.since is None else values
        asked = {**found, **dict(zip(spread, chosen, strict=True))}
        yield from [asked] if step.shards == 1 else ({**asked, SHARD: str(at)} for at in range(step.shards))


def _between(step: ReadStep, values: Mapping[str, Any]) -> list[str]:
    """The buckets between the range's ends."""
    assert step.bucket is not None
    return buckets_between(str(values["from"]), str(values["to"]), step.bucket.length)


def _walked(step: ReadStep) -> list[str]:
    """The buckets of a walk in its order: none is beyond now."""
    assert step.bucket is not None
    assert step.since is not None
    now = datetime.fromtimestamp(WRITTEN_AT, UTC).isoformat()
    found = buckets_between(step.since, now, step.bucket.length)
    return found[::-1] if step.backwards else found


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


def writing_units(design: Design, pattern: PatternDesign, before: StoredItems, applied: Applied) -> Units:
    """Of one run: what a transaction writes or checks is doubled; what goes along is deleted item by item."""
    transaction = pattern.transaction or pattern.idempotent
    instances = instances_of(applied.state)
    groups = [applied.changed] if len(pattern.entities) > 1 else [(each,) for each in applied.changed]
    spent: list[Units] = []
    for group in groups:
        images = images_of(design, before, group, instances, pattern.writes)
        spent.append(write_units(design, images, transaction=transaction))
        checked = _checked(design, pattern, applied) - set(images.written)
        sizes = [item_size_bytes(before[key]) if key in before else 0 for key in checked]
        sizes += [0] * _missed(design, pattern, applied)
        spent.append({"table": sum(write_wcu(size, 0, transactional=True) for size in sizes)})
    for each in applied.along:
        for cascade in pattern.cascade:
            if cascade.entity == each.entity:
                images = images_of(design, before, [each], instances, cascade.writes)
                spent.append(write_units(design, images, transaction=cascade.transaction))
                break
    return add_units(spent)


def _missed(design: Design, pattern: PatternDesign, applied: Applied) -> int:
    """Deletes of a transaction that found nothing, and are paid for all the same."""
    changed = {each.entity for each in applied.changed}
    kinds = [
        item_type(design, each.item) for each in pattern.writes if each.operation == "DeleteItem" and not each.each
    ]
    return (
        sum(each.kind == "entity" and each.entity not in changed for each in kinds) if pattern.op == "transact" else 0
    )


def _checked(design: Design, pattern: PatternDesign, applied: Applied) -> set[Key]:
    """The keys of items that a write merely demands; an update that is told nothing demands its item."""
    updated = [(each.entity, each.before) for each in applied.changed if each.before is not None]
    found: set[Key] = set()
    for step in pattern.writes:
        kind = item_type(design, step.item)
        for entity, item in (*applied.checked, *updated) if step.operation == "ConditionCheck" else ():
            key = key_in(design, kind, item) if entity == kind.entity else None
            found |= set() if key is None else {key}
    return found


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
