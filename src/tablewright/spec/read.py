"""Reads a spec: each section by its table of fields, then the checks between sections. Reports all faults at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from tablewright.errors import DesignError
from tablewright.schema.documents import NoYaml, Unreadable, parse_yaml, read_text
from tablewright.schema.form.kinds import Misplaced, Reading, optional, read_mapping
from tablewright.schema.places import Place, nearest
from tablewright.spec.amounts import amount_kind, parse_share
from tablewright.spec.borrowing import without_borrowing
from tablewright.spec.check import find_faults
from tablewright.spec.faults.repeated import find_repeated
from tablewright.spec.fields import BILLING, CONSTRAINTS, ENTITY, PATTERN, read_relationship
from tablewright.spec.holding import with_holding_keys
from tablewright.spec.intervals import with_intervals
from tablewright.spec.kinds import REGIONS, UNIQUE_ACROSS
from tablewright.spec.model import AttributeSpec, Billing, Constraints, EntitySpec, PatternSpec, Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.spec.faults.place import SpecFault

T = TypeVar("T")

TOP_FIELDS = {
    "name": "A short name for the application.",
    "application": "Another word for name.",
    "title": "The application in a line.",
    "region": "Where it runs: the prices of that region; one whose prices are not known needs a price file.",
    "regions": "Where the tables have a replica, the home region first: [us-east-1, eu-west-1].",
    "month_growth": "By which share everything grows every month.",
    "entities": "What is stored.",
    "relationships": "How entities belong together.",
    "unique": "Attributes that no two items may share across entities: [[User.handle, Team.handle]].",
    "access_patterns": "What is asked and done.",
    "constraints": "What the design must keep to.",
    "billing": "How the table is paid for.",
}
GROWTH_SHARE = optional(amount_kind("a share such as 0.05 or 5% (a month), 1000% at most", parse_share, most=10))
UNREAD = ("domain", "source", "expert_design", "judge", "notes", "$schema")


class SpecFaults(DesignError):
    """All faults of a spec, each with its place and, for files, its line."""

    def __init__(self, source: _SpecSource, faults: list[SpecFault]) -> None:
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
    faults: list[SpecFault] = []
    spec = _read_parts(source, faults)
    said: Any = cast("Any", source).content.get("constraints")
    if not faults and "key_style" not in (said or ()):
        spec = with_holding_keys(spec)
    faults += [] if faults else [*find_repeated(cast("Any", source).content), *find_faults(spec)]
    if faults:
        raise SpecFaults(source, faults)
    plain = msgspec.structs.replace(spec, patterns=tuple(without_borrowing(each) for each in spec.patterns))
    return with_intervals(plain)


def _read_parts(source: _SpecSource, faults: list[SpecFault]) -> Spec:
    top = _read_section(source.content, Reading(), faults)
    for name in top:
        if name not in TOP_FIELDS and name not in UNREAD:
            known = ", ".join(TOP_FIELDS)
            faults.append((name, f"is not a known field.{nearest(name, TOP_FIELDS)} Known: {known}."))
    needed = ("entities", "access_patterns")
    faults.extend((name, f"is missing. Add it: {TOP_FIELDS[name]}") for name in needed if not top.get(name))
    called = str(top.get("name") or top.get("application") or "application")
    entities = _read_entities(top.get("entities") or {}, faults)
    patterns = _read_list(top.get("access_patterns") or [], "access_patterns", PATTERN.read, faults)
    return Spec(
        name=_table_name(called),
        title=str(top.get("title") or ("" if _table_name(called) == called else called)),
        region=str(top["region"]) if top.get("region") else None,
        regions=_read_or_note(lambda: REGIONS.read(top.get("regions") or [], Reading() / "regions"), faults, ()),
        month_growth=_read_month_growth(top, faults),
        entities=entities,
        relationships=tuple(_read_list(top.get("relationships") or [], "relationships", read_relationship, faults)),
        unique=_read_or_note(lambda: UNIQUE_ACROSS.read(top.get("unique") or [], Reading() / "unique"), faults, ()),
        patterns=tuple(_as_batch(each, entities) for each in patterns),
        constraints=_read_or_note(
            lambda: CONSTRAINTS.read(top.get("constraints") or {}, Reading() / "constraints"), faults, Constraints()
        ),
        billing=_read_or_note(lambda: BILLING.read(top.get("billing") or {}, Reading() / "billing"), faults, Billing()),
    )


def _table_name(name: str) -> str:
    """A valid table name: `online-shop` for `Online shop`."""
    if re.fullmatch(r"[A-Za-z0-9_.-]{3,255}", name):
        return name
    words = re.findall(r"[a-z0-9_.]+", name.lower())
    return "-".join(words)[:255].ljust(3, "-") if words else "application"


def _read_or_note(read: Callable[[], T], faults: list[SpecFault], instead: T) -> T:
    """The value read, or `instead` after adding the fault to `faults`."""
    try:
        return read()
    except Misplaced as fault:
        faults.append((fault.place.text, fault.problem))
        return instead


def _read_section(value: Any, at: Reading, faults: list[SpecFault]) -> Mapping[str, Any]:
    nothing: Mapping[str, Any] = {}
    return _read_or_note(lambda: read_mapping(value, at), faults, nothing)


def _read_month_growth(top: Mapping[str, Any], faults: list[SpecFault]) -> float | None:
    nothing: float | None = None
    return _read_or_note(
        lambda: GROWTH_SHARE.read(top.get("month_growth"), Reading() / "month_growth"), faults, nothing
    )


def _read_entities(value: Any, faults: list[SpecFault]) -> dict[str, EntitySpec]:
    found: dict[str, EntitySpec] = {}
    at = Reading() / "entities"
    for name, given in _read_section(value, at, faults).items():
        entity: EntitySpec | None = _read_or_note(lambda: ENTITY.read(given, at / name, name=name), faults, None)  # noqa: B023 - called at once
        if entity is not None:
            found[name] = _add_attributes(entity)
    return found


def _add_attributes(entity: EntitySpec) -> EntitySpec:
    """Adds attributes of the id that are not listed among the attributes, and the version."""
    missing = {name: AttributeSpec(name=name) for name in entity.id if name not in entity.attributes}
    if entity.version and entity.version not in entity.attributes:
        missing[entity.version] = AttributeSpec(name=entity.version, type="number", required=True)
    return msgspec.structs.replace(entity, attributes={**missing, **entity.attributes}) if missing else entity


def _read_list(value: Any, name: str, read: Callable[[Any, Reading], Any], faults: list[SpecFault]) -> Iterator[Any]:
    if not isinstance(value, list):
        faults.append((name, "is not a list; begin each of its parts with a dash"))
        return
    for at, given in enumerate(cast(Any, value)):
        place = Reading(place=Place(name)[at])
        found = _read_or_note(lambda: read(given, place), faults, None)  # noqa: B023 - called at once
        if found is not None:
            yield found


def _as_batch(pattern: PatternSpec, entities: Mapping[str, EntitySpec]) -> PatternSpec:
    """A get by the whole id that answers with many items gets many ids at once."""
    if pattern.kind != "get" or len(pattern.entities) != 1 or (pattern.items or 0) <= 1:
        return pattern
    entity = entities.get(pattern.entity)
    is_by_id = entity is not None and set(pattern.by) == set(entity.id)
    return msgspec.structs.replace(pattern, kind="batch") if is_by_id else pattern


# ---- sources --------------------------------------------------------------------------------------------------------


Lines = Mapping[str, int]


class _SpecSource(msgspec.Struct, frozen=True):
    """The content of a spec, what to call it, and the line of every place in it (`entities.Task.id` -> 12)."""

    content: Any
    name: str = "the spec"
    lines: Lines = msgspec.field(default_factory=dict[str, int])

    def where(self, place: str) -> str:
        """`shop.yaml:12: entities.Task.id`; the nearest place around it where this one has no line."""
        around = place
        while around and around not in self.lines:
            around = around[: max(around.rfind("."), around.rfind("["))] if {".", "["} & set(around) else ""
        line = self.lines.get(around)
        file = f"{self.name}:{line}" if line else self.name
        return f"{file}: {place}" if place else file


def open_source(source: str | Path | Mapping[str, Any]) -> _SpecSource:
    """A mapping as it is, or the YAML or JSON in a file (or in a text of several lines)."""
    if isinstance(source, Mapping):
        return _SpecSource(source)
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        return parse_source(source, "the text")
    path = Path(source)
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise DesignError(f"there is no file {path}; `tablewright init {path}` writes one to start from") from None
    except IsADirectoryError:
        raise DesignError(f"{path} is a folder; name the spec in it") from None
    except OSError as error:
        raise DesignError(f"{path} cannot be read: {error.strerror}") from error
    except Unreadable as error:
        raise DesignError(str(error)) from error
    return parse_source(text, str(path))


def parse_source(text: str, name: str) -> _SpecSource:
    try:
        found = parse_yaml(text, name)
    except NoYaml:
        raise DesignError("reading specs needs PyYAML; install tablewright[architect]") from None
    except Unreadable as error:
        raise DesignError(str(error)) from error
    return _SpecSource(found.content, name, found.lines)
