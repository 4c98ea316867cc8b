"""The choice: a base key per entity, shapes in index slots, and a plan per pattern, at least cost.

    base[e, k]       the table key of an entity, exactly one
    gsi[e, k, s]     the entity has shape k in slot s, at most one shape a slot; used[s] when any entity is in it
    copy[e, k]       a second item in the table
    plan / gather    how a pattern is read, exactly one; it needs the shapes it reads
    locate           how a write that does not know the whole table key finds it

Overloading needs no rule: an entity fills one shape a slot, and the number of indexes is the number of slots in use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.architect.candidates.plans import Candidates, Gathering, Plan, single_plans
from tablewright.architect.candidates.shapes import Shape
from tablewright.architect.cost.selection import concentration_cost, copy_cost, entry_cost, read_cost
from tablewright.architect.search.program import Program, Variable

if TYPE_CHECKING:
    from tablewright.architect.cost.prices import Prices
    from tablewright.architect.spec.assume import Facts
    from tablewright.architect.spec.model import PatternSpec

Aim: TypeAlias = Literal["cost", "gsis"]
TABLE_FIRST = 1
"""A micro-dollar for reading from an index: on a tie the table wins, which can be read consistently and never lags."""


class Locate(msgspec.Struct, frozen=True):
    """A write of an entity whose table key does not follow from what the writer knows."""

    write: str
    entity: str
    plans: tuple[Plan, ...]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen."""

    base: Mapping[str, Shape]
    slots: tuple[Mapping[str, Shape], ...]  # by slot: the shape of every entity in it
    copies: Mapping[str, tuple[Shape, ...]]
    plans: Mapping[str, Plan]
    gatherings: Mapping[str, tuple[Gathering, int | None]]  # with the slot it is read from, None for the table
    located: Mapping[tuple[str, str], Plan]  # by write and entity: how its key is found
    cost: int  # micro-dollars a month that depend on the choice


class Model:
    """The program for some candidates and a number of slots."""

    def __init__(self, candidates: Candidates, prices: Prices, slots: int) -> None:
        self.candidates, self.prices, self.slots = candidates, prices, slots
        self.facts: Facts = candidates.facts
        self.program = Program()
        self.costs: dict[Variable, int] = {}
        self.locates = list(locates(candidates))
        self.add_shapes()
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
            for slot in range(self.slots):
                self.add_slot(slot, shapes.index)
            self.add_copies(entity)

    def add_slot(self, slot: int, shapes: tuple[Shape, ...]) -> None:
        for shape in shapes:
            cost = entry_cost(self.facts, self.prices, shape) + concentration_cost(self.facts, shape)
            self.variable(("gsi", shape, slot), cost)
        self.program.row({**{("gsi", shape, slot): 1 for shape in shapes}, ("used", slot): -1}, upper=0)

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
            for plan in plans:
                self.add_plan(("plan", id_, plan.place, plan.shape), pattern, plan)
            self.exactly_one([("plan", id_, plan.place, plan.shape) for plan in plans])

    def add_plan(self, name: Variable, pattern: PatternSpec, plan: Plan) -> None:
        mixed = 2.0 if plan.serving.by_type else 1.0
        cost = read_cost(self.facts, self.prices, pattern, plan.units * mixed)
        self.variable(name, cost + (TABLE_FIRST if plan.place == "index" else 0))
        self.program.row({name: -1, **dict.fromkeys(self.places(plan), 1)}, lower=0)

    def places(self, plan: Plan) -> list[Variable]:
        if plan.place == "index":
            return [("gsi", plan.shape, slot) for slot in range(self.slots)]
        return [("base" if plan.place == "table" else "copy", plan.shape)]

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
            found = [("base", shape) if slot is None else ("gsi", shape, slot) for shape in shapes]
            self.program.row({name: -1, **dict.fromkeys(found, 1)}, lower=0)

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

    # ---- solving -------------------------------------------------------------------------------------------------

    def gsi_costs(self) -> dict[Variable, float]:
        return {("used", slot): 1.0 for slot in range(self.slots)}

    def solve(self, aim: Aim) -> Choice | None:
        """The best design for the aim, then for the other, then the one whose candidates come first."""
        money: dict[Variable, float] = {name: float(cost) for name, cost in self.costs.items()}
        stages = [self.gsi_costs(), money] if aim == "gsis" else [money, self.gsi_costs()]
        chosen: frozenset[Variable] | None = None
        for costs in stages:
            chosen = self.program.minimise(costs)
            if chosen is None:
                return None
            self.program.fix(costs, self.program.value(costs, chosen))
        assert chosen is not None
        return self.choice(chosen)

    def choice(self, chosen: frozenset[Variable]) -> Choice:
        picked: list[Any] = sorted(chosen, key=repr)
        used = [slot for slot in range(self.slots) if ("used", slot) in chosen]
        slots: list[dict[str, Shape]] = [{} for _ in used]
        base: dict[str, Shape] = {}
        copies: dict[str, tuple[Shape, ...]] = {}
        for name in picked:
            if name[0] == "base":
                base[name[1].entity] = name[1]
            elif name[0] == "gsi":
                slots[used.index(name[2])][name[1].entity] = name[1]
            elif name[0] == "copy":
                copies[name[1].entity] = (*copies.get(name[1].entity, ()), name[1])
        return Choice(
            base=base,
            slots=tuple(slots),
            copies=copies,
            plans=self.chosen_plans(chosen),
            gatherings=self.chosen_gatherings(chosen, used),
            located=self.chosen_locates(chosen),
            cost=round(self.program.value(self.costs, chosen)),
        )

    def chosen_plans(self, chosen: frozenset[Variable]) -> dict[str, Plan]:
        return {
            id_: plan
            for id_, plans in self.candidates.plans.items()
            for plan in plans
            if ("plan", id_, plan.place, plan.shape) in chosen
        }

    def chosen_gatherings(
        self, chosen: frozenset[Variable], used: list[int]
    ) -> dict[str, tuple[Gathering, int | None]]:
        found: dict[str, tuple[Gathering, int | None]] = {}
        for id_, gatherings in self.candidates.gatherings.items():
            for gathering in gatherings:
                if ("gather", id_, gathering.signature, None) in chosen and gathering.place == "table":
                    found[id_] = (gathering, None)
                for slot in used:
                    if ("gather", id_, gathering.signature, slot) in chosen and gathering.place == "index":
                        found[id_] = (gathering, used.index(slot))
        return found

    def chosen_locates(self, chosen: frozenset[Variable]) -> dict[tuple[str, str], Plan]:
        return {
            (locate.write, locate.entity): plan
            for locate in self.locates
            for plan in locate.plans
            if ("locate", locate.write, plan.place, plan.shape) in chosen
        }


def locates(candidates: Candidates) -> Iterator[Locate]:
    """Writes that may have to look for the item first."""
    facts = candidates.facts
    for write in facts.spec.writes:
        for entity in write.entities:
            attributes = facts.spec.entities[entity].attributes
            known = tuple(name for name in write.by if name in attributes)
            if write.op == "put" or (write.op == "transact" and not set(facts.spec.entities[entity].id) <= set(known)):
                continue
            asked = msgspec.structs.replace(write, kind="query", entities=(entity,), by=known, limit=None)
            plans = single_plans(facts, asked, candidates.shapes, candidates.copies)
            yield Locate(write.id, entity, tuple(plans))
