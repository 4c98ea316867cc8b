"""Where the children of a parent are found: which attributes name the parent, and which keys lie under them."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.units.entries import TABLE, place_of_view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.architect.solution import Solution
    from tablewright.design.layout.views import View
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import RelationshipSpec


BOTH = 2


class Side(msgspec.Struct, frozen=True):
    """A parent and its children; `names` are the attributes of a child that tell its parent."""

    parent: str
    child: str
    names: tuple[str, ...]


def sides_of(facts: Facts, each: RelationshipSpec) -> Iterator[Side]:
    """One side, or both where an entity of its own holds the relationship; none where nothing stored here does."""
    child = each.via or each.target
    if (each.kind == "many-to-many" and each.via is None) or not_stored(facts, each):
        return
    names = naming_attributes(facts, each, each.source, child)
    if each.via and each.source == each.target:
        yield from (Side(each.source, child, (name,)) for name in ends(facts, child, names))
        return
    yield Side(each.source, child, names)
    if each.via:
        yield Side(each.target, child, naming_attributes(facts, each, each.target, child))


def not_stored(facts: Facts, each: RelationshipSpec) -> list[str]:
    """The ends of a relationship that are no entities of the spec, such as users that another system keeps."""
    named = (each.source, each.target, *([each.via] if each.via else []))
    return [name for name in named if name not in facts.spec.entities]


def ends(facts: Facts, child: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The two attributes that hold both ends: who follows, and who is followed."""
    ids = facts.spec.entities[child].id
    return ids if len(names) < BOTH and len(ids) == BOTH else names


def naming_attributes(facts: Facts, each: RelationshipSpec, parent: str, child: str) -> tuple[str, ...]:
    if each.by and parent == each.source:
        return each.by
    return tuple(name for name, of in facts.references[child].items() if of == parent)


def shared_views(solution: Solution, side: Side) -> list[View]:
    """Views of the children that lie in the same partitions as a view of their parent."""
    groups = solution.names.groups
    return [
        view
        for view in own_views(solution, side.child)
        if side.parent != side.child and any(other.entity == side.parent for other in groups[view])
    ]


def listing_views(solution: Solution, side: Side) -> list[View]:
    """Views of the children that one Query lists by their parent; without a known reference, those beside it."""
    if not side.names:
        return shared_views(solution, side)
    known = known_of(solution.asked, side)
    return [view for view in own_views(solution, side.child) if lists(view, side.names, known)]


def known_of(facts: Facts, side: Side) -> frozenset[str]:
    """Attributes of a child whose values follow from its parent: those that name it, and the rest of a compound id."""
    child, parent = facts.spec.entities[side.child], facts.spec.entities[side.parent]
    own = child.id[-1:] if side.parent == side.child else ()
    shared = (name for name in parent.id if name in child.attributes and name not in own)
    return frozenset((*side.names, *shared))


def lists(view: View, names: tuple[str, ...], known: frozenset[str]) -> bool:
    """Whether the parent gives the whole partition key, and what else names it begins the sort key."""
    shape = view.shape
    begun = tuple(takewhile(lambda name: name in known, shape.sort))
    return bool(shape.partition) and known >= set(shape.partition) and {*shape.partition, *begun} >= set(names)


def own_views(solution: Solution, entity: str) -> list[View]:
    """The table first, then indexes, then copies."""
    found = [view for view in solution.names.keys if view.entity == entity]
    return sorted(found, key=lambda view: (view.is_copy, place_of_view(view) != TABLE, place_of_view(view)))
