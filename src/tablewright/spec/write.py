"""Specs as data that can be read back, and the published JSON Schema (draft 2020-12) that editors check by."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.schema.form.kinds import NAME, TEXT
from tablewright.spec.fields import BILLING, CONSTRAINTS, ENTITY, PATTERN, RELATIONSHIP
from tablewright.spec.intervals import without_intervals
from tablewright.spec.kinds import REGIONS, UNIQUE_ACROSS
from tablewright.spec.read import GROWTH_SHARE, TOP_FIELDS, UNREAD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.spec.model import Aggregate, Change, EntitySpec, EntityWrite, PatternSpec, Skew, Spec

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NAMES_IN_FILES = {
    "source": "from",
    "target": "to",
    "max_bytes": "max",
    "growth_share": "growth",
    "limits": "limit",
    "skews": "skew",
    "references_any": "references",
}
ONLY_INSIDE = ("kind", "of", "totals", "window_seconds")
ONLY_IN_PATTERNS = ("together", "cascade_of", "demands", "fetched_for", "beside")
"""What only the architect sets is never written to a file, nor are the patterns that a delete goes on by."""


# ---- writing --------------------------------------------------------------------------------------------------------


def spec_data(spec: Spec) -> dict[str, Any]:
    """The spec as data that `read_spec` reads back into the same spec; defaults are left out."""
    found = {
        **_write_fields(spec, leave=("entities", "relationships", "unique", "patterns", "constraints", "billing")),
        "entities": {name: _entity_data(each) for name, each in spec.entities.items() if each.kind == "entity"},
        **({"relationships": [_write_fields(each) for each in spec.relationships]} if spec.relationships else {}),
        **({"unique": [[".".join(each) for each in group] for group in spec.unique]} if spec.unique else {}),
        "access_patterns": [_pattern_data(each) for each in spec.patterns if not each.cascade_of],
        **{name: said for name in ("constraints", "billing") if (said := _write_fields(getattr(spec, name)))},
    }
    return msgspec.json.decode(msgspec.json.encode(found), type=dict[str, Any])


def _write_fields(value: msgspec.Struct, leave: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields that are not at their defaults, by their names in files."""
    return {
        NAMES_IN_FILES.get(name, name): SPELLING.get(name, _to_plain)(content)
        for name, default in defaults_of(type(value))
        if name not in leave and (content := getattr(value, name)) != default
    }


@cache
def defaults_of(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    """The fields of a kind of values, each with what it is when nothing is said."""
    return tuple(
        (each.name, each.default if each.default_factory is msgspec.NODEFAULT else each.default_factory())
        for each in msgspec.structs.fields(kind)
    )


def _to_plain(value: Any) -> Any:
    return _write_fields(value) if isinstance(value, msgspec.Struct) else msgspec.to_builtins(value)


def _entity_data(entity: EntitySpec) -> dict[str, Any]:
    attributes = {name: _write_fields(each, leave=("name", "ends")) for name, each in entity.attributes.items()}
    return {**_write_fields(entity, leave=("name", "attributes", *ONLY_INSIDE)), "attributes": attributes}


def _pattern_data(pattern: PatternSpec) -> dict[str, Any]:
    named = {"entity": pattern.entity} if len(pattern.entities) == 1 else {"entities": list(pattern.entities)}
    found = _write_fields(without_intervals(pattern), leave=("entities", *ONLY_IN_PATTERNS))
    return {"id": found.pop("id"), "kind": found.pop("kind"), **named, **found}


def _skew_text(skew: Skew) -> Any:
    return _write_fields(skew) or "uniform"


def _aggregate_data(aggregate: Aggregate) -> dict[str, Any]:
    return {aggregate.kind: aggregate.attr or True}


def _changes_data(changes: tuple[Change, ...] | None) -> Any:
    """A list of names where the caller gives all values, else a mapping."""
    if changes is None or all(each.kind == "given" for each in changes):
        return None if changes is None else [each.attr for each in changes]
    return {each.attr: {each.kind: True if each.value is None else each.value} for each in changes}


def _operations_data(ops: Mapping[str, EntityWrite]) -> dict[str, Any]:
    said = {name: _write_fields(each) for name, each in ops.items()}
    return {name: each["op"] if len(each) == 1 else each for name, each in said.items()}


def _percentage(share: float) -> str:
    return f"{round(share * 100, 10)!r}%"


SPELLING: dict[str, Callable[[Any], Any]] = {
    "changes": _changes_data,
    "ops": _operations_data,
    "skew": _skew_text,
    "skews": lambda skews: {name: _skew_text(each) for name, each in skews.items()},
    "aggregate": _aggregate_data,
    "growth_share": _percentage,
    "sort": lambda parts: [msgspec.to_builtins(each) for each in parts],
    "range": msgspec.to_builtins,
    "overlaps": msgspec.to_builtins,
}


# ---- the schema -----------------------------------------------------------------------------------------------------

TOP_SCHEMAS: dict[str, Any] = {
    "name": NAME.schema,
    "application": NAME.schema,
    "title": TEXT.schema,
    "region": NAME.schema,
    "regions": REGIONS.schema,
    "month_growth": GROWTH_SHARE.schema,
    "entities": {"type": "object", "additionalProperties": {"$ref": "#/$defs/entity"}, "minProperties": 1},
    "relationships": {"type": "array", "items": {"$ref": "#/$defs/relationship"}},
    "unique": UNIQUE_ACROSS.schema,
    "access_patterns": {"type": "array", "items": {"$ref": "#/$defs/access_pattern"}, "minItems": 1},
    "constraints": {"$ref": "#/$defs/constraints"},
    "billing": {"$ref": "#/$defs/billing"},
}


def spec_schema() -> dict[str, Any]:
    """A fresh copy of the schema, ready for `json.dump`."""
    top = {name: {**TOP_SCHEMAS[name], "description": words} for name, words in TOP_FIELDS.items()}
    return {
        "$schema": DIALECT,
        "title": "Tablewright spec",
        "description": "An application: what it stores, and what it asks and does.",
        "type": "object",
        "properties": {**top, **{name: {"description": "Not read."} for name in UNREAD}},
        "required": ["entities", "access_patterns"],
        "additionalProperties": False,
        "$defs": {
            "entity": ENTITY.schema(),
            "relationship": RELATIONSHIP.schema(),
            "access_pattern": PATTERN.schema(),
            "constraints": CONSTRAINTS.schema(),
            "billing": BILLING.schema(),
        },
    }
