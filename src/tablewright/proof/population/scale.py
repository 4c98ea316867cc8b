"""The same application, smaller: fewer parents, whole collections.

Every count is taken down by one factor, children by that of their parents, so that each parent keeps its children. What
is a fixed set stays as it is: enumerations, and numbers of values that are small.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.proof.population.kin import kin_of, parents_first

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import AttributeSpec, EntitySpec, RelationshipSpec, Spec

Shares: TypeAlias = Mapping[str, float]  # by entity: of its items, those that are left
FEWEST = 3
"""So many items of an entity are left, where there were as many."""
STEP, STEPS = 0.9, 60
"""Factors that are tried, each so many times the last."""
FIXED_SET = 20
"""Up to so many values are taken for a set that does not grow with the items."""
EDGES = 0.5
"""Of all that an item could have an edge to, the most that it has on average."""
WHOLE = 0.9
"""Collections that have kept so much of their length are taken for whole: counts are rounded."""
FOLLOWED = 3.0
"""Children follow the count of their parents, unless that leaves so many times more of them than of others."""


def shares_for(facts: Facts, most_items: int) -> Shares:
    """What is left of every entity, so that all items together are as many as can be, but not more than said."""
    names = [name for name, each in facts.spec.entities.items() if each.kind == "entity"]
    total = sum(facts.counts[name] for name in names)
    if total <= most_items:
        return dict.fromkeys(names, 1.0)
    tried = [_shares_at(facts, names, STEP**at * most_items / total) for at in range(-10, STEPS)]
    fitting = [each for each in tried if _total(facts, each) <= most_items]
    return max(fitting or tried[-1:], key=lambda each: _total(facts, each))


def _total(facts: Facts, shares: Shares) -> float:
    return sum(facts.counts[name] * share for name, share in shares.items())


def _shares_at(facts: Facts, names: list[str], factor: float) -> dict[str, float]:
    found: dict[str, float] = {}
    for name in (each for each in parents_first(facts) if each in names):
        above = [found[each] for each in _parents_of(facts, name) if each in found]
        wanted = next((each for each in above if each <= FOLLOWED * factor), factor)
        count = facts.counts[name]
        left = min(count, max(min(count, FEWEST), round(count * wanted)), _most_edges(facts, name, found))
        found[name] = left / count
    return found


def _most_edges(facts: Facts, name: str, shares: Shares) -> float:
    """Of edges, which are told apart by the items that they name, no more than a share of all that there could be."""
    ids = facts.spec.entities[name].id
    ends = [each for each in kin_of(facts, name) if set(each.names) <= set(ids) and each.parent in shares]
    if len(ends) < 2 or {attr for each in ends for attr in each.names} != set(ids):
        return float("inf")
    return max(1.0, round(EDGES * prod(facts.counts[each.parent] * shares[each.parent] for each in ends)))


def _parents_of(facts: Facts, name: str) -> list[str]:
    """Those of relationships, the most numerous first: it is their collections that must stay whole."""
    related = {each.source for each in facts.spec.relationships if (each.via or each.target) == name}
    return sorted(related - {name}, key=lambda each: (-facts.counts.get(each, 0.0), each))


def resized(spec: Spec, facts: Facts, shares: Shares) -> Spec:
    """A spec with the counts that are left. `facts` are those of the whole; `spec` may be in the stored form."""
    entities = {name: _resized_entity(each, facts, shares) for name, each in spec.entities.items()}
    relations = tuple(_resized_relation(each, shares) for each in spec.relationships)
    return msgspec.structs.replace(spec, entities=entities, relationships=relations)


def _resized_relation(relation: RelationshipSpec, shares: Shares) -> RelationshipSpec:
    """Where children became fewer than their parents did, collections are shorter: nothing else is left to do.

    Of collections that have hardly more than one item none is in the middle of others.
    """
    parents, children = shares.get(relation.source, 1.0), shares.get(relation.via or relation.target, 1.0)
    if relation.avg is None or children >= parents * WHOLE:
        return relation
    share = children / parents
    middle = None if relation.p50 is None or relation.p50 * share < 1.0 else relation.p50 * share
    return msgspec.structs.replace(relation, avg=max(1.0, relation.avg * share), p50=middle)


def _resized_entity(entity: EntitySpec, facts: Facts, shares: Shares) -> EntitySpec:
    share = shares.get(entity.of or entity.name, 1.0)
    count = facts.counts.get(entity.name, entity.count or 1.0)
    added = entity.growth_per_month or facts.created.get(entity.name)  # the same calendar, with fewer items a day
    return msgspec.structs.replace(
        entity,
        count=max(1.0, round(count * share)),
        growth_per_month=added * share if added else None,
        attributes={name: _resized_attribute(each, share) for name, each in entity.attributes.items()},
    )


def _resized_attribute(attribute: AttributeSpec, share: float) -> AttributeSpec:
    if attribute.cardinality is None or attribute.cardinality <= FIXED_SET:
        return attribute
    return msgspec.structs.replace(attribute, cardinality=max(1, round(attribute.cardinality * share)))
