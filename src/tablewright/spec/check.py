"""Faults between the parts of a spec: unknown names, ids given twice, inputs that no entity has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.schema.places import nearest
from tablewright.spec.facts import references_of
from tablewright.spec.faults.entities import integrity_faults, reference_faults, unique_across_faults, version_faults
from tablewright.spec.faults.intervals import interval_faults
from tablewright.spec.faults.keys import key_faults
from tablewright.spec.faults.listing import listing_faults
from tablewright.spec.faults.numbers import entity_faults
from tablewright.spec.faults.patterns import pattern_faults
from tablewright.spec.faults.place import SpecFault, unknown_attributes
from tablewright.spec.faults.reads import read_faults
from tablewright.spec.faults.regions import region_faults
from tablewright.spec.faults.relationships import relationship_faults, repeated_faults
from tablewright.spec.faults.values import value_faults
from tablewright.spec.faults.writes import write_faults
from tablewright.spec.listing import as_list, listing_of
from tablewright.spec.parents import find_parent_attribute, is_of_parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import EntitySpec, PatternSpec, RelationshipSpec, Spec

KEYED_FIELDS = ("by", "sort", "range", "tenant")
MEMBERS = "Make its members an entity of their own, and ask for those."
REMEDIES = {
    "map": "Make the part that is asked for an attribute of its own (string, number or timestamp).",
    "list": MEMBERS,
    "set": MEMBERS,
}


def find_faults(spec: Spec) -> Iterator[SpecFault]:
    yield from _name_faults(spec)
    yield from unique_across_faults(spec)
    yield from region_faults(spec)
    for name, entity in spec.entities.items():
        yield from entity_faults(f"entities.{name}", entity, spec)
        yield from version_faults(f"entities.{name}", entity)
        yield from reference_faults(f"entities.{name}", entity, spec)
        yield from value_faults(f"entities.{name}", entity, spec, references_of(spec, name))
        yield from key_faults(f"entities.{name}", entity, spec)
    for at, relationship in enumerate(spec.relationships):
        yield from relationship_faults(f"relationships[{at}]", relationship, spec)
        yield from integrity_faults(f"relationships[{at}]", relationship, spec)
    yield from repeated_faults(spec)
    if spec.constraints.budget == 0:
        yield "constraints.budget", "no table costs $0 a month; write what it may cost, or leave it out."
    references = {name: references_of(spec, name) for name in spec.entities}
    for at, asked in enumerate(spec.patterns):
        place = f"access_patterns[{at}]"
        if asked.is_read and asked.through is not None:
            yield from listing_faults(place, asked, spec)
            if listing_of(spec, asked) is None:
                continue
            yield from _returned_behind_list(f"{place}.returns", asked, spec)
        pattern = _as_asked(spec, asked)
        yield from pattern_faults(place, pattern, spec)
        if not pattern.entities or not spec.entities.keys() >= set(pattern.entities):
            continue
        yield from interval_faults(place, asked, spec, references)
        if pattern.is_read:
            yield from read_faults(place, pattern, spec)
        else:
            yield from write_faults(place, pattern, spec, references)


def _as_asked(spec: Spec, pattern: PatternSpec) -> PatternSpec:
    """What a pattern says of a list is said of its entries, what it returns of the items; that is checked apart."""
    asked = as_list(spec, pattern)
    if asked is pattern:
        return pattern
    expires = spec.entities[pattern.entity].ttl is not None
    expired = "hidden" if expires else asked.expired
    return msgspec.structs.replace(asked, through=pattern.through, returns=(), expired=expired)


def _name_faults(spec: Spec) -> Iterator[SpecFault]:
    for name, entity in spec.entities.items():
        yield from _brace_faults(f"entities.{name}", "an entity", name)
        yield from _entity_faults(f"entities.{name}", entity)
    for at, relationship in enumerate(spec.relationships):
        yield from _relationship_faults(f"relationships[{at}]", relationship, spec)
    seen: dict[str, int] = {}
    for at, pattern in enumerate(spec.patterns):
        place = f"access_patterns[{at}]"
        if pattern.id in seen:
            yield f"{place}.id", f"{pattern.id} is the id of access_patterns[{seen[pattern.id]}] as well; ids differ."
        seen[pattern.id] = at
        if (
            pattern.through is None or listing_of(spec, pattern) is not None
        ):  # else nobody knows whose attributes these are
            yield from _pattern_faults(place, _as_asked(spec, pattern), spec)


KEY_FIELD = re.compile(r"pk|sk|gsi\d+[ps]k|lsi\d+sk|_type|__edb_[ev]__")
"""Names of the fields that a design adds to items."""


def _brace_faults(place: str, what: str, text: object) -> Iterator[SpecFault]:
    """Braces are reserved: key templates of a design write values as `{name}`."""
    if isinstance(text, str) and re.search(r"[{}]", text):
        yield place, f'"{text}" has braces, which stand for values in a design; write {what} without them.'


def _entity_faults(place: str, entity: EntitySpec) -> Iterator[SpecFault]:
    for name in entity.attributes:
        yield from _brace_faults(f"{place}.attributes.{name}", "a name", name)
        if KEY_FIELD.fullmatch(name):
            yield (
                f"{place}.attributes.{name}",
                f'"{name}" is what the design calls a key field of its own; give the attribute another name.',
            )
    for name in dict.fromkeys((*entity.id, *(name for group in entity.unique for name in group))):
        yield from _key_type_faults(f"{place}.{'id' if name in entity.id else 'unique'}", name, entity)
    for group in entity.unique:
        yield from unknown_attributes(f"{place}.unique", group, entity)
    if entity.ttl is not None and entity.ttl.attribute is not None:
        yield from unknown_attributes(f"{place}.ttl.attribute", (entity.ttl.attribute,), entity)


def _key_type_faults(place: str, name: str, entity: EntitySpec) -> Iterator[SpecFault]:
    """Keys take scalars: maps, lists and sets can be returned, but not be inputs."""
    attribute = entity.attributes.get(name)
    if attribute is not None and attribute.type in REMEDIES:
        yield place, f"{entity.name}.{name} is a {attribute.type}, which no key can hold. {REMEDIES[attribute.type]}"


def _input_type_faults(place: str, pattern: PatternSpec, entities: list[EntitySpec]) -> Iterator[SpecFault]:
    """Inputs of a put need not be keys."""
    for field, names in _attributes_by_field(pattern) if pattern.op not in ("put", "transact") else ():
        for name in names if field in KEYED_FIELDS else ():
            for entity in entities:
                yield from _key_type_faults(f"{place}.{field}", name, entity)


def _relationship_faults(place: str, relationship: RelationshipSpec, spec: Spec) -> Iterator[SpecFault]:
    """Entities that are not stored may be named, but not as the `via` of a relationship."""
    if relationship.via is not None and relationship.via not in spec.entities:
        hint = nearest(relationship.via, spec.entities)
        yield f"{place}.via", f'there is no entity "{relationship.via}".{hint}'
    keeper = spec.entities.get(relationship.via or relationship.target)
    if keeper is not None:
        yield from unknown_attributes(f"{place}.by", relationship.by, keeper)


def _pattern_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    if not pattern.entities:
        yield place, 'names no entity. Add "entity", or "entities" for several.'
    for name in pattern.entities:
        if name not in spec.entities:
            yield f"{place}.entity", f'there is no entity "{name}".{nearest(name, spec.entities)}'
    if pattern.is_read and pattern.op is not None:
        yield f"{place}.op", f"a {pattern.kind} has no op; writes have one."
    if not pattern.is_read and pattern.op is None:
        yield place, "a write needs an op: put, update, delete or transact."
    for name in sorted(set(pattern.by) & set(pattern.filter)):
        yield (
            f"{place}.filter.{name}",
            f"{name} is an input (`by`) as well; leave it out of `by` where its value is fixed, else out of `filter`.",
        )
    if pattern.range is not None and pattern.range.attr in pattern.by:
        yield f"{place}.range", f"{pattern.range.attr} is an input (`by`) as well; leave it out of one of them."
    for name, value in pattern.filter.items():
        for each in cast("list[Any]", value) if isinstance(value, list | tuple) else (value,):
            yield from _brace_faults(f"{place}.filter.{name}", "a constant", each)
    entities = [spec.entities[name] for name in pattern.entities if name in spec.entities]
    if len(entities) == len(pattern.entities):
        yield from _named_attribute_faults(place, pattern, entities, spec)
        yield from _aggregate_faults(place, pattern, entities)
        yield from _input_type_faults(place, pattern, entities)


def _named_attribute_faults(
    place: str, pattern: PatternSpec, entities: list[EntitySpec], spec: Spec
) -> Iterator[SpecFault]:
    """Inputs of a read are attributes of all its entities, or of the only one's parent; other names of at least one.

    Those of a list are its own.
    """
    for field, names in _attributes_by_field(pattern):
        for name in names:
            having = [each for each in entities if name in each.attributes]
            everywhere = field in ("by", "tenant") and pattern.is_read
            if len(having) == len(entities) or (having and not everywhere):
                continue
            lacking = next(each for each in entities if name not in each.attributes)
            if field == "by" and pattern.is_read and len(entities) == 1 and pattern.through is None:
                yield from _parent_faults(f"{place}.by", name, lacking, spec)
            elif field == "returns" and pattern.is_read and is_of_parent(lacking, name):
                yield from _returned_faults(f"{place}.returns", name, entities, spec)
            else:
                yield from unknown_attributes(f"{place}.{field}", (name,), lacking)


def _parent_faults(place: str, name: str, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    """An input that only a parent has is allowed where exactly one parent has it."""
    parents = find_parents_with(spec, entity.name, name)
    twice = [each for each in parents if len(_naming(spec, entity.name, each)) > 1]
    if not parents:
        yield from unknown_attributes(place, (name,), entity)
    elif twice:
        attributes = " and ".join(_naming(spec, entity.name, twice[0]))
        yield (
            place,
            (
                f'{entity.name} has no attribute "{name}", and names {twice[0]}, which has it, by {attributes}.'
                " Ask by one of these, after a pattern that finds it."
            ),
        )
    elif len(parents) > 1:
        attributes = " or ".join(parents.values())
        yield (
            place,
            (
                f'{entity.name} has no attribute "{name}", and several of those it names have: {", ".join(parents)}.'
                f" Ask by {attributes}, after a pattern that finds it."
            ),
        )


def _returned_faults(place: str, name: str, entities: list[EntitySpec], spec: Spec) -> Iterator[SpecFault]:
    """`Customer.name` is for reads of one entity whose items name one Customer."""
    if len(entities) > 1:
        names = ", ".join(each.name for each in entities)
        yield place, f"{name} is a parent's, which a read of one entity returns, and not of several ({names})."
        return
    found = find_parent_attribute(spec, entities[0], name)
    if isinstance(found, str):
        yield place, found


def _returned_behind_list(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    item = spec.entities[pattern.entity]
    for name in pattern.returns:
        if is_of_parent(item, name):
            yield from _returned_faults(place, name, [item], spec)


def _naming(spec: Spec, entity: str, parent: str) -> list[str]:
    return [attribute for attribute, other in references_of(spec, entity).items() if other == parent]


def find_parents_with(spec: Spec, entity: str, name: str) -> dict[str, str]:
    """The parents that an item refers to by one attribute and that have `name`, each with that attribute."""
    return {
        parent: attribute
        for attribute, parent in references_of(spec, entity).items()
        if name in spec.entities[parent].attributes and len(spec.entities[parent].id) == 1
    }


def _aggregate_faults(place: str, pattern: PatternSpec, entities: list[EntitySpec]) -> Iterator[SpecFault]:
    if pattern.aggregate is None:
        return
    if not pattern.is_read or len(entities) != 1:
        yield f"{place}.aggregate", "is for a get or query of one entity; leave it out here."
    if pattern.limit is not None or pattern.sort:
        yield f"{place}.aggregate", "is one number, without order or limit; leave out sort and limit."
    kinds = [
        each.attributes[pattern.aggregate.attr].type for each in entities if pattern.aggregate.attr in each.attributes
    ]
    if pattern.aggregate.kind == "sum" and any(kind != "number" for kind in kinds):
        yield f"{place}.aggregate", f"{pattern.aggregate.attr} is {kinds[0]}, and only numbers add up."


def _attributes_by_field(pattern: PatternSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "by", pattern.by
    yield "sort", tuple(each.attr for each in pattern.sort)
    yield "filter", tuple(pattern.filter)
    yield "returns", pattern.returns
    yield "changes", pattern.changed or ()
    for field, name in (
        ("range", pattern.range and pattern.range.attr),
        ("tenant", pattern.tenant),
        ("search", pattern.search),
        ("aggregate", pattern.aggregate and pattern.aggregate.attr),
    ):
        if name:
            yield field, (name,)
