from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tablewright.schema.electro import dump_entity, dump_service, load_entity, load_service
from tablewright.schema.model import Service
from tablewright.schema.types import (
    ANY,
    BINARY,
    BOOLEAN,
    CUSTOM,
    NUMBER,
    STATIC,
    STRING,
    Attribute,
    ListOf,
    MapOf,
    OneOf,
    RecordOf,
    SetOf,
    Type,
)
from tests.schema.samples import EMPLOYEE, ENUMS, FUNCTIONS, JSON_CONSTANTS, LEGACY, TASK, attributes, maps, services

LEAVES: st.SearchStrategy[Type] = (
    st.sampled_from([STRING, NUMBER, BOOLEAN, ANY, CUSTOM, STATIC, ListOf(), SetOf(STRING)]) | ENUMS
)
ELECTRO_TYPES: st.SearchStrategy[Type] = st.recursive(
    LEAVES, lambda types: attributes("*", types).map(ListOf) | maps(types), max_leaves=3
)


def undocumented(value: Any) -> Any:
    """The same schema without docs, for which ElectroDB has no place."""
    if isinstance(value, tuple):
        return tuple(undocumented(each) for each in value)
    if not isinstance(value, msgspec.Struct):
        return value
    fields = {name: undocumented(getattr(value, name)) for name in value.__struct_fields__}
    return type(value)(**{**fields, "doc": ""} if "doc" in fields else fields)


@given(services(types=ELECTRO_TYPES, defaults=JSON_CONSTANTS))
@settings(max_examples=60)
def test_what_is_dumped_loads_back(service: Service) -> None:
    for entity in service.entities.values():
        dumped = dump_entity(entity, functions=FUNCTIONS)
        loaded = load_entity(dumped, identifiers=entity.identifiers, functions=FUNCTIONS)
        # ElectroDB has no word for what a condition depends on.
        patterns = tuple(replace(each, depends_on=None) for each in entity.patterns)
        assert loaded == undocumented(replace(entity, patterns=patterns))


@pytest.mark.parametrize("schema", [TASK, EMPLOYEE, LEGACY], ids=["task", "employee", "legacy"])
def test_schemas_survive(schema: dict[str, object]) -> None:
    entity = load_entity(schema, functions=FUNCTIONS)
    dumped = dump_entity(entity, functions=FUNCTIONS)
    assert load_entity(json.loads(json.dumps(dumped)), functions=FUNCTIONS) == entity


def test_a_service_by_alias() -> None:
    service = load_service({"t": TASK, "e": EMPLOYEE}, table="app", functions=FUNCTIONS)
    dumped = dump_service(service, functions=FUNCTIONS)
    assert list(dumped) == ["t", "e"]
    assert load_service(dumped, functions=FUNCTIONS) == service


def test_the_form_is_electrodbs() -> None:
    dumped = dump_entity(load_entity(TASK, functions=FUNCTIONS), functions=FUNCTIONS)
    assert dumped["model"] == {"service": "taskapp", "entity": "task", "version": "1"}
    assert dumped["attributes"]["status"] == {"type": ["open", "done"], "default": "open"}
    assert dumped["attributes"]["createdAt"] == {
        "type": "string",
        "validate": {"$regex": "^[0-9]{4}-"},
        "readOnly": True,
    }
    assert dumped["indexes"]["byEmployee"] == TASK["indexes"]["byEmployee"]
    assert dump_entity(load_entity(LEGACY))["indexes"]["main"]["pk"] == {"field": "pk", "facets": ["x"]}


@pytest.mark.parametrize(
    "kind",
    [BINARY, SetOf(BINARY), RecordOf(Attribute(name="*", type=STRING, field="*")), OneOf("kind", (("a", MapOf(())),))],
)
def test_types_electrodb_lacks_become_any(kind: Type) -> None:
    entity = load_entity(EMPLOYEE)
    extended = replace(entity, attributes=(*entity.attributes, Attribute(name="x", type=kind, field="x")))
    assert dump_entity(extended)["attributes"]["x"] == {"type": "any"}
