"""What a write says of each of its entities, with every short form written out. Nothing here knows keys or requests.

A transaction says for each entity what it does (`ops`), or leaves it to be understood; conditions, changes and inputs
of the pattern hold for those of its entities that they can be about. What is left is one `Effect` for each entity.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.conditions import Predicate, absent, join, unqualified
from tablewright.spec.facts import Facts, names_one, operation_in, reference_attributes, words_on
from tablewright.spec.model import Change, EntityOp, PatternSpec
from tablewright.spec.remember import remembered
from tablewright.spec.words import PARENT, Existence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.model import RelationshipSpec, Spec
    from tablewright.spec.words import Worded

_SLOT = re.compile(r"-?\{([^{}]+)\}")


class Parent(msgspec.Struct, frozen=True):
    """A parent that must be there: by attribute of its id, the attribute of the child that holds the value."""

    entity: str
    named: tuple[tuple[str, str], ...]


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a write does to one entity, and when it must be refused.

    existence   `new`: refused where the id exists. `there`: refused where it does not. `any`: neither.
    gives_any   an update that does not say what it changes: the caller brings any of `changes`, at least one
    is_list     any number of items, which the caller brings as a list: children whose whole id is not in `by`
    parents     refused where one of these does not exist; those are left out that the same write puts, or that its
                effect on them demands anyway; a relationship that is checked demands them of puts, and of updates
                that may name another one
    unread      a condition in words that nobody here can read: the pattern cannot be proven
    """

    entity: str
    op: EntityOp
    by: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    gives_any: bool = False
    upsert: bool = False
    is_list: bool = False
    existence: Existence = "any"
    when: Predicate | None = None
    parents: tuple[Parent, ...] = ()
    version: str | None = None
    unread: str = ""


def effects_of(facts: Facts, pattern: PatternSpec) -> tuple[Effect, ...]:
    """The effects of a write, in the order of its entities."""
    return tuple(effect_on(facts, pattern, entity) for entity in pattern.entities)


@remembered
def effect_on(facts: Facts, pattern: PatternSpec, entity: str) -> Effect:
    spec, op = facts.spec.entities[entity], operation_in(facts.spec, facts.references, pattern, entity)
    worded = words_on(facts.spec, pattern, entity)
    changes = changes_on(facts.spec, pattern, entity) if op == "update" else ()
    parents = _parents_demanded(facts, pattern, entity, op, worded)
    when = join(when_on(facts.spec, pattern, entity), *worded.conditions)
    by = _inputs_of(facts, pattern, entity, op, when)
    existence = _existence(pattern, entity, op, worded)
    return Effect(
        entity=entity,
        op=op,
        by=by,
        changes=tuple(Change(name) for name in _changeable(facts, pattern, entity)) if changes is None else changes,
        gives_any=changes is None,
        upsert=op == "update" and pattern.upserts(entity),
        is_list=is_list(facts, pattern, entity),
        existence="there" if _deletes_another(pattern, op, by, spec.id) else existence,
        when=when,
        parents=parents or (),
        version=spec.version,
        unread=worded.unread or ("" if parents is not None else _condition_text(pattern, entity)),
    )


def _inputs_of(
    facts: Facts, pattern: PatternSpec, entity: str, op: EntityOp, when: Predicate | None
) -> tuple[str, ...]:
    """The inputs that an item of the entity has.

    What is put takes every input of the transaction that it has an attribute for, whichever entity that finds: a
    booking is of the room that it takes. What is changed or deleted is not found by the id of another entity of the
    transaction: a like names its post and whoever likes it, and the post's own `userId` is somebody else. Nor is it
    found by what it must not have: a seat that has no order yet is given one.
    """
    own, said = facts.spec.entities[entity], pattern.ops.get(entity)
    if op == "put":
        known = (
            *pattern.by_of(entity),
            *pattern.by,
            *(name for each in pattern.ops.values() for name in each.by or ()),
        )
        return tuple(name for name in dict.fromkeys(known) if name in own.attributes)
    named = tuple(name for name in pattern.by_of(entity) if name in own.attributes)
    if said is not None and said.by is not None:
        return named
    others = {each: facts.spec.entities[each].id for each in pattern.entities if each != entity}
    parents = facts.references[entity]
    foreign = {name for other, ids in others.items() for name in ids if parents.get(name) != other}
    foreign |= {name for name in named if when is not None and absent(name) in when.parts}
    return tuple(name for name in named if name in own.id or name not in foreign)


def unread_of(facts: Facts, pattern: PatternSpec) -> tuple[str, ...]:
    """The conditions in words of a write that nobody here can read, each once."""
    found = (each.unread for each in effects_of(facts, pattern))
    return tuple(dict.fromkeys(each for each in found if each))


def slots_of(effects: Iterable[Effect]) -> dict[str, tuple[str, str | None]]:
    """The parameters of conditions and of amounts, each with the entity and the attribute that it is about."""
    found: dict[str, tuple[str, str | None]] = {}
    for each in effects:
        for change in each.changes:
            slot = slot_of_amount(change)
            if slot:
                found.setdefault(slot, (each.entity, change.attr))
        for name in each.when.slots if each.when is not None else ():
            found.setdefault(name, (each.entity, each.when.slot_attribute(name) if each.when else None))
    return found


def slot_of_amount(change: Change) -> str | None:
    """`qty` where `{qty}` or `-{qty}` is added."""
    match = _SLOT.fullmatch(change.value) if change.kind == "add" and isinstance(change.value, str) else None
    return match[1] if match else None


# ---- what is changed ------------------------------------------------------------------------------------------------


def changes_on(spec: Spec, pattern: PatternSpec, entity: str) -> tuple[Change, ...] | None:
    """What an update says that it changes of this entity, wherever it is stored; None where it says nothing."""
    said = pattern.ops.get(entity)
    changes = pattern.changes if said is None or said.changes is None else said.changes
    details = [each for each in spec.entities.values() if each.kind == "detail" and each.of == entity]
    known = {name for each in (spec.entities[entity], *details) for name in each.attributes}
    return None if changes is None else tuple(each for each in changes if each.attr in known)


def _changeable(facts: Facts, pattern: PatternSpec, entity: str) -> list[str]:
    """Everything that may change: not what is fixed, not what names the item, and the version by itself."""
    kept = {*facts.fixed[entity], *pattern.by_of(entity), facts.spec.entities[entity].version}
    return [name for name in facts.spec.entities[entity].attributes if name not in kept]


# ---- conditions -----------------------------------------------------------------------------------------------------


def _existence(pattern: PatternSpec, entity: str, op: EntityOp, worded: Worded) -> Existence:
    """That nothing exists is demanded of puts alone; what is updated or checked must be there."""
    if op == "check" or (op == "update" and not pattern.upserts(entity)):
        return "there"
    return "any" if worded.existence == "new" and op != "put" else worded.existence


def _deletes_another(pattern: PatternSpec, op: EntityOp, by: tuple[str, ...], ids: tuple[str, ...]) -> bool:
    """Whether a transaction deletes what it names by more than the id, or by something else: that must be there.

    By its id alone an item is gone afterwards whether it was there or not. A hold `of this seat` is another demand: the
    rest of the transaction, which sells the seat, is not to happen for a hold of another one.
    """
    return op == "delete" and pattern.op == "transact" and set(by) != set(ids)


def when_on(spec: Spec, pattern: PatternSpec, entity: str) -> Predicate | None:
    """The formal condition on this entity: its own, and the parts of the pattern's that are about it."""
    said = pattern.ops.get(entity)
    own = unqualified(Predicate.parse(said.when), entity) if said is not None and said.when else None
    parts = Predicate.parse(pattern.when).parts if pattern.when else ()
    return join(own, *(unqualified(each, entity) for each in parts if entities_of(spec, pattern, each) == [entity]))


def entities_of(spec: Spec, pattern: PatternSpec, condition: Predicate) -> list[str]:
    """The entities of a write that a part of its condition can be about: one, where it can be read."""
    named = sorted(condition.qualifiers & set(pattern.entities))
    candidates = named or pattern.entities
    return [
        each
        for each in candidates
        if set(unqualified(condition, each).attributes) <= set(spec.entities[each].attributes)
    ]


def _condition_text(pattern: PatternSpec, entity: str) -> str:
    said = pattern.ops.get(entity)
    return said.condition if said is not None and said.condition else pattern.condition


# ---- parents --------------------------------------------------------------------------------------------------------


def _parents_demanded(
    facts: Facts, pattern: PatternSpec, entity: str, op: EntityOp, worded: Worded
) -> tuple[Parent, ...] | None:
    """Those that the words name, and those of relationships that are checked; None where words name no parent."""
    wanted: list[Parent] = []
    for name in worded.parents:
        found = list(_parents_named(facts, entity, name))
        if not found or op not in ("put", "update"):
            return None
        wanted += found
    if op == "put":
        wanted += _parents_checked(facts, entity)
    elif op == "update":
        wanted += (each for each in _parents_checked(facts, entity) if _may_name(facts, pattern, entity, each))
    return tuple(each for each in dict.fromkeys(wanted) if not _is_written_along(facts, pattern, entity, each))


def _parents_named(facts: Facts, entity: str, parent: str) -> Iterator[Parent]:
    """The parents that an item names: all of them, or those of one entity."""
    references = {**facts.references[entity], **dict.fromkeys(_own_references(facts, entity), entity)}
    for other in dict.fromkeys(references.values()):
        if parent in (PARENT, other):
            yield from _by_attributes(facts, other, [name for name, of in references.items() if of == other])


def _own_references(facts: Facts, entity: str) -> Iterator[str]:
    """The attributes by which an item names another one of its own entity."""
    for each in facts.spec.relationships:
        if each.source == each.target == entity and each.via is None:
            yield from each.by
    for name, attribute in facts.spec.entities[entity].attributes.items():
        if attribute.references == entity:
            yield name


def _parents_checked(facts: Facts, entity: str) -> Iterator[Parent]:
    spec = facts.spec
    for each in spec.relationships:
        if each.integrity == "checked" and (each.via or each.target) == entity:
            for parent in dict.fromkeys((each.source, each.target) if each.via else (each.source,)):
                names = reference_attributes(spec, spec.entities[entity], spec.entities[parent], each)
                yield from _by_attributes(facts, parent, names)


def _may_name(facts: Facts, pattern: PatternSpec, entity: str, parent: Parent) -> bool:
    """Whether an update may leave an item with another parent than it had: nobody else can break what held before."""
    own, said = {ours for _, ours in parent.named}, changes_on(facts.spec, pattern, entity)
    changes = [Change(name) for name in _changeable(facts, pattern, entity)] if said is None else said
    if own & {each.attr for each in changes if each.kind == "remove"}:
        return False  # it names nobody afterwards
    when = when_on(facts.spec, pattern, entity)
    made = set(_inputs_of(facts, pattern, entity, "update", when)) if pattern.upserts(entity) else set[str]()
    return bool(own & {*(each.attr for each in changes), *made})


def _by_attributes(facts: Facts, parent: str, names: Iterable[str]) -> Iterator[Parent]:
    """A parent for each attribute that holds its id; of an id of several attributes, one that has them all."""
    ids, ours = facts.spec.entities[parent].id, tuple(names)
    if len(ids) == 1:
        yield from (Parent(parent, ((ids[0], name),)) for name in ours)
    elif set(ids) <= set(ours):
        yield Parent(parent, tuple((name, name) for name in ids))
    elif len(ids) == len(ours):
        yield Parent(parent, tuple(zip(ids, ours, strict=True)))


def _is_written_along(facts: Facts, pattern: PatternSpec, entity: str, parent: Parent) -> bool:
    """Whether the same write puts this very parent, or demands that it is there; equal names have equal values."""
    if parent.entity == entity or parent.entity not in pattern.entities or is_list(facts, pattern, parent.entity):
        return False
    op = operation_in(facts.spec, facts.references, pattern, parent.entity)
    return op != "delete" and all(theirs == ours for theirs, ours in parent.named)


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
