"""A spec in parts: entities that some read answers together share a table, the others need not.

Transactions reach across tables at the same price, so that only reads join. A write that touches several groups is in
each of them with the part that is theirs, under the same id; what a delete goes on to is in the group of the children.
Counts and references that followed from entities of
other groups are written into the part, so that nothing is assumed anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.serving.answers import answer_items
from tablewright.design.serving.cascades import cascade_patterns, cascade_steps
from tablewright.design.serving.writes import failure_share, written_together
from tablewright.spec.listing import as_list, entities_read
from tablewright.spec.model import EntityWrite
from tablewright.spec.parents import parents_asked
from tablewright.spec.writes import effect_on, effects_of, is_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import AttributeSpec, EntitySpec, PatternSpec, Spec

Group = tuple[str, ...]

WORTH_SHARE = 0.1
WORTH_USD = 5.0
"""Several tables are recommended when they save more than this share of the bill, and more than so many dollars."""


def table_name(facts: Facts, group: Group) -> str:
    return f"{facts.spec.name}-{_lead_of(facts.spec, group)}"


def _lead_of(spec: Spec, group: Group) -> str:
    """The entity that most reads ask for."""
    return max(group, key=lambda name: (sum(name in each.entities for each in spec.reads), -group.index(name)))


def part_named(facts: Facts, group: Group, table: str) -> Spec:
    """A group as a spec that is called like its table."""
    return msgspec.structs.replace(part_of(facts, group), name=table)


def groups_of(facts: Facts) -> tuple[Group, ...]:
    """Entities joined by reads, by values that are unique across them, or by writes that check a parent."""
    order = list(facts.spec.entities)
    found = [tuple(sorted(group, key=order.index)) for group in _merged(facts, _ties(facts))]
    return tuple(sorted(found, key=lambda group: order.index(group[0])))


def joined(facts: Facts) -> list[set[str]]:
    """Entities whose bills depend on each other: groups as above, joined by whatever writes several of them too."""
    written = [set(each.entities) for each in facts.writes]
    cascading = [{each.source, each.target} for each in facts.spec.relationships if each.cascade]
    return _merged(facts, [*_ties(facts), *written, *cascading])


def _ties(facts: Facts) -> list[set[str]]:
    read = [_read_together(facts, pattern) for pattern in facts.spec.reads]
    across = [{name for name, _ in group} for group in facts.spec.unique]
    checked = [
        {effect.entity, *(parent.entity for parent in effect.parents)}
        for pattern in facts.writes
        for effect in effects_of(facts, pattern)
    ]
    return [*read, *across, *checked]


def _merged(facts: Facts, ties: Iterable[set[str]]) -> list[set[str]]:
    groups = [{name} for name in facts.spec.entities]
    for tie in ties:
        touched = [group for group in groups if group & tie]
        groups = [group for group in groups if group not in touched] + [set[str]().union(*touched)]
    return groups


def _read_together(facts: Facts, pattern: PatternSpec) -> set[str]:
    """The entities of a read, its list's, those it has answers of, and a parent read first because it has an input."""
    found = {*entities_read(facts.spec, pattern), *(each.parent for each in parents_asked(facts.spec, pattern))}
    for name in pattern.entities if pattern.through is None else ():
        foreign = [each for each in pattern.by if each not in facts.spec.entities[name].attributes]
        parents = set(facts.references[name].values())
        found |= {each for each in parents if any(attr in facts.spec.entities[each].attributes for attr in foreign)}
    return found


def part_of(facts: Facts, group: Group) -> Spec:
    """A group as a spec that stands by itself."""
    spec = facts.spec
    return msgspec.structs.replace(
        spec,
        entities={name: _self_contained(facts, spec.entities[name], group) for name in group},
        relationships=tuple(each for each in spec.relationships if (each.via or each.target) in group),
        unique=tuple(each for each in spec.unique if {name for name, _ in each} <= set(group)),
        patterns=(
            *(_own_part(facts, each, group) for each in spec.patterns if set(each.entities) & set(group)),
            *_gone_on_to(facts, group),
        ),
        constraints=msgspec.structs.replace(spec.constraints, tables="single", budget=None),
    )


def _gone_on_to(facts: Facts, group: Group) -> Iterator[PatternSpec]:
    """The reads and deletes of children in this group that go with a parent, wherever that is."""
    for pattern in facts.spec.writes:
        steps = [each for each in cascade_steps(facts, pattern) if each.link.child in group]
        yield from cascade_patterns(facts, steps)


def _self_contained(facts: Facts, entity: EntitySpec, group: Group) -> EntitySpec:
    count = facts.counts[entity.name]
    foreign = {name: parent for name, parent in facts.references[entity.name].items() if parent not in group}
    attributes = {
        name: _referring(attribute, min(count, facts.counts[foreign[name]]))
        if name in foreign
        else _referring_to_any(facts, attribute, count)
        for name, attribute in entity.attributes.items()
    }
    return msgspec.structs.replace(entity, count=count, attributes=attributes)


def _referring(attribute: AttributeSpec, parents: float) -> AttributeSpec:
    """An attribute that names an item of another table: it is there, and takes as many values as there are parents."""
    return msgspec.structs.replace(
        attribute,
        required=True if attribute.required is None else attribute.required,
        cardinality=attribute.cardinality or round(parents),
        references=None,  # the other entity is not in this part, which must be a spec by itself
    )


def _referring_to_any(facts: Facts, attribute: AttributeSpec, count: float) -> AttributeSpec:
    """One that names an item of one of several entities, which may lie in other tables."""
    if not attribute.references_any:
        return attribute
    named = min(count, sum(facts.counts[each] for each in attribute.references_any))
    return msgspec.structs.replace(attribute, references_any=(), cardinality=attribute.cardinality or round(named))


def _with_items(facts: Facts, pattern: PatternSpec) -> PatternSpec:
    """A list of items nobody has counted is taken to be short; a part has counts, so that it must be said there."""
    if pattern.kind != "query":
        return pattern
    counted = {
        name: msgspec.structs.replace(entity, count=facts.counts[name]) for name, entity in facts.spec.entities.items()
    }
    known = msgspec.structs.replace(facts, spec=msgspec.structs.replace(facts.spec, entities=counted))
    asked = as_list(facts.spec, pattern)
    items = [answer_items(facts, asked, name) for name in asked.entities]
    if items == [answer_items(known, asked, name) for name in asked.entities]:
        return pattern
    return msgspec.structs.replace(pattern, items=sum(items))


def _own_write(facts: Facts, pattern: PatternSpec, entity: str) -> EntityWrite:
    """What the write says of one entity, with everything that the pattern says of all of them."""
    effect = effect_on(facts, pattern, entity)
    demanded = [{"new": "not exists", "there": "exists"}.get(effect.existence, "") if effect.op == "put" else ""]
    demanded += [f"{parent.entity} exists" for parent in effect.parents]
    return EntityWrite(
        op=effect.op,
        by=tuple(name for name in pattern.by_of(entity) if name in facts.spec.entities[entity].attributes),
        changes=None if effect.gives_any else effect.changes,
        condition=effect.unread or " and ".join(each for each in demanded if each),
        when="" if effect.when is None else str(effect.when),
        upsert=effect.upsert,
    )


def _own_part(facts: Facts, pattern: PatternSpec, group: Group) -> PatternSpec:
    """Of a write over several groups: the entities of this one, with the inputs and changes that are theirs."""
    mine = tuple(name for name in pattern.entities if name in group)
    if mine == pattern.entities:
        return _with_items(facts, pattern)
    known = {attr for name in mine for attr in facts.spec.entities[name].attributes}
    return msgspec.structs.replace(
        pattern,
        entities=mine,
        by=tuple(name for name in pattern.by if name in known),
        changes=None if pattern.changes is None else tuple(each for each in pattern.changes if each.attr in known),
        ops={name: _own_write(facts, pattern, name) for name in mine} if pattern.op == "transact" else pattern.ops,
        transactional=True,
        failures=failure_share(facts, pattern),
        condition="",
        when="",
        together={name: written_together(facts, pattern, name) for name in mine if is_list(facts, pattern, name)},
    )
