"""Time buckets: the beginning of a timestamp as part of the partition key, where a partition would grow beyond 10 GB.

A bucket is written `createdAt:7`: the first seven characters of that timestamp, its month. The longest period is taken
whose items stay below the limit together. Such a key answers who knows the time, or asks between two times, or wants
the newest (or oldest) of a list: then one bucket is asked after the other, until the list is full or `since` is passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import VariantPlan
from tablewright.architect.plans.values import CollectionPlan, ReadPlan
from tablewright.design.heat.collections import largest_bytes
from tablewright.design.serving.buckets import BUCKET_MONTHS, is_fixed_time, is_newest_list
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import BUCKET
from tablewright.design.wording import tally
from tablewright.spec.volumes import span_months
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.plans.values import Shapes
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts


def _extend(facts: Facts, shapes: Shapes) -> Shapes:
    return msgspec.structs.replace(
        shapes,
        base=(*shapes.base, *_bucketed(facts, shapes.base)),
        index=(*shapes.index, *_bucketed(facts, shapes.index)),
    )


def _bucketed(facts: Facts, shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """The same keys with a bucket, where a pattern can be asked so and the partition outgrows the limit."""
    asked = {*_asked_between(facts), *_walked(facts)}
    for shape in (each for each in shapes if facts.spec.entities[each.entity].packed is None):
        for name in shape.sort:
            if (shape.entity, name) in asked and is_fixed_time(facts, shape.entity, name) and _outgrows(facts, shape):
                yield msgspec.structs.replace(shape, bucket=f"{name}:{_length_for(facts, shape)}")


def _asked_between(facts: Facts) -> Iterator[tuple[str, str]]:
    for each in facts.spec.reads:
        if each.range is not None and each.range.op == "between":
            yield from ((entity, each.range.attr) for entity in each.entities)


def _walked(facts: Facts) -> Iterator[tuple[str, str]]:
    """Times by which the first of a list are asked for; `since` says where a walk over its buckets ends."""
    for each in facts.spec.reads:
        names = facts.spec.entities[each.entity].attributes
        yield from (
            (each.entity, name)
            for name, attribute in names.items()
            if attribute.since is not None and is_newest_list(facts, each, each.entity, name)
        )


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
    return {BUCKET: ()} if plan.serving.buckets > 1 and not plan.serving.walks else {}


def _explain(plan: ReadPlan | CollectionPlan, _: int) -> Iterator[str]:
    if isinstance(plan, ReadPlan) and plan.serving.walks:
        bucket = Bucket.parse(plan.shape.bucket)
        begin, towards = ("now", "the past") if plan.serving.backwards else ("the first", "now")
        usual, most = (tally(each, bucket.period) for each in (plan.serving.buckets, plan.serving.most_buckets))
        yield (
            f"A partition has one {bucket.period} of {bucket.attribute}: one is asked after the other, from {begin}"
            f" towards {towards}, until the list is full: about {usual} for a page, and all {most} of a list that is"
            " shorter"
        )


TIME_BUCKET = VariantPlan(extend=_extend, loops=_loops, explain=_explain)
