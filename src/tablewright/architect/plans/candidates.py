"""Plans: a pattern, the places its answer can be read from, and what that costs in read units.

A place is the table, an index slot, a copy or a local index; which shapes stand there is the solver's choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.architect.plans.buckets import with_buckets
from tablewright.architect.plans.shapes import Shapes
from tablewright.architect.plans.sparse import with_sparse
from tablewright.design.heat.partition import shards_for
from tablewright.design.serving.serving import Serving, part_of_collection, partitions, serve
from tablewright.design.shapes import Shape, Signature
from tablewright.spec.facts import Facts
from tablewright.spec.volumes import item_bytes
from tablewright.wire.capacity import read_rcu

if TYPE_CHECKING:
    from tablewright.spec.model import PatternSpec

Place: TypeAlias = Literal["table", "index", "copy", "lsi"]


COLLECTED: tuple[Literal["table", "index"], ...] = ("table", "index")


class Plan(msgspec.Struct, frozen=True, order=True):
    """One entity's pattern, read from one shape in one place."""

    pattern: str
    place: Place
    shape: Shape
    serving: Serving
    units: float
    projection: Literal["ALL", "INCLUDE", "KEYS_ONLY"] = "ALL"  # what the index must hold for it; see projections


class Gathering(msgspec.Struct, frozen=True):
    """A pattern over several entities: for each the shapes of one signature that can take part."""

    pattern: str
    place: Literal["table", "index"]
    signature: Signature
    parts: Mapping[str, Mapping[Shape, Serving]]
    units: float


class Candidates(msgspec.Struct, frozen=True):
    """Everything the solver may choose from."""

    facts: Facts
    shapes: Mapping[str, Shapes]
    copies: Mapping[str, tuple[Shape, ...]]
    plans: Mapping[str, tuple[Plan, ...]]
    gatherings: Mapping[str, tuple[Gathering, ...]]
    local: Mapping[str, tuple[Shape, ...]] = {}  # by entity: what local indexes may hold


def enumerate_candidates(
    facts: Facts, shapes: Mapping[str, Shapes], copies: Mapping[str, tuple[Shape, ...]]
) -> Candidates:
    shapes = {name: with_sparse(facts, with_buckets(facts, each)) for name, each in shapes.items()}
    plans: dict[str, tuple[Plan, ...]] = {}
    gatherings: dict[str, tuple[Gathering, ...]] = {}
    for pattern in facts.spec.reads:
        if len(pattern.entities) == 1:
            plans[pattern.id] = tuple(single_plans(facts, pattern, shapes, copies))
        else:
            gatherings[pattern.id] = tuple(collection_plans(facts, pattern, shapes, copies))
    local = {name: local_shapes(facts, found) for name, found in shapes.items()}
    return Candidates(facts, shapes, copies, plans, gatherings, local)


def local_shapes(facts: Facts, shapes: Shapes) -> tuple[Shape, ...]:
    """A local index has the partition of a table key."""
    partitions = {(shape.partition, shape.bucket) for shape in shapes.base}
    found = tuple(each for each in shapes.index if (each.partition, each.bucket) in partitions and not each.when)
    return found if facts.spec.constraints.lsis else ()


def single_plans(
    facts: Facts, pattern: PatternSpec, shapes: Mapping[str, Shapes], copies: Mapping[str, tuple[Shape, ...]]
) -> Iterator[Plan]:
    entity = pattern.entity
    found: dict[Place, tuple[Shape, ...]] = {
        "table": shapes[entity].base,
        "copy": copies.get(entity, ()),
        "index": shapes[entity].index,
        "lsi": local_shapes(facts, shapes[entity]),
    }
    for place, candidates in found.items():
        if place == "index" and pattern.consistency == "strong":
            continue
        for shape in candidates:
            serving = serve(facts, pattern, shape, in_table=place in ("table", "copy"))
            if serving is not None:
                units = units_of(facts, pattern, {entity: serving}, asked_for(facts, shape, serving))
                yield Plan(pattern.id, place, shape, serving, units)


def collection_plans(
    facts: Facts, pattern: PatternSpec, shapes: Mapping[str, Shapes], copies: Mapping[str, tuple[Shape, ...]]
) -> Iterator[Gathering]:
    for place in COLLECTED:
        if place == "index" and pattern.consistency == "strong":
            continue
        there = {
            name: (*shapes[name].base, *copies.get(name, ())) if place == "table" else shapes[name].index
            for name in pattern.entities
        }
        parts = {name: parts_of(facts, pattern, there[name]) for name in pattern.entities}
        first, *others = parts.values()
        for signature in sorted(each for each in first if all(each in found for found in others)):
            chosen = {name: parts[name][signature] for name in pattern.entities}
            servings = {name: next(iter(found.values())) for name, found in chosen.items()}
            shards = max(shards_for(facts, next(iter(found))) for found in chosen.values())
            yield Gathering(pattern.id, place, signature, chosen, units_of(facts, pattern, servings, shards))


def parts_of(facts: Facts, pattern: PatternSpec, shapes: tuple[Shape, ...]) -> dict[Signature, dict[Shape, Serving]]:
    found: dict[Signature, dict[Shape, Serving]] = {}
    for shape in shapes:
        serving = part_of_collection(facts, pattern, shape)
        if serving is not None:
            found.setdefault(shape.signature, {})[shape] = serving
    return found


def asked_for(facts: Facts, shape: Shape, serving: Serving) -> int:
    """How many partitions one answer is asked from."""
    return 1 if serving.is_get else shards_for(facts, shape) * partitions(facts, shape, serving)


def units_of(facts: Facts, pattern: PatternSpec, servings: Mapping[str, Serving], asked: int = 1) -> float:
    """Read units of one answer: what is read is paid for, not what is returned, and every partition asked."""
    consistent = pattern.consistency == "strong"
    size = sum(serving.read_items * item_bytes(facts, name) for name, serving in servings.items())
    return asked * read_rcu(ceil(size / asked), consistent=consistent)
