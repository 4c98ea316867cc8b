"""Reading a spec: every part by the table of its fields, then what they say of each other. All faults at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from tablewright.architect.spec.fields import BILLING, CONSTRAINTS, ENTITY, PATTERN, RELATIONSHIP
from tablewright.architect.spec.model import Billing, Constraints, EntitySpec, PatternSpec, RelationshipSpec, Spec
from tablewright.architect.spec.source import Source, open_source
from tablewright.errors import DesignError
from tablewright.schema.form.kinds import Misplaced, Reading, read_mapping
from tablewright.schema.places import Place, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

T = TypeVar("T")
Fault = tuple[str, str]  # a place and what is wrong there

TOP_FIELDS = {
    "name": "A short name for the application.",
    "application": "Another word for name.",
    "title": "The application in a line.",
    "region": "Where it runs; prices follow.",
    "month_growth": "By which share everything grows every month.",
    "entities": "What is stored.",
    "relationships": "How entities belong together.",
    "access_patterns": "What is asked and done.",
    "constraints": "What the design must keep to.",
    "billing": "How the table is paid for.",
}
UNREAD = ("domain", "source", "expert_design", "judge", "notes", "$schema")


class SpecFaults(DesignError):
    """What is wrong with a spec: every fault with its place and, for files, its line."""

    def __init__(self, source: Source, faults: list[Fault]) -> None:
        self.faults = tuple((source.where(place), problem) for place, problem in faults)
        super().__init__("\n".join(f"{where}: {problem}" for where, problem in self.faults))


def read_spec(given: str | Path | Mapping[str, Any] | Spec) -> Spec:
    """A spec from a file, a text, a mapping, or as it is."""
    if isinstance(given, Spec):
        return given
    source = open_source(given)
    faults: list[Fault] = []
    spec = read_parts(source, faults)
    faults += [] if faults else list(contradictions(spec))
    if faults:
        raise SpecFaults(source, faults)
    return spec


def read_parts(source: Source, faults: list[Fault]) -> Spec:
    top = section(source.content, Reading(), faults)
    for name in top:
        if name not in TOP_FIELDS and name not in UNREAD:
            known = ", ".join(TOP_FIELDS)
            faults.append((name, f"is not a known field.{nearest(name, TOP_FIELDS)} Known: {known}."))
    needed = ("entities", "access_patterns")
    faults.extend((name, f"is missing. Add it: {TOP_FIELDS[name]}") for name in needed if not top.get(name))
    return Spec(
        name=str(top.get("name") or top.get("application") or "application"),
        title=str(top.get("title") or ""),
        region=str(top.get("region") or "us-east-1"),
        month_growth=growth_of(top, faults),
        entities=read_entities(top.get("entities") or {}, faults),
        relationships=tuple(read_list(top.get("relationships") or [], "relationships", RELATIONSHIP.read, faults)),
        patterns=tuple(read_list(top.get("access_patterns") or [], "access_patterns", PATTERN.read, faults)),
        constraints=guarded(
            lambda: CONSTRAINTS.read(top.get("constraints") or {}, Reading() / "constraints"), faults, Constraints()
        ),
        billing=guarded(lambda: BILLING.read(top.get("billing") or {}, Reading() / "billing"), faults, Billing()),
    )


def guarded(read: Callable[[], T], faults: list[Fault], instead: T) -> T:
    """What was read, or `instead` with the fault put down."""
    try:
        return read()
    except Misplaced as fault:
        faults.append((fault.place.text, fault.problem))
        return instead


def section(value: Any, at: Reading, faults: list[Fault]) -> Mapping[str, Any]:
    nothing: Mapping[str, Any] = {}
    return guarded(lambda: read_mapping(value, at), faults, nothing)


def growth_of(top: Mapping[str, Any], faults: list[Fault]) -> float | None:
    growth = top.get("month_growth")
    if growth is None or (isinstance(growth, int | float) and not isinstance(growth, bool) and growth >= 0):
        return growth
    faults.append(("month_growth", f"{growth!r} is not a share such as 0.05 (five per cent a month)."))
    return None


def read_entities(value: Any, faults: list[Fault]) -> dict[str, EntitySpec]:
    found: dict[str, EntitySpec] = {}
    at = Reading() / "entities"
    for name, given in section(value, at, faults).items():
        entity: EntitySpec | None = guarded(lambda: ENTITY.read(given, at / name, name=name), faults, None)  # noqa: B023 - called at once
        if entity is not None:
            found[name] = with_id_attributes(entity)
    return found


def with_id_attributes(entity: EntitySpec) -> EntitySpec:
    """An id need not be listed among the attributes as well."""
    import msgspec

    from tablewright.architect.spec.model import AttributeSpec

    missing = {name: AttributeSpec(name=name) for name in entity.id if name not in entity.attributes}
    return msgspec.structs.replace(entity, attributes={**missing, **entity.attributes}) if missing else entity


def read_list(value: Any, name: str, read: Callable[[Any, Reading], Any], faults: list[Fault]) -> Iterator[Any]:
    if not isinstance(value, list):
        faults.append((name, "is not a list; begin each of its parts with a dash"))
        return
    for at, given in enumerate(cast(Any, value)):
        place = Reading(place=Place(name)[at])
        found = guarded(lambda: read(given, place), faults, None)  # noqa: B023 - called at once
        if found is not None:
            yield found


# ---- what the parts say of each other ------------------------------------------------------------------------------


def contradictions(spec: Spec) -> Iterator[Fault]:
    for name, entity in spec.entities.items():
        yield from entity_faults(f"entities.{name}", entity)
    for at, relationship in enumerate(spec.relationships):
        yield from relationship_faults(f"relationships[{at}]", relationship, spec)
    seen: dict[str, int] = {}
    for at, pattern in enumerate(spec.patterns):
        place = f"access_patterns[{at}]"
        if pattern.id in seen:
            yield f"{place}.id", f"{pattern.id} is the id of access_patterns[{seen[pattern.id]}] as well; ids differ."
        seen[pattern.id] = at
        yield from pattern_faults(place, pattern, spec)


def entity_faults(place: str, entity: EntitySpec) -> Iterator[Fault]:
    for group in entity.unique:
        yield from unknown_attributes(f"{place}.unique", group, entity)
    if entity.ttl is not None and entity.ttl.attribute is not None:
        yield from unknown_attributes(f"{place}.ttl.attribute", (entity.ttl.attribute,), entity)


def unknown_attributes(place: str, names: tuple[str, ...], entity: EntitySpec) -> Iterator[Fault]:
    for name in names:
        if name not in entity.attributes:
            known = ", ".join(entity.attributes)
            hint = nearest(name, entity.attributes)
            yield place, f'{entity.name} has no attribute "{name}".{hint} It has: {known}.'


def relationship_faults(place: str, relationship: RelationshipSpec, spec: Spec) -> Iterator[Fault]:
    """Actors that are not stored may be named, but not as the keeper of a relationship."""
    if relationship.via is not None and relationship.via not in spec.entities:
        hint = nearest(relationship.via, spec.entities)
        yield f"{place}.via", f'there is no entity "{relationship.via}".{hint}'
    keeper = spec.entities.get(relationship.via or relationship.target)
    if keeper is not None:
        yield from unknown_attributes(f"{place}.by", relationship.by, keeper)


def pattern_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[Fault]:
    if not pattern.entities:
        yield place, 'names no entity. Add "entity", or "entities" for several.'
    for name in pattern.entities:
        if name not in spec.entities:
            yield f"{place}.entity", f'there is no entity "{name}".{nearest(name, spec.entities)}'
    if pattern.is_read and pattern.op is not None:
        yield f"{place}.op", f"a {pattern.kind} has no op; writes have one."
    if not pattern.is_read and pattern.op is None:
        yield place, "a write needs an op: put, update, delete or transact."
    entities = [spec.entities[name] for name in pattern.entities if name in spec.entities]
    if len(entities) == len(pattern.entities):
        yield from named_attribute_faults(place, pattern, entities)


def named_attribute_faults(place: str, pattern: PatternSpec, entities: list[EntitySpec]) -> Iterator[Fault]:
    """Inputs of a read are attributes of all its entities; the others of at least one."""
    for field, names in mentioned(pattern):
        for name in names:
            having = [each for each in entities if name in each.attributes]
            everywhere = field in ("by", "tenant") and pattern.is_read
            if len(having) == len(entities) or (having and not everywhere):
                continue
            lacking = next(each for each in entities if name not in each.attributes)
            yield from unknown_attributes(f"{place}.{field}", (name,), lacking)


def mentioned(pattern: PatternSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "by", pattern.by
    yield "sort", tuple(each.attr for each in pattern.sort)
    yield "filter", tuple(pattern.filter)
    yield "returns", pattern.returns
    yield "changes", pattern.changes or ()
    for field, name in (
        ("range", pattern.range and pattern.range.attr),
        ("tenant", pattern.tenant),
        ("search", pattern.search),
    ):
        if name:
            yield field, (name,)
