"""Projections: indexes that hold less than whole items.

INCLUDE     the attributes that the patterns read there return, as far as they say so; for those that ask for more, the
            items themselves are fetched by BatchGetItem, each paid for by itself
KEYS_ONLY   nothing but keys: the items are fetched for all

    projection[s, kind]    slot s holds no whole items; at most one kind a slot
    lean[e, k, s, kind]    shape k stands in slot s as that kind, which saves what its entries are smaller by

A projection belongs to the physical index: it binds all entities of its slot. Variables are made only where some shape
would gain by one; elsewhere every index holds whole items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.plan import LeanEntries, SearchModel, VariantPlan
from tablewright.architect.plans.prices import entry_cost, read_cost
from tablewright.architect.plans.reading import query_units
from tablewright.architect.plans.sizes import entry_bytes, least_item_bytes
from tablewright.architect.plans.values import CollectionPlan, ReadPlan, Variable
from tablewright.design.serving.answers import limit_on
from tablewright.design.wording import some
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_PROJECTED_ATTRIBUTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tablewright.architect.plans.values import ProjectionKind
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

WORTH = 1_000_000
"""Micro-dollars a month: for less nobody would have an index that answers only some questions."""


# ---- candidates -----------------------------------------------------------------------------------------------------


def worthwhile_projections(model: SearchModel) -> tuple[LeanEntries, ...]:
    """All smaller projections of the kinds by which any shape gains."""
    whole = {
        (plan.pattern, plan.shape): plan
        for plans in model.candidates.plans.values()
        for plan in plans
        if plan.place == "index"
    }
    found = list(_smaller_projections(model.facts, whole.values()))
    kinds = {each.kind for each in found if _gains(model, each, whole)}
    return tuple(each for each in found if each.kind in kinds)


def _smaller_projections(facts: Facts, plans: Iterable[ReadPlan]) -> Iterator[LeanEntries]:
    """For every index shape that plans read: what a smaller projection of it could be."""
    by_shape: dict[Shape, list[ReadPlan]] = {}
    for plan in plans:
        by_shape.setdefault(plan.shape, []).append(plan)
    for shape, found in sorted(by_shape.items()):
        patterns = {each.id: each for each in facts.spec.reads}
        returning = [plan for plan in found if patterns[plan.pattern].returns]
        unfiltered = [plan for plan in found if _can_fetch(patterns[plan.pattern], plan)]
        names = {name for plan in returning for name in attributes_read(patterns[plan.pattern], plan)}
        if returning and names < set(facts.spec.entities[shape.entity].attributes):
            attributes = tuple(sorted(names))
            lean = [_include(facts, plan, attributes) for plan in returning]
            others = [plan for plan in unfiltered if not patterns[plan.pattern].returns]
            lean += [_fetch(facts, patterns[plan.pattern], plan, attributes) for plan in others]
            if len(names) < MAX_PROJECTED_ATTRIBUTES:
                yield LeanEntries(shape, "INCLUDE", attributes, tuple(lean))
        if unfiltered:
            fetching = (_fetch(facts, patterns[plan.pattern], plan) for plan in unfiltered)
            yield LeanEntries(shape, "KEYS_ONLY", (), tuple(fetching))


def attributes_read(pattern: PatternSpec, plan: ReadPlan) -> set[str]:
    """What a pattern reads of an item: what it returns and what is filtered by."""
    ranged = {pattern.range.attr} if pattern.range is not None else set[str]()
    return {*pattern.returns, *plan.serving.filters, *plan.serving.demands, *pattern.filter, *ranged}


def _can_fetch(pattern: PatternSpec, plan: ReadPlan) -> bool:
    """A filter would see nothing but keys; and a single item is not worth two requests one after the other."""
    excluding = pattern.range is not None and pattern.range.op == "lt"
    filtered = plan.serving.filters or plan.serving.demands or pattern.filter or plan.serving.by_type or excluding
    return pattern.kind != "get" and not filtered


def _include(facts: Facts, plan: ReadPlan, attributes: tuple[str, ...]) -> ReadPlan:
    size = entry_bytes(facts, plan.shape, attributes)
    return msgspec.structs.replace(plan, units=_units(plan, size), projection="INCLUDE")


def _fetch(facts: Facts, pattern: PatternSpec, plan: ReadPlan, attributes: tuple[str, ...] = ()) -> ReadPlan:
    """By the keys of entries that hold these attributes besides."""
    keys = _units(plan, entry_bytes(facts, plan.shape, attributes))
    limit = limit_on(facts.spec, pattern, plan.shape.entity)
    items = min(plan.serving.returned_items, limit or plan.serving.returned_items)
    units = keys + items * read_rcu(least_item_bytes(facts, plan.shape.entity))
    return msgspec.structs.replace(plan, units=units, projection="INCLUDE" if attributes else "KEYS_ONLY", fetches=True)


def _units(plan: ReadPlan, size: float) -> float:
    return query_units(plan.read_items * size, plan.serving.shares, plan.asked)


# ---- price ----------------------------------------------------------------------------------------------------------


def _gains(model: SearchModel, lean: LeanEntries, whole: dict[tuple[str, Shape], ReadPlan]) -> bool:
    """Whether one plan alone could make it cheaper."""
    more = [_plan_cost(model, plan) - _plan_cost(model, whole[plan.pattern, plan.shape]) for plan in lean.plans]
    return min(more) + _saving(model, lean) < -WORTH


def _saving(model: SearchModel, lean: LeanEntries) -> int:
    """What its entries cost more than whole ones: never above 0."""
    facts, prices = model.facts, model.prices
    return entry_cost(facts, prices, lean.shape, lean.attributes) - entry_cost(facts, prices, lean.shape)


def _plan_cost(model: SearchModel, plan: ReadPlan) -> int:
    return read_cost(model.facts, model.prices, model.pattern(plan.pattern), plan.units)


# ---- in the program -------------------------------------------------------------------------------------------------


def _add(model: SearchModel) -> None:
    kinds = sorted({each.kind for each in model.lean_entries})
    savings = [(each, _saving(model, each)) for each in model.lean_entries]
    for slot in range(model.slots):
        for kind in kinds:
            model.variable(("projection", slot, kind))
            _add_entries(model, slot, {lean: saved for lean, saved in savings if lean.kind == kind})
            _bind_slot(model, slot, kind)
        if kinds:
            model.row({("projection", slot, kind): 1 for kind in kinds}, upper=1)
    _add_once(model)


def _add_once(model: SearchModel) -> None:
    """A second index with the same key and projection says nothing, however little its entries cost.

    Whole items may have one key in two indexes: in each of them others may lie beside them.
    """
    slots = range(model.slots)
    for each in model.lean_entries if len(slots) > 1 else ():
        model.row({("lean", each.shape, slot, each.kind): 1 for slot in slots}, upper=1)


def _add_entries(model: SearchModel, slot: int, savings: dict[LeanEntries, int]) -> None:
    for lean, saved in savings.items():
        name = model.variable(("lean", lean.shape, slot, lean.kind), saved)
        model.row({name: -1, ("gsi", lean.shape, slot): 1}, lower=0)
        model.row({name: -1, ("projection", slot, lean.kind): 1}, lower=0)


def _bind_slot(model: SearchModel, slot: int, kind: str) -> None:
    """Whoever is in a slot with a projection is in it with that projection."""
    for shapes in model.candidates.shapes.values():
        terms: dict[Variable, float] = {("gsi", shape, slot): 1.0 for shape in shapes.index}
        for lean in model.lean_entries:
            if lean.kind == kind and lean.shape in shapes.index:
                terms["lean", lean.shape, slot, kind] = -1.0
        if terms:
            model.row({**terms, ("projection", slot, kind): 1.0}, upper=1)


def whole_items(model: SearchModel, shape: Shape, slots: Iterable[int]) -> dict[Variable, float]:
    """The variables that put whole items of a shape into one of these slots."""
    kinds = [lean.kind for lean in model.lean_entries if lean.shape == shape]
    terms: dict[Variable, float] = {}
    for slot in slots:
        terms["gsi", shape, slot] = 1.0
        terms.update({("lean", shape, slot, kind): -1.0 for kind in kinds})
    return terms


def lean_variables(plan: ReadPlan, slots: Iterable[int]) -> dict[Variable, float]:
    """The variables that put what a plan needs of a shape, and no more, into one of these slots."""
    return {("lean", plan.shape, slot, plan.projection): 1.0 for slot in slots}


def entry_of(name: Variable) -> Variable | None:
    """The variable of the whole entry, of which this one says that it is smaller."""
    return ("gsi", *name[1:3]) if name[0] == "lean" else None


def chosen_kind(chosen: frozenset[Variable], slot: int) -> ProjectionKind:
    if ("projection", slot, "INCLUDE") in chosen:
        return "INCLUDE"
    return "KEYS_ONLY" if ("projection", slot, "KEYS_ONLY") in chosen else "ALL"


# ---- explanation ----------------------------------------------------------------------------------------------------


def projection_reason(kind: ProjectionKind, patterns: Sequence[str]) -> str:
    if kind == "INCLUDE":
        return f"nothing more is asked of it by {some(patterns)}, and a write of anything else leaves the index alone"
    return f"the items are fetched from the table for {some(patterns)}; the index itself stays small"


def _explain(plan: ReadPlan | CollectionPlan, _: int) -> Iterator[str]:
    if isinstance(plan, ReadPlan) and plan.fetches and plan.projection == "INCLUDE":
        yield "the index holds what others ask for, so a BatchGetItem fetches the items: two steps, no whole copies"
    elif isinstance(plan, ReadPlan) and plan.fetches:
        yield "the index holds only keys, so a BatchGetItem fetches the items: two steps, and cheaper index writes"
    elif isinstance(plan, ReadPlan) and plan.projection == "INCLUDE":
        yield "the index holds just what this needs, so its writes and its storage stay small"


PROJECTION = VariantPlan(
    numbered={"projection": 1, "lean": 2},
    shared=("projection",),
    add=_add,
    explain=_explain,
)
