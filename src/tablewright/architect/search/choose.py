"""The choice: a base key per entity, shapes in index slots, and a plan per pattern, at least cost.

    base[e, k]       the table key of an entity, exactly one
    gsi[e, k, s]     the entity has shape k in slot s, at most one shape a slot; used[s] when any entity is in it
    copy[e, k]       a second item in the table
    lsi, lean        local indexes and projections: see `local` and `projecting`
    plan / gather    how a pattern is read, exactly one; it needs the shapes it reads
    locate           how a write that does not know the whole table key finds it

Overloading needs no rule: an entity fills one shape a slot, and the number of indexes is the number of slots in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.candidates import Candidates, Gathering, Plan, single_plans
from tablewright.architect.plans.shapes import locating
from tablewright.architect.search.choice import Aim, Choice, choice_of
from tablewright.architect.search.local import add_local_indexes
from tablewright.architect.search.program import Program, Variable
from tablewright.architect.search.projecting import add_projections, whole_items, worthwhile
from tablewright.design.cost.selection import concentration_cost, copy_cost, entry_cost, read_cost

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.design.cost.prices import Prices
    from tablewright.design.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

__all__ = ["Aim", "Choice", "Locate", "Model", "locates"]

TABLE_FIRST = 1
"""A micro-dollar for reading from an index: on a tie the table wins, which can be read consistently and never lags."""


class Locate(msgspec.Struct, frozen=True):
    """A write of an entity whose table key does not follow from what the writer knows."""

    write: str
    entity: str
    plans: tuple[Plan, ...]


class Model:
    """The program for some candidates and a number of slots."""

    def __init__(self, candidates: Candidates, prices: Prices, slots: int) -> None:
        self.candidates, self.prices, self.slots = candidates, prices, slots
        self.facts: Facts = candidates.facts
        self.program = Program()
        self.costs: dict[Variable, int] = {}
        self.locates = list(locates(candidates))
        self.local = 0  # how many local indexes there may be
        self.leans = worthwhile(self)
        self.plans: dict[str, dict[Variable, Plan]] = {}  # by pattern: its plans by the names of their variables
        self.add_shapes()
        add_local_indexes(self)
        add_projections(self)
        self.add_plans()
        self.add_gatherings()
        self.add_locates()

    def variable(self, name: Variable, cost: int = 0) -> Variable:
        self.program.variable(name)
        if cost:
            self.costs[name] = cost
        return name

    # ---- shapes --------------------------------------------------------------------------------------------------

    def add_shapes(self) -> None:
        for slot in range(self.slots):
            self.variable(("used", slot))
        for slot in range(self.slots - 1):
            self.program.row({("used", slot): 1, ("used", slot + 1): -1}, lower=0)
        for entity, shapes in self.candidates.shapes.items():
            for shape in shapes.base:
                self.variable(("base", shape), concentration_cost(self.facts, shape))
            self.program.row({("base", shape): 1 for shape in shapes.base}, lower=1, upper=1)
            costs = {
                shape: entry_cost(self.facts, self.prices, shape) + concentration_cost(self.facts, shape)
                for shape in shapes.index
            }
            for slot in range(self.slots):
                self.add_slot(slot, costs)
            self.add_copies(entity)

    def add_slot(self, slot: int, costs: Mapping[Shape, int]) -> None:
        for shape, cost in costs.items():
            self.variable(("gsi", shape, slot), cost)
        self.program.row({**{("gsi", shape, slot): 1 for shape in costs}, ("used", slot): -1}, upper=0)

    def add_copies(self, entity: str) -> None:
        bases = set(self.candidates.shapes[entity].base)
        for shape in self.candidates.copies.get(entity, ()):
            self.variable(("copy", shape), copy_cost(self.facts, self.prices, shape))
            if shape in bases:
                self.program.row({("copy", shape): 1, ("base", shape): 1}, upper=1)

    # ---- plans ---------------------------------------------------------------------------------------------------

    def add_plans(self) -> None:
        for id_, plans in self.candidates.plans.items():
            pattern = self.pattern(id_)
            lean = [plan for each in self.leans for plan in each.plans if plan.pattern == id_]
            named: dict[Variable, Plan] = {("plan", id_, plan.place, plan.shape): plan for plan in plans}
            named |= {("plan", id_, plan.place, plan.shape, plan.projection): plan for plan in lean}
            for name, plan in named.items():
                self.add_plan(name, pattern, plan)
            self.exactly_one(list(named))
            self.plans[id_] = named

    def add_plan(self, name: Variable, pattern: PatternSpec, plan: Plan) -> None:
        mixed = 2.0 if plan.serving.by_type else 1.0
        cost = read_cost(self.facts, self.prices, pattern, plan.units * mixed)
        self.variable(name, cost + (TABLE_FIRST if plan.place == "index" else 0))
        self.program.row({name: -1, **self.places(plan)}, lower=0)

    def places(self, plan: Plan) -> dict[Variable, float]:
        """One of these must be, for a plan to read from it."""
        if plan.projection != "ALL":
            return {("lean", plan.shape, slot, plan.projection): 1.0 for slot in range(self.slots)}
        if plan.place == "index":
            return whole_items(self, plan.shape, range(self.slots))
        if plan.place == "lsi":
            return {("lsi", plan.shape, number): 1.0 for number in range(self.local)}
        return {("base" if plan.place == "table" else "copy", plan.shape): 1.0}

    def exactly_one(self, names: list[Variable]) -> None:
        self.program.row(dict.fromkeys(names, 1), lower=1, upper=1)

    def add_gatherings(self) -> None:
        for id_, gatherings in self.candidates.gatherings.items():
            pattern = self.pattern(id_)
            names: list[Variable] = []
            for gathering in gatherings:
                for slot in [None] if gathering.place == "table" else range(self.slots):
                    name: Variable = ("gather", id_, gathering.signature, slot)
                    names.append(name)
                    cost = read_cost(self.facts, self.prices, pattern, gathering.units)
                    self.variable(name, cost + (0 if slot is None else TABLE_FIRST))
                    self.need_parts(name, gathering, slot)
            self.exactly_one(names)

    def need_parts(self, name: Variable, gathering: Gathering, slot: int | None) -> None:
        for shapes in gathering.parts.values():
            found: dict[Variable, float] = {}
            for shape in shapes:
                found |= self.in_table(shape) if slot is None else whole_items(self, shape, (slot,))
            self.program.row({name: -1, **found}, lower=0)
        if slot is None:
            self.keep_apart(name, gathering)

    def in_table(self, shape: Shape) -> dict[Variable, float]:
        """The item itself or a copy of it."""
        names: list[Variable] = [("base", shape), ("copy", shape)]
        return {name: 1.0 for name in names if name in self.program.columns}

    def keep_apart(self, name: Variable, gathering: Gathering) -> None:
        """An item and its copy never lie in what is read together, or it would be there twice."""
        for entity in gathering.parts:
            copies = [each for each in self.candidates.copies.get(entity, ()) if each.signature == gathering.signature]
            bases = [each for each in self.candidates.shapes[entity].base if each.signature == gathering.signature]
            if copies:
                terms: dict[Variable, float] = {("base", each): 1.0 for each in bases}
                self.program.row({**terms, **{("copy", each): 1.0 for each in copies}, name: 1.0}, upper=2)

    def add_locates(self) -> None:
        for locate in self.locates:
            names: list[Variable] = []
            pattern = self.pattern(locate.write)
            for plan in locate.plans:
                name: Variable = ("locate", locate.write, plan.place, plan.shape)
                names.append(name)
                self.add_plan(name, pattern, plan)
            known = set(pattern.by)
            hidden = [
                shape for shape in self.candidates.shapes[locate.entity].base if not known >= set(shape.attributes)
            ]
            self.program.row({**dict.fromkeys(names, 1), **{("base", shape): -1 for shape in hidden}}, lower=0)

    def pattern(self, id_: str) -> PatternSpec:
        found = self.facts.spec.pattern(id_)
        assert found is not None
        return found

    def choice(self, chosen: frozenset[Variable]) -> Choice:
        return choice_of(self, chosen)


def locates(candidates: Candidates) -> Iterator[Locate]:
    """Writes that may have to look for the item first."""
    for entity in candidates.facts.spec.entities:
        for asked in locating(candidates.facts, entity):
            plans = single_plans(candidates.facts, asked, candidates.shapes, candidates.copies)
            yield Locate(asked.id, entity, tuple(plans))
