"""`classes`: a Python module with the typed classes of a service, which make the requests that the schema makes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tablewright.codegen.python.classes.check import check_service, sides_of, strict_keys
from tablewright.codegen.python.classes.draft import TAKEN_IN_MODULE, ModuleDraft, service_names
from tablewright.codegen.python.classes.fields import field_lines
from tablewright.codegen.python.classes.patterns import PatternOwner, function_lines, pattern_lines, repeats, sentence
from tablewright.codegen.python.entities import strip_texts
from tablewright.codegen.python.literals import INDENT, Code, docstring, drop_empty, invoke, print_code
from tablewright.schema.functions import functions_in, stand_ins
from tablewright.schema.load import load, read_source
from tablewright.schema.model import Identifiers
from tablewright.schema.places import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tablewright.codegen.python.classes.draft import ServiceNames
    from tablewright.schema.model import Casing, Collection, Entity, Service


def classes(source: str | Path | Mapping[str, Any]) -> dict[str, str]:
    """By path: the module for a schema of ElectroDB's, a service in our form, or a design."""
    data = read_source(source)
    named = list(functions_in(data))
    service = load(data, functions=stand_ins(data))
    names = service_names(service)
    draft = ModuleDraft((*TAKEN_IN_MODULE, *names.entities.values(), *names.collections.values()), named)
    text = _module_code(draft, service, names)
    draft.faults.check()
    return {f"classes/{names.service}.py": text}


def _module_code(draft: ModuleDraft, service: Service, names: ServiceNames) -> str:
    check_service(draft.faults, service, names)
    fields_of = _table_fields(service)
    written = [_entity_code(draft, service, names, alias, fields_of) for alias in service.entities]
    found = [_collection_code(service, names, each, draft) for each in service.collections]
    declared = _service_code(service, names, fields_of)
    body = [*draft.supplied.sections(), *draft.maps, *written, *found]
    number = ["Number: TypeAlias = int | float"] if _uses("Number", [*body, *draft.aliases]) else []
    top = "\n".join([*number, *draft.aliases, declared])
    head = docstring([f"The service {service.name}, as typed classes.", *_notes(service)])
    start = "\n\n".join([head, "from __future__ import annotations", _imports("\n".join([top, *body])), top])
    return "\n\n\n".join([start, *body]) + "\n"


def _notes(service: Service) -> list[str]:
    filters = [f"{alias}.{name}" for alias, each in service.entities.items() for name in each.filters]
    said = [sentence(service.doc)] if service.doc else []
    return [*said, *([f"Named filters are left out; use where(...): {', '.join(filters)}."] if filters else [])]


def _uses(name: str, parts: Iterable[str]) -> bool:
    return re.search(rf"(?<![\w.]){name}\b", strip_texts("\n".join(parts))) is not None


def _imports(code: str) -> str:
    def used(names: str) -> str:
        return ", ".join(name for name in names.split() if _uses(name, [code]))

    standard = {
        "collections.abc": used("Callable"),
        "decimal": used("Decimal"),
        "typing": used("Any Literal Protocol TypeAlias"),
    }
    lines = [f"from {name} import {names}" for name, names in standard.items() if names]
    own = ["import tablewright as tw", f"from tablewright import {used('ANY Attr Range attr')}"]
    return "\n".join([*lines, *([""] if lines else []), *own])


# ---- the service ----------------------------------------------------------------------------------------------------


def _service_casing(service: Service) -> Casing:
    """What the service says for all keys: ElectroDB's lower case, unless no key has it."""
    found = {side.casing for each in service.entities.values() for side in sides_of(each)}
    return "none" if found == {"none"} else "default"


def _table_fields(service: Service) -> dict[str | None, tuple[str, ...]]:
    """By index (None: the table): the fields of its keys, as the first pattern has them."""
    found: dict[str | None, tuple[str, ...]] = {}
    for entity in service.entities.values():
        for each in entity.patterns:
            stored = tuple(side.field for side in (each.pk, each.sk) if side is not None)
            if len(stored) > len(found.get(each.index, ())):
                found[each.index] = stored
    return found


def _service_code(service: Service, names: ServiceNames, fields_of: Mapping[str | None, tuple[str, ...]]) -> str:
    own = dict(zip(("pk", "sk"), fields_of[None], strict=False))
    keys = {which: field for which, field in own.items() if field != which}
    usual = {name: (f"{name}pk", f"{name}sk")[: len(stored)] for name, stored in fields_of.items()}
    indexes = {
        name: stored for name, stored in fields_of.items() if name is not None and stored[0] and stored != usual[name]
    }
    place: Any = service.table.name
    if keys or indexes or place is None:
        place = invoke("tw.Table", place, **keys, **drop_empty(indexes=indexes))
    casing = _service_casing(service)
    made = invoke("tw.Service", service.name, table=place, **drop_empty(casing=None if casing == "none" else casing))
    return f"{names.service} = {print_code(made, 0, len(names.service) + 3)}"


# ---- entities -------------------------------------------------------------------------------------------------------


def _entity_code(
    draft: ModuleDraft,
    service: Service,
    names: ServiceNames,
    alias: str,
    fields_of: Mapping[str | None, tuple[str, ...]],
) -> str:
    entity = service.entities[alias]
    inside = names.inside[alias]
    place = Place(alias)
    must = entity.primary.composites
    lines, kinds = field_lines(draft, entity.name, entity.attributes, inside.attributes, place / "attributes", must)
    draft.kinds[alias] = kinds
    keys = strict_keys(entity, inside.attributes)
    owner = PatternOwner(entity, inside, kinds, keys, fields_of, draft.supplied.sources, _service_casing(service))
    options = {"service": Code(names.service), "name": entity.name, **_version(entity), **_identifiers(entity)}
    head = print_code(invoke(f"class {names.entities[alias]}", Code("tw.Entity"), **options), 0, 0, 1) + ":"
    about = sentence(entity.doc or f"{entity.name}, version {entity.version}.")
    patterns = (["", *pattern_lines(draft, owner, each, place / "indexes" / each.name)] for each in entity.patterns)
    code = [head, docstring([about], INDENT), "", *lines, *(line for each in patterns for line in each)]
    return "\n".join(code)


def _version(entity: Entity) -> dict[str, Any]:
    """Beyond the first, a class says which version its keys carry: a schema's carry its own."""
    keys = entity.key_version or entity.version
    return (
        {"version": entity.version}
        if entity.version == keys == "1"
        else {"version": entity.version, "key_version": keys}
    )


def _identifiers(entity: Entity) -> dict[str, Any]:
    own, usual = entity.identifiers, Identifiers()
    if own == usual:
        return {}
    said = {name: getattr(own, name) for name in ("entity", "version") if getattr(own, name) != getattr(usual, name)}
    return {"identifiers": invoke("tw.Identifiers", **said)}


# ---- collections ----------------------------------------------------------------------------------------------------


def _collection_code(service: Service, names: ServiceNames, collection: Collection, draft: ModuleDraft) -> str:
    options = {"service": Code(names.service), "name": collection.name}
    name = names.collections[collection.name]
    head = print_code(invoke(f"class {name}", Code("tw.Collection"), **options), 0, 0, 1) + ":"
    members = [
        f"{INDENT}{names.members[each.alias]}: list[{names.entities[each.alias]}]" for each in collection.members
    ]
    about = sentence(collection.doc or f"What the collection {collection.name} finds together.")
    index = print_code(collection.index or "table")
    lines = [f"{INDENT}@tw.index({index})", *_collection_signature(service, names, collection, draft)]
    return "\n".join([head, docstring([about], INDENT), "", *members, "", *lines])


def _collection_signature(
    service: Service, names: ServiceNames, collection: Collection, draft: ModuleDraft
) -> list[str]:
    """The partition key, and (where kinds of items are mixed by their sort key) what all of them begin with."""
    first = collection.members[0]
    entity = service.entities[first.alias]
    pattern = entity.pattern(first.pattern)
    assert pattern is not None
    inside = names.inside[first.alias].attributes
    kinds = draft.kinds[first.alias]
    given = [f"{inside[each]}: {kinds[each]}" for each in pattern.pk.composite]
    sort = [f"{inside[each]}: {kinds[each]} = ANY" for each in _shared_sort(service, collection)]
    by = " and ".join(inside[each] for each in pattern.pk.composite) or "nothing"
    return function_lines("of", given, sort, f"By {by}.")


def _shared_sort(service: Service, collection: Collection) -> list[str]:
    """The sort composites that all members have in front."""
    if collection.kind == "isolated":
        return []
    found: list[tuple[str, ...]] = []
    for each in collection.members:
        pattern = service.entities[each.alias].pattern(each.pattern)
        assert pattern is not None
        found.append(pattern.sk.composite if pattern.sk is not None and not repeats(pattern) else ())
    shared: list[str] = []
    for column in zip(*found, strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return shared
