"""How many and how large: what a partition, an answer and an item are estimated to hold."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from tablewright.architect.spec.assume import TEXT_CARDINALITY, TYPE_BYTES, Facts

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    if name in facts.references[entity]:
        return min(count, facts.counts[facts.references[entity][name]])
    return min(count, TEXT_CARDINALITY)


def distinct(facts: Facts, entity: str, names: Iterable[str]) -> float:
    """How many different combinations of values there are."""
    wanted = set(names)
    count = facts.counts[entity]
    if wanted >= set(facts.spec.entities[entity].id):
        return count
    return max(1.0, min(count, prod(cardinality(facts, entity, name) for name in sorted(wanted))))


def matching(facts: Facts, entity: str, names: Iterable[str]) -> float:
    """How many items share one combination of values, on average."""
    return max(1.0, facts.counts[entity] / distinct(facts, entity, names))


def presence(facts: Facts, entity: str, name: str) -> float:
    """The share of items that have an attribute; all of them where nothing is said, which is never too little."""
    said = facts.attribute(entity, name).presence
    return 1.0 if said is None or name in facts.present[entity] else said
