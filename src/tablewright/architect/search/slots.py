"""Indexes are mere numbers while it is open which shapes there are: names without them, and the lowest of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.plans.registry import NUMBERED, PLACES, SHARED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.architect.plans.values import Variable
    from tablewright.architect.search.program import Program

OWN_NUMBERS = 2**20
"""Numbers of candidates lie below this: large enough that no two designs have the same sum by accident."""
TIE_NODES = 50
_INDEX_SHAPES = tuple(place.variable for place in PLACES if place.variable in NUMBERED)


def slot_of(name: Variable) -> int | None:
    """The number of the index that a variable is about."""
    at = NUMBERED.get(name[0])
    return None if at is None else name[at]


def slotless(name: Variable) -> Variable:
    return name if slot_of(name) is None else in_slot(name, "any")


def in_slot(name: Variable, slot: int | str) -> Variable:
    at = NUMBERED[name[0]]
    return (*name[:at], slot, *name[at + 1 :])


def low_slots(program: Program, chosen: frozenset[Variable], own: Mapping[Variable, float]) -> dict[Variable, float]:
    """Slots from the first; all else is settled as it was chosen."""
    picked = {slotless(name) for name in chosen}
    program.settle([name for name in program.columns if name[0] not in SHARED and slotless(name) not in picked], 0)
    program.settle([name for name in chosen if slotless(name) == name], 1)
    shapes = [name for name in program.columns if name[0] in _INDEX_SHAPES and slotless(name) in picked]
    return {name: (name[2] + 1) * (OWN_NUMBERS + own.get(name, 1.0)) for name in shapes}


def in_low_slots(
    program: Program,
    picked: frozenset[Variable],
    own: Mapping[Variable, float],
    start: frozenset[Variable] = frozenset(),
) -> frozenset[Variable] | None:
    """What was picked, in the lowest slots; None where it does not fit."""
    found = program.minimise(low_slots(program, picked, own), start=start, nodes=TIE_NODES)
    return None if found is None else found.chosen
