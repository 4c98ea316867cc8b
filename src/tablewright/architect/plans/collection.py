"""Collections: several entities of one pattern in one partition, answered by one query.

    gather[p, signature, s]    a pattern is read from the shapes of one signature, in the table (None) or in slot s

In the table a second item can stand for the item itself; both never lie in what is read together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tablewright.architect.plans.plan import SearchModel, VariantPlan
from tablewright.architect.plans.prices import read_cost
from tablewright.architect.plans.projection import whole_items
from tablewright.architect.plans.reading import read_units
from tablewright.architect.plans.second_item import SECOND_ITEM
from tablewright.architect.plans.table_key import TABLE_KEY
from tablewright.architect.plans.values import CollectionPlan, Shapes, Variable
from tablewright.design.heat.partition import shards_for
from tablewright.design.serving.serving import Serving, part_of_collection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tablewright.design.serving.shapes import Shape, Signature
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

_PLACES: tuple[Literal["table", "index"], ...] = ("table", "index")
_ITEMS = (TABLE_KEY.variable, SECOND_ITEM.variable)


# ---- candidates -----------------------------------------------------------------------------------------------------


def collection_plans(
    facts: Facts, pattern: PatternSpec, shapes: Mapping[str, Shapes], second_items: Mapping[str, tuple[Shape, ...]]
) -> Iterator[CollectionPlan]:
    for place in _PLACES:
        if place == "index" and pattern.consistency == "strong":
            continue
        there = {
            name: (*shapes[name].base, *_second_items_of(second_items, name))
            if place == "table"
            else shapes[name].index
            for name in pattern.entities
        }
        parts = {name: _parts(facts, pattern, there[name]) for name in pattern.entities}
        first, *others = parts.values()
        for signature in sorted(each for each in first if all(each in found for found in others)):
            chosen = {name: parts[name][signature] for name in pattern.entities}
            servings = {name: next(iter(found.values())) for name, found in chosen.items()}
            shards = shards_for(facts, *(next(iter(found)) for found in chosen.values()))
            yield CollectionPlan(pattern.id, place, signature, chosen, read_units(facts, pattern, servings, shards))


def _second_items_of(second_items: Mapping[str, tuple[Shape, ...]], name: str) -> Iterator[Shape]:
    """Without read copies, which one entity has for itself."""
    return (each for each in second_items.get(name, ()) if not each.copies)


def _parts(facts: Facts, pattern: PatternSpec, shapes: tuple[Shape, ...]) -> dict[Signature, dict[Shape, Serving]]:
    found: dict[Signature, dict[Shape, Serving]] = {}
    for shape in shapes:
        serving = part_of_collection(facts, pattern, shape)
        if serving is not None:
            found.setdefault(shape.signature, {})[shape] = serving
    return found


# ---- in the program -------------------------------------------------------------------------------------------------


def slots_of(plan: CollectionPlan, slots: int) -> Sequence[int | None]:
    """Where it can be read from."""
    return [None] if plan.place == "table" else range(slots)


def variable_of(plan: CollectionPlan, slot: int | None) -> Variable:
    return ("gather", plan.pattern, plan.signature, slot)


def _add(model: SearchModel) -> None:
    for id_, plans in model.candidates.collections.items():
        pattern = model.pattern(id_)
        names: list[Variable] = []
        for plan in plans:
            for slot in slots_of(plan, model.slots):
                cost = read_cost(model.facts, model.prices, pattern, plan.units)
                name = model.variable(variable_of(plan, slot), cost)
                names.append(name)
                _need_parts(model, name, plan, slot)
        model.exactly_one(names)


def _need_parts(model: SearchModel, name: Variable, plan: CollectionPlan, slot: int | None) -> None:
    for shapes in plan.parts.values():
        found: dict[Variable, float] = {}
        for shape in shapes:
            found |= _in_table(model, shape) if slot is None else whole_items(model, shape, (slot,))
        model.row({name: -1, **found}, lower=0)
    if slot is None:
        _keep_apart(model, name, plan)


def _in_table(model: SearchModel, shape: Shape) -> dict[Variable, float]:
    """The item itself or a second item."""
    return {(kind, shape): 1.0 for kind in _ITEMS if model.has((kind, shape))}


def _keep_apart(model: SearchModel, name: Variable, plan: CollectionPlan) -> None:
    """An item and its second item never lie in what is read together, or it would be there twice."""
    for entity in plan.parts:
        second, bases = (
            [each for each in place.shapes(model.candidates, entity) if each.signature == plan.signature]
            for place in (SECOND_ITEM, TABLE_KEY)
        )
        if second:
            terms: dict[Variable, float] = {(TABLE_KEY.variable, each): 1.0 for each in bases}
            terms |= {(SECOND_ITEM.variable, each): 1.0 for each in second}
            model.row({**terms, name: 1.0}, upper=2)


def chosen_collections(
    candidates: Mapping[str, tuple[CollectionPlan, ...]], chosen: frozenset[Variable], used: list[int]
) -> dict[str, tuple[CollectionPlan, int | None]]:
    """By pattern: what it is read by, and from which of the indexes in use."""
    return {
        id_: (plan, None if slot is None else used.index(slot))
        for id_, plans in candidates.items()
        for plan in plans
        for slot in ([None] if plan.place == "table" else used)
        if variable_of(plan, slot) in chosen
    }


COLLECTION = VariantPlan(numbered={"gather": 3}, add_reads=_add)
