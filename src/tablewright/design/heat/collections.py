"""How many items share one partition key: usually, and at most, now and in some months; and how long a list can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.growth import count_after, growth_of
from tablewright.design.cost.units.volumes import partitions_asked
from tablewright.design.heat.arithmetic import number
from tablewright.design.serving.buckets import BUCKET_MONTHS
from tablewright.spec.skew import describe_share, hottest_share
from tablewright.spec.volumes import (
    FURTHEST_MONTHS,
    distinct,
    item_bytes,
    largest,
    matching,
    share_when,
    span_months,
)
from tablewright.wire.limits import ITEM_STORAGE_OVERHEAD_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.design.cost.units.volumes import Volumes
    from tablewright.design.layout.layout import Layout
    from tablewright.design.serving.serving import Serving
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def largest_bytes(facts: Facts, shape: Shape, months: int = FURTHEST_MONTHS) -> float:
    """What the items of one entity take in the largest partition of a shape."""
    items, _ = largest_items(facts, shape, months)
    return items * (item_bytes(facts, shape.entity) + ITEM_STORAGE_OVERHEAD_BYTES)


def usual_items(facts: Facts, shape: Shape, months: int) -> float:
    then = _facts_after(facts, shape.entity, months)
    return then.counts[shape.entity] / distinct(then, shape.entity, shape.partition) * _bucket_share(facts, shape)


def largest_items(facts: Facts, shape: Shape, months: int) -> tuple[float, str]:
    """Items of the largest collection: what a relationship says of children at most, else the hottest key's share."""
    then, part = _facts_after(facts, shape.entity, months), _bucket_share(facts, shape)
    said = _most_children(facts, shape)
    if said is not None:
        return max(said[0] * part, usual_items(facts, shape, months)), said[1]
    put = _skewed_put(facts, shape.entity)
    share = hottest_share(then, shape.entity, shape.partition, put, over_time=True)
    source = f"{shape.entity}: {describe_share(then, shape.entity, shape.partition, put)}"
    return then.counts[shape.entity] * share * part, f"{source}, {part:.2%} of it here" if part < 1 else source


def _bucket_share(facts: Facts, shape: Shape) -> float:
    """Of all items of a partition's attributes: those of one bucket of time, spread evenly, that the index holds."""
    _, _, length = shape.bucket.partition(":")
    part = min(1.0, BUCKET_MONTHS[int(length)] / span_months(facts, shape.entity)) if length else 1.0
    return part * share_when(facts, shape.entity, shape.when)


def _facts_after(facts: Facts, entity: str, months: int) -> Facts:
    """The facts then, as far as an entity and those it refers to are concerned."""
    names = (entity, *facts.references[entity].values())
    counts = {name: max(1.0, count_after(growth_of(facts, name), months)) for name in names}
    return msgspec.structs.replace(facts, counts={**facts.counts, **counts})


def _most_children(facts: Facts, shape: Shape) -> tuple[float, str] | None:
    most = largest(facts, shape.entity, shape.partition)
    if most is None:
        return None
    known = (each for each in facts.kinships[shape.entity] if set(each.names) <= set(shape.partition))
    parents = " and ".join(dict.fromkeys(each.relationship.source for each in known))
    return most, f"{shape.entity}: {number(most)} for one {parents} at most"


def _skewed_put(facts: Facts, entity: str) -> PatternSpec | None:
    puts = [each for each in facts.writes if entity in each.entities and each.op in ("put", "transact")]
    return next((each for each in puts if each.skew is not None or each.skews), None)


# ---- lists ----------------------------------------------------------------------------------------------------------


def longest_lists(layout: Layout, volumes: Volumes) -> Volumes:
    """The same volumes, but for reads: as many items as the longest list of a pattern has."""
    lists = {each.id: _longest(layout, each, volumes) for each in layout.spec.reads}
    return msgspec.structs.replace(volumes, read_items={**volumes.read_items, **lists})


def _longest(layout: Layout, pattern: PatternSpec, volumes: Volumes) -> Mapping[str, float]:
    """A limit ends the longest list as it ends any other."""
    read, usual = layout.reads[pattern.id], volumes.read_items[pattern.id]
    if read.operation != "Query":
        return usual
    found = {
        name: items * (_longer(layout.facts, read.views[name].shape, read.servings[name]) if name in read.views else 1)
        for name, items in usual.items()
    }
    if read.limit is None or read.filters:
        return found
    counted = read.limit * partitions_asked(layout, pattern) + bool(pattern.beside)
    most = max(sum(usual.values()), float(counted))
    return {name: items * min(1.0, most / sum(found.values())) for name, items in found.items()}


def _longer(facts: Facts, shape: Shape, serving: Serving) -> float:
    """How many times the usual list the longest one is."""
    names = {*shape.partition, *serving.equal}
    usual, said = matching(facts, shape.entity, names), largest(facts, shape.entity, names)
    if said is None:
        share = hottest_share(facts, shape.entity, names, _skewed_put(facts, shape.entity), over_time=True)
        said = facts.counts[shape.entity] * share
    return max(1.0, said / usual)
