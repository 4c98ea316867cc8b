"""Reads that contradict themselves: a get of what many share, a limit on an entity that is not asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

from tablewright.spec.facts import reference_attributes
from tablewright.spec.faults.place import SpecFault, constant_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import EntitySpec, PatternSpec, Spec

NOT_IN_A_BATCH = ("sort", "range", "filter", "aggregate", "limit", "search")


def read_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    for name in pattern.limits:
        if name not in pattern.entities:
            yield f"{place}.limit.{name}", f"the pattern is not about {name}, but about {', '.join(pattern.entities)}."
    if pattern.absent != "last" and not pattern.sort:
        yield f"{place}.absent", "says where items stand that lack a sort attribute, and there is no sort."
    entities = [spec.entities[name] for name in pattern.entities]
    if pattern.expired == "shown" and all(each.ttl is None for each in entities):
        yield f"{place}.expired", f"nothing of {', '.join(pattern.entities)} expires; leave it out, or add `ttl`."
    yield from _constant_faults(place, pattern, entities)
    if pattern.kind == "get" and len(entities) == 1:
        yield from _shared_faults(place, pattern, entities[0], spec)
    if pattern.kind == "batch":
        yield from _batch_faults(place, pattern, entities)


_COMPARISON = re.compile(r"(at (most|least)|(more|less|fewer) than)( |$)", re.IGNORECASE)


def _constant_faults(place: str, pattern: PatternSpec, entities: list[EntitySpec]) -> Iterator[SpecFault]:
    """A filter compares with what the caller gives (`param`, or words), or with one constant."""
    for name, value in pattern.filter.items():
        at = f"{place}.filter.{name}"
        if value is None or isinstance(value, Mapping | list | tuple):
            yield at, "is no constant. Write one, `param` for what the caller gives, or words: at least a number."
        elif value != "param" and not (isinstance(value, str) and _COMPARISON.match(value)):
            for entity in entities:
                if name in entity.attributes:
                    yield from constant_faults(at, entity, entity.attributes[name], value)


def _batch_faults(place: str, pattern: PatternSpec, entities: list[EntitySpec]) -> Iterator[SpecFault]:
    if len(entities) != 1:
        yield f"{place}.entities", "a batch is about one entity; write one for each."
        return
    if set(pattern.by) != set(entities[0].id):
        yield f"{place}.by", f"a batch is by the whole id, which is {', '.join(entities[0].id)}; else make it a query."
    for name in NOT_IN_A_BATCH:
        if getattr(pattern, name):
            yield f"{place}.{name}", "a batch answers with the items of the ids given, in their order; leave it out."


# ---- what many share ------------------------------------------------------------------------------------------------


def _shared_faults(place: str, pattern: PatternSpec, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    """A get whose inputs many items have in common, where nothing says which of them is meant."""
    known = {*pattern.by, *pattern.filter}
    chooses = pattern.sort or pattern.aggregate or pattern.range or pattern.limit == 1
    if chooses or not known <= set(entity.attributes) or _tells_apart(spec, entity, known):
        return
    said = _sharing(spec, entity, known)
    if said:
        yield (
            f"{place}.by",
            f"{said}, but a get answers with one. Make it a query, call it unique, or say by `sort` which is meant.",
        )


def _tells_apart(spec: Spec, entity: EntitySpec, known: set[str]) -> bool:
    across = [(attribute,) for group in spec.unique for name, attribute in group if name == entity.name]
    return any(set(each) <= known for each in (entity.id, *entity.unique, *across))


def _sharing(spec: Spec, entity: EntitySpec, known: set[str]) -> str:
    """Why many items have the same values of these attributes; empty where nobody knows."""
    said = [len(each.values) or each.cardinality for each in (entity.attributes[name] for name in sorted(known))]
    values = prod(number or 0 for number in said)
    if values and entity.count and entity.count > values:
        return f"{entity.count:,.0f} {entity.name} items share {values:,} values of {' and '.join(sorted(known))}"
    for each in spec.relationships:
        parent = spec.entities.get(each.source)
        if parent is None or (each.via or each.target) != entity.name or each.kind == "one-to-one":
            continue
        names = set(reference_attributes(spec, entity, parent, each))
        if known <= names and (each.avg or each.max or 0) > 1:
            return f"{each.source} has several {entity.name} items with one {' and '.join(sorted(known))}"
    return ""
