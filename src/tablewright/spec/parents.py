"""Attributes of a parent in an answer: what `Customer.name` and `senderId.name` mean for an item.

`Customer.name` is the attribute of the one Customer that an item names: its attributes hold the parent's whole id.
Where an item names several of them, or one of its own entity, the attribute that names it stands in the place of the
entity: `senderId.name`, `replyTo.text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.schema.places import nearest
from tablewright.spec.facts import reference_attributes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.spec.model import EntitySpec, PatternSpec, Spec


class ParentAttribute(msgspec.Struct, frozen=True):
    """An attribute of a parent; `by` has the attributes of the parent's id, each with the item's own that holds it."""

    name: str  # as it is asked for, and answered
    parent: str
    attribute: str
    by: tuple[tuple[str, str], ...]

    @property
    def own(self) -> tuple[str, ...]:
        """The attributes of the item that name the parent."""
        return tuple(ours for _, ours in self.by)


def is_of_parent(entity: EntitySpec, name: str) -> bool:
    """Whether a name is not the entity's own, but written as a parent's."""
    return name not in entity.attributes and "." in name


def parents_asked(spec: Spec, pattern: PatternSpec) -> tuple[ParentAttribute, ...]:
    """The parents' attributes that a read of one entity returns, in their order."""
    if len(pattern.entities) != 1 or not pattern.is_read:
        return ()
    entity = spec.entities[pattern.entity]
    asked = [name for name in pattern.returns if is_of_parent(entity, name)]
    found = [find_parent_attribute(spec, entity, name) for name in asked]
    return tuple(each for each in found if isinstance(each, ParentAttribute))


def find_parent_attribute(spec: Spec, entity: EntitySpec, name: str) -> ParentAttribute | str:
    """What a name with a dot means for an entity; a text where it means nothing: what is wrong with it."""
    prefix, _, attribute = name.rpartition(".")
    if prefix == entity.name:
        return f'{name} is its own attribute; write "{attribute}".'
    ways = {other.name: _ways_to(spec, entity, other) for other in spec.entities.values()}
    if prefix in entity.attributes:
        parents = [parent for parent, found in ways.items() if (prefix,) in found]
        if len(parents) == 1:
            return _named_by(spec, name, parents[0], (prefix,))
        return _no_id(entity, prefix, attribute, ways)
    if prefix not in spec.entities:
        known = [parent for parent, found in ways.items() if found]
        said = f" Its items name: {', '.join(known)}." if known else ""
        return f'there is no entity "{prefix}".{nearest(prefix, known or spec.entities)}{said}'
    found = ways[prefix]
    return _named_by(spec, name, prefix, found[0]) if len(found) == 1 else _no_way(entity, prefix, attribute, found)


def _ways_to(spec: Spec, entity: EntitySpec, parent: EntitySpec) -> list[tuple[str, ...]]:
    """The attributes of an item that hold a parent's whole id; several where it names several of them."""
    size, found = len(parent.id), list[tuple[str, ...]]()
    for each in spec.relationships:
        if entity.name == (each.via or each.target) and parent.name in (each.source, each.target):
            names = reference_attributes(spec, entity, parent, each)
            found += [names[at : at + size] for at in range(0, len(names), size) if len(names) % size == 0]
    said = tuple(name for name, each in entity.attributes.items() if each.references == parent.name)
    found += [said] if len(said) == size else [(name,) for name in said if size == 1]
    if parent is entity:  # a message that answers another one names it by anything but its own id
        return [names for names in dict.fromkeys(found) if set(names) != set(parent.id)]
    if set(parent.id) <= set(entity.attributes) and not any(set(parent.id) == set(names) for names in found):
        found.append(parent.id)
    return list(dict.fromkeys(parent.id if set(names) == set(parent.id) else names for names in found))


def _named_by(spec: Spec, name: str, parent: str, own: tuple[str, ...]) -> ParentAttribute | str:
    attribute, found = name.rpartition(".")[2], spec.entities[parent]
    if attribute in found.attributes:
        return ParentAttribute(name, parent, attribute, tuple(zip(found.id, own, strict=True)))
    known = ", ".join(found.attributes)
    return f'{parent} has no attribute "{attribute}".{nearest(attribute, found.attributes)} It has: {known}.'


def _no_id(entity: EntitySpec, prefix: str, attribute: str, ways: Mapping[str, list[tuple[str, ...]]]) -> str:
    """An attribute that names nothing by itself, though it may be a part of what does."""
    for parent, found in ways.items():
        if any(prefix in names for names in found):
            return f"{prefix} is a part of the id of {parent}; write {parent}.{attribute}, which is found by all of it."
    return f"{prefix} is no id. Say whose id it is: `references` of {entity.name}.{prefix}."


def _no_way(entity: EntitySpec, parent: str, attribute: str, ways: list[tuple[str, ...]]) -> str:
    if not ways:
        remedy = f"Add a relationship from {parent} to {entity.name}, or an attribute with `references: {parent}`."
        return f"an item of {entity.name} does not name a {parent} by its whole id. {remedy}"
    if all(len(names) == 1 for names in ways):
        choices = " or ".join(f"{each}.{attribute}" for (each,) in ways)
        return f"an item of {entity.name} names several of {parent}. Say which: {choices}."
    choices = " or by ".join(" and ".join(names) for names in ways)
    return f"an item of {entity.name} names several of {parent} (by {choices}); read these by a `batch` of their own."
