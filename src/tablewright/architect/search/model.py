"""The integer program of a design: what plans add to it, and the choice that is read back from its variables.

used[s]          index slot s is in use
base, gsi, ...   an entity has a shape in a place: see the plans for places
plan / gather    how a pattern is read, exactly one; it needs the shapes it reads
locate           how a write that does not know the whole table key finds it
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.plans.candidates import read_plans
from tablewright.architect.plans.collection import chosen_collections
from tablewright.architect.plans.global_index import GLOBAL_INDEX, add_slots
from tablewright.architect.plans.local_index import LOCAL_INDEX, most_local_indexes
from tablewright.architect.plans.pointer import moved_attributes
from tablewright.architect.plans.prices import is_transaction, read_cost
from tablewright.architect.plans.projection import attributes_read, chosen_kind, worthwhile_projections
from tablewright.architect.plans.registry import PLACE_OF, PLACES, PLANS, SHARED, VARIANTS
from tablewright.architect.plans.second_item import SECOND_ITEM
from tablewright.architect.plans.shapes import locating
from tablewright.architect.plans.table_key import TABLE_KEY
from tablewright.architect.plans.values import (
    Candidates,
    Choice,
    IndexProjection,
    ProjectionKind,
    ReadPlan,
    Variable,
)
from tablewright.architect.search.program import INFINITY, Program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.architect.plans.plan import LeanEntries, PlacePlan
    from tablewright.design.cost.prices import Prices
    from tablewright.design.cost.units.effects import Effect
    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


class Locate(msgspec.Struct, frozen=True):
    """A write of an entity whose table key does not follow from what the writer knows."""

    write: str
    entity: str
    plans: tuple[ReadPlan, ...]

    def variable(self, plan: ReadPlan) -> Variable:
        return ("locate", self.write, plan.place, plan.shape)


class Model:
    """The program for some candidates and a number of slots; `bill.billed_model` has what they cost together."""

    def __init__(self, candidates: Candidates, prices: Prices, slots: int) -> None:
        self.candidates, self.prices, self.slots = candidates, prices, slots
        self.facts: Facts = candidates.facts
        self._patterns = {each.id: each for each in self.facts.spec.patterns}
        self.program = Program(SHARED)
        self.costs: dict[Variable, int] = {}  # micro-dollars a month on the bill, at least
        self.rules: dict[Variable, int] = {}  # what doing without is given besides
        self.constant = 0.0  # what every design costs
        self.grain = 1.0  # micro-dollars that do not tell two designs apart
        self.effects: dict[str, list[tuple[str, Effect]]] = {}  # by entity: what writes do to its items in the table
        self.transactions = {each.id: is_transaction(self.facts, each) for each in self.facts.writes}
        self.locates = list(locates(candidates))
        self.lean_entries: tuple[LeanEntries, ...] = worthwhile_projections(self)
        self.plans: dict[str, dict[Variable, ReadPlan]] = {}  # by pattern: its plans by the names of their variables
        self._add_shapes()
        self._add_plans()
        self._add_locates()

    def copy(self) -> Model:
        """The same to choose from, for a search that narrows it."""
        other = copy(self)
        other.program, other.rules = self.program.copy(), dict(self.rules)
        return other

    # ---- for plans -----------------------------------------------------------------------------------------------

    def variable(self, name: Variable, cost: int = 0, rule: int = 0) -> Variable:
        self.program.variable(name)
        if cost:
            self.costs[name] = cost
        if rule:
            self.rules[name] = rule
        return name

    def has(self, name: Variable) -> bool:
        return name in self.program.columns

    def row(self, terms: Mapping[Variable, float], lower: float = -INFINITY, upper: float = INFINITY) -> None:
        self.program.row(terms, lower, upper)

    def exactly_one(self, names: Iterable[Variable]) -> None:
        self.row(dict.fromkeys(names, 1), lower=1, upper=1)

    def pattern(self, id_: str) -> PatternSpec:
        return self._patterns[id_]

    # ---- what there is to choose ---------------------------------------------------------------------------------

    def _add_shapes(self) -> None:
        add_slots(self)
        for entity in self.candidates.shapes:
            for place in PLACES:
                place.add_shapes(self, entity)
        for plan in PLANS:
            plan.add(self)

    def _add_plans(self) -> None:
        for id_, plans in self.candidates.plans.items():
            pattern = self.pattern(id_)
            lean = [plan for each in self.lean_entries for plan in each.plans if plan.pattern == id_]
            named: dict[Variable, ReadPlan] = {("plan", id_, plan.place, plan.shape): plan for plan in plans}
            named |= {("plan", id_, plan.place, plan.shape, plan.projection, plan.fetches): plan for plan in lean}
            for name, plan in named.items():
                self._add_plan(name, pattern, plan)
            self.exactly_one(named)
            self.plans[id_] = named
        for variant in VARIANTS:
            variant.add_reads(self)

    def _add_plan(self, name: Variable, pattern: PatternSpec, plan: ReadPlan) -> None:
        place = PLACE_OF[plan.place]
        cost = read_cost(self.facts, self.prices, pattern, plan.units)
        self.variable(name, cost)
        self.row({name: -1, **place.read_from(self, plan)}, lower=0)

    def _add_locates(self) -> None:
        for locate in self.locates:
            pattern = self.pattern(locate.write)
            for plan in locate.plans:
                self._add_plan(locate.variable(plan), pattern, plan)
            known = set(pattern.by)
            shapes = TABLE_KEY.shapes(self.candidates, locate.entity)
            hidden = {(TABLE_KEY.variable, each): -1 for each in shapes if not self._finds(each, known)}
            self.row({**{locate.variable(plan): 1 for plan in locate.plans}, **hidden}, lower=0)

    def _finds(self, shape: Shape, known: set[str]) -> bool:
        """Whether these tell where an item is: they are its key, or they have its id and a pointer tells the rest."""
        moved = moved_attributes(self.facts, shape)
        return known >= set(self.facts.spec.entities[shape.entity].id if moved else shape.attributes)

    # ---- what was chosen -----------------------------------------------------------------------------------------

    def choice(self, chosen: frozenset[Variable]) -> Choice:
        picked: list[Any] = sorted(chosen, key=repr)
        held = {name[2] for name in picked if name[0] == GLOBAL_INDEX.variable}
        used = [slot for slot in range(self.slots) if slot in held]
        slots = tuple(_shapes_in(picked, GLOBAL_INDEX, slot) for slot in used)
        plans = {id_: plan for id_, named in self.plans.items() for name, plan in named.items() if name in chosen}
        local = [number for number in range(most_local_indexes(self.candidates)) if ("local", number) in chosen]
        return Choice(
            base={name[1].entity: name[1] for name in picked if name[0] == TABLE_KEY.variable},
            slots=slots,
            lsis=tuple(_shapes_in(picked, LOCAL_INDEX, number) for number in local),
            projections=tuple(
                self._projection(slots[at], chosen_kind(chosen, slot), plans) for at, slot in enumerate(used)
            ),
            second_items=_second_items(picked),
            plans=plans,
            collections=chosen_collections(self.candidates.collections, chosen, used),
            located={
                (each.write, each.entity): plan
                for each in self.locates
                if not self._knows_key(each, picked)
                for plan in each.plans
                if each.variable(plan) in chosen
            },
            cost=round(self.constant + self.program.value(self.costs, chosen)),
            rules=round(self.program.value(self.rules, chosen)),
        )

    def _knows_key(self, locate: Locate, picked: Iterable[Variable]) -> bool:
        """Whether a writer gives the whole table key: what finds it may cost nothing and be chosen all the same."""
        known = set(self.pattern(locate.write).by)
        shapes = (name[1] for name in picked if name[0] == TABLE_KEY.variable and name[1].entity == locate.entity)
        return any(known.issuperset(each.attributes) for each in shapes)

    def _projection(
        self, members: Mapping[str, Shape], kind: ProjectionKind, plans: Mapping[str, ReadPlan]
    ) -> IndexProjection:
        """With the attributes that are really read there."""
        if kind != "INCLUDE":
            return IndexProjection(kind)
        shapes = members.values()
        readers = [each for each in plans.values() if each.projection == kind and each.shape in shapes]
        names = {
            name for each in readers if not each.fetches for name in attributes_read(self.pattern(each.pattern), each)
        }
        offered = {
            name for each in self.lean_entries if each.kind == kind and each.shape in shapes for name in each.attributes
        }
        return IndexProjection(kind, tuple(sorted(names or offered)))


def _shapes_in(picked: list[Any], place: PlacePlan, number: int) -> dict[str, Shape]:
    return {name[1].entity: name[1] for name in picked if name[0] == place.variable and name[2] == number}


def _second_items(picked: list[Any]) -> dict[str, tuple[Shape, ...]]:
    found: dict[str, tuple[Shape, ...]] = {}
    for name in picked:
        if name[0] == SECOND_ITEM.variable:
            found[name[1].entity] = (*found.get(name[1].entity, ()), name[1])
    return found


def locates(candidates: Candidates) -> Iterator[Locate]:
    """Writes that may have to look for the item first."""
    for entity in candidates.facts.spec.entities:
        for asked in locating(candidates.facts, entity):
            yield Locate(asked.id, entity, tuple(read_plans(candidates, asked)))
