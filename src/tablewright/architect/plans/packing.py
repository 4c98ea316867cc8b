"""Samples of a time series packed: one item for each period, in which every sample is an attribute named by its time.

A sample that is an item pays for its keys, for what every item takes besides, and in every answer for both again. In
the item of its minute, hour, day or month it takes little more than its values. It is written by one update, which makes
the item where it is the first of its period; a read asks for the periods that its range touches, and takes the samples
out of them. But every sample that comes pays for all that is in its item by then: what that comes to, by length of the
period, is for the search to weigh.

That fits where samples are put and never changed or deleted, nobody asks for them but by their series and time, and the
fullest item that a peak can make stays far from an item's limit.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.plans.embedding import described_attributes
from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.writing import WriteSteps, key_templates
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, with_entity, with_patterns
from tablewright.design.model import ItemKeys, ItemType, WriteStep
from tablewright.design.serving.answers import answer_items
from tablewright.design.values.buckets import PACKS, Bucket
from tablewright.design.values.templates import BUCKET, CUT, KeyTemplate, Path, slot
from tablewright.expr.nodes import Slot
from tablewright.spec.listing import entities_read
from tablewright.spec.model import AttributeSpec, Change, Packing, RangeOp, RangeSpec
from tablewright.spec.volumes import KEY_BYTES, PERIOD_DAYS, age_days, attribute_bytes, largest, matching, presence
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, PatternSpec, RelationshipSpec

LEAST_PER_SECOND = 10.0
"""Samples that are put a second; of fewer it does not matter how they are stored."""
LEAST_ENTRIES = 2.0
"""Samples in an item when its period is over; fewer are no pack."""
MOST_ITEM_BYTES = 200 * 1024
"""Half of what an item may hold, so that estimates may be wrong."""
MAP_BYTES = 3
"""What DynamoDB adds for a map."""
MEMBER_BYTES = 1
"""What it adds for each of its entries."""
SAMPLES = "samples"
"""What the spec as it is stored calls all that is packed."""
WIDER: Mapping[RangeOp, RangeOp] = {"gt": "gte", "lt": "lte"}
"""A period is touched as a whole, also by a range that ends inside of it."""


def _offer(facts: Facts) -> Iterator[Rewrite]:
    for name, entity in facts.spec.entities.items():
        time = _time_of(facts, entity)
        if time and _is_busy(facts, name) and _fits_spec(facts, entity, time):
            yield from (Rewrite("pack", name, (f"{time}:{length}",)) for length in _lengths(facts, entity, time))


def _time_of(facts: Facts, entity: EntitySpec) -> str:
    """The timestamp that tells the samples of a series apart; empty where that is something else."""
    times = [name for name in entity.id if facts.attribute(entity.name, name).type == "timestamp"]
    if len(times) != 1 or len(entity.id) < 2 or "pack" not in entity.rewrites:
        return ""
    return times[0]


def _series(entity: EntitySpec, time: str) -> tuple[str, ...]:
    return tuple(name for name in entity.id if name != time)


def _is_busy(facts: Facts, name: str) -> bool:
    return _puts_per_second(facts, name) >= LEAST_PER_SECOND


def _puts_per_second(facts: Facts, name: str, *, peak: bool = False) -> float:
    rates = [facts.rates[each.id] for each in facts.writes if each.entities == (name,) and each.op == "put"]
    return sum((each.peak or each.avg) if peak else each.avg for each in rates)


# ---- where it fits --------------------------------------------------------------------------------------------------


def _fits_spec(facts: Facts, entity: EntitySpec, time: str) -> bool:
    name = entity.name
    return (
        entity.ttl is None
        and entity.version is None
        and not entity.unique
        and not any(name == each for group in facts.spec.unique for each, _ in group)
        and not any(name in facts.references[other].values() for other in facts.spec.entities)
        and not any(_goes_further(each, name) for each in facts.spec.relationships)
        and any(name in each.entities for each in facts.spec.reads)
        and not any(name in entities_read(facts.spec, each) for each in facts.spec.reads if each.through)
        and not any(each.cascade_of and name in each.entities for each in facts.spec.patterns)
        and not any(each in _FIELDS for each in entity.attributes)
        and all(_is_served(facts, each, entity, time) for each in facts.spec.reads if name in each.entities)
        and all(_is_plain_put(facts, each, name) for each in facts.writes if name in each.entities)
    )


_FIELDS = (SAMPLES, BUCKET, *CUT.values())


def _goes_further(relationship: RelationshipSpec, name: str) -> bool:
    """Whether samples are more than the children of one parent that stays."""
    is_end = name in (relationship.source, relationship.via)
    return is_end or (name == relationship.target and (bool(relationship.cascade) or relationship.via is not None))


def _is_served(facts: Facts, read: PatternSpec, entity: EntitySpec, time: str) -> bool:
    """Whether a read asks for one series: for one sample of it, or for a list in the order of time."""
    given = set(_series(entity, time))
    plain = not (read.filter or read.aggregate or read.absent == "omit" or read.search or read.stale or read.overlaps)
    is_get = read.kind == "get" and set(read.by) == set(entity.id)
    is_list = read.kind == "query" and set(read.by) == given
    ordered = [each.attr for each in read.sort] in ([], [time])
    ranged = read.range is None or (read.range.attr == time and not is_get)
    names = set(read.returns) <= set(facts.spec.entities[entity.name].attributes)
    return read.entities == (entity.name,) and plain and (is_get or is_list) and ordered and ranged and names


def _is_plain_put(facts: Facts, write: PatternSpec, name: str) -> bool:
    effect = effect_on(facts, write, name)
    return (
        write.entities == (name,)
        and write.op == "put"
        and effect.existence == "any"
        and effect.when is None
        and not effect.parents
        and not effect.unread
        and not (write.transactional or write.idempotent or write.tenant)
    )


def _lengths(facts: Facts, entity: EntitySpec, time: str) -> Iterator[int]:
    """The periods that have several samples, and of which the fullest is small enough."""
    for length in PACKS:
        usual = _entries(facts, entity, time, length)
        most = _most_entries(facts, entity, time, length)
        if usual >= LEAST_ENTRIES and _item_bytes(facts, entity, time, length, most) <= MOST_ITEM_BYTES:
            yield length


def _days(length: int) -> float:
    return 10 * PERIOD_DAYS["minute"] if length == 15 else PERIOD_DAYS[PACKS[length]]


def _entries(facts: Facts, entity: EntitySpec, time: str, length: int) -> float:
    """Samples of a series in one period: they are taken to come evenly."""
    periods = max(1.0, age_days(facts, entity.name).value / _days(length))
    return matching(facts, entity.name, _series(entity, time)) / periods


def _most_entries(facts: Facts, entity: EntitySpec, time: str, length: int) -> float:
    """The same of the busiest series, were the peak as long as the period."""
    series = _series(entity, time)
    usual = matching(facts, entity.name, series)
    busiest = max(1.0, (largest(facts, entity.name, series) or usual) / usual)
    share = usual / facts.counts[entity.name]
    at_peak = _puts_per_second(facts, entity.name, peak=True) * share * _days(length) * 86_400
    return busiest * max(at_peak, _entries(facts, entity, time, length))


def _entry_bytes(facts: Facts, entity: EntitySpec, time: str) -> float:
    """A sample: its time as a name, and its other attributes as a map."""
    own = [name for name in entity.attributes if name not in entity.id]
    there = {name: presence(facts, entity.name, name) for name in own}
    held = sum(there[name] * attribute_bytes(facts, entity.name, name) for name in own)
    if entity.size_bytes:
        held = max(held, entity.size_bytes - KEY_BYTES - sum(attribute_bytes(facts, entity.name, n) for n in entity.id))
    named = attribute_bytes(facts, entity.name, time) - len(time.encode())
    return named + MAP_BYTES + held + MEMBER_BYTES * sum(there.values())


def _item_bytes(facts: Facts, entity: EntitySpec, time: str, length: int, entries: float) -> float:
    series = sum(attribute_bytes(facts, entity.name, each) for each in _series(entity, time))
    return KEY_BYTES + series + entries * _entry_bytes(facts, entity, time)


# ---- applying -------------------------------------------------------------------------------------------------------


def _pack(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, entity = form.asked, form.asked.spec.entities[rewrite.subject]
    bucket = Bucket.parse(rewrite.attributes[0])
    packing = Packing(
        attr=bucket.attribute,
        length=bucket.length,
        entries=_entries(facts, entity, bucket.attribute, bucket.length),
        entry_bytes=_entry_bytes(facts, entity, bucket.attribute),
    )
    found = msgspec.structs.replace(form, spec=with_entity(form.spec, _holder(facts, entity, packing)))
    found = msgspec.structs.replace(
        found,
        spec=msgspec.structs.replace(
            found.spec, relationships=tuple(_fewer(each, entity.name, packing) for each in found.spec.relationships)
        ),
    )
    for pattern in (*facts.spec.patterns, *facts.implied):
        if entity.name in pattern.entities:
            found = _move_pattern(found, pattern, packing)
    return found


def _holder(facts: Facts, entity: EntitySpec, packing: Packing) -> EntitySpec:
    """The entity whose items are those of periods; its time is what a period is called."""
    kept = {name: entity.attributes[name] for name in entity.id}
    held = ceil(packing.entries * packing.entry_bytes)
    added = entity.growth_per_month or facts.created[entity.name]
    return msgspec.structs.replace(
        entity,
        attributes={
            **kept,
            packing.attr: msgspec.structs.replace(kept[packing.attr], size_bytes=packing.length, sorts_as=None),
            SAMPLES: AttributeSpec(name=SAMPLES, type="map", size_bytes=held, required=True),
        },
        count=facts.counts[entity.name] / packing.entries,
        growth_per_month=added / packing.entries if added else None,
        growth_share=None,
        size_bytes=None,
        packed=packing,
    )


def _fewer(relationship: RelationshipSpec, name: str, packing: Packing) -> RelationshipSpec:
    """A parent has so many fewer items of periods."""
    if relationship.target != name:
        return relationship
    said = {each: getattr(relationship, each) for each in ("avg", "p50", "p99", "max")}
    fewer = {each: max(1.0, number / packing.entries) for each, number in said.items() if number is not None}
    return msgspec.structs.replace(relationship, **fewer)


def _move_pattern(form: Rewritten, pattern: PatternSpec, packing: Packing) -> Rewritten:
    """A pattern about samples as one about the items of their periods."""
    if not pattern.is_read:
        write = msgspec.structs.replace(
            pattern,
            op="update",
            upsert=True,
            by=form.spec.entities[pattern.entity].id,
            changes=(Change(SAMPLES),),
            rate=form.asked.rates[pattern.id],
        )
        if pattern in form.asked.implied:
            return msgspec.structs.replace(
                form, spec=msgspec.structs.replace(form.spec, patterns=(*form.spec.patterns, write))
            )
        return msgspec.structs.replace(form, spec=with_patterns(form.spec, pattern.id, write))
    read = msgspec.structs.replace(pattern, returns=(), **_touched(form.asked, pattern, packing))
    part = ReadPart(
        pattern=pattern.id,
        unfold="*",
        given={packing.attr: BUCKET, **CUT},
        entities=pattern.entities,
        only=(packing.attr,) if packing.attr in pattern.by else (),
        within=pattern.range,
        limit=pattern.limit,
        cut=f"{packing.attr}:{packing.length}",
    )
    return msgspec.structs.replace(
        form, spec=with_patterns(form.spec, pattern.id, read), reads={**form.reads, pattern.id: (part,)}
    )


def _touched(facts: Facts, pattern: PatternSpec, packing: Packing) -> dict[str, Any]:
    """The periods that a list is in. A range begins and ends inside of one; the present one is half full."""
    if pattern.kind == "get":
        return {}
    whole = msgspec.structs.replace(pattern, limit=None)
    items = answer_items(facts, whole, pattern.entity) / packing.entries + (pattern.range is not None)
    if pattern.limit is None:
        return {"items": items, "range": _whole_periods(pattern.range)}
    limit = holders_for(pattern.limit, usual_entries(packing))
    is_newest = bool(pattern.sort) and pattern.sort[0].order == "desc"
    most = limit - 0.5 if is_newest and pattern.range is None else float(limit)
    return {"items": min(items, most), "range": _whole_periods(pattern.range), "limit": limit}


def _whole_periods(asked: RangeSpec | None) -> RangeSpec | None:
    return None if asked is None else RangeSpec(asked.attr, WIDER.get(asked.op, asked.op))


def usual_entries(packing: Packing) -> int:
    """How many samples an item is taken to have by those who ask for a page."""
    return max(1, int(packing.entries))


def holders_for(limit: int, entries: int) -> int:
    """How many items are asked for a page of so many samples: the first may have just begun."""
    return ceil(limit / entries) + 1


# ---- stored and written ---------------------------------------------------------------------------------------------


def packed_item(facts: Facts, item: ItemType, packing: Packing) -> ItemType:
    """The type of the items of periods, with the attributes that a sample has."""
    entity = facts.spec.entities[item.entity]
    return msgspec.structs.replace(
        item,
        kind="packed",
        attributes=described_attributes(facts, entity),
        keys=tuple(_period_keys(each, packing) for each in item.keys),
        entry=packing.attr,
        entries=usual_entries(packing),
    )


def _period_keys(keys: ItemKeys, packing: Packing) -> ItemKeys:
    names = {packing.attr: BUCKET}
    return msgspec.structs.replace(
        keys,
        pk=tuple(KeyTemplate(each.field, each.template.rename(names)) for each in keys.pk),
        sk=tuple(KeyTemplate(each.field, each.template.rename(names)) for each in keys.sk),
        bucket=Bucket(packing.attr, packing.length),
        collections=(),
    )


def packed_steps(item: ItemType) -> WriteSteps:
    """One update sets the sample, and what the item of its period has; it makes the item where there is none."""
    series = [name for name in item.id if name != item.entry]
    step = WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=key_templates(item, {}),
        set={**{Path(name): slot(name) for name in series}, Path(Slot(item.entry)): slot("*")},
        constants=item.fixed,
        why=f"each {item.entity} lies in the item of its {item.table_keys.bucket.period}",
    )
    return WriteSteps((), (step,), transaction=False)


def _exclude(packed: Rewrite, other: Rewrite) -> bool:
    """Samples are nothing but packed, in one way."""
    return packed.subject in (other.subject, *other.attributes)


PACKING = FormPlan(
    kind="pack",
    text="{subject} packed by {attributes}",
    reason="samples come at a high rate and are read by time: one item for a period has less besides their values",
    without="{} as items of their own",
    offers=_offer,
    excludes=_exclude,
    apply=_pack,
)
