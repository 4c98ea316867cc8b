"""The key shapes an entity may have: every set of attributes a read could be asked by, and every order behind it."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import combinations, permutations
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.architect.plans.likeness import likeness_of
from tablewright.architect.plans.values import Shapes
from tablewright.design.serving.filters import equalities, with_keyed
from tablewright.design.serving.shapes import Shape
from tablewright.design.serving.writes import as_question, operation_on, replaces
from tablewright.spec.holding import fits, unholdable
from tablewright.spec.remember import recent
from tablewright.spec.writes import effect_on, is_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Spec

Blocks: TypeAlias = tuple[frozenset[str], ...]

FEW_ITEMS = 1_000
"""So many may lie in one partition of the table, though each is read by its id."""
MOST_MERGES = 200
"""Block lists of one entity and partition set; merging stops there, which only very odd specs reach."""


def _subsets(names: Iterable[str], order: Mapping[str, tuple[bool, int]], *, least: int) -> Iterator[tuple[str, ...]]:
    ordered = sorted(set(names), key=order.__getitem__)
    for size in range(least, len(ordered) + 1):
        yield from combinations(ordered, size)


# ---- what a pattern wants of a sort key ----------------------------------------------------------------------------


def _wanted_blocks(pattern: PatternSpec, partition: tuple[str, ...]) -> Iterator[Blocks]:
    """Sets of attributes that the sort key must begin with, one set after the other; order inside a set is free."""
    inputs = frozenset(pattern.by) - set(partition)
    sorts = [each.attr for each in pattern.sort if each.attr not in pattern.by]
    ranged = pattern.range.attr if pattern.range and pattern.range.attr not in pattern.by else None
    first = [inputs] if inputs else []
    if ranged is not None and (not sorts or sorts[0] == ranged):
        yield (*first, frozenset({ranged}), *(frozenset({name}) for name in sorts if name != ranged))
    else:
        yield (*first, *(frozenset({name}) for name in sorts))
        if ranged is not None and not sorts:
            yield (*first, frozenset({ranged}))


def _merge_blocks(one: Blocks, other: Blocks) -> Blocks | None:
    """Blocks that begin with both; None when they contradict."""
    if not one or not other:
        return one or other
    a, b = one[0], other[0]
    if not (a <= b or b <= a):
        return None
    common = a & b
    left = one[1:] if a == common else (a - common, *one[1:])
    right = other[1:] if b == common else (b - common, *other[1:])
    behind = _merge_blocks(left, right)
    return None if behind is None else (common, *behind)


def _block_key(blocks: Blocks) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sorted(block)) for block in blocks)


def _close(lists: Iterable[Blocks]) -> list[Blocks]:
    """All that can be had by merging, so that one key can serve several patterns."""
    found = sorted(set(lists), key=_block_key)
    for one in found:  # grows while it is gone through
        if len(found) > MOST_MERGES:
            break
        for other in list(found):
            both = _merge_blocks(one, other)
            if both is not None and both not in found:
                found.append(both)
    return sorted(found, key=_block_key)


def _linear(blocks: Blocks, order: Mapping[str, tuple[bool, int]]) -> tuple[str, ...]:
    return tuple(name for block in blocks for name in sorted(block, key=order.__getitem__))


def _behind(blocks: Blocks, lead: tuple[str, ...]) -> Blocks | None:
    """What is left of blocks once the lead has been written; None when the lead does not fit them."""
    left = blocks
    for name in lead:
        if not left:
            return ()
        if name not in left[0]:
            return None
        rest = left[0] - {name}
        left = (rest, *left[1:]) if rest else left[1:]
    return left


# ---- shapes of an entity -------------------------------------------------------------------------------------------


def shapes_of(facts: Facts, entity: str) -> Shapes:
    spec, order = facts.spec, _spoken_order(facts.spec)
    plain = [each for each in spec.reads if entity in each.entities]
    filtered = [each for each in plain if each.filter and each.kind == "query" and len(each.entities) == 1]
    reads = [*plain, *(with_keyed(each, equalities(each)) for each in filtered)]
    reads += [each for each in locating(facts, entity) if each.by and not set(spec.entities[entity].id) <= set(each.by)]
    leads = _collection_leads(facts, reads)
    lists: dict[tuple[str, ...], set[Blocks]] = {}
    for pattern in reads:
        for partition in _subsets(pattern.by, order, least=1 if pattern.by else 0):
            lists.setdefault(partition, set()).update(_own_blocks(pattern, partition, entity, facts))
    found: set[Shape] = set()
    for partition, wanted in lists.items():
        for blocks in _close(wanted):
            for lead in ((), *leads.get(partition, ())):
                left = _behind(blocks, lead)
                if left is not None:
                    found.add(Shape(entity, partition, lead, _linear(left, order)))
    for partition, several in leads.items():
        found.update(Shape(entity, partition, lead) for lead in several)
    ordered = sorted(shape for shape in found if _can_hold(facts, shape))
    is_number = spec.entities[entity].kind in (
        "total",
        "trailing",
        "latest",
    )  # whose table key is all that its reads give
    return Shapes(base=tuple(_base_shapes(facts, entity, ordered)), index=() if is_number else tuple(ordered))


def _can_hold(facts: Facts, shape: Shape) -> bool:
    """Whether keys hold all that is said of the values: what they cannot is left to a filter."""
    entity = facts.spec.entities[shape.entity]
    if any(any(unholdable(facts.spec, entity.attributes[name])) for name in shape.attributes):
        return False
    return fits(entity, shape.partition, shape.sort)


def locating(facts: Facts, entity: str) -> Iterator[PatternSpec]:
    """Writes of an entity as questions: where the items are that the writer means."""
    ids = set(facts.spec.entities[entity].id)
    for write in facts.spec.writes:
        if write.cascade_of:  # finds what it deletes by a read of its own
            continue
        if entity not in write.entities or operation_on(facts, write, entity) == "put":  # which is given the whole key
            continue
        if write.op != "transact" or ids <= set(write.by):
            yield as_question(facts, write, entity)


def _own_blocks(pattern: PatternSpec, partition: tuple[str, ...], entity: str, facts: Facts) -> Iterator[Blocks]:
    """A pattern over several entities wants of each only what it has."""
    known = facts.spec.entities[entity].attributes
    for blocks in _wanted_blocks(pattern, partition):
        kept = tuple(frozenset(block & known.keys()) for block in blocks)
        yield tuple(block for block in kept if block)


def _collection_leads(facts: Facts, reads: Iterable[PatternSpec]) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """By partition set: the leads under which several entities can be read together."""
    leads: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    order = _spoken_order(facts.spec)
    for pattern in reads:
        if len(pattern.entities) < 2:
            continue
        for partition in _subsets(pattern.by, order, least=1 if pattern.by else 0):
            inputs = [name for name in sorted(pattern.by) if name not in partition]
            for lead in permutations(inputs):
                leads.setdefault(partition, set()).update({lead, (*lead, *_common_order(facts, pattern))})
    return {partition: sorted(found) for partition, found in sorted(leads.items())}


def _common_order(facts: Facts, pattern: PatternSpec) -> tuple[str, ...]:
    """The attributes by which an answer of several entities is ordered, where all of them have these."""
    names = [each.attr for each in pattern.sort] or ([pattern.range.attr] if pattern.range else [])
    everywhere = [all(name in facts.spec.entities[each].attributes for each in pattern.entities) for name in names]
    return tuple(names) if names and all(everywhere) else ()


def _base_shapes(facts: Facts, entity: str, shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Shapes that identify an item and never change: with the rest of the id behind, and every split of the id."""
    ids = facts.spec.entities[entity].id
    stable = facts.present[entity] if can_move(facts, entity) else table_key_attributes(facts, entity)
    tenants = _tenants_of(facts, entity)
    splits = (
        Shape(entity, part, (), tuple(name for name in ids if name not in part))
        for part in _subsets((*ids, *tenants), _spoken_order(facts.spec), least=1)
    )
    seen: set[Shape] = set()
    for shape in (*splits, *shapes):
        missing = tuple(name for name in ids if name not in shape.attributes)
        whole = msgspec.structs.replace(shape, rest=(*shape.rest, *missing))
        if not whole.partition and _is_too_many(facts, entity):
            continue
        if whole not in seen and stable >= set(whole.attributes) and tenants <= set(whole.partition):
            seen.add(whole)
            yield whole


def _is_too_many(facts: Facts, entity: str) -> bool:
    """Whether a list of everything is no reason for one partition with all items in the table: an index can have it."""
    listed = [each for each in facts.spec.reads if entity in each.entities and not each.by]
    needs_table = any(each.consistency == "strong" for each in listed) or not facts.spec.constraints.max_gsis
    return facts.counts[entity] > FEW_ITEMS and not needs_table


def table_key_attributes(facts: Facts, entity: str) -> set[str]:
    """What an id always comes with: a put replaces the item, so that anything else may be another value next time.

    Whoever is held to a tenant writes nothing of another one's, so that an item keeps its tenant. What an update may
    make of nothing has only its id.
    """
    if any(effect_on(facts, each, entity).existence == "any" for each in _updates_of(facts, entity)):
        return set(facts.spec.entities[entity].id)
    return {*facts.fixed[entity], *_tenants_of(facts, entity)} & facts.present[entity]


def can_move(facts: Facts, entity: str) -> bool:
    """Whether items may lie under a key that changes, with a pointer to them.

    Not where item and pointer would expire each by itself, where things lie in the item, where the pointer would lie
    outside of what a tenant may write, nor where a put has to know the item besides.
    """
    spec = facts.spec.entities[entity]
    puts = [each for each in facts.writes if entity in each.entities and replaces(facts, each, entity)]
    return (
        spec.kind == "entity"
        and spec.ttl is None
        and spec.version is None
        and not spec.holds
        and _tenants_of(facts, entity) <= set(spec.id)
        and not any(is_list(facts, each, entity) or effect_on(facts, each, entity).when for each in puts)
        and not any(effect_on(facts, each, entity).existence == "any" for each in _updates_of(facts, entity))
    )


def _updates_of(facts: Facts, entity: str) -> Iterator[PatternSpec]:
    return (each for each in facts.writes if entity in each.entities and operation_on(facts, each, entity) == "update")


def _tenants_of(facts: Facts, entity: str) -> set[str]:
    """The attributes that keep the tenants of an entity apart when it is written."""
    known = facts.spec.entities[entity].attributes
    named = [each.tenant for each in facts.spec.writes if entity in each.entities]
    return {name for name in named if name is not None and name in known}


# ---- the order of attributes where any would do ---------------------------------------------------------------------
# As people would say them. The tenant comes first, so that a policy can hold a caller to it; then every id in its own
# order (an owner before the repository, the repository before its issues), and what no id orders as it is used. The
# same attributes have the same order all over a design, whatever the order of its entities.


@recent(8)
def _spoken_order(spec: Spec) -> dict[str, tuple[bool, int]]:
    """By attribute: what to sort it by."""
    tenants = {each.tenant for each in spec.patterns}
    return {name: (name not in tenants, place) for place, name in enumerate(_after_ids(spec))}


def _after_ids(spec: Spec) -> list[str]:
    """All attributes, none before one that precedes it in an id; circles are cut anywhere."""
    alike = likeness_of(spec).attributes
    before: dict[str, set[str]] = {name: set() for each in spec.entities.values() for name in each.attributes}
    for entity in spec.entities.values():
        for first, second in zip(entity.id, entity.id[1:], strict=False):
            before.setdefault(first, set())
            before.setdefault(second, set()).add(first)
    ready = [(alike.get(name, 0), name) for name, earlier in before.items() if not earlier]
    heapify(ready)
    found: dict[str, None] = {}
    while len(found) < len(before):
        _, name = heappop(ready) if ready else min((alike.get(each, 0), each) for each in before if each not in found)
        if name not in found:
            found[name] = None
            for other, earlier in before.items():
                if name in earlier and other not in found and earlier <= found.keys():
                    heappush(ready, (alike.get(other, 0), other))
    return list(found)
