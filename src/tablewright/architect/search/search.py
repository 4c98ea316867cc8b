"""From facts to the best choice: enumerate, then solve with as many slots as it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.candidates.plans import Candidates, enumerate_candidates
from tablewright.architect.candidates.shapes import Shape, shapes_of
from tablewright.architect.cost.prices import US_EAST_1, Prices
from tablewright.architect.search.choose import Aim, Choice, Model
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from tablewright.architect.spec.assume import Facts

SPARE_SLOTS = 2


def candidates_of(facts: Facts) -> Candidates:
    shapes = {name: shapes_of(facts, name) for name in facts.spec.entities}
    copies = {name: tuple(edge_copies(facts, name, found.index)) for name, found in shapes.items()}
    return enumerate_candidates(facts, shapes, copies)


def edge_copies(facts: Facts, entity: str, shapes: tuple[Shape, ...]) -> list[Shape]:
    """Second items whose key is made of the id alone, so that whoever deletes the first can find them."""
    if facts.spec.constraints.copies == "none":
        return []
    ids = facts.spec.entities[entity].id
    found = {
        msgspec.structs.replace(shape, rest=(*shape.rest, *(name for name in ids if name not in shape.attributes)))
        for shape in shapes
        if len(ids) > 1 and shape.partition and set(shape.attributes) <= set(ids)
    }
    return sorted(found)


def search(facts: Facts, *, aim: Aim | None = None, max_gsis: int | None = None, prices: Prices = US_EAST_1) -> Choice:
    """The best choice; raises where the patterns cannot all be served."""
    candidates = candidates_of(facts)
    most = facts.spec.constraints.max_gsis if max_gsis is None else max_gsis
    wanted = aim or ("cost" if facts.has_rates else "gsis")
    slots = min(most, least_slots(candidates) + SPARE_SLOTS)
    while True:
        choice = Model(candidates, prices, slots).solve(wanted)
        if choice is not None and (len(choice.slots) < slots or slots == most):
            return choice
        if slots == most:
            raise DesignError(f"no design serves all access patterns with at most {most} indexes")
        slots = min(most, slots + SPARE_SLOTS)


def least_slots(candidates: Candidates) -> int:
    """The patterns of the busiest entity that no two of them can share: a first guess, never trusted."""
    wanted: dict[str, set[tuple[str, ...]]] = {}
    for pattern in candidates.facts.spec.reads:
        for name in pattern.entities:
            wanted.setdefault(name, set()).add(tuple(sorted(pattern.by)))
    return max((len(found) - 1 for found in wanted.values()), default=0)
