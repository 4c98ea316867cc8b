"""What no request does along: children of an item that is deleted, and what belongs to an item that expires.

DynamoDB deletes an expired item alone, and a delete of a parent leaves its children. Whoever reads the table's stream
can follow: that is what a design asks a stream for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.facts import reference_attributes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.model import ItemType
    from tablewright.spec.model import RelationshipSpec, Spec


class Cascade(msgspec.Struct, frozen=True):
    """Items of `child` go when the item of `parent` goes that they name: by attribute of the child, the parent's."""

    parent: str
    child: str
    references: Mapping[str, str]


def companions(items: Iterable[ItemType], entity: str) -> list[ItemType]:
    """What is written along with an entity, in items of its own."""
    return [each for each in items if each.entity == entity and each.is_written_along]


def cascades(spec: Spec, items: Iterable[ItemType]) -> list[Cascade]:
    """Of relationships that say so; what lies inside its parent goes with it anyway."""
    apart = {each.entity for each in items if each.kind == "entity"}
    found = [each for relationship in spec.relationships for each in cascades_of(spec, relationship)]
    return [each for each in found if each.child in apart and each.references]


def cascades_of(spec: Spec, relationship: RelationshipSpec) -> Iterator[Cascade]:
    """What connects two entities goes with either."""
    if not relationship.cascade:
        return
    via = relationship.via
    pairs = [(relationship.source, via or relationship.target), *([(relationship.target, via)] if via else [])]
    for parent, child in pairs:
        owner, owned = spec.entities.get(parent), spec.entities.get(child or "")
        if owner is not None and owned is not None:
            names = reference_attributes(spec, owned, owner, relationship)
            theirs = owner.id if len(names) == len(owner.id) else ()
            yield Cascade(parent, owned.name, dict(zip(names, theirs, strict=False)))


def expiring(items: Iterable[ItemType]) -> list[ItemType]:
    """Entities whose items vanish, but not what was written along with them."""
    every = list(items)
    return [
        each
        for each in every
        if each.kind == "entity"
        and each.ttl_days is not None
        and any(other.ttl_days is None for other in companions(every, each.entity))
    ]


def stream_reasons(spec: Spec, items: Iterable[ItemType]) -> Iterator[str]:
    every = list(items)
    for cascade in cascades(spec, every):
        yield f"{cascade.child} items go with their {cascade.parent}"
    for each in expiring(every):
        along = ", ".join(other.name for other in companions(every, each.entity) if other.ttl_days is None)
        yield f"{along} must follow when a {each.name} expires"
