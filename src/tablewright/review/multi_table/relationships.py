"""Relationships whose two sides lie in different tables: a reference, and deletes that reach another table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.advice import RelationshipNote
from tablewright.design.wording import an, counted, joined
from tablewright.review import sources
from tablewright.review.upkeep.holding import Side, sides_of
from tablewright.spec.volumes import matching

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import RelationshipSpec


def across(facts: Facts, tables: Mapping[str, str]) -> Iterator[RelationshipNote]:
    for each in facts.spec.relationships:
        sides = [side for side in sides_of(facts, each) if tables[side.parent] != tables[side.child]]
        if sides:
            yield crossing_note(facts, each, sides, tables)


def crossing_note(
    facts: Facts, each: RelationshipSpec, sides: list[Side], tables: Mapping[str, str]
) -> RelationshipNote:
    return RelationshipNote(
        relationship=f"{each.source} -> {each.target}" + (f" via {each.via}" if each.via else ""),
        kind=each.kind,
        held=" ".join(held(side, tables) for side in sides),
        in_step="No read asks for both sides, so nothing of one is stored with the other.",
        on_delete=" ".join(on_delete(facts, side, tables) for side in sides),
        sources=(sources.TRANSACTIONS,),
    )


def held(side: Side, tables: Mapping[str, str]) -> str:
    names = joined(f"{side.child}.{name}" for name in side.names) if side.names else "no attribute"
    return f"By reference over tables: {names} tells the {side.parent}, which is in {tables[side.parent]}."


def on_delete(facts: Facts, side: Side, tables: Mapping[str, str]) -> str:
    if not side.names:
        return f"No key is known to find the {side.child} items of {an(side.parent)}."
    children = matching(facts, side.child, side.names)
    return (
        f"Deleting {an(side.parent)} leaves about {counted(children, f'{side.child} item')} in {tables[side.child]}"
        " that still name it; a transaction reaches both tables, at the same price."
    )
