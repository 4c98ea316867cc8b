"""Samples of a time series packed: one item for each period, in which every sample is an attribute named by its time.

A sample that is an item pays for its keys, for what every item takes besides, and in every answer for its keys again.
In the item of its minute, hour, day or month it takes little more than its values. It is written by one update, which
makes the item where it is the first of its period; a read asks for the periods that its range touches, and takes the
samples out of them. But every sample that comes pays for all that is in its item by then: what that comes to, by length
of the period, is for the search to weigh.

That fits where samples are put and never changed or deleted, nobody asks for them but by their series and time, and the
fullest item that a peak can make stays far from an item's limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.embedding import described_attributes
from tablewright.architect.plans.plan import FormPlan
from tablewright.architect.plans.writing import WriteSteps, key_templates
from tablewright.design.layout.forms import ReadPart, Rewrite, Rewritten, with_entity, with_patterns
from tablewright.design.model import WriteStep
from tablewright.design.serving.packing import (
    SAMPLES,
    most_entries,
    new_entries,
    packed_bytes,
    packed_entity,
    packed_read,
    packed_relations,
    packing_of,
    puts_per_second,
    series_of,
    usual_entries,
)
from tablewright.design.values.buckets import PACKS, Bucket
from tablewright.design.values.templates import BUCKET, CUT, PACKED, KeyTemplate, Path, slot
from tablewright.expr.nodes import Slot
from tablewright.spec.listing import entities_read
from tablewright.spec.model import Change
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import ItemKeys, ItemType
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, Packing, PatternSpec, RelationshipSpec

LEAST_PER_SECOND = 10.0
"""Samples that are put a second; of fewer it does not matter how they are stored."""
LEAST_ENTRIES = 2.0
"""Samples in an item when its period is over; fewer are no pack."""
MOST_NEWER = 2.0
"""By the rates of puts so many times the samples that the numbers of items tell: where these contradict each other by
more, nobody knows how full an item gets, and with it what a write costs.
"""
MOST_ITEM_BYTES = 200 * 1024
"""Half of what an item may hold, so that estimates may be wrong."""


def _offer(facts: Facts) -> Iterator[Rewrite]:
    """Not where several regions write: of two samples that come into one item in two of them, one would be lost."""
    for name, entity in () if facts.spec.is_global else facts.spec.entities.items():
        time = _time_of(facts, entity)
        if time and _is_busy(facts, name) and _fits_spec(facts, entity, time):
            yield from (Rewrite("pack", name, (str(bucket),)) for bucket in _buckets(facts, entity, time))


def _time_of(facts: Facts, entity: EntitySpec) -> str:
    """The timestamp that tells the samples of a series apart; empty where that is something else."""
    times = [name for name in entity.id if facts.attribute(entity.name, name).type == "timestamp"]
    if len(times) != 1 or len(entity.id) < 2 or "pack" not in entity.rewrites:
        return ""
    return times[0]


def _is_busy(facts: Facts, name: str) -> bool:
    return puts_per_second(facts, name) >= LEAST_PER_SECOND


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
    given = set(series_of(entity, time))
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


def _buckets(facts: Facts, entity: EntitySpec, time: str) -> Iterator[Bucket]:
    """The periods that have several samples, and of which the fullest is small enough."""
    for length in PACKS:
        bucket = Bucket(time, length)
        most = packed_bytes(facts, entity, time, most_entries(facts, entity, bucket))
        usual = usual_entries(facts, entity, bucket)
        is_told = new_entries(facts, entity, bucket) <= usual * MOST_NEWER
        if usual >= LEAST_ENTRIES and is_told and most <= MOST_ITEM_BYTES:
            yield bucket


# ---- applying -------------------------------------------------------------------------------------------------------


def _pack(form: Rewritten, rewrite: Rewrite) -> Rewritten:
    facts, entity = form.asked, form.asked.spec.entities[rewrite.subject]
    packing = packing_of(facts, entity, Bucket.parse(rewrite.attributes[0]))
    spec = with_entity(form.spec, packed_entity(facts, entity, packing))
    spec = msgspec.structs.replace(spec, relationships=packed_relations(spec.relationships, {entity.name: packing}))
    found = msgspec.structs.replace(form, spec=spec)
    for pattern in (*facts.spec.patterns, *facts.implied):
        if entity.name in pattern.entities:
            found = _move_read(found, pattern, packing) if pattern.is_read else _move_write(found, pattern)
    return found


def _move_write(form: Rewritten, pattern: PatternSpec) -> Rewritten:
    write = msgspec.structs.replace(
        pattern,
        op="update",
        upsert=True,
        by=form.spec.entities[pattern.entity].id,
        changes=(Change(SAMPLES),),
        rate=form.asked.rates[pattern.id],
    )
    if pattern in form.asked.implied:
        spec = msgspec.structs.replace(form.spec, patterns=(*form.spec.patterns, write))
    else:
        spec = with_patterns(form.spec, pattern.id, write)
    return msgspec.structs.replace(form, spec=spec)


def _move_read(form: Rewritten, pattern: PatternSpec, packing: Packing) -> Rewritten:
    part = ReadPart(
        pattern=pattern.id,
        unfold=PACKED,
        given={packing.attr: BUCKET, **CUT},
        entities=pattern.entities,
        only=(packing.attr,) if packing.attr in pattern.by else (),
        within=pattern.range,
        limit=pattern.limit,
        cut=str(Bucket(packing.attr, packing.length)),
    )
    read = packed_read(form.asked, pattern, packing)
    return msgspec.structs.replace(
        form, spec=with_patterns(form.spec, pattern.id, read), reads={**form.reads, pattern.id: (part,)}
    )


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
        entries=packing.usual,
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
    series, bucket = [name for name in item.id if name != item.entry], item.table_keys.bucket
    assert bucket is not None
    step = WriteStep(
        operation="UpdateItem",
        item=item.name,
        table=item.table,
        key=key_templates(item, {}),
        set={**{Path(name): slot(name) for name in series}, Path(Slot(item.entry)): slot("*")},
        constants=item.fixed,
        why=f"each {item.entity} lies in the item of its {bucket.period}",
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
