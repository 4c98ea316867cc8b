"""Packed samples as the items of their periods: how many there are, how large they get, how many of them a list is in.

Samples of a series come at any time, so many in a period on average. Of periods that have any, each then has more: of
k samples in P periods P * (1 - (1 - 1/P)^k) have some. Of m samples in a row each but the first lies in another period
than the one before it as often as a period is new: once in as many as a period has.
"""

from __future__ import annotations

from math import ceil, comb
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.serving.answers import answer_items, different
from tablewright.design.values.buckets import PACKS, Bucket
from tablewright.spec.model import AttributeSpec, Packing, RangeOp, RangeSpec
from tablewright.spec.quantities import SECONDS_PER_MONTH
from tablewright.spec.volumes import KEY_BYTES, PERIOD_DAYS, age_days, attribute_bytes, largest, matching, presence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, PatternSpec, RelationshipSpec, Spec

SAMPLES = "samples"
"""What the spec as it is stored calls all that is packed."""
MAP_BYTES = 3
"""What DynamoDB adds for a map."""
MEMBER_BYTES = 1
"""What it adds for each of its entries."""
SECONDS_PER_DAY = 86_400
WIDER: Mapping[RangeOp, RangeOp] = {"gt": "gte", "lt": "lte"}
"""A period is asked for as a whole, also by a range that ends inside of it."""


def series_of(entity: EntitySpec, time: str) -> tuple[str, ...]:
    """What tells one series of samples from another."""
    return tuple(name for name in entity.id if name != time)


def period_days(bucket: Bucket) -> float:
    return 10 * PERIOD_DAYS["minute"] if bucket.length == 15 else PERIOD_DAYS[PACKS[bucket.length]]


# ---- how much is packed ---------------------------------------------------------------------------------------------


def packing_of(facts: Facts, entity: EntitySpec, bucket: Bucket, usual: int | None = None) -> Packing:
    """`usual`: what those who ask for a page take an item to have, where a design has said it."""
    entries = usual_entries(facts, entity, bucket)
    return Packing(
        attr=bucket.attribute,
        length=bucket.length,
        entries=entries,
        entry_bytes=_entry_bytes(facts, entity, bucket.attribute),
        usual=usual or max(1, int(entries)),
    )


def usual_entries(facts: Facts, entity: EntitySpec, bucket: Bucket) -> float:
    """Samples in an item on average, when its period is over."""
    samples = matching(facts, entity.name, series_of(entity, bucket.attribute))
    periods = max(1.0, age_days(facts, entity.name).value / period_days(bucket))
    return samples / different(periods, samples)


def most_entries(facts: Facts, entity: EntitySpec, bucket: Bucket) -> float:
    """The same of the busiest series, were the peak as long as the period."""
    series = series_of(entity, bucket.attribute)
    samples = matching(facts, entity.name, series)
    busiest = max(1.0, (largest(facts, entity.name, series) or samples) / samples)
    return busiest * max(new_entries(facts, entity, bucket, peak=True), usual_entries(facts, entity, bucket))


def new_entries(facts: Facts, entity: EntitySpec, bucket: Bucket, *, peak: bool = False) -> float:
    """Samples that an item gets in its period, by the rates of puts."""
    samples = matching(facts, entity.name, series_of(entity, bucket.attribute))
    share = samples / facts.counts[entity.name]
    return puts_per_second(facts, entity.name, peak=peak) * share * period_days(bucket) * SECONDS_PER_DAY


def puts_per_second(facts: Facts, name: str, *, peak: bool = False) -> float:
    rates = [facts.rates[each.id] for each in facts.writes if each.entities == (name,) and each.op == "put"]
    return sum((each.peak or each.avg) if peak else each.avg for each in rates)


def packed_bytes(facts: Facts, entity: EntitySpec, time: str, entries: float) -> float:
    """An item with so many samples, where it only matters how far it is from an item's limit."""
    series = sum(attribute_bytes(facts, entity.name, each) for each in series_of(entity, time))
    return KEY_BYTES + series + entries * _entry_bytes(facts, entity, time)


def _entry_bytes(facts: Facts, entity: EntitySpec, time: str) -> float:
    """A sample: its time as a name, and its other attributes as a map."""
    own = [name for name in entity.attributes if name not in entity.id]
    there = {name: presence(facts, entity.name, name) for name in own}
    held = sum(there[name] * attribute_bytes(facts, entity.name, name) for name in own)
    if entity.size_bytes:
        held = max(held, entity.size_bytes - KEY_BYTES - sum(attribute_bytes(facts, entity.name, n) for n in entity.id))
    named = attribute_bytes(facts, entity.name, time) - len(time.encode())
    return named + MAP_BYTES + held + MEMBER_BYTES * sum(there.values())


# ---- as it is stored ------------------------------------------------------------------------------------------------


def packed_entity(facts: Facts, entity: EntitySpec, packing: Packing) -> EntitySpec:
    """The entity whose items are those of periods; its time is what a period is called."""
    kept = {name: entity.attributes[name] for name in entity.id}
    held = ceil(packing.entries * packing.entry_bytes)
    most = ceil(most_entries(facts, entity, Bucket(packing.attr, packing.length)) * packing.entry_bytes)
    added = entity.growth_per_month or puts_per_second(facts, entity.name) * SECONDS_PER_MONTH  # every put is a sample
    return msgspec.structs.replace(
        entity,
        attributes={
            **kept,
            packing.attr: msgspec.structs.replace(kept[packing.attr], size_bytes=packing.length, sorts_as=None),
            SAMPLES: AttributeSpec(name=SAMPLES, type="map", size_bytes=held, max_bytes=max(held, most), required=True),
        },
        count=max(1.0, facts.counts[entity.name] / packing.entries),
        growth_per_month=added / packing.entries if added else None,
        growth_share=None,
        size_bytes=None,
        packed=packing,
    )


def packed_relations(
    relations: Iterable[RelationshipSpec], packings: Mapping[str, Packing]
) -> tuple[RelationshipSpec, ...]:
    """A parent has fewer items of periods than samples."""
    return tuple(_fewer(each, packings[each.target]) if each.target in packings else each for each in relations)


def _fewer(relation: RelationshipSpec, packing: Packing) -> RelationshipSpec:
    said = {name: getattr(relation, name) for name in ("avg", "p50", "p99", "max")}
    fewer = {name: max(1.0, number / packing.entries) for name, number in said.items() if number is not None}
    return msgspec.structs.replace(relation, **fewer)


def packed_read(facts: Facts, pattern: PatternSpec, packing: Packing) -> PatternSpec:
    """A read of samples as one of the items of their periods."""
    if pattern.kind == "get":
        return msgspec.structs.replace(pattern, returns=())
    asked = pattern.range
    changes: dict[str, Any] = {
        "range": None if asked is None else RangeSpec(asked.attr, WIDER.get(asked.op, asked.op)),
        "items": _items_touched(facts, pattern, packing),
        "limit": None,  # a page is as long as it takes; see `items_of_page`
    }
    return msgspec.structs.replace(pattern, returns=(), **changes)


def _items_touched(facts: Facts, pattern: PatternSpec, packing: Packing) -> float:
    """Of a page all items of all its requests, of which the present period's is half full."""
    whole = answer_items(facts, msgspec.structs.replace(pattern, limit=None), pattern.entity)
    touched = 1 + (whole - 1) / packing.entries
    if pattern.limit is None:
        return touched
    asked = items_of_request(pattern.limit, packing.usual) * requests_of_list(pattern.limit, packing)
    is_newest = pattern.range is None and bool(pattern.sort) and pattern.sort[0].order == "desc"
    return min(touched, asked) - (0.5 if is_newest and packing.entries >= 2 else 0.0)


def items_of_request(limit: int, usual: int) -> int:
    """How many items one request asks for, where so many samples are wanted: the first may have just begun."""
    return ceil(limit / usual) + 1


def requests_of_list(limit: int, packing: Packing) -> float:
    """How often so many samples are asked for: once, unless items have fewer than they are taken to have."""
    page, changing = items_of_request(limit, packing.usual), 1 / packing.entries
    if 1 + (limit - 1) * changing <= page:
        return 1.0
    found = 0.0
    for others in range(limit):  # items besides the first
        chance = comb(limit - 1, others) * changing**others * (1 - changing) ** (limit - 1 - others)
        found += chance * ceil((1 + others) / page)
    return found


# ---- other numbers --------------------------------------------------------------------------------------------------


def with_packed_numbers(asked: Facts, spec: Spec) -> Spec:
    """A spec as it is stored, with what follows from other numbers of the spec as it was written."""
    packed = {name: each.packed for name, each in spec.entities.items() if each.packed is not None}
    if not packed:
        return spec
    packings = {
        name: packing_of(asked, asked.spec.entities[name], Bucket(each.attr, each.length), each.usual)
        for name, each in packed.items()
    }
    holders = {name: packed_entity(asked, asked.spec.entities[name], each) for name, each in packings.items()}
    own = tuple(each for each in asked.spec.relationships if each.target in packings)
    others = tuple(each for each in spec.relationships if each.target not in packings)
    return msgspec.structs.replace(
        spec,
        entities={**spec.entities, **holders},
        relationships=(*others, *packed_relations(own, packings)),
        patterns=tuple(_renumbered(asked, each, packings) for each in spec.patterns),
    )


def _renumbered(asked: Facts, pattern: PatternSpec, packings: Mapping[str, Packing]) -> PatternSpec:
    said = asked.spec.pattern(pattern.id)
    if said is None or not said.is_read or said.entity not in packings:
        return pattern
    return packed_read(asked, said, packings[said.entity])
