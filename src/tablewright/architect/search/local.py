"""Local indexes in the model.

    lsi[e, k, n]     the entity has shape k in local index n, at most one shape an index; local[n] when any entity has

A local index has the table's partition key, so an entity needs a table key with that partition. As soon as there is
one, no collection of the table may grow beyond 10 GB, its index entries included, and none can be sharded.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.cost.selection import entry_cost
from tablewright.design.heat.collections import largest_bytes
from tablewright.design.heat.partition import shards_for
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES, MAX_LSIS

if TYPE_CHECKING:
    from tablewright.architect.search.choose import Model
    from tablewright.architect.search.program import Variable
    from tablewright.design.shapes import Shape

FOREVER = 10
"""Micro-dollars for a local index: on a tie a global one wins, which can be added and dropped at any time."""
STEP = 2**20
LIMIT = MAX_ITEM_COLLECTION_BYTES // STEP


def add_local_indexes(model: Model) -> None:
    local = model.candidates.local
    model.local = min(MAX_LSIS, max((len(shapes) for shapes in local.values()), default=0))
    for number in range(model.local):
        model.variable(("local", number), FOREVER)
        if number:
            model.program.row({("local", number - 1): 1, ("local", number): -1}, lower=0)
        for shapes in local.values():
            add_shapes(model, number, shapes)
    if model.local:
        limit_collections(model)


def add_shapes(model: Model, number: int, shapes: tuple[Shape, ...]) -> None:
    for shape in shapes:
        cost = entry_cost(model.facts, model.prices, shape) + len(shape.attributes)
        name = model.variable(("lsi", shape, number), cost)
        wanted = (shape.partition, shape.bucket)
        bases = [each for each in model.candidates.shapes[shape.entity].base if (each.partition, each.bucket) == wanted]
        model.program.row({name: -1, **{("base", each): 1 for each in bases}}, lower=0)
    model.program.row({**{("lsi", shape, number): 1 for shape in shapes}, ("local", number): -1}, upper=0)


def limit_collections(model: Model) -> None:
    """Entities with the same partition attributes are added up, as if they all lay together: never too little."""
    sizes: dict[tuple[str, ...], dict[Variable, float]] = {}
    for entity, shapes in model.candidates.shapes.items():
        for shape in shapes.base:
            sizes.setdefault(shape.partition, {})["base", shape] = steps(model, shape)
            if shards_for(model.facts, shape) > 1:
                model.program.row({("base", shape): 1, ("local", 0): 1}, upper=1)
        for shape in model.candidates.local.get(entity, ()):
            for number in range(model.local):
                sizes.setdefault(shape.partition, {})["lsi", shape, number] = steps(model, shape)
    for terms in sizes.values():
        most = sum(terms.values())
        if most > LIMIT:
            model.program.row({**terms, ("local", 0): most - LIMIT}, upper=most)


def steps(model: Model, shape: Shape) -> float:
    """Megabytes, rounded up; what is far too much is as good as twice the limit."""
    return float(min(2 * LIMIT, ceil(largest_bytes(model.facts, shape) / STEP)))
