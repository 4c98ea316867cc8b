"""What a write says of each of its entities, with every short form written out. Nothing here knows keys or requests.

A transaction says for each entity what it does (`ops`), or leaves it to be understood; conditions, changes and inputs
of the pattern hold for those of its entities that they can be about. What is left is one `Effect` for each entity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from tablewright.spec.conditions import Predicate, join, unqualified
from tablewright.spec.facts import Facts, names_one, operation_in, words_on
from tablewright.spec.model import Change, EntityOp, PatternSpec
from tablewright.spec.words import Worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import RelationshipSpec


class Parent(msgspec.Struct, frozen=True):
    """A parent that must be there: by attribute of its id, the attribute of the child that holds the value."""

    entity: str
    named: tuple[tuple[str, str], ...]


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a write does to one entity, and when it must be refused.

    existence   `new`: refused where the id exists. `there`: refused where it does not. `any`: neither.
    gives_any   an update that does not say what it changes: the caller brings any of `changes`, at least one
    is_list     any number of items, which the caller brings as a list: children whose whole id is not in `by`
    unread      a condition in words that nobody here can read: the pattern cannot be proven
    """

    entity: str
    op: EntityOp
    by: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    gives_any: bool = False
    is_list: bool = False
    existence: Literal["any", "new", "there"] = "any"
    when: Predicate | None = None
    parents: tuple[Parent, ...] = ()
    version: str | None = None
    unread: str = ""


def effects_of(facts: Facts, pattern: PatternSpec) -> tuple[Effect, ...]:
    """The effects of a write, in the order of its entities."""
    return tuple(effect_on(facts, pattern, entity) for entity in pattern.entities)


def effect_on(facts: Facts, pattern: PatternSpec, entity: str) -> Effect:
    said, op = pattern.ops.get(entity), operation_in(facts.spec, facts.references, pattern, entity)
    by = pattern.by if said is None or said.by is None else said.by
    attributes = facts.spec.entities[entity].attributes
    worded = _worded(facts, pattern, entity, op)
    changes = _changes_on(facts, pattern, entity, op)
    return Effect(
        entity=entity,
        op=op,
        by=tuple(name for name in by if name in attributes),
        changes=tuple(Change(name) for name in _changeable(facts, pattern, entity)) if changes is None else changes,
        gives_any=changes is None,
        is_list=is_list(facts, pattern, entity),
        existence=_existence(pattern, entity, op, worded),
        when=join(_when_on(facts, pattern, entity), *worded.conditions),
        parents=_parents_demanded(facts, pattern, entity, op, worded),
        version=facts.spec.entities[entity].version,
        unread=worded.unread,
    )


# ---- what is changed ------------------------------------------------------------------------------------------------


def _changes_on(facts: Facts, pattern: PatternSpec, entity: str, op: EntityOp) -> tuple[Change, ...] | None:
    """What an update says that it changes of this entity; None where it says nothing."""
    if op != "update":
        return ()
    said = pattern.ops.get(entity)
    changes = pattern.changes if said is None or said.changes is None else said.changes
    known = facts.spec.entities[entity].attributes
    return None if changes is None else tuple(each for each in changes if each.attr in known)


def _changeable(facts: Facts, pattern: PatternSpec, entity: str) -> list[str]:
    """Everything that may change: not the id, not what is immutable, not the inputs that name the item."""
    spec = facts.spec.entities[entity]
    kept = {*spec.id, *pattern.by, spec.version}
    return [name for name, each in spec.attributes.items() if name not in kept and not each.immutable]


# ---- conditions -----------------------------------------------------------------------------------------------------


def _worded(facts: Facts, pattern: PatternSpec, entity: str, op: EntityOp) -> Worded:
    """The condition in words; that nothing exists is demanded of puts alone."""
    worded = words_on(facts.spec, pattern, entity)
    return msgspec.structs.replace(worded, existence="any") if worded.existence == "new" and op != "put" else worded


def _existence(pattern: PatternSpec, entity: str, op: EntityOp, worded: Worded) -> Literal["any", "new", "there"]:
    said = pattern.ops.get(entity)
    upsert = pattern.upsert if said is None else said.upsert
    if op == "check" or (op == "update" and not upsert):
        return "there"
    return worded.existence


def _when_on(facts: Facts, pattern: PatternSpec, entity: str) -> Predicate | None:
    """The formal condition on this entity: its own, or the parts of the pattern's that are about it."""
    said = pattern.ops.get(entity)
    own = Predicate.parse(said.when) if said is not None and said.when else None
    parts = Predicate.parse(pattern.when).parts if pattern.when else ()
    return join(own, *(unqualified(each, entity) for each in parts if entity_of(facts, pattern, each) == entity))


def entity_of(facts: Facts, pattern: PatternSpec, condition: Predicate) -> str | None:
    """The entity that a condition of a transaction is about; None where none or several could be meant."""
    names = condition.qualifiers & set(pattern.entities)
    if names:
        return next(iter(names)) if len(names) == 1 else None
    having = [
        each for each in pattern.entities if set(condition.attributes) <= set(facts.spec.entities[each].attributes)
    ]
    return having[0] if len(having) == 1 else None


def _parents_demanded(
    facts: Facts, pattern: PatternSpec, entity: str, op: EntityOp, worded: Worded
) -> tuple[Parent, ...]:
    """Parents that must be there: those that the words name, and those of relationships that are checked."""
    if op not in ("put", "update"):
        return ()
    checked = {
        parent
        for each in facts.spec.relationships
        if each.integrity == "checked" and (each.via or each.target) == entity
        for parent in ((each.source, each.target) if each.via else (each.source,))
    }
    references = facts.references[entity]
    wanted = set(references.values()) if "PARENT" in worded.parents else {*worded.parents}
    return tuple(
        Parent(parent, named)
        for parent in dict.fromkeys(references.values())
        if parent in wanted | checked and (named := _named_by(facts, entity, parent))
    )


def _named_by(facts: Facts, entity: str, parent: str) -> tuple[tuple[str, str], ...]:
    """By attribute of the parent's id: the attribute of the child that holds it; nothing where one is missing."""
    ours = [name for name, of in facts.references[entity].items() if of == parent]
    ids = facts.spec.entities[parent].id
    if set(ids) <= set(ours):
        return tuple((name, name) for name in ids)
    return ((ids[0], ours[0]),) if len(ids) == 1 and ours else ()


# ---- several items --------------------------------------------------------------------------------------------------


def is_list(facts: Facts, pattern: PatternSpec, entity: str) -> bool:
    """Whether a transaction writes any number of these: children whose ids the caller brings with them."""
    if entity in pattern.together:
        return True
    return (
        pattern.op == "transact"
        and not names_one(facts.spec, pattern, entity)
        and any(parents_in(facts, pattern, entity))
    )


def parents_in(facts: Facts, pattern: PatternSpec, entity: str) -> Iterator[RelationshipSpec]:
    """The relationships by which an entity is a child of another one of the same write."""
    for each in facts.spec.relationships:
        if (each.via or each.target) == entity and each.source != entity and each.source in pattern.entities:
            yield each
