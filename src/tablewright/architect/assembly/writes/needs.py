"""What must be known of an item before it is changed or deleted: decided from keys alone, for requests and for prices.

A key field is filled again when an attribute it follows from changes, and then all of its attributes must be known. An
item that may enter or leave an index (its partition or lead can be absent, or it is sparse) has both fields filled
again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.writes.given import value_names, written_attributes
from tablewright.design.buckets import Bucket
from tablewright.design.cost.units.effects import operation_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


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


def always_in(facts: Facts, entity: str, place: Place) -> bool:
    return not place.when and facts.present[entity] >= {*place.partition, *place.lead}


def refilled(facts: Facts, entity: str, place: Place, changed: set[str]) -> tuple[bool, bool]:
    """Whether the partition field of an index is filled again, and whether the sort field is."""
    if not changed & place.attributes:
        return False, False
    if not always_in(facts, entity, place):
        return True, True
    return bool(changed & {*place.partition, *place.ids}), bool(changed & set(place.sort))


def needed(facts: Facts, pattern: PatternSpec, entity: str, places: Sequence[Place]) -> set[str]:
    """The attributes that have to be read first, because the caller does not know them."""
    operation = operation_on(facts, pattern, entity)
    if operation == "put":
        return set()
    found = {name for each in places if each.index is None for name in each.attributes}
    if operation == "update":
        changed = set(written_attributes(facts, pattern, entity))
        if changed & found:
            found = set(facts.spec.entities[entity].attributes)
        given = changed if pattern.changes is not None else set[str]()
        found |= {name for each in places if each.index for name in refill_needs(facts, entity, each, changed)} - given
    return found - certain(facts, pattern, entity)


def refill_needs(facts: Facts, entity: str, place: Place, changed: set[str]) -> Iterable[str]:
    partition, sort = refilled(facts, entity, place, changed)
    if not (partition or sort):
        return
    if partition:
        yield from (*place.partition, *place.ids)
    if sort:
        yield from place.sort
    if not always_in(facts, entity, place):
        yield from (*place.partition, *place.lead, *place.when)


def companion_needs(facts: Facts, pattern: PatternSpec, entity: str, held: set[str]) -> set[str]:
    """The same for what is written along: all that a sentinel or total is made of, when that changes or goes."""
    operation = operation_on(facts, pattern, entity)
    touched = operation == "delete" or (
        operation == "update" and bool(set(written_attributes(facts, pattern, entity)) & held)
    )
    return held - certain(facts, pattern, entity) if touched else set()
