"""Candidates: the shapes of every entity in every place, and for every pattern the plans that read it from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.collection import collection_plans
from tablewright.architect.plans.local_index import local_shapes
from tablewright.architect.plans.reading import items_read, partitions_asked, read_units
from tablewright.architect.plans.registry import PLACES, VARIANTS
from tablewright.architect.plans.values import Candidates, CollectionPlan, ReadPlan, Shapes
from tablewright.design.serving.serving import serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

_READ_ORDER = sorted(PLACES, key=lambda place: not place.is_item)


def enumerate_candidates(
    facts: Facts, shapes: Mapping[str, Shapes], second_items: Mapping[str, tuple[Shape, ...]]
) -> Candidates:
    found = shape_candidates(facts, {name: _extend(facts, each) for name, each in shapes.items()}, second_items)
    plans: dict[str, tuple[ReadPlan, ...]] = {}
    collections: dict[str, tuple[CollectionPlan, ...]] = {}
    for pattern in facts.spec.reads:
        if len(pattern.entities) == 1:
            plans[pattern.id] = tuple(read_plans(found, pattern))
        else:
            collections[pattern.id] = tuple(collection_plans(facts, pattern, found.shapes, second_items))
    return msgspec.structs.replace(found, plans=plans, collections=collections)


def shape_candidates(
    facts: Facts, shapes: Mapping[str, Shapes], second_items: Mapping[str, tuple[Shape, ...]]
) -> Candidates:
    """Where every shape can stand; no plans yet."""
    local = {name: local_shapes(facts, found) for name, found in shapes.items()}
    return Candidates(facts, shapes, second_items, {}, {}, local)


def _extend(facts: Facts, shapes: Shapes) -> Shapes:
    for plan in VARIANTS:
        shapes = plan.extend(facts, shapes)
    return shapes


def _may_ask_copies(facts: Facts, pattern: PatternSpec) -> bool:
    """What looks for an item before it is written wants the item itself."""
    return not pattern.cascade_of and any(each.id == pattern.id for each in facts.spec.reads)


def read_plans(candidates: Candidates, pattern: PatternSpec) -> Iterator[ReadPlan]:
    """All ways to answer a pattern of one entity from one key."""
    facts, entity = candidates.facts, pattern.entity
    for place in _READ_ORDER:
        if place.place == "index" and pattern.consistency == "strong":
            continue
        for shape in place.shapes(candidates, entity):
            if shape.copies and not _may_ask_copies(facts, pattern):
                continue
            serving = serve(facts, pattern, shape, in_table=place.is_item)
            if serving is not None:
                asked = partitions_asked(facts, shape, serving)
                read = items_read(facts, pattern, shape, serving)
                everywhere = msgspec.structs.replace(serving, read_items=read)
                units = read_units(facts, pattern, {entity: everywhere}, asked)
                yield ReadPlan(pattern.id, place.place, shape, serving, units, asked=asked, read_items=read)
