"""Projections in the model.

    projection[s, kind]    slot s holds no whole items; at most one kind a slot
    lean[e, k, s, kind]    shape k stands in slot s as that kind, which saves what its entries are smaller by

A projection belongs to the physical index: it binds all entities of its slot. Variables are made only where some shape
would gain by one; elsewhere every index holds whole items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.projections import Lean, leans_of
from tablewright.design.cost.selection import entry_cost, read_cost

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.plans.candidates import Plan
    from tablewright.architect.search.choose import Model
    from tablewright.architect.search.program import Variable
    from tablewright.design.shapes import Shape


WORTH = 1_000_000
"""Micro-dollars a month: for less nobody would have an index that answers only some questions."""


def worthwhile(model: Model) -> tuple[Lean, ...]:
    """All smaller projections of the kinds by which any shape gains."""
    whole = {
        (plan.pattern, plan.shape): plan
        for plans in model.candidates.plans.values()
        for plan in plans
        if plan.place == "index"
    }
    found = list(leans_of(model.facts, whole.values()))
    kinds = {each.kind for each in found if gains(model, each, whole)}
    return tuple(each for each in found if each.kind in kinds)


def gains(model: Model, lean: Lean, whole: dict[tuple[str, Shape], Plan]) -> bool:
    """Whether one plan alone could make it cheaper."""
    more = [plan_cost(model, plan) - plan_cost(model, whole[plan.pattern, plan.shape]) for plan in lean.plans]
    return min(more) + saving(model, lean) < -WORTH


def saving(model: Model, lean: Lean) -> int:
    """What its entries cost more than whole ones: never above 0."""
    facts, prices = model.facts, model.prices
    return entry_cost(facts, prices, lean.shape, lean.attributes) - entry_cost(facts, prices, lean.shape)


def plan_cost(model: Model, plan: Plan) -> int:
    return read_cost(model.facts, model.prices, model.pattern(plan.pattern), plan.units)


def add_projections(model: Model) -> None:
    kinds = sorted({each.kind for each in model.leans})
    savings = [(each, saving(model, each)) for each in model.leans]
    for slot in range(model.slots):
        for kind in kinds:
            model.variable(("projection", slot, kind))
            add_leans(model, slot, {lean: saved for lean, saved in savings if lean.kind == kind})
            bind_slot(model, slot, kind)
        if kinds:
            model.program.row({("projection", slot, kind): 1 for kind in kinds}, upper=1)


def add_leans(model: Model, slot: int, savings: dict[Lean, int]) -> None:
    for lean, saved in savings.items():
        name = model.variable(("lean", lean.shape, slot, lean.kind), saved)
        model.program.row({name: -1, ("gsi", lean.shape, slot): 1}, lower=0)
        model.program.row({name: -1, ("projection", slot, lean.kind): 1}, lower=0)


def bind_slot(model: Model, slot: int, kind: str) -> None:
    """Whoever is in a slot with a projection is in it with that projection."""
    for shapes in model.candidates.shapes.values():
        terms: dict[Variable, float] = {("gsi", shape, slot): 1.0 for shape in shapes.index}
        for lean in model.leans:
            if lean.kind == kind and lean.shape in shapes.index:
                terms["lean", lean.shape, slot, kind] = -1.0
        if terms:
            model.program.row({**terms, ("projection", slot, kind): 1.0}, upper=1)


def whole_items(model: Model, shape: Shape, slots: Iterable[int]) -> dict[Variable, float]:
    """The variables that put whole items of a shape into one of these slots."""
    kinds = [lean.kind for lean in model.leans if lean.shape == shape]
    terms: dict[Variable, float] = {}
    for slot in slots:
        terms["gsi", shape, slot] = 1.0
        terms.update({("lean", shape, slot, kind): -1.0 for kind in kinds})
    return terms
