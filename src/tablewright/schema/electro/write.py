"""From the model back to ElectroDB's schema.

Options at their defaults are left out. Types ElectroDB lacks (binary, records, one-of) become "any", so reading such
a schema back gives `any` there; digits become padding between constant texts, right for whole numbers from 0 on, and
escaped text stands as it is, right without characters up to `$`.
Everything else comes back as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.functions import Functions, name_function
from tablewright.schema.model import Identifiers
from tablewright.schema.second import mirror_entities
from tablewright.schema.types import (
    PLAIN_OPTIONS,
    Attribute,
    Constant,
    Enum,
    Free,
    ListOf,
    MapOf,
    Padding,
    Pattern,
    Scalar,
    SetOf,
)

if TYPE_CHECKING:
    from tablewright.schema.model import AccessPattern, Entity, KeySide, Service


def dump_entity(entity: Entity, *, functions: Functions | None = None) -> dict[str, Any]:
    """The entity as an ElectroDB schema that JSON can hold; a legacy entity in the legacy form."""
    if entity.key_version not in (None, entity.version):
        problem = f"keys carry version {entity.key_version!r} and items {entity.version!r}, which ElectroDB cannot say"
        raise SchemaError(f"{entity.name}: {problem}; write its keys as templates", code=1009)
    model = {"service": entity.service, "entity": entity.name, "version": entity.version}
    filters = {name: name_function(each, functions) for name, each in entity.filters.items()}
    return {
        **(model if entity.legacy else {"model": model}),
        **_given(table=entity.table, identifiers=_identifiers(entity)),
        "attributes": {each.name: _attribute(_as_stored(each, entity), functions) for each in entity.attributes},
        "indexes": {each.name: _pattern(each, entity, functions) for each in entity.patterns},
        **({"filters": filters} if filters else {}),
    }


def _identifiers(entity: Entity) -> dict[str, Any] | None:
    """Where they are renamed; ElectroDB wants them in an entity's configuration."""
    return None if entity.identifiers == Identifiers() else msgspec.structs.asdict(entity.identifiers)


def dump_service(service: Service, *, functions: Functions | None = None) -> dict[str, dict[str, Any]]:
    """Alias to schema, as ElectroDB's Service takes it."""
    second = (each for entity in service.entities.values() for each in mirror_entities(entity))
    entities = {**service.entities, **{each.name: each for each in second}}
    return {alias: dump_entity(entity, functions=functions) for alias, entity in entities.items()}


def _given(**options: Any) -> dict[str, Any]:
    """Those options that say something: None, False and empty lists do not."""
    return {name: value for name, value in options.items() if value is not None and value is not False}


def _function(function: Any, functions: Functions | None) -> Any:
    if isinstance(function, Pattern):
        return {"$regex": function.source}
    return None if function is None else name_function(function, functions)


def _as_stored(attribute: Attribute, entity: Entity) -> Attribute:
    """What ElectroDB meets: a large attribute may be stored as a map that only we can read."""
    if all(each.attribute != attribute.name for each in entity.features.large):
        return attribute
    return msgspec.structs.replace(attribute, type=Free("any"), validate=None, get=None, set=None, watch=None)


def _attribute(attribute: Attribute, functions: Functions | None) -> dict[str, Any]:
    default = attribute.default
    digits = attribute.digits
    padding = attribute.padding if digits is None else Padding(digits.whole, "0")
    return {
        **_type(attribute, functions),
        **_given(
            field=attribute.field if attribute.field != attribute.name else None,
            required=attribute.required,
            validate=_function(attribute.validate, functions),
            get=_function(attribute.get, functions),
            set=_function(attribute.set, functions),
            watch=list(attribute.watch) if isinstance(attribute.watch, tuple) else attribute.watch,
            **{each.electrodb: getattr(attribute, name) for name, each in PLAIN_OPTIONS.items() if each.electrodb},
            padding={"length": padding.length, "char": padding.char} if padding else None,
        ),
        # A default may be false, so it is not left to _given.
        **({} if default is None else {"default": _default(default, functions)}),
    }


def _default(default: Any, functions: Functions | None) -> Any:
    return default.value if isinstance(default, Constant) else name_function(default, functions)


def _type(attribute: Attribute, functions: Functions | None) -> dict[str, Any]:
    match attribute.type:
        case Enum(choices):
            return {"type": list(choices)}
        case Scalar(name) if name != "binary":
            return {"type": name}
        case Free(name):
            return {"type": name}
        case SetOf(items) if items != Scalar("binary"):
            return {"type": "set", "items": list(items.choices) if isinstance(items, Enum) else items.name}
        case ListOf(None):
            return {"type": "list"}
        case ListOf(items) if items is not None:
            return {"type": "list", "items": _attribute(items, functions)}
        case MapOf(properties):
            return {"type": "map", "properties": {each.name: _attribute(each, functions) for each in properties}}
        case _:
            return {"type": "any"}


def _pattern(pattern: AccessPattern, entity: Entity, functions: Functions | None) -> dict[str, Any]:
    names = list(pattern.collection)
    projection = pattern.projection
    return _given(
        index=pattern.index,
        collection=(names[0] if len(names) == 1 else names) if names else None,
        type=pattern.kind if pattern.kind != "isolated" else None,
        scope=pattern.scope or None,
        condition=_function(pattern.condition, functions),
        projection=None if projection == "all" else list(projection) if isinstance(projection, tuple) else projection,
        pk=_side(pattern.pk, pattern, entity),
        sk=_side(pattern.sk, pattern, entity) if pattern.sk else None,
    )


def _side(key: KeySide, pattern: AccessPattern, entity: Entity) -> dict[str, Any]:
    return _given(
        field=key.field or None,
        **{"facets" if entity.legacy else "composite": list(key.composite)},
        template=_template(key, pattern, entity),
        casing=key.casing if key.casing != "default" else None,
        cast=key.cast,
    )


def _template(key: KeySide, pattern: AccessPattern, entity: Entity) -> str | None:
    """ElectroDB knows no digits: around the padded number stand the sign and the decimals of one that is whole."""
    named = [each for name in key.composite if (each := entity.attribute(name)) is not None]
    digits = {each.name: each.digits for each in named if each.digits is not None}
    is_number = key.cast == "number" or key.template in {f"${{{name}}}" for name in digits}  # the key itself
    if not digits or is_number or pattern.kind == "composite":
        return key.template
    if key.template is None:
        remedy = "give it padding, or the key a template"
        listed = ", ".join(digits)
        raise SchemaError(
            f"{entity.name}.{pattern.name}: {listed} is written in digits, which ElectroDB cannot; {remedy}", code=1008
        )
    template = key.template
    for name, form in digits.items():
        template = template.replace(f"${{{name}}}", f"1${{{name}}}{'0' * form.decimals}")
    return template
