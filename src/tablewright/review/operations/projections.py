"""What the readers of an index need of it, and an index entry that holds no more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.entries import TABLE, place_of_view

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.design.layout.layout import Layout
    from tablewright.spec.model import PatternSpec


def readers_of(solution: Solution, place: str) -> list[PatternSpec]:
    """Reads that ask this place, and writes that look up their key there."""
    asked = [each for each in solution.spec.reads if (solution.requests[each.id].index or TABLE) == place]
    located = {write for (write, _), each in solution.layout.located.items() if place_of_view(each.view) == place}
    return [*asked, *(each for each in solution.spec.writes if each.id in located)]


def needed_attributes(solution: Solution, place: str) -> frozenset[str]:
    """Attributes that readers say they return or filter by, besides the keys that an index always holds."""
    needed: set[str] = set()
    for pattern in readers_of(solution, place):
        needed.update(pattern.returns)
        if pattern.is_read:
            needed.update(name for each in solution.requests[pattern.id].filters for name in each.attributes)
    known = {name for entity in solution.spec.entities.values() for name in entity.attributes}
    return frozenset(needed & known)


def narrowed(solution: Solution, place: str, needed: frozenset[str]) -> Layout:
    """The design with an index that holds these attributes besides its keys and nothing else."""
    layout = solution.layout
    return msgspec.structs.replace(layout, projections={**layout.projections, place: tuple(sorted(needed))})
