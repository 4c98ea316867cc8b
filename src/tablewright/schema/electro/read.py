"""From ElectroDB's schema to the model.

What ElectroDB leaves unchecked is kept as written (a default of the wrong type, an enum of numbers, a set of
booleans). A type it does not know is kept as `Free(name)` for the checks to refuse, because they come in an order.
Nested bare types (`items: "number"`) mean what they say; ElectroDB reads all of them as "string".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.check import check_entity
from tablewright.schema.electro.shape import check_shape, is_legacy
from tablewright.schema.form.fields import IDENTIFIERS
from tablewright.schema.form.kinds import Reading
from tablewright.schema.functions import Functions, require_functions, revive
from tablewright.schema.model import AccessPattern, Entity, Identifiers, KeySide, Projection, Service
from tablewright.schema.places import Place
from tablewright.schema.service import build_service
from tablewright.schema.templates import template_names
from tablewright.schema.types import (
    PLAIN_OPTIONS,
    Attribute,
    Constant,
    Enum,
    Free,
    FreeName,
    ListOf,
    MapOf,
    Padding,
    Scalar,
    ScalarName,
    SetOf,
    Type,
)

SCALARS = ("string", "number", "boolean")
_ABSENT: Any = object()


def load_entity(
    schema: Mapping[str, Any],
    *,
    table: str | None = None,
    identifiers: Identifiers | None = None,
    functions: Functions | None = None,
) -> Entity:
    """An entity from an ElectroDB schema, modern or legacy, checked as ElectroDB would."""
    entity = _read_entity(schema, table=table, identifiers=identifiers, functions=functions)
    check_entity(entity)
    return entity


def load_service(
    entities: Mapping[str, Mapping[str, Any] | Entity],
    *,
    name: str | None = None,
    table: str | None = None,
    functions: Functions | None = None,
) -> Service:
    """A service from ElectroDB schemas (or entities) by alias."""
    read = {alias: _member(each, table, functions) for alias, each in entities.items()}
    return build_service(read, name=name, table=table, multi_attribute=False)


def _read_entity(
    schema: Mapping[str, Any],
    *,
    table: str | None = None,
    identifiers: Identifiers | None = None,
    functions: Functions | None = None,
) -> Entity:
    """As `load_entity`, but with the structure alone checked."""
    require_functions(schema, functions or {})
    revived: dict[str, Any] = revive(schema, functions or {})
    check_shape(revived)
    legacy = is_legacy(revived)
    model: Mapping[str, Any] = revived if legacy else revived["model"]
    return Entity(
        name=model["entity"],
        service=model["service"],
        version=model.get("version", "1"),
        attributes=tuple(_attribute(name, each) for name, each in revived["attributes"].items()),
        patterns=tuple(_pattern(name, each) for name, each in revived["indexes"].items()),
        table=table if table is not None else revived.get("table"),
        identifiers=identifiers or _identifiers(revived.get("identifiers", {})),
        legacy=legacy,
        filters=revived.get("filters", {}),
    )


def _identifiers(given: Any) -> Identifiers:
    """ElectroDB takes these with an entity's configuration; an exported schema brings them along."""
    read: Identifiers = IDENTIFIERS.read(given, Reading(place=Place("identifiers")))
    return read


def custom_attribute_type(base: str) -> str:
    """ElectroDB's CustomAttributeType: the base type itself, since the rest of it exists for type checkers only."""
    if base not in (*SCALARS, "any"):
        raise SchemaError(f"{base!r} cannot be the base of a custom type; use string, number, boolean or any.")
    return base


def _member(entity: Mapping[str, Any] | Entity, table: str | None, functions: Functions | None) -> Entity:
    if isinstance(entity, Entity):
        return entity if table is None else msgspec.structs.replace(entity, table=table)
    return load_entity(entity, table=table, functions=functions)


def _attribute(name: str, definition: Any) -> Attribute:
    mapped = isinstance(definition, Mapping)
    options = cast("Mapping[str, Any]", definition) if mapped else {"type": definition}
    padding = options.get("padding")
    return Attribute(
        name=name,
        type=_type(options),
        field=options.get("field") or name,
        required=options.get("required", False),
        default=_default(options.get("default", _ABSENT)),
        validate=options.get("validate"),
        get=options.get("get"),
        set=options.get("set"),
        watch=_watch(options.get("watch")),
        **{name: options.get(each.electrodb, each.default) for name, each in PLAIN_OPTIONS.items() if each.electrodb},
        padding=Padding(padding["length"], padding["char"]) if padding else None,
    )


def _watch(value: Any) -> Any:
    return tuple(cast("Sequence[str]", value)) if isinstance(value, list) else value


def _default(value: Any) -> Any:
    if value is _ABSENT:
        return None
    return value if callable(value) else Constant(value)


def _type(options: Mapping[str, Any]) -> Type:
    name = options["type"]
    if isinstance(name, list):
        return Enum(tuple(cast("Sequence[Any]", name)))
    if name in SCALARS:
        return Scalar(cast("ScalarName", name))
    if name == "list":
        return ListOf(_attribute("*", options["items"]) if "items" in options else None)
    if name == "map" and isinstance(options.get("properties"), Mapping):
        return MapOf(tuple(_attribute(each, definition) for each, definition in options["properties"].items()))
    if name == "set" and _is_set_item(options.get("items")):
        return SetOf(_set_items(options["items"]))
    return Free(cast("FreeName", name))


def _is_set_item(items: Any) -> bool:
    return isinstance(items, list) or items in SCALARS


def _set_items(items: Any) -> Scalar | Enum:
    return Enum(tuple(cast("Sequence[Any]", items))) if isinstance(items, list) else Scalar(items)


def _pattern(name: str, index: Mapping[str, Any]) -> AccessPattern:
    collection = index.get("collection") or ()
    scope = index.get("scope")
    return AccessPattern(
        name=name,
        index=index.get("index") or None,
        pk=_side(index["pk"]),
        sk=_side(index["sk"]) if "sk" in index else None,
        collection=(collection,) if isinstance(collection, str) else tuple(collection),
        kind=index.get("type", "isolated"),
        scope="" if scope is None else str(scope),
        condition=index.get("condition"),
        projection=_projection(index.get("projection", "all")),
    )


def _projection(value: str | list[str]) -> Projection:
    return cast("Projection", value.lower() if isinstance(value, str) else tuple(value))


def _side(key: Mapping[str, Any]) -> KeySide:
    composite, template = _composition(key)
    return KeySide(
        field=key.get("field", ""),
        composite=composite,
        template=template,
        casing=key.get("casing", "default"),
        cast=key.get("cast"),
    )


def _composition(key: Mapping[str, Any]) -> tuple[tuple[str, ...], str | None]:
    """The composites and the template, whichever of the two was written; an empty template stands for no composites."""
    composite = key.get("composite", key.get("facets"))
    template = key.get("template")
    if isinstance(composite, str):
        composite, template = None, composite
    if template == "":
        return (), None
    return tuple(template_names(template or "") if composite is None else composite), template
