"""Where the children of a parent are found: which attributes name the parent, and which keys lie under them."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.entries import TABLE, place_of_view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import RelationshipSpec


BOTH = 2


class Side(msgspec.Struct, frozen=True):
    """A parent and its children; `names` are the attributes of a child that name its parent."""

    parent: str
    child: str
    names: tuple[str, ...]


def sides_of(facts: Facts, each: RelationshipSpec) -> Iterator[Side]:
    """One side, or both where an entity of its own holds the relationship; none where nothing stored here does."""
    child = each.via or each.target
    if (each.kind == "many-to-many" and each.via is None) or ends_not_stored(facts, each):
        return
    names = _reference_attributes(facts, each, each.source, child)
    if each.via and each.source == each.target:
        yield from (Side(each.source, child, (name,)) for name in _both_ends(facts, child, names))
        return
    yield Side(each.source, child, names)
    if each.via:
        yield Side(each.target, child, _reference_attributes(facts, each, each.target, child))


def ends_not_stored(facts: Facts, each: RelationshipSpec) -> list[str]:
    """The ends of a relationship that are no entities of the spec, such as users that another system keeps."""
    named = (each.source, each.target, *([each.via] if each.via else []))
    return [name for name in named if name not in facts.spec.entities]


def _both_ends(facts: Facts, child: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The two attributes that hold both ends: who follows, and who is followed."""
    ids = facts.spec.entities[child].id
    return ids if len(names) < BOTH and len(ids) == BOTH else names


def _reference_attributes(facts: Facts, each: RelationshipSpec, parent: str, child: str) -> tuple[str, ...]:
    if each.by and parent == each.source:
        return each.by
    return tuple(name for name, of in facts.references[child].items() if of == parent)


def shared_views(layout: Layout, side: Side) -> list[View]:
    """Views of the children that lie in the same partitions as a view of their parent."""
    groups = layout.groups
    return [
        view
        for view in own_views(layout, side.child)
        if side.parent != side.child and any(other.entity == side.parent for other in groups[view])
    ]


def listing_views(layout: Layout, side: Side) -> list[View]:
    """Views of the children that one Query lists by their parent; without a known reference, those beside it."""
    if not side.names:
        return shared_views(layout, side)
    known = _known_attributes(layout.asked, side)
    return [view for view in own_views(layout, side.child) if _lists(view, side.names, known)]


def _known_attributes(facts: Facts, side: Side) -> frozenset[str]:
    """Attributes of a child whose values follow from its parent: those that name it, and the rest of a compound id."""
    child, parent = facts.spec.entities[side.child], facts.spec.entities[side.parent]
    own = child.id[-1:] if side.parent == side.child else ()
    shared = (name for name in parent.id if name in child.attributes and name not in own)
    return frozenset((*side.names, *shared))


def _lists(view: View, names: tuple[str, ...], known: frozenset[str]) -> bool:
    """Whether the parent gives the whole partition key, and what else names it begins the sort key."""
    shape = view.shape
    begun = tuple(takewhile(lambda name: name in known, shape.sort))
    return bool(shape.partition) and known >= set(shape.partition) and {*shape.partition, *begun} >= set(names)


def own_views(layout: Layout, entity: str) -> list[View]:
    """The table first, then indexes, then copies."""
    found = [view for view in layout.keys if view.entity == entity]
    return sorted(found, key=lambda view: (view.is_copy, place_of_view(view) != TABLE, place_of_view(view)))


def repeated_references(layout: Layout, side: Side) -> tuple[str, ...]:
    """References that parent and child both have, outside the child's id: it repeats what follows from its parent."""
    facts, child = layout.asked, layout.origin.entities[side.child]
    return tuple(
        name
        for name in facts.references[side.child]
        if name not in (*side.names, *child.id) and name in facts.spec.entities[side.parent].attributes
    )
