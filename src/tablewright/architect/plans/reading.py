"""What one answer takes: the partitions that are asked for it, and the read units it is paid with."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.architect.plans.sizes import least_item_bytes
from tablewright.design.heat.partition import shards_for
from tablewright.design.serving.answers import limit_on
from tablewright.design.serving.serving import Serving, partitions, read_by_walk, read_for, read_under
from tablewright.wire.capacity import read_rcu

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def partitions_asked(facts: Facts, shape: Shape, serving: Serving) -> float:
    """How many partitions one answer is asked from."""
    return 1 if serving.is_get else shards_for(facts, shape) * partitions(facts, shape, serving)


def items_read(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> float:
    """Every shard is asked for as many as the list has at most."""
    if serving.is_get or serving.filters or limit_on(facts.spec, pattern, shape.entity) is None:
        return serving.read_items
    if serving.walks:
        return read_by_walk(facts, pattern, shape, serving, shards_for(facts, shape))
    found, asked = read_under(facts, pattern, shape, serving), partitions_asked(facts, shape, serving)
    return read_for(facts, pattern, shape, serving, found, asked, least_item_bytes(facts, shape.entity))


def read_units(facts: Facts, pattern: PatternSpec, servings: Mapping[str, Serving], asked: float = 1) -> float:
    """Read units of one answer: what is read is paid for, not what is returned, and every partition asked."""
    consistent = pattern.consistency == "strong"
    if pattern.kind == "batch":
        return sum(
            serving.read_items * read_rcu(least_item_bytes(facts, name), consistent=consistent)
            for name, serving in servings.items()
        )
    size = sum(serving.read_items * least_item_bytes(facts, name) for name, serving in servings.items())
    return query_units(size, next(iter(servings.values())).shares, asked, consistent=consistent)


def query_units(size: float, shares: Sequence[float], asked: float, *, consistent: bool = False) -> float:
    """Of so many bytes, read in these shares by one request after the other from every partition."""
    return sum(asked * read_rcu(ceil(size * share / asked), consistent=consistent) for share in shares)
