"""Which buckets of time a pattern asks: that of a time it gives, those between two times, or one after the other.

A walk asks bucket after bucket, from now backwards or from the oldest forwards, until a limited list is full. How many
that takes follows from how many items come in a bucket's time. A page begins anywhere inside its first bucket: of items
that come evenly, `limit` of them lie in `limit / items of a bucket + 1` buckets on average.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.serving.absent import asked_order
from tablewright.design.serving.answers import limit_on, range_share
from tablewright.design.serving.writes import changed_by, operation_on
from tablewright.spec.volumes import DAYS_PER_MONTH, age_days, span_months

if TYPE_CHECKING:
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

BUCKET_MONTHS = {4: 12.0, 7: 1.0, 10: 1 / DAYS_PER_MONTH, 13: 1 / DAYS_PER_MONTH / 24}
"""By length of what a timestamp begins with (year, month, day, hour): how many months that is."""


def bucketed_by(shape: Shape) -> str:
    """The timestamp that a shape's bucket follows from; empty where it has none."""
    return shape.bucket.partition(":")[0]


def _months(shape: Shape) -> float:
    return BUCKET_MONTHS[int(shape.bucket.partition(":")[2])]


def knows_bucket(pattern: PatternSpec, shape: Shape) -> bool:
    """Whether the time is given, or two times between which it is."""
    name = bucketed_by(shape)
    between = pattern.range is not None and pattern.range.op == "between" and pattern.range.attr == name
    return not name or name in pattern.by or between


def asked_buckets(facts: Facts, pattern: PatternSpec, shape: Shape) -> int:
    """How many a range over a usual share of all time touches: it begins and ends inside of one."""
    if bucketed_by(shape) in ("", *pattern.by):
        return 1
    return ceil(span_months(facts, shape.entity) * range_share(facts, pattern) / _months(shape)) + 1


def is_fixed_time(facts: Facts, entity: str, name: str) -> bool:
    """Whether a bucket can follow from it. A put writes all keys anew, so that only updates matter."""
    updates = (
        each for each in facts.writes if entity in each.entities and operation_on(facts, each, entity) == "update"
    )
    is_changed = any(name in changed_by(facts, each, entity) for each in updates)
    return name in facts.present[entity] and not is_changed and facts.attribute(entity, name).type == "timestamp"


# ---- walks ----------------------------------------------------------------------------------------------------------


def is_newest_list(facts: Facts, pattern: PatternSpec, entity: str, name: str) -> bool:
    """Whether a pattern asks for the first of a list by a time, and for nothing else of that time."""
    order = asked_order(pattern)
    asked = pattern.kind == "query" and pattern.range is None and name not in pattern.by
    limited = limit_on(facts.spec, pattern, entity) is not None
    return asked and limited and len(pattern.entities) == 1 and bool(order) and order[0].attr == name


def lacks_since(facts: Facts, pattern: PatternSpec) -> str:
    """The time that a pattern could be walked by, if the spec said since when it has values; empty if there is none."""
    names = facts.spec.entities[pattern.entity].attributes
    return next(
        (
            name
            for name, each in names.items()
            if each.since is None
            and is_newest_list(facts, pattern, pattern.entity, name)
            and is_fixed_time(facts, pattern.entity, name)
        ),
        "",
    )


def can_walk(facts: Facts, pattern: PatternSpec, shape: Shape, at: int) -> bool:
    """Whether buckets one after the other are the pattern's list, behind `at` attributes of the sort key.

    `since` says where the walk ends. Types that are mixed in one order would have to be filtered out, bucket by bucket.
    """
    name = bucketed_by(shape)
    is_first = shape.sort[at : at + 1] == (name,) and at >= len(shape.lead)
    if not name or not is_first or pattern.filter or not is_newest_list(facts, pattern, shape.entity, name):
        return False
    return facts.attribute(shape.entity, name).since is not None


def buckets_in_all(facts: Facts, shape: Shape) -> float:
    """Those that the items there are lie in, the first and the last being cut."""
    return age_days(facts, shape.entity).value / DAYS_PER_MONTH / _months(shape) + 1


def per_bucket(facts: Facts, shape: Shape, found: float) -> float:
    """Of so many items of a list: those of one bucket."""
    return found / max(1.0, buckets_in_all(facts, shape) - 1)


def walked_buckets(facts: Facts, shape: Shape, found: float, limit: float) -> float:
    """How many buckets a page is found in; a list that is shorter is looked for in all of them.

    Of n items anywhere in their time, the newest k-th one lies at k / (n + 1) of the way back.
    """
    most = buckets_in_all(facts, shape)
    return most if found <= limit else 1 + (most - 1) * limit / (found + 1)


def walked_items(facts: Facts, shape: Shape, found: float, limit: float, partitions: int) -> float:
    """Items that are read for a page: each partition of a bucket is asked for all that is missing, and has so many."""
    return min(found, limit * partitions, max(limit, per_bucket(facts, shape, found)))
