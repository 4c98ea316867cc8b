"""Time buckets: the beginning of a timestamp as part of the partition key, where a partition would grow beyond 10 GB.

A bucket is written `createdAt:7`: the first seven characters of that timestamp, its month. The longest period is taken
whose items stay below the limit together. Such a key answers only who knows the time, or asks between two times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import VariantPlan
from tablewright.design.heat.collections import largest_bytes
from tablewright.design.serving.serving import BUCKET_MONTHS
from tablewright.design.serving.writes import changed_by, operation_on
from tablewright.design.values.templates import BUCKET
from tablewright.spec.volumes import span_months
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.plans.values import ReadPlan, Shapes
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts


def _extend(facts: Facts, shapes: Shapes) -> Shapes:
    return msgspec.structs.replace(
        shapes,
        base=(*shapes.base, *_bucketed(facts, shapes.base)),
        index=(*shapes.index, *_bucketed(facts, shapes.index)),
    )


def _bucketed(facts: Facts, shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """The same keys with a bucket, where a pattern asks between two times and the partition outgrows the limit."""
    asked = {
        (entity, each.range.attr)
        for each in facts.spec.reads
        for entity in each.entities
        if each.range is not None and each.range.op == "between"
    }
    for shape in shapes:
        for name in shape.sort:
            if (shape.entity, name) in asked and _is_fixed_time(facts, shape.entity, name) and _outgrows(facts, shape):
                yield msgspec.structs.replace(shape, bucket=f"{name}:{_length_for(facts, shape)}")


def _is_fixed_time(facts: Facts, entity: str, name: str) -> bool:
    """A put writes all keys anew, so that only updates matter."""
    updates = (
        each for each in facts.writes if entity in each.entities and operation_on(facts, each, entity) == "update"
    )
    is_changed = any(name in changed_by(facts, each, entity) for each in updates)
    return name in facts.present[entity] and not is_changed and facts.attribute(entity, name).type == "timestamp"


def _outgrows(facts: Facts, shape: Shape) -> bool:
    return largest_bytes(facts, shape) > MAX_ITEM_COLLECTION_BYTES


def _length_for(facts: Facts, shape: Shape) -> int:
    """The longest period that fits; an hour when none does."""
    monthly = _monthly_bytes(facts, shape)
    return next(
        (length for length, months in BUCKET_MONTHS.items() if monthly * months <= MAX_ITEM_COLLECTION_BYTES), 13
    )


def _monthly_bytes(facts: Facts, shape: Shape) -> float:
    """What a month adds to the largest partition: what is there in the end, over the time it took to come."""
    return largest_bytes(facts, shape) / span_months(facts, shape.entity)


def _loops(_: Facts, plan: ReadPlan) -> dict[str, tuple[str, ...]]:
    """Which buckets lie between two times is known only when these are."""
    return {BUCKET: ()} if plan.serving.buckets > 1 else {}


TIME_BUCKET = VariantPlan(extend=_extend, loops=_loops)
