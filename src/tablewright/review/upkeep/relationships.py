"""How each relationship is stored, what is stored twice for it, who keeps that in step, and what a delete reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.advice import RelationshipNote, Source
from tablewright.design.cost.units.entries import place_of_view
from tablewright.design.wording import an, concat, number, sentences, tally
from tablewright.review import sources
from tablewright.review.upkeep.cascade import (
    count_actions,
    delete_units,
    describe_amount,
    describe_fit,
    describe_order,
    reach_of_delete,
)
from tablewright.review.upkeep.children import (
    Side,
    ends_not_stored,
    listing_views,
    own_views,
    repeated_references,
    shared_views,
    sides_of,
)
from tablewright.spec.volumes import matching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.review.case import Case
    from tablewright.review.upkeep.cascade import Entries, Reach
    from tablewright.spec.model import RelationshipSpec


def relationship_notes(case: Case) -> tuple[RelationshipNote, ...]:
    return tuple(_relationship_note(case.layout, each, case.entries) for each in case.origin.relationships)


def _relationship_note(layout: Layout, each: RelationshipSpec, entries: Entries) -> RelationshipNote:
    sides = tuple(sides_of(layout.asked, each))
    if each.target in layout.form.embedded:
        return _embedded_note(layout, each)
    return RelationshipNote(
        relationship=f"{each.source} -> {each.target}" + (f" via {each.via}" if each.via else ""),
        kind=each.kind,
        held=sentences(*(_describe_storage(layout, side) for side in sides))
        if sides
        else _describe_missing(layout, each),
        copied=sentences(*(_describe_copies(layout, side) for side in sides)),
        in_step=sentences(*dict.fromkeys(text for side in sides for text in _describe_upkeep(layout, side))),
        on_delete=sentences(*(_on_delete(layout, side, each, entries) for side in sides)),
        sources=tuple(_sources_of(layout, each, sides)),
    )


def _describe_missing(layout: Layout, each: RelationshipSpec) -> str:
    elsewhere = ends_not_stored(layout.asked, each)
    if elsewhere:
        return f"{concat(elsewhere)} is no entity of this spec: whoever keeps it must know what names it here."
    return (
        f"By no entity of the spec: add one that names both {each.source} and {each.target} and put it in `via`,"
        " or it exists only in the application."
    )


def _embedded_note(layout: Layout, each: RelationshipSpec) -> RelationshipNote:
    """Children that are a map in their parent."""
    held = layout.form.embedded[each.target]
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


# ---- storage --------------------------------------------------------------------------------------------------------


def _describe_storage(layout: Layout, side: Side) -> str:
    shared, listing = shared_views(layout, side), listing_views(layout, side)
    if shared:
        where = concat(_describe_place(layout, view) for view in shared)
        return f"{side.child} lies in the same partition as its {side.parent}, {where}: one Query reads both."
    if listing:
        where = concat((_describe_place(layout, view) for view in listing), "or")
        return f"{side.child} items of one {side.parent} are one Query, {where}."
    if side.names:
        named = concat(f"{side.child}.{name}" for name in side.names)
        return f"By reference only: {named} tells the {side.parent}; no key lists them, as no pattern asks for it."
    return f"The spec does not say which attribute of {side.child} tells its {side.parent}: name it in `by`."


def _describe_place(layout: Layout, view: View) -> str:
    where = (
        "as copies in the table"
        if view.is_copy
        else "in the table"
        if view.index is None
        else f"on {place_of_view(view)}"
    )
    return f"{where} under {layout.keys[view].pk.text}"


# ---- stored twice ---------------------------------------------------------------------------------------------------


def _describe_copies(layout: Layout, side: Side) -> str:
    copies = [view for view in own_views(layout, side.child) if view.is_copy]
    carried = repeated_references(layout, side)
    return sentences(
        f"{side.child} is written {tally(len(copies) + 1, 'time')} in the table." if copies else "",
        f"{side.child} carries {concat(carried)} of its {side.parent}." if carried else "",
    )


def _describe_upkeep(layout: Layout, side: Side) -> Iterator[str]:
    views = own_views(layout, side.child)
    if any(view.is_copy for view in views):
        yield f"Whoever writes {an(side.child)} writes its copies in the same transaction, so that they never differ."
    indexes = [place_of_view(view) for view in listing_views(layout, side) if view.index is not None]
    if indexes:
        yield f"DynamoDB keeps {concat(dict.fromkeys(indexes))} in step with the table, a moment later."
    for name in repeated_references(layout, side):
        yield _repeated_in_step(layout, side, name)


def _repeated_in_step(layout: Layout, side: Side, name: str) -> str:
    if name not in layout.facts.changing[side.parent]:
        return f"{side.parent}.{name} never changes, so {side.child}.{name} stays right once written."
    children = matching(layout.facts, side.child, side.names)
    return (
        f"Whoever changes {side.parent}.{name} must write it to about {tally(children, f'{side.child} item')}"
        " as well, in one transaction or through a stream."
    )


# ---- deletes --------------------------------------------------------------------------------------------------------


def _on_delete(layout: Layout, side: Side, each: RelationshipSpec, entries: Entries) -> str:
    if side.parent == side.child and each.cascade:
        return f"Deleting {an(side.parent)} deletes all below it: it goes first and they follow, until none is left."
    if side.parent == side.child:
        named = concat(f"`{name}`" for name in side.names) if side.names else "reference"
        return f"A{an(side.parent)[1:]} can stand above others: give them another {named} before deleting it."
    found = tuple(reach for reach in reach_of_delete(layout, side.parent) if _belongs(reach, side, layout))
    first = next(reach for reach in found if reach.side == side)
    if each.cascade is False:
        return (
            f"Deleting {an(side.parent)} leaves about {describe_amount(first)} that still name it: readers must bear"
            " that, or the delete is refused while a Query with Limit 1 finds one."
        )
    unsure = "" if each.cascade else ", if its children go too (`cascade` is not said),"
    all_of_it = f"{describe_amount(first)}{_below_them(found)}, {_units(entries, found)}"
    return sentences(
        f"Deleting {an(side.parent)}{unsure} reaches about {all_of_it}.",
        _describe_search(layout, side),
        describe_order(found) if each.cascade else describe_fit(count_actions(entries, side.parent, found)),
    )


def _belongs(reach: Reach, side: Side, layout: Layout) -> bool:
    """The children of this side and what hangs on them."""
    below = {side.child, *(each.side.child for each in reach_of_delete(layout, side.child))}
    return reach.side == side or (reach.depth > 1 and reach.side.parent in below)


def _below_them(found: tuple[Reach, ...]) -> str:
    deeper = [describe_amount(reach) for reach in found if reach.depth > 1]
    return f" and below them {concat(deeper)}" if deeper else ""


def _units(entries: Entries, found: tuple[Reach, ...]) -> str:
    total = sum(each.usual * delete_units(entries, each.side.child) for each in found)
    return f"{tally(total, 'write unit')} (twice that in a transaction)"


def _describe_search(layout: Layout, side: Side) -> str:
    views = listing_views(layout, side)
    if views:
        return f"They are found by a Query {_describe_place(layout, views[0])}."
    if not side.names:
        return "No key is known to find them."
    names = ", ".join(side.names)
    return f"No key finds them: add a pattern on {side.child} by [{names}] before anyone deletes {an(side.parent)}."


# ---- sources --------------------------------------------------------------------------------------------------------


def _sources_of(layout: Layout, each: RelationshipSpec, sides: tuple[Side, ...]) -> Iterator[Source]:
    yield sources.ADJACENCY_LISTS if each.via or each.kind == "many-to-many" else sources.ITEM_COLLECTIONS
    if any(view.index is not None for side in sides for view in listing_views(layout, side)):
        yield sources.GSI
    if each.cascade is not False and sides:
        yield sources.TRANSACTIONS
