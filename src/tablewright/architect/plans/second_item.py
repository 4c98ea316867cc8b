"""Second items: the same item in the table under another key, kept in step by writing both in one transaction.

`ids`    keys made of the id alone: a pure edge, which whoever deletes the first item can find
`any`    keys of any attributes that are always there; where these change, the second item moves with the write
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import PlacePlan, SearchModel
from tablewright.architect.plans.prices import copy_cost, growth_rule
from tablewright.architect.plans.values import Candidates, Choice, PlacedKey, PlacedShapes, ReadPlan, Variable
from tablewright.design.serving.writes import replaces
from tablewright.design.wording import concat
from tablewright.review import sources
from tablewright.spec.writes import is_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.advice import Source
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts


def second_item_shapes(facts: Facts, entity: str, shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The index shapes that may be keys of second items, as far as the spec allows these."""
    allowed, ids = facts.spec.constraints.copies, facts.spec.entities[entity].id
    if allowed == "none" or (allowed == "ids" and len(ids) == 1):
        return ()
    usable = set(ids) if allowed == "ids" else usable_attributes(facts, entity)
    found = {
        msgspec.structs.replace(shape, rest=(*shape.rest, *(name for name in ids if name not in shape.attributes)))
        for shape in shapes
        if shape.partition and set(shape.attributes) <= usable
    }
    return tuple(sorted(found))


def usable_attributes(facts: Facts, entity: str) -> set[str]:
    """What keys of second items may be made of: not what may change where a put of many would have to find as many old
    ones.
    """
    is_many = any(
        is_list(facts, each, entity) and replaces(facts, each, entity)
        for each in facts.writes
        if entity in each.entities
    )
    return set(facts.present[entity] & facts.fixed[entity] if is_many else facts.present[entity])


def _shapes(candidates: Candidates, entity: str) -> tuple[Shape, ...]:
    return candidates.second_items.get(entity, ())


def _add_shapes(model: SearchModel, entity: str) -> None:
    for shape in _shapes(model.candidates, entity):
        rule = growth_rule(model.facts, shape)  # or a copy that grows without end would do for an item that may not
        name = model.variable((SECOND_ITEM.variable, shape), copy_cost(model.facts, model.prices, shape), rule)
        if model.has(("base", shape)):
            model.row({name: 1, ("base", shape): 1}, upper=1)


def _read_from(_: SearchModel, plan: ReadPlan) -> dict[Variable, float]:
    return {(SECOND_ITEM.variable, plan.shape): 1.0}


def _keys(shapes: PlacedShapes) -> Iterator[PlacedKey]:
    for _, found in sorted(shapes.second_items.items()):
        yield from (PlacedKey(SECOND_ITEM.place, shape) for shape in found)


def _reasons(_: Facts, __: Choice, key: PlacedKey, patterns: tuple[str, ...]) -> Iterator[str]:
    if key.shape.copies:
        yield (
            f"{concat(patterns)} would read one partition more often at peak than it serves; of {key.shape.copies}"
            f" copies each read asks any one, and every write of {key.shape.entity} writes all of them in one"
            " transaction"
        )
        return
    yield (
        f"it saves {concat(patterns)} an index; every {key.shape.entity} and its second item are written in one"
        " transaction, so neither is there without the other"
    )


def _sources(_: Facts, __: Choice, ___: PlacedKey) -> tuple[Source, ...]:
    return (sources.ADJACENCY_LISTS, sources.TRANSACTIONS)


SECOND_ITEM = PlacePlan(
    place="copy",
    variable="copy",
    is_item=True,
    shapes=_shapes,
    add_shapes=_add_shapes,
    read_from=_read_from,
    keys=_keys,
    reasons=_reasons,
    sources=_sources,
    decision="copy",
    added="as a second item",
    removed="second item",
    today="the second item",
    item_kind="copy",
    item_text="a second item of {entity}",
    query_text="every {entity} has a second item by {keys} in the table: one Query, no index",
)
