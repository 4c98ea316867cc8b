"""Reading a spec: every part by the table of its fields, then what they say of each other. All faults at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tablewright.errors import DesignError
from tablewright.schema.form.kinds import Misplaced, Reading, optional, read_mapping
from tablewright.schema.places import Place, nearest
from tablewright.spec.amounts import shared, written
from tablewright.spec.contradictions import Fault, contradictions
from tablewright.spec.fields import BILLING, CONSTRAINTS, ENTITY, PATTERN, RELATIONSHIP
from tablewright.spec.model import Billing, Constraints, EntitySpec, Spec
from tablewright.spec.source import Source, open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

T = TypeVar("T")

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
GROWTH_SHARE = optional(written("a share such as 0.05 or 5% (a month), 1000% at most", shared, most=10))
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
    if not isinstance(source.content, Mapping):
        what = "is empty" if source.content is None else "holds no mapping"
        raise DesignError(
            f"{source.name} {what}; a spec has entities and access_patterns, and `tablewright init` begins one"
        )
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
    called = str(top.get("name") or top.get("application") or "application")
    return Spec(
        name=table_name(called),
        title=str(top.get("title") or ("" if table_name(called) == called else called)),
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


def table_name(name: str) -> str:
    """The name as a table may have it; `Online shop` is the title of `online-shop`."""
    if re.fullmatch(r"[A-Za-z0-9_.-]{3,255}", name):
        return name
    words = re.findall(r"[a-z0-9_.]+", name.lower())
    return "-".join(words)[:255].ljust(3, "-") if words else "application"


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
    nothing: float | None = None
    return guarded(lambda: GROWTH_SHARE.read(top.get("month_growth"), Reading() / "month_growth"), faults, nothing)


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

    from tablewright.spec.model import AttributeSpec

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
