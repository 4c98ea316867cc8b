"""Estimated numbers and sizes: bytes of items, distinct values, and items per key."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.facts import TEXT_CARDINALITY, TYPE_BYTES, Facts
from tablewright.wire.limits import TTL_DELETION_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable

DAYS_PER_MONTH = 730 / 24
"""Of the month that prices are told for."""
LINGER_DAYS = TTL_DELETION_SECONDS / 86_400
FURTHEST_MONTHS = 36
"""A collection that must stay below a limit has to do so for three years."""
KEY_BYTES = 60
"""Composed keys and identifiers that every stored item carries besides its attributes."""


def attribute_bytes(facts: Facts, entity: str, name: str) -> int:
    """Name and value of one attribute."""
    attribute = facts.attribute(entity, name)
    return len(name.encode()) + (attribute.size_bytes or TYPE_BYTES[attribute.type])


def item_bytes(facts: Facts, entity: str) -> int:
    """An item with its keys, as it is billed."""
    said = facts.spec.entities[entity].size_bytes
    attributes = facts.spec.entities[entity].attributes
    return said or KEY_BYTES + sum(attribute_bytes(facts, entity, name) for name in attributes)


def cardinality(facts: Facts, entity: str, name: str) -> float:
    """How many different values an attribute takes among all items."""
    attribute = facts.attribute(entity, name)
    count = facts.counts[entity]
    if attribute.cardinality:
        return min(count, float(attribute.cardinality))
    if attribute.values:
        return float(len(attribute.values))
    if attribute.type == "boolean":
        return 2.0
    if (name,) == facts.spec.entities[entity].id or attribute.type == "timestamp":
        return count
    parent = facts.references[entity].get(name)
    if parent is not None:
        return min(count, _references_to(facts, parent, name))
    return min(count, TEXT_CARDINALITY)


def _references_to(facts: Facts, parent: str, name: str) -> float:
    """How many different values a reference takes: one for every parent, unless it is a part of the parent's id."""
    ids = facts.spec.entities[parent].id
    return cardinality(facts, parent, name) if len(ids) > 1 and name in ids else facts.counts[parent]


def distinct(facts: Facts, entity: str, names: Iterable[str]) -> float:
    """How many different combinations of values there are; the whole id of another entity has as many as there are."""
    left = set(names)
    count = facts.counts[entity]
    if left >= set(facts.spec.entities[entity].id):
        return count
    found = 1.0
    for other in sorted(facts.spec.entities.values(), key=lambda each: (-len(each.id), each.name)):
        if other.name != entity and len(other.id) > 1 and left >= set(other.id):
            found *= facts.counts[other.name]
            left -= set(other.id)
    return max(1.0, min(count, found * prod(cardinality(facts, entity, name) for name in sorted(left))))


def matching(facts: Facts, entity: str, names: Iterable[str]) -> float:
    """How many items share one combination of values, on average."""
    return max(1.0, facts.counts[entity] / distinct(facts, entity, names))


def presence(facts: Facts, entity: str, name: str) -> float:
    """The share of items that have an attribute; 1 where the spec says nothing, the safe estimate."""
    said = facts.attribute(entity, name).presence
    return 1.0 if said is None or name in facts.present[entity] else said


def share_when(facts: Facts, entity: str, when: Iterable[tuple[str, str]]) -> float:
    """The share of items that have these values (as JSON), or any where it is empty."""
    return prod(_share_with(facts, entity, name, value) for name, value in when)


def _share_with(facts: Facts, entity: str, name: str, value: str) -> float:
    """The selectivity of a filter on this value alone where the spec gives one, else one over the cardinality."""
    if not value:
        return presence(facts, entity, name)
    wanted = {name: msgspec.json.decode(value)}
    said = [each.selectivity for each in facts.spec.reads if entity in each.entities and each.filter == wanted]
    return min((each for each in said if each is not None), default=1 / cardinality(facts, entity, name))


# ---- time -----------------------------------------------------------------------------------------------------------


def lifetime_months(facts: Facts, entity: str) -> float | None:
    """How old items become that expire, until DynamoDB has deleted them."""
    ttl = facts.spec.entities[entity].ttl
    return None if ttl is None or ttl.days is None else (ttl.days + LINGER_DAYS) / DAYS_PER_MONTH


def span_months(facts: Facts, entity: str) -> float:
    """How old items become, as far as anyone looks ahead."""
    return min(float(FURTHEST_MONTHS), lifetime_months(facts, entity) or FURTHEST_MONTHS)
