"""Reading a service from data: our own form, or ElectroDB's, told apart by their keys.

A mapping whose values all have "indexes" is an ElectroDB service by alias; else one with "entities" is ours, and one
with "indexes" a single ElectroDB entity. A design (`design.json`) holds a service in our form. Faults name their
place, as in `entities.task.attributes.status.type`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from tablewright.errors import SchemaError
from tablewright.schema.documents import Unreadable, parse_json, parse_yaml, read_text
from tablewright.schema.electro import load_service
from tablewright.schema.form.fields import SERVICE, WrittenService
from tablewright.schema.form.kinds import Reading
from tablewright.schema.functions import require_functions
from tablewright.schema.model import Identifiers
from tablewright.schema.places import nearest
from tablewright.schema.service import build_service

if TYPE_CHECKING:
    from tablewright.schema.functions import Functions
    from tablewright.schema.model import Service


GivenIdentifiers: TypeAlias = Identifiers | Mapping[str, Any]
"""Those of all entities, as a value or as data, or a mapping of them by alias."""

DESIGN = "tablewright-design"
"""The format of a design, which holds its service."""


def load(
    source: str | Path | Mapping[str, Any],
    *,
    functions: Functions | None = None,
    identifiers: GivenIdentifiers | None = None,
) -> Service:
    """A checked service from a file's path, JSON text or a mapping, in our form or ElectroDB's.

    `functions` gives a meaning to `{"$fn": name}` in the data. `identifiers` are those of all entities, or by alias.
    """
    data = read_source(source)
    require_functions(data, functions or {})
    if data and all(isinstance(each, Mapping) and "indexes" in each for each in data.values()):
        return load_service(_identified(data, identifiers), functions=functions)
    if "entities" in data:
        entities = _identified(_mapping(data["entities"], "entities"), identifiers)
        return _load_own({**data, "entities": entities}, functions=functions)
    if "indexes" in data:
        return load_service(_identified({_entity_name(data): data}, identifiers), functions=functions)
    raise SchemaError(
        'This is no schema: neither ours (with "service" and "entities") nor an ElectroDB one (with "model", '
        f'"attributes" and "indexes", or a mapping of alias to such).{_nearest_keys(data)}',
        code=1009,
    )


def read_source(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """A file's path, JSON text or a mapping as the data of a service; of a design it is what it holds."""
    data = source if isinstance(source, Mapping) else _parse(source)
    if data.get("format") != DESIGN:
        return data
    if not data.get("service"):
        raise SchemaError("This design has no service; its notes say why.", code=1009)
    return _mapping(data["service"], 'the "service" of the design')


def _identified(entities: Mapping[str, Any], given: GivenIdentifiers | None) -> Mapping[str, Any]:
    """The entities as data, with the identifiers that are given for all of them or by alias."""
    if given is None:
        return entities
    read: Any = msgspec.structs.asdict(given) if isinstance(given, Identifiers) else given
    if not isinstance(read, Mapping):
        raise SchemaError(f"identifiers are a tw.Identifiers or a mapping of them by alias, not {given!r:.40}.")
    named = cast("Mapping[str, Any]", read)
    by_alias: dict[str, Any] = {alias: each for alias, each in named.items() if isinstance(each, Mapping | Identifiers)}
    for alias in by_alias:
        if alias not in entities:
            raise SchemaError(f"identifiers.{alias}: no entity is called so.{nearest(alias, list(entities))}")
    rest = {name: each for name, each in named.items() if name not in by_alias}
    return {alias: _with_identifiers(each, by_alias.get(alias, rest)) for alias, each in entities.items()}


def _with_identifiers(entity: Any, given: Any) -> Any:
    if not given or not isinstance(entity, Mapping):
        return entity
    schema = cast("Mapping[str, Any]", entity)
    return {**schema, "identifiers": msgspec.structs.asdict(given) if isinstance(given, Identifiers) else given}


def _load_own(data: Mapping[str, Any], *, functions: Functions | None = None) -> Service:
    """A checked service from a mapping in our form."""
    inherited = {"service": data.get("service"), "table": data.get("table")}
    written: WrittenService = SERVICE.read(data, Reading(functions or {}, inherited=inherited))
    service = build_service(written.entities, name=written.service, table=written.table, doc=written.doc)
    return _with_notes(service, written)


def _nearest_keys(data: Mapping[str, Any]) -> str:
    """A hint at the key that was meant, if any is close."""
    hints = (nearest(key, ("entities", "indexes")) for key in data)
    return next((hint for hint in hints if hint), "")


def _with_notes(service: Service, written: WrittenService) -> Service:
    known = [each.name for each in service.collections]
    for name in written.collections:
        if name not in known:
            hint = nearest(name, known)
            problem = f"collections.{name}: no access pattern is in this collection.{hint} Known: {', '.join(known)}."
            raise SchemaError(problem, code=1009)
    notes = {name: each.doc for name, each in written.collections.items()}
    collections = (msgspec.structs.replace(each, doc=notes.get(each.name, "")) for each in service.collections)
    return msgspec.structs.replace(service, collections=tuple(collections))


def _entity_name(schema: Mapping[str, Any]) -> str:
    model: Any = schema.get("model", schema)
    return str(cast("Mapping[str, Any]", model).get("entity", "entity")) if isinstance(model, Mapping) else "entity"


def _parse(source: str | Path) -> Mapping[str, Any]:
    is_text = isinstance(source, str) and source.lstrip().startswith("{")
    name = "the JSON text" if is_text else str(source)
    try:
        text = str(source) if is_text else read_text(Path(source))
        is_yaml = not is_text and Path(source).suffix.lower() in (".yaml", ".yml")
        return _mapping(parse_yaml(text, name).content if is_yaml else parse_json(text, name), name)
    except OSError as error:
        reason = f"{source}: the schema cannot be read ({error.strerror}). Give the path of a JSON or YAML file."
        raise SchemaError(reason, code=1009) from error
    except Unreadable as error:
        raise SchemaError(str(error), code=1009) from error


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SchemaError(f"{name} holds no mapping; a schema is one.", code=1009)
    return cast("Mapping[str, Any]", value)
