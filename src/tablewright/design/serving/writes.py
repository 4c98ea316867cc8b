"""What a write does to each of its entities, what its caller gives, and what must be known of an item first.

A value is named like its attribute. Two attributes of one name in one transaction are told apart by their entities
(`Game_startTime`); an attribute that finds the item and is changed as well has its new value as `new_status`.

A key field is filled again when an attribute it follows from changes, and then all of its attributes must be known. An
item that may enter or leave an index (its partition or lead can be absent, or it is sparse) has both fields filled
again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.values.buckets import Bucket
from tablewright.errors import DesignError
from tablewright.spec.conditions import check_condition
from tablewright.spec.facts import Operation, only_creates, operation_in
from tablewright.spec.writes import effects_of, is_list, parents_in, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

FAILURES = 0.01
"""The share of conditional writes that are refused, where nothing is said."""


def operation_on(facts: Facts, pattern: PatternSpec, entity: str) -> Operation:
    return operation_in(facts.spec, facts.references, pattern, entity)


def written_together(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """Items of an entity in one transaction: its children on average, where their parent is put with them."""
    if not is_list(facts, pattern, entity):
        return 1.0
    if entity in pattern.together:
        return pattern.together[entity]
    return max(1.0, next(parents_in(facts, pattern, entity)).avg or 1.0)


def replaces(facts: Facts, pattern: PatternSpec, entity: str) -> bool:
    """Whether a write is a put that may find an item in its place."""
    return operation_on(facts, pattern, entity) == "put" and not only_creates(facts.spec, pattern, entity)


def changed_by(facts: Facts, pattern: PatternSpec, entity: str) -> set[str]:
    """The attributes an update may change: those it lists, else all but what is fixed and what names the item."""
    said = pattern.changed_of(entity)
    if said is not None:
        return set(said) & set(facts.spec.entities[entity].attributes)
    return set(facts.spec.entities[entity].attributes) - facts.fixed[entity] - set(pattern.by_of(entity))


def failure_share(pattern: PatternSpec) -> float:
    if pattern.failures is not None:
        return pattern.failures
    return FAILURES if pattern.condition or pattern.when else 0.0


def condition_entity(facts: Facts, pattern: PatternSpec) -> str:
    """The entity that a formal condition is about: the first that has all its attributes."""
    place = f"access_patterns.{pattern.id}.when"
    faults: list[DesignError] = []
    for entity in pattern.entities:
        try:
            check_condition(place, pattern.when, facts.spec.entities[entity].attributes)
        except DesignError as fault:
            faults.append(fault)
        else:
            return entity
    raise faults[0]


def as_question(facts: Facts, write: PatternSpec, entity: str) -> PatternSpec:
    """A write as the question where the items are that the writer means."""
    known = tuple(name for name in write.by if name in facts.spec.entities[entity].attributes)
    return msgspec.structs.replace(write, kind="query", entities=(entity,), by=known, limit=None)


# ---- what the caller gives ------------------------------------------------------------------------------------------


def written_attributes(facts: Facts, pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """The attributes whose new values the caller may give, in the order of the entity."""
    spec = facts.spec.entities[entity]
    match operation_on(facts, pattern, entity):
        case "put":
            return tuple(name for name in spec.attributes if name not in pattern.by)
        case "update":
            changed = changed_by(facts, pattern, entity) - set(spec.id)
            return tuple(name for name in spec.attributes if name in changed)
        case _:
            return ()


def value_names(facts: Facts, pattern: PatternSpec, entity: str) -> dict[str, str]:
    """By attribute: the parameter its new value comes from, where that is not the attribute's own name."""
    if is_list(facts, pattern, entity):
        return {}
    others = {
        name
        for other in pattern.entities
        if other != entity and not is_list(facts, pattern, other)
        for name in written_attributes(facts, pattern, other)
    }
    found: dict[str, str] = {}
    for name in written_attributes(facts, pattern, entity):
        if name in pattern.by:
            found[name] = f"new_{name}"
        elif name in others:
            found[name] = f"{entity}_{name}"
    return found


def condition_inputs(facts: Facts, pattern: PatternSpec) -> dict[str, str | None]:
    """The inputs that only the condition of a write has, each with the attribute it is compared with."""
    taken = set(pattern.by)
    for entity in pattern.entities:
        names = value_names(facts, pattern, entity)
        taken |= {names.get(name, name) for name in written_attributes(facts, pattern, entity)}
    found = slots_of(effects_of(facts, pattern))
    return {name: attribute for name, (_, attribute) in found.items() if name not in taken}


# ---- what must be known first ---------------------------------------------------------------------------------------


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """How an item type is keyed in the table (its own item, a copy, a detail) or in an index."""

    index: str | None
    partition: tuple[str, ...]
    sort: tuple[str, ...]  # lead and rest
    lead: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()  # what a shard follows from, where there are shards
    when: tuple[str, ...] = ()  # what else decides whether an item is in the index

    @property
    def attributes(self) -> set[str]:
        return {*self.partition, *self.sort, *self.ids, *self.when}


def with_timestamp(partition: tuple[str, ...], bucket: Bucket | str | None) -> tuple[str, ...]:
    """A bucket follows from a timestamp, which then is part of the partition."""
    return (*partition, Bucket.parse(str(bucket)).attribute) if bucket else partition


def certain(facts: Facts, pattern: PatternSpec, entity: str) -> set[str]:
    """Attributes whose values in the item the caller knows; not those that it is about to change."""
    return set(pattern.by) - set(value_names(facts, pattern, entity))


def _always_in(facts: Facts, entity: str, place: Place) -> bool:
    return not place.when and facts.present[entity] >= {*place.partition, *place.lead}


def refilled(facts: Facts, entity: str, place: Place, changed: set[str]) -> tuple[bool, bool]:
    """Whether the partition field of an index is filled again, and whether the sort field is."""
    if not changed & place.attributes:
        return False, False
    if not _always_in(facts, entity, place):
        return True, True
    return bool(changed & {*place.partition, *place.ids}), bool(changed & set(place.sort))


def needed(facts: Facts, pattern: PatternSpec, entity: str, places: Sequence[Place]) -> set[str]:
    """The attributes that have to be read first, because the caller does not know them."""
    operation = operation_on(facts, pattern, entity)
    if operation == "put":
        held = {name for each in places if each.index is None for name in each.attributes}
        return held - facts.fixed[entity] if replaces(facts, pattern, entity) else set()
    found = {name for each in places if each.index is None for name in each.attributes}
    if operation == "update":
        changed = set(written_attributes(facts, pattern, entity))
        if changed & found:
            found = set(facts.spec.entities[entity].attributes)
        given = changed if pattern.changes is not None else set[str]()
        found |= {name for each in places if each.index for name in _refill_needs(facts, entity, each, changed)} - given
    return found - certain(facts, pattern, entity)


def _refill_needs(facts: Facts, entity: str, place: Place, changed: set[str]) -> Iterable[str]:
    partition, sort = refilled(facts, entity, place, changed)
    if not (partition or sort):
        return
    if partition:
        yield from (*place.partition, *place.ids)
    if sort:
        yield from place.sort
    if not _always_in(facts, entity, place):
        yield from (*place.partition, *place.lead, *place.when)


def companion_needs(facts: Facts, pattern: PatternSpec, entity: str, held: set[str]) -> set[str]:
    """The same for what is written along: all that a sentinel or total is made of, when that changes or goes.

    Of what a put replaces even the id is news: that there was one.
    """
    operation = operation_on(facts, pattern, entity)
    if replaces(facts, pattern, entity):
        return {*facts.spec.entities[entity].id, *held}
    touched = operation == "delete" or (
        operation == "update" and bool(set(written_attributes(facts, pattern, entity)) & held)
    )
    return held - certain(facts, pattern, entity) if touched else set()


def moved_by(facts: Facts, pattern: PatternSpec, shape: Shape) -> set[str]:
    """The attributes of a key that a write changes."""
    return changed_by(facts, pattern, shape.entity) & set(shape.watched)
