"""What was chosen, read back from the variables of the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.architect.plans.candidates import Gathering, Plan
from tablewright.architect.plans.projections import needed
from tablewright.design.shapes import Shape

if TYPE_CHECKING:
    from tablewright.architect.search.choose import Model
    from tablewright.architect.search.program import Variable

Aim: TypeAlias = Literal["cost", "gsis", "latency"]


class Projected(msgspec.Struct, frozen=True):
    """What an index holds of its items besides keys: all, these attributes, or nothing."""

    kind: Literal["ALL", "INCLUDE", "KEYS_ONLY"] = "ALL"
    attributes: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What was chosen."""

    base: Mapping[str, Shape]
    slots: tuple[Mapping[str, Shape], ...]  # by slot: the shape of every entity in it
    copies: Mapping[str, tuple[Shape, ...]]
    plans: Mapping[str, Plan]
    gatherings: Mapping[str, tuple[Gathering, int | None]]  # with the slot it is read from, None for the table
    located: Mapping[tuple[str, str], Plan]  # by write and entity: how its key is found
    cost: int  # micro-dollars a month that depend on the choice
    gap: float = 0.0  # by what share it might still be better; 0 when it is proven to be the best
    lsis: tuple[Mapping[str, Shape], ...] = ()  # by local index: the shape of every entity in it
    projections: tuple[Projected, ...] = ()  # by slot; whole items where there is none

    def gathered(self, pattern: str) -> dict[str, Shape]:
        """The shapes that a pattern over several entities reads; in the table that may be a copy."""
        gathering, slot = self.gatherings[pattern]
        if slot is not None:
            return {name: self.slots[slot][name] for name in gathering.parts}
        return {
            name: next(each for each in (self.base[name], *self.copies.get(name, ())) if each in parts)
            for name, parts in gathering.parts.items()
        }

    def projection(self, slot: int) -> Projected:
        return self.projections[slot] if slot < len(self.projections) else Projected()


def choice_of(model: Model, chosen: frozenset[Variable]) -> Choice:
    picked: list[Any] = sorted(chosen, key=repr)
    used = [slot for slot in range(model.slots) if ("used", slot) in chosen]
    slots = tuple(shapes_in(picked, "gsi", slot) for slot in used)
    plans = {id_: plan for id_, named in model.plans.items() for name, plan in named.items() if name in chosen}
    copies: dict[str, tuple[Shape, ...]] = {}
    for name in picked:
        if name[0] == "copy":
            copies[name[1].entity] = (*copies.get(name[1].entity, ()), name[1])
    return Choice(
        base={name[1].entity: name[1] for name in picked if name[0] == "base"},
        slots=slots,
        lsis=tuple(shapes_in(picked, "lsi", number) for number in range(model.local) if ("local", number) in chosen),
        projections=tuple(projected(model, slots[at], kind_of(chosen, slot), plans) for at, slot in enumerate(used)),
        copies=copies,
        plans=plans,
        gatherings=chosen_gatherings(model, chosen, used),
        located=chosen_locates(model, chosen),
        cost=round(model.program.value(model.costs, chosen)),
    )


def shapes_in(picked: list[Any], kind: str, number: int) -> dict[str, Shape]:
    return {name[1].entity: name[1] for name in picked if name[0] == kind and name[2] == number}


def kind_of(chosen: frozenset[Variable], slot: int) -> Literal["ALL", "INCLUDE", "KEYS_ONLY"]:
    if ("projection", slot, "INCLUDE") in chosen:
        return "INCLUDE"
    return "KEYS_ONLY" if ("projection", slot, "KEYS_ONLY") in chosen else "ALL"


def projected(
    model: Model, members: Mapping[str, Shape], kind: Literal["ALL", "INCLUDE", "KEYS_ONLY"], plans: Mapping[str, Plan]
) -> Projected:
    """With the attributes that are really read there."""
    if kind != "INCLUDE":
        return Projected(kind)
    readers = [each for each in plans.values() if each.projection == "INCLUDE" and each.shape in members.values()]
    return Projected(
        kind, tuple(sorted({name for each in readers for name in needed(model.pattern(each.pattern), each)}))
    )


def chosen_gatherings(
    model: Model, chosen: frozenset[Variable], used: list[int]
) -> dict[str, tuple[Gathering, int | None]]:
    found: dict[str, tuple[Gathering, int | None]] = {}
    for id_, gatherings in model.candidates.gatherings.items():
        for gathering in gatherings:
            if ("gather", id_, gathering.signature, None) in chosen and gathering.place == "table":
                found[id_] = (gathering, None)
            for slot in used:
                if ("gather", id_, gathering.signature, slot) in chosen and gathering.place == "index":
                    found[id_] = (gathering, used.index(slot))
    return found


def chosen_locates(model: Model, chosen: frozenset[Variable]) -> dict[tuple[str, str], Plan]:
    return {
        (locate.write, locate.entity): plan
        for locate in model.locates
        for plan in locate.plans
        if ("locate", locate.write, plan.place, plan.shape) in chosen
    }
