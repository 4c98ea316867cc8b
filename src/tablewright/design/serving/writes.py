"""What a write does to each of its entities, what its caller gives, and what must be known of an item first.

A value is named like its attribute. Two attributes of one name in one transaction are told apart by their entities
(`Game_startTime`); an attribute that finds the item and is changed as well has its new value as `new_status`. What
conditions and amounts ask for besides has the name that they give it.

A key field is filled again when an attribute it follows from changes, and then all of its attributes must be known. An
item that may enter or leave an index (its partition or lead can be absent, or it is sparse) has both fields filled
again. What a value is that something is added to, nobody knows who has not read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.values.amounts import Amount
from tablewright.design.values.buckets import Bucket
from tablewright.spec.facts import Operation, operation_in
from tablewright.spec.writes import effect_on, effects_of, is_list, parents_in, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.design.serving.shapes import Shape
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec
    from tablewright.spec.writes import Effect

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
    effect = effect_on(facts, pattern, entity)
    return effect.op == "put" and effect.existence != "new"


def may_be_gone(facts: Facts, pattern: PatternSpec, entity: str) -> bool:
    """Whether a transaction happens also where the item that it deletes is not there: if nothing is said of it."""
    effect = effect_on(facts, pattern, entity)
    is_demanded = effect.existence != "any" or effect.when is not None or effect.version is not None
    return effect.op == "delete" and not is_demanded and len(pattern.entities) > 1


def changed_by(facts: Facts, pattern: PatternSpec, entity: str) -> set[str]:
    """The attributes an update may change: those it lists, else all but what is fixed and what names the item."""
    effect = effect_on(facts, pattern, entity)
    return {*(each.attr for each in effect.changes), *((effect.version,) if effect.version else ())}


def failure_share(facts: Facts, pattern: PatternSpec) -> float:
    if pattern.failures is not None:
        return pattern.failures
    may_fail = any(_may_fail(each) for each in effects_of(facts, pattern))
    return facts.guess(f"access_patterns.{pattern.id}.failures", FAILURES) if may_fail else 0.0


def _may_fail(effect: Effect) -> bool:
    """Whether it has a condition besides that what is changed must be there."""
    is_said = effect.existence != "any" and effect.op in ("put", "delete")
    return bool(is_said or effect.op == "check" or effect.when or effect.parents or effect.version or effect.unread)


def as_question(facts: Facts, write: PatternSpec, entity: str) -> PatternSpec:
    """A write as the question where the items are that the writer means."""
    known = effect_on(facts, write, entity).by
    return msgspec.structs.replace(write, kind="query", entities=(entity,), by=known, limit=None)


# ---- what the caller gives ------------------------------------------------------------------------------------------


def inputs_of(pattern: PatternSpec) -> tuple[str, ...]:
    """The attributes that find items, each once; a transaction may name them by entity."""
    more = (name for each in pattern.ops.values() for name in each.by or ())
    return tuple(dict.fromkeys((*pattern.by, *more)))


def given_attributes(facts: Facts, pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """The attributes whose new values the caller gives, in the order of the entity."""
    spec, effect = facts.spec.entities[entity], effect_on(facts, pattern, entity)
    match effect.op:
        case "put":
            return tuple(name for name in spec.attributes if name not in effect.by and name != effect.version)
        case "update":
            given = {each.attr for each in effect.changes if each.kind == "given"} - set(spec.id)
            return tuple(name for name in spec.attributes if name in given)
        case _:
            return ()


def written_attributes(facts: Facts, pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """The attributes that a write may leave with another value: given, constant, added to, removed, or raised."""
    spec, effect = facts.spec.entities[entity], effect_on(facts, pattern, entity)
    if effect.op not in ("put", "update"):
        return ()
    changed = {*given_attributes(facts, pattern, entity), *(each.attr for each in effect.changes), effect.version}
    return tuple(name for name in spec.attributes if name in changed - set(spec.id))


def _said(facts: Facts, pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """The attributes that a parameter is named after: those given, and the version that the caller has seen."""
    version = version_on(facts, pattern, entity)
    return (*given_attributes(facts, pattern, entity), *((version,) if version else ()))


def version_on(facts: Facts, pattern: PatternSpec, entity: str) -> str | None:
    """The version that the caller must have seen; whoever only checks an item says nothing of it."""
    effect = effect_on(facts, pattern, entity)
    return None if effect.op == "check" else effect.version


def value_names(facts: Facts, pattern: PatternSpec, entity: str) -> dict[str, str]:
    """By attribute: the parameter its new value comes from, where that is not the attribute's own name."""
    if is_list(facts, pattern, entity):
        return {}
    others = {
        name
        for other in pattern.entities
        if other != entity and not is_list(facts, pattern, other)
        for name in _said(facts, pattern, other)
    }
    inputs, found = inputs_of(pattern), dict[str, str]()
    for name in _said(facts, pattern, entity):
        if name in inputs:
            found[name] = f"new_{name}"
        elif name in others:
            found[name] = f"{entity}_{name}"
    return found


def new_names(facts: Facts, pattern: PatternSpec, entity: str) -> dict[str, str]:
    """By attribute what its value is called as the write leaves it, where that is not the attribute's own name."""
    made = set(written_attributes(facts, pattern, entity)) - set(given_attributes(facts, pattern, entity))
    return {**value_names(facts, pattern, entity), **{name: f"new.{name}" for name in sorted(made)}}


def additions(facts: Facts, pattern: PatternSpec, entity: str) -> dict[str, Amount]:
    """By attribute what an update adds to it."""
    changes = effect_on(facts, pattern, entity).changes
    return {each.attr: Amount.parse(str(each.value)) for each in changes if each.kind == "add"}


def slot_attributes(facts: Facts, pattern: PatternSpec) -> dict[str, tuple[str, str | None]]:
    """What only conditions and amounts ask the caller for: with the entity, and the attribute it is held against."""
    taken = {*inputs_of(pattern)}
    for entity in pattern.entities:
        names = value_names(facts, pattern, entity)
        taken |= {names.get(name, name) for name in _said(facts, pattern, entity)}
    found = slots_of(effects_of(facts, pattern))
    return {name: each for name, each in found.items() if name not in taken}


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
    known = set(effect_on(facts, pattern, entity).by)
    return known - set(value_names(facts, pattern, entity))


def _always_in(facts: Facts, entity: str, place: Place) -> bool:
    return not place.when and facts.present[entity] >= {*place.partition, *place.lead}


def refilled(facts: Facts, pattern: PatternSpec, entity: str, place: Place) -> tuple[bool, bool]:
    """Whether the partition field of an index is filled again, and whether the sort field is.

    An update that may make the item fills both wherever the new item would be.
    """
    changed = set(written_attributes(facts, pattern, entity))
    if _is_filled_by_making(facts, pattern, entity, place):
        return True, True
    if not changed & place.attributes:
        return False, False
    if not _always_in(facts, entity, place):
        return True, True
    return bool(changed & {*place.partition, *place.ids}), bool(changed & set(place.sort))


def _is_filled_by_making(facts: Facts, pattern: PatternSpec, entity: str, place: Place) -> bool:
    effect = effect_on(facts, pattern, entity)
    changed = set(written_attributes(facts, pattern, entity))
    leading = {*place.partition, *place.lead, *place.when}
    return effect.upsert and (leading <= {*effect.by, *changed} or bool(changed & place.attributes))


def needed(facts: Facts, pattern: PatternSpec, entity: str, places: Sequence[Place]) -> set[str]:
    """The attributes that have to be read first, because the caller does not know them."""
    effect = effect_on(facts, pattern, entity)
    if effect.op == "put":
        held = {name for each in places if each.index is None for name in each.attributes}
        return held - facts.fixed[entity] if replaces(facts, pattern, entity) else set()
    found = {name for each in places if each.index is None for name in each.attributes}
    if effect.op == "update":
        changed = set(written_attributes(facts, pattern, entity))
        if changed & found:
            found = set(facts.spec.entities[entity].attributes)
        follows = {name for each in places if each.index for name in _refill_needs(facts, pattern, entity, each)}
        named = {ours for parent in effect.parents for _, ours in parent.named}
        found |= (follows | named) - _settled(effect)
    return found - certain(facts, pattern, entity)


def _settled(effect: Effect) -> set[str]:
    """What an update leaves with a value that is known without the old one."""
    if effect.gives_any:
        return set()
    return {each.attr for each in effect.changes if each.kind != "add"}


def _refill_needs(facts: Facts, pattern: PatternSpec, entity: str, place: Place) -> Iterable[str]:
    partition, sort = refilled(facts, pattern, entity, place)
    if not (partition or sort):
        return
    if partition:
        yield from (*place.partition, *place.ids)
    if sort:
        yield from place.sort
    if not _always_in(facts, entity, place):
        yield from (*place.partition, *place.lead, *place.when)


def companion_needs(facts: Facts, pattern: PatternSpec, entity: str, keys: set[str], followed: set[str]) -> set[str]:
    """The same for what is written along: all that a sentinel or total is made of, when that changes or goes.

    A total takes what is added to one of its values as it is, whatever that value was. Of what a put replaces even the
    id is news: that there was one; so it is of what a transaction deletes if it is there.
    """
    operation = operation_on(facts, pattern, entity)
    held = keys | followed
    is_upsert = effect_on(facts, pattern, entity).upsert
    if is_upsert and not touches_companion(facts, pattern, entity, keys, followed):
        return set()
    if is_upsert or may_be_gone(facts, pattern, entity) or replaces(facts, pattern, entity):
        return {*facts.spec.entities[entity].id, *held}  # whether there is one at all
    if operation == "delete":
        return held - certain(facts, pattern, entity)
    if operation != "update" or not set(written_attributes(facts, pattern, entity)) & held:
        return set()
    moves = set(written_attributes(facts, pattern, entity)) & keys
    added = set[str]() if moves else set(additions(facts, pattern, entity))
    return held - added - certain(facts, pattern, entity)


def touches_companion(
    facts: Facts, pattern: PatternSpec, entity: str, keys: Iterable[str], followed: Iterable[str]
) -> bool:
    """Whether an update that may make its item has to do with what is written along: it changes what that is made of,
    or an item that it makes has all of its key. What else an item has, one that is new lacks and another one keeps.
    """
    changed, named = set(written_attributes(facts, pattern, entity)), set(keys)
    return bool(changed & {*named, *followed}) or named <= {*effect_on(facts, pattern, entity).by, *changed}


def moved_by(facts: Facts, pattern: PatternSpec, shape: Shape) -> set[str]:
    """The attributes of a key that a write changes."""
    return changed_by(facts, pattern, shape.entity) & set(shape.watched)
