"""How each relationship is held, what is stored twice because of it, who keeps that in step, what a delete reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.advice import RelationshipNote, Source
from tablewright.design.cost.units.entries import TABLE, entries_of, place_of_view
from tablewright.design.wording import an, counted, joined, number, sentences
from tablewright.review import sources
from tablewright.review.upkeep.cascade import actions_of, fit, reached, units_for
from tablewright.review.upkeep.holding import (
    Side,
    listing_views,
    not_stored,
    own_views,
    shared_views,
    sides_of,
)
from tablewright.spec.volumes import matching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.solution import Solution
    from tablewright.design.layout.views import View
    from tablewright.review.upkeep.cascade import Entries, Reach
    from tablewright.spec.model import RelationshipSpec


def relationship_notes(solution: Solution) -> tuple[RelationshipNote, ...]:
    entries = entries_of(solution.layout)
    return tuple(relationship_note(solution, each, entries) for each in solution.origin.relationships)


def relationship_note(solution: Solution, each: RelationshipSpec, entries: Entries) -> RelationshipNote:
    sides = tuple(sides_of(solution.asked, each))
    if each.target in solution.rewritten.embedded:
        return embedded_note(solution, each)
    return RelationshipNote(
        relationship=f"{each.source} -> {each.target}" + (f" via {each.via}" if each.via else ""),
        kind=each.kind,
        held=sentences(*(held(solution, side) for side in sides)) if sides else nobody_holds(solution, each),
        copied=sentences(*(copied(solution, side) for side in sides)),
        in_step=sentences(*dict.fromkeys(text for side in sides for text in in_step(solution, side))),
        on_delete=sentences(*(on_delete(solution, side, each, entries) for side in sides)),
        sources=tuple(rests_on(solution, each, sides)),
    )


def nobody_holds(solution: Solution, each: RelationshipSpec) -> str:
    elsewhere = not_stored(solution.asked, each)
    if elsewhere:
        return f"{joined(elsewhere)} is no entity of this spec: whoever keeps it must know what names it here."
    return (
        f"By no entity of the spec: add one that names both {each.source} and {each.target} and put it in `via`,"
        " or it exists only in the application."
    )


def embedded_note(solution: Solution, each: RelationshipSpec) -> RelationshipNote:
    """Children that are a map in their parent."""
    held = solution.rewritten.embedded[each.target]
    most = f", at most {number(each.max)}" if each.max else ""
    return RelationshipNote(
        relationship=f"{each.source} -> {each.target}",
        kind=each.kind,
        held=f"{each.target} is embedded: the map {held.parent}.{held.attribute} has an entry for each{most}, under"
        f" its {held.key}.",
        in_step=f"Writing {an(each.target)} is an update of its {held.parent}, which is billed by the whole item.",
        on_delete=f"Deleting {an(held.parent)} deletes them with it: one action.",
        sources=(sources.LARGE_ITEMS, sources.ITEM_SIZES),
    )


# ---- held -----------------------------------------------------------------------------------------------------------


def held(solution: Solution, side: Side) -> str:
    shared, listing = shared_views(solution, side), listing_views(solution, side)
    if shared:
        where = joined(place_text(solution, view) for view in shared)
        return f"{side.child} lies in the same partition as its {side.parent}, {where}: one Query reads both."
    if listing:
        where = joined((place_text(solution, view) for view in listing), "or")
        return f"{side.child} items of one {side.parent} are one Query, {where}."
    if side.names:
        named = joined(f"{side.child}.{name}" for name in side.names)
        return f"By reference only: {named} tells the {side.parent}; no key lists them, as no pattern asks for it."
    return f"The spec does not say which attribute of {side.child} tells its {side.parent}: name it in `by`."


def place_text(solution: Solution, view: View) -> str:
    where = (
        "as copies in the table" if view.is_copy else "in the table" if is_table(view) else f"on {place_of_view(view)}"
    )
    return f"{where} under {solution.names.keys[view].pk.text}"


def is_table(view: View) -> bool:
    return place_of_view(view) == TABLE


# ---- stored twice ---------------------------------------------------------------------------------------------------


def copied(solution: Solution, side: Side) -> str:
    copies = [view for view in own_views(solution, side.child) if view.is_copy]
    carried = inherited(solution, side)
    return sentences(
        f"{side.child} is written {counted(len(copies) + 1, 'time')} in the table." if copies else "",
        f"{side.child} carries {joined(carried)} of its {side.parent}." if carried else "",
    )


def inherited(solution: Solution, side: Side) -> tuple[str, ...]:
    """References that parent and child both have, outside the child's id: it repeats what follows from its parent."""
    facts, child = solution.asked, solution.origin.entities[side.child]
    return tuple(
        name
        for name in facts.references[side.child]
        if name not in (*side.names, *child.id) and name in facts.spec.entities[side.parent].attributes
    )


def in_step(solution: Solution, side: Side) -> Iterator[str]:
    views = own_views(solution, side.child)
    if any(view.is_copy for view in views):
        yield f"Whoever writes {an(side.child)} writes its copies in the same transaction, so that they never differ."
    indexes = [place_of_view(view) for view in listing_views(solution, side) if not is_table(view)]
    if indexes:
        yield f"DynamoDB keeps {joined(dict.fromkeys(indexes))} in step with the table, a moment later."
    for name in inherited(solution, side):
        yield inherited_in_step(solution, side, name)


def inherited_in_step(solution: Solution, side: Side, name: str) -> str:
    if name not in solution.facts.changing[side.parent]:
        return f"{side.parent}.{name} never changes, so {side.child}.{name} stays right once written."
    children = matching(solution.facts, side.child, side.names)
    return (
        f"Whoever changes {side.parent}.{name} must write it to about {counted(children, f'{side.child} item')}"
        " as well, in one transaction or through a stream."
    )


# ---- deletes --------------------------------------------------------------------------------------------------------


def on_delete(solution: Solution, side: Side, each: RelationshipSpec, entries: Entries) -> str:
    if side.parent == side.child:
        named = joined(f"`{name}`" for name in side.names) if side.names else "reference"
        return f"A{an(side.parent)[1:]} can stand above others: give them another {named} before deleting it."
    found = tuple(reach for reach in reached(solution, side.parent) if belongs(reach, side, solution))
    first = next(reach for reach in found if reach.side == side)
    if each.cascade is False:
        return (
            f"Deleting {an(side.parent)} leaves about {amount(first)} that still name it: readers must bear that,"
            " or the delete is refused while a Query with Limit 1 finds one."
        )
    unsure = "" if each.cascade else ", if its children go too (`cascade` is not said),"
    all_of_it = f"{amount(first)}{below_them(found)}, {units(entries, found)}"
    return sentences(
        f"Deleting {an(side.parent)}{unsure} reaches about {all_of_it}.",
        finding(solution, side),
        fit(actions_of(entries, side.parent, found)),
    )


def belongs(reach: Reach, side: Side, solution: Solution) -> bool:
    """The children of this side and what hangs on them."""
    below = {side.child, *(each.side.child for each in reached(solution, side.child))}
    return reach.side == side or (reach.depth > 1 and reach.side.parent in below)


def amount(reach: Reach) -> str:
    most = f" ({counted(reach.most, 'item')} at most)" if reach.most > reach.usual else ""
    return f"{counted(reach.usual, f'{reach.side.child} item')}{most}"


def below_them(found: tuple[Reach, ...]) -> str:
    deeper = [amount(reach) for reach in found if reach.depth > 1]
    return f" and below them {joined(deeper)}" if deeper else ""


def units(entries: Entries, found: tuple[Reach, ...]) -> str:
    total = sum(each.usual * units_for(entries, each.side.child) for each in found)
    return f"{counted(total, 'write unit')} (twice that in a transaction)"


def finding(solution: Solution, side: Side) -> str:
    views = listing_views(solution, side)
    if views:
        return f"They are found by a Query {place_text(solution, views[0])}."
    if not side.names:
        return "No key is known to find them."
    names = ", ".join(side.names)
    return f"No key finds them: add a pattern on {side.child} by [{names}] before anyone deletes {an(side.parent)}."


# ---- sources --------------------------------------------------------------------------------------------------------


def rests_on(solution: Solution, each: RelationshipSpec, sides: tuple[Side, ...]) -> Iterator[Source]:
    yield sources.ADJACENCY_LISTS if each.via or each.kind == "many-to-many" else sources.ITEM_COLLECTIONS
    if any(not is_table(view) for side in sides for view in listing_views(solution, side)):
        yield sources.GSI
    if each.cascade is not False and sides:
        yield sources.TRANSACTIONS
