"""How large items and index entries are at least, before it is known what else they are keyed by.

An item has its attributes, the keys of the table, and the keys of every index it is in. The search begins with what an
item has in any design and adds the keys that it chooses (`architect.search.bill`), so that a sum is never more than
what the bill says of the same design.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from tablewright.design.cost.units.entries import attributes_bytes, membership, value_bytes
from tablewright.design.layout.names import MODEL_VERSION, fixed_attributes, index_fields, subject, word
from tablewright.design.serving.shapes import Shape
from tablewright.spec.remember import remembered
from tablewright.spec.volumes import attribute_bytes, presence, said_presence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.spec.facts import Facts

_FIRST_INDEX = "gsi1"


@remembered
def least_item_bytes(facts: Facts, entity: str) -> int:
    """An item that is in no index, under the shortest key that tells it apart; a size in the spec is taken as it is."""
    spec = facts.spec.entities[entity]
    return spec.size_bytes or bare_bytes(facts, entity) + least_key_bytes(facts, entity)


@remembered
def bare_bytes(facts: Facts, entity: str) -> int:
    """An item without any keys."""
    return attributes_bytes(facts, entity, fixed_attributes(facts.spec.constraints.key_style, entity))


@remembered
def least_key_bytes(facts: Facts, entity: str) -> int:
    return table_key_bytes(facts, Shape(entity, facts.spec.entities[entity].id))


def table_key_bytes(facts: Facts, shape: Shape) -> int:
    return sum(map(len, index_fields(None))) + _text_bytes(facts, shape)


def index_key_bytes(facts: Facts, shape: Shape) -> float:
    """What an item has on average for its place in an index: nothing, where attributes may be keys themselves."""
    return membership(facts, shape) * _entry_key_bytes(facts, shape)


def _entry_key_bytes(facts: Facts, shape: Shape) -> int:
    if facts.spec.constraints.multi_attribute_keys:
        return 0
    return sum(map(len, index_fields(_FIRST_INDEX))) + _text_bytes(facts, shape)


def entry_bytes(facts: Facts, shape: Shape, projected: Iterable[str] | None = None) -> float:
    """An index entry: the whole item with the keys of this index, or keys and what is projected besides."""
    said = facts.spec.entities[shape.entity].size_bytes
    whole = said or least_item_bytes(facts, shape.entity) + index_key_bytes(facts, shape)
    if projected is None:
        return whole
    held = sum(attribute_bytes(facts, shape.entity, name) * presence(facts, shape.entity, name) for name in projected)
    return min(whole, least_key_bytes(facts, shape.entity) + _entry_key_bytes(facts, shape) + held)


def copy_bytes(facts: Facts, shape: Shape) -> int:
    """A second item has the keys of the table, and of no index."""
    said = facts.spec.entities[shape.entity].size_bytes
    return said or bare_bytes(facts, shape.entity) + table_key_bytes(facts, shape)


def _text_bytes(facts: Facts, shape: Shape) -> int:
    """The texts of a key in the spec's style: labels, delimiters and values."""
    names = (*shape.partition, *shape.lead, *shape.rest)
    values = sum(value_bytes(facts, shape.entity, name) for name in names) - _absent_bytes(facts, shape)
    if facts.spec.constraints.key_style == "electrodb":
        around = f"${facts.spec.name}${shape.entity}_{MODEL_VERSION}" + "".join(f"#{name}_" for name in names)
    else:
        label = "+".join(subject(name) for name in shape.partition) or word(shape.entity)
        around = label + word(shape.entity) + "#" * len(names)
    return len(around.encode()) + values


def _absent_bytes(facts: Facts, shape: Shape) -> int:
    """What keys lack on average that end where an absent attribute would stand, rounded up: it is taken off a bound."""
    lacking, there = 0.0, 1.0
    for name in shape.rest:
        label = len(name.encode()) + 2  # `#`, the name and `_`, at most
        lacking += (1.0 - there) * label
        there *= said_presence(facts, shape.entity, name)
        lacking += (1.0 - there) * value_bytes(facts, shape.entity, name)
    return ceil(lacking)
