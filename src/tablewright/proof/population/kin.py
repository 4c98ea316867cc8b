"""Who names whom: the attributes by which items name others, as the spec's relationships and references say it.

This is a second opinion on `spec.volumes`, which counts the same without any items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.model import RelationshipSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec


class Kin(msgspec.Struct, frozen=True):
    """Items name one of `parent`: by their own attributes, each with that of the parent which it holds."""

    parent: str
    pairs: tuple[tuple[str, str], ...]
    relation: RelationshipSpec | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(ours for ours, _ in self.pairs)


def kin_of(facts: Facts, entity: str) -> list[Kin]:
    """The parents that items of an entity name: relationships first, which say how many children there are.

    Of two, the one with more attributes: it settles the other.
    """
    own = facts.spec.entities[entity]
    found: dict[tuple[str, ...], Kin] = {}
    for parent, names, relation in (*_related(facts, own), *_referred(facts, own), *_contained(facts, own)):
        pairs = _pair(own, facts.spec.entities[parent], names)
        if pairs:
            found.setdefault(tuple(sorted(ours for ours, _ in pairs)), Kin(parent, pairs, relation))
    return sorted(found.values(), key=lambda each: (each.relation is None, -len(each.pairs)))


def _related(facts: Facts, child: EntitySpec) -> Iterator[tuple[str, tuple[str, ...], RelationshipSpec]]:
    for each in facts.spec.relationships:
        if (each.via or each.target) != child.name or each.source not in facts.spec.entities:
            continue
        if each.via and each.source == each.target:
            size = len(facts.spec.entities[each.source].id)
            both = each.by if len(each.by) == 2 * size else child.id
            yield each.source, both[:size], each
            yield (
                each.source,
                both[size : 2 * size],
                msgspec.structs.replace(each, avg=None, p50=None, p99=None, max=None),
            )
            continue
        yield each.source, each.by or _names_of(facts, child, each.source), each


def _names_of(facts: Facts, child: EntitySpec, parent: str) -> tuple[str, ...]:
    said = tuple(name for name, each in child.attributes.items() if each.references == parent)
    return said or tuple(name for name, of in facts.references[child.name].items() if of == parent)


def _referred(facts: Facts, child: EntitySpec) -> Iterator[tuple[str, tuple[str, ...], None]]:
    """References outside of relationships: one attribute names one item, where its id has one."""
    for parent in dict.fromkeys(facts.references[child.name].values()):
        names = tuple(name for name, of in facts.references[child.name].items() if of == parent)
        if len(facts.spec.entities[parent].id) > 1:
            yield parent, names, None
        else:
            yield from ((parent, (name,), None) for name in names)


def _contained(facts: Facts, child: EntitySpec) -> Iterator[tuple[str, tuple[str, ...], None]]:
    """Whoever has all attributes of the id of another names it: progress is made by those who are enrolled."""
    for other in facts.spec.entities.values():
        inside = len(other.id) > 1 and set(other.id) <= child.attributes.keys()
        if other.kind == "entity" and inside and other.name != child.name and set(other.id) != set(child.id):
            yield other.name, other.id, None


def parents_first(facts: Facts) -> list[str]:
    """Entities in the order in which their items can be made, as far as there is one."""
    pending = [name for name, each in facts.spec.entities.items() if each.kind == "entity"]
    above = {name: {each.parent for each in kin_of(facts, name)} - {name} for name in pending}
    ordered: list[str] = []
    while pending:
        ready = [name for name in pending if not above[name] & set(pending)]
        for name in ready or pending[:1]:
            ordered.append(name)
            pending.remove(name)
    return ordered


def _pair(child: EntitySpec, parent: EntitySpec, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Names that the two have in common hold the same; the others hold what is left of the parent's id, its end first.

    What the parent's id has besides is shared by name: a document is in the tenant of its folder.
    """
    other = [name for name in names if name not in parent.id or child is parent]
    free = [name for name in parent.id if name not in names or child is parent]
    taken = free[len(free) - len(other) :] if other else []
    if len(taken) != len(other):
        return ()
    shared = [name for name in parent.id if name not in taken and name in child.attributes]
    if not other and not names:
        return ()
    return (*zip(other, taken, strict=True), *((name, name) for name in shared))
