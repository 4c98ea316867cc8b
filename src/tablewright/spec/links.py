"""Which items name which: the links that deletes follow, and what one delete reaches. Nothing here knows keys.

A relationship with `cascade` links a parent to its children; one with `via` links both of its ends to the edges that
name them. The attributes of the child are those that `by` says (of an edge that names two items of one entity: of both,
one after the other), those that say `references`, or those that have the names of the parent's id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.facts import operation_in, reference_attributes
from tablewright.spec.model import RelationshipSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, PatternSpec, Spec


class Link(msgspec.Struct, frozen=True):
    """Items of `child` name one of `parent`: by the child's attributes, each with that of the parent's id.

    Without any where the spec does not tell.
    """

    parent: str
    child: str
    by: tuple[tuple[str, str], ...]
    relationship: RelationshipSpec

    @property
    def names(self) -> tuple[str, ...]:
        """The child's attributes."""
        return tuple(ours for ours, _ in self.by)


def cascading_links(spec: Spec) -> tuple[Link, ...]:
    """All links along which a delete goes on, in the order of the spec."""
    found: dict[tuple[object, ...], Link] = {}
    for each in spec.relationships:
        for link in links_of(spec, each) if each.cascade else ():
            found.setdefault((link.parent, link.child, link.by), link)
    return tuple(found.values())


def links_of(spec: Spec, each: RelationshipSpec) -> Iterator[Link]:
    """Of one relationship, whether deletes follow it or not."""
    child = spec.entities.get(each.via or each.target)
    if child is None or (each.kind == "many-to-many" and each.via is None):
        return
    if each.via and each.source == each.target and each.source in spec.entities:
        for names in _both_ends(child, spec.entities[each.source], each):
            yield Link(each.source, child.name, _pairs(names, spec.entities[each.source]), each)
        return
    for parent in (each.source, each.target) if each.via else (each.source,):
        if parent in spec.entities:
            names = _names_of(spec, child, spec.entities[parent], each)
            yield Link(parent, child.name, _pairs(names, spec.entities[parent]), each)


def _pairs(names: tuple[str, ...], parent: EntitySpec) -> tuple[tuple[str, str], ...]:
    if len(names) != len(parent.id):
        return ()
    if set(names) == set(parent.id):
        return tuple((name, name) for name in parent.id)
    return tuple(zip(names, parent.id, strict=True))


def _both_ends(edge: EntitySpec, parent: EntitySpec, each: RelationshipSpec) -> Iterator[tuple[str, ...]]:
    """Who follows, and who is followed."""
    size = len(parent.id)
    if len(each.by) == 2 * size:
        yield from (each.by[:size], each.by[size:])
        return
    others = tuple(name for name in edge.id if name not in each.by)
    if len(each.by) == size == len(others):
        yield from (each.by, others)
    elif not each.by and len(edge.id) == 2 * size:
        yield from (edge.id[:size], edge.id[size:])
    else:
        yield ()


def _names_of(spec: Spec, child: EntitySpec, parent: EntitySpec, each: RelationshipSpec) -> tuple[str, ...]:
    if each.by and parent.name == each.source:
        return each.by
    said = tuple(name for name, one in child.attributes.items() if one.references == parent.name)
    if len(said) == len(parent.id):
        return said
    if child is parent:
        return _own_reference(spec, child)
    return reference_attributes(spec, child, parent, msgspec.structs.replace(each, by=()))


def _own_reference(spec: Spec, entity: EntitySpec) -> tuple[str, ...]:
    """The one attribute that ends like the id (`parentId`) and is no id of something else."""
    if len(entity.id) != 1:
        return ()
    wanted = entity.id[0].lower()
    suffix = wanted.removeprefix(entity.name.lower()) or wanted
    ids = {name for other in spec.entities.values() for name in other.id}
    likely = [name for name in entity.attributes if name.lower().endswith(suffix) and name not in ids]
    return (likely[0],) if len(likely) == 1 else ()


# ---- what a delete reaches ------------------------------------------------------------------------------------------


def deleted_by(facts: Facts, pattern: PatternSpec) -> tuple[str, ...]:
    """The entities whose items a write deletes."""
    if pattern.is_read or pattern.cascade_of:
        return ()
    found = pattern.entities
    return tuple(name for name in found if operation_in(facts.spec, facts.references, pattern, name) == "delete")


def reached_links(spec: Spec, entities: tuple[str, ...]) -> tuple[Link, ...]:
    """All links along which deletes of these entities go on, parents before their children."""
    links, found = cascading_links(spec), dict[Link, None]()
    waiting, seen = list(entities), set(entities)
    while waiting:
        parent = waiting.pop(0)
        for link in links:
            if link.parent == parent and link not in found:
                found[link] = None
                if link.child not in seen:
                    seen.add(link.child)
                    waiting.append(link.child)
    return tuple(found)
