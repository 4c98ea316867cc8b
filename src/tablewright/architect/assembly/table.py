"""The physical table of a solution: its key fields, its indexes and what they project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.model import Index, KeyField, Projection, TableDesign
from tablewright.design.names import index_fields

if TYPE_CHECKING:
    from tablewright.architect.assembly.solution import Solution


def table_of(solution: Solution) -> TableDesign:
    pk, sk = index_fields(None)
    choice = solution.choice
    return TableDesign(
        name=solution.spec.name,
        pk=KeyField(pk),
        sk=KeyField(sk),
        gsis=tuple(index_of(solution, f"gsi{at + 1}", projection_of(solution, at)) for at in range(len(choice.slots))),
        lsis=tuple(index_of(solution, f"lsi{number}") for number in range(1, len(choice.lsis) + 1)),
    )


def index_of(solution: Solution, name: str, projection: Projection | None = None) -> Index:
    keys = solution.index_keys(name)
    if keys is not None:
        return keys.index(projection or Projection())
    pk, sk = index_fields(name)
    return Index(name=name, pk=(KeyField(pk),), sk=(KeyField(sk),), projection=projection or Projection())


def projection_of(solution: Solution, slot: int) -> Projection:
    """What is included comes with what says which type an item is."""
    chosen = solution.choice.projection(slot)
    if chosen.kind != "INCLUDE":
        return Projection(chosen.kind)
    fixed = {name for view in solution.names.keys if view.slot == slot for name in solution.names.fixed(view)}
    return Projection("INCLUDE", tuple(sorted({*chosen.attributes, *fixed})))
