"""Local indexes: another sort key under the table's partition key, which can be read consistently.

    lsi[e, k, n]     the entity has shape k in local index n, at most one shape an index; local[n] when any entity has

An entity needs a table key with that partition. As soon as there is a local index, no collection of the table may grow
beyond 10 GB, its index entries included, and none can be sharded.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.architect.plans.global_index import index_reasons
from tablewright.architect.plans.plan import PlacePlan, SearchModel
from tablewright.architect.plans.prices import entry_cost
from tablewright.architect.plans.values import Candidates, Choice, PlacedKey, PlacedShapes, ReadPlan, Shapes, Variable
from tablewright.design.heat.collections import largest_bytes
from tablewright.design.heat.partition import can_shard, write_heat
from tablewright.review import sources
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES, MAX_LSIS, PARTITION_WCU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.advice import Source
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts

_KIND = "lsi"
_STEP = 2**20
_LIMIT = MAX_ITEM_COLLECTION_BYTES // _STEP


# ---- candidates -----------------------------------------------------------------------------------------------------


def local_shapes(facts: Facts, shapes: Shapes) -> tuple[Shape, ...]:
    """A local index has the partition of a table key."""
    partitions = {(shape.partition, shape.bucket) for shape in shapes.base}
    found = tuple(each for each in shapes.index if (each.partition, each.bucket) in partitions and not each.when)
    return found if facts.spec.constraints.lsis else ()


def most_local_indexes(candidates: Candidates) -> int:
    return min(MAX_LSIS, max((len(shapes) for shapes in candidates.local.values()), default=0))


def _shapes(candidates: Candidates, entity: str) -> tuple[Shape, ...]:
    return candidates.local.get(entity, ())


# ---- in the program -------------------------------------------------------------------------------------------------


def _add(model: SearchModel) -> None:
    numbers = range(most_local_indexes(model.candidates))
    for number in numbers:
        model.variable(("local", number))
        if number:
            model.row({("local", number - 1): 1, ("local", number): -1}, lower=0)
        for shapes in model.candidates.local.values():
            _add_numbered(model, number, shapes)
    if numbers:
        _limit_collections(model, numbers)


def _add_numbered(model: SearchModel, number: int, shapes: tuple[Shape, ...]) -> None:
    for shape in shapes:
        name = model.variable((_KIND, shape, number), entry_cost(model.facts, model.prices, shape))
        wanted = (shape.partition, shape.bucket)
        bases = [each for each in model.candidates.shapes[shape.entity].base if (each.partition, each.bucket) == wanted]
        model.row({name: -1, **{("base", each): 1 for each in bases}}, lower=0)
    model.row({**{(_KIND, shape, number): 1 for shape in shapes}, ("local", number): -1}, upper=0)


def _limit_collections(model: SearchModel, numbers: range) -> None:
    """Entities with the same partition attributes are added up, as if they all lay together: never too little."""
    sizes: dict[tuple[str, ...], dict[Variable, float]] = {}
    for entity, shapes in model.candidates.shapes.items():
        for shape in shapes.base:
            sizes.setdefault(shape.partition, {})["base", shape] = _steps(model, shape)
            if _needs_shards(model.facts, shape):
                model.row({("base", shape): 1, ("local", 0): 1}, upper=1)
        for shape in _shapes(model.candidates, entity):
            for number in numbers:
                sizes.setdefault(shape.partition, {})[_KIND, shape, number] = _steps(model, shape)
    for terms in sizes.values():
        most = sum(terms.values())
        if most > _LIMIT:
            model.row({**terms, ("local", 0): most - _LIMIT}, upper=most)


def _needs_shards(facts: Facts, shape: Shape) -> bool:
    """Head room is given up for a local index, what a partition serves is not."""
    return can_shard(facts, shape) and write_heat(facts, shape).units > PARTITION_WCU


def _steps(model: SearchModel, shape: Shape) -> float:
    """Megabytes, rounded up; what is far too much is as good as twice the limit."""
    return float(min(2 * _LIMIT, ceil(largest_bytes(model.facts, shape) / _STEP)))


def _read_from(model: SearchModel, plan: ReadPlan) -> dict[Variable, float]:
    return {(_KIND, plan.shape, number): 1.0 for number in range(most_local_indexes(model.candidates))}


def _keys(shapes: PlacedShapes) -> Iterator[PlacedKey]:
    for number, members in enumerate(shapes.lsis):
        yield from (PlacedKey("lsi", shape, number) for _, shape in sorted(members.items()))


def forbid_new(known: int) -> list[Variable]:
    """Local indexes are made with their table or not at all."""
    return [("local", number) for number in range(known, MAX_LSIS)]


def _sources(_: Facts, __: Choice, ___: PlacedKey) -> tuple[Source, ...]:
    return (sources.LSI,)


LOCAL_INDEX = PlacePlan(
    place="lsi",
    variable=_KIND,
    numbered={"local": 1, _KIND: 2},
    shared=("local",),
    shapes=_shapes,
    add=_add,
    read_from=_read_from,
    keys=_keys,
    reasons=index_reasons,
    sources=_sources,
    decision="index",
    name="lsi{}",
    added="in a local index",
    removed="local index entry",
    query_text="the table keeps {entity} by {base}, which does not answer this; {place} keeps it by {keys}",
)
