from __future__ import annotations

import re
from typing import Any

import pytest

from tablewright.errors import SchemaError
from tablewright.schema.electro import custom_attribute_type, load_entity
from tablewright.schema.model import AccessPattern, Identifiers, KeySide
from tablewright.schema.types import (
    ANY,
    BOOLEAN,
    CUSTOM,
    NUMBER,
    STATIC,
    STRING,
    Attribute,
    Constant,
    Enum,
    ListOf,
    MapOf,
    Padding,
    Pattern,
    SetOf,
)
from tests.schema.samples import FUNCTIONS, LEGACY, TASK, is_open, now, upper


def schema(attributes: dict[str, Any] | None = None, **indexes: Any) -> dict[str, Any]:
    return {
        "model": {"service": "S", "entity": "E", "version": "1"},
        "attributes": {"a": "string", "b": "string", **(attributes or {})},
        "indexes": {"main": {"pk": {"field": "pk", "composite": ["a"]}}, **indexes},
    }


def attribute(definition: Any) -> Attribute:
    found = load_entity(schema({"x": definition}), functions=FUNCTIONS).attribute("x")
    assert found is not None
    return found


def pattern(index: dict[str, Any]) -> AccessPattern:
    found = load_entity(schema(None, x={"index": "i", **index})).pattern("x")
    assert found is not None
    return found


def nested(name: str, kind: Any, field: str | None = None) -> Attribute:
    return Attribute(name=name, type=kind, field=field or name)


@pytest.mark.parametrize(
    ("definition", "kind"),
    [
        ("string", STRING),
        ({"type": "number"}, NUMBER),
        ("boolean", BOOLEAN),
        ("any", ANY),
        ("custom", CUSTOM),
        ("static", STATIC),
        (["a", "b"], Enum(("a", "b"))),
        ((1, 2.5), Enum((1, 2.5))),
        ({"type": "set", "items": "string"}, SetOf(STRING)),
        ({"type": "set", "items": "boolean"}, SetOf(BOOLEAN)),
        ({"type": "set", "items": ["a"]}, SetOf(Enum(("a",)))),
        ("list", ListOf()),
        ({"type": "list", "items": "number"}, ListOf(nested("*", NUMBER))),
        ({"type": "list", "items": {"type": ["a"]}}, ListOf(nested("*", Enum(("a",))))),
        (
            {"type": "map", "properties": {"p": {"type": "string", "field": "q"}, "r": ["x"]}},
            MapOf((nested("p", STRING, "q"), nested("r", Enum(("x",))))),
        ),
        ({"type": "map", "properties": {}}, MapOf(())),
    ],
)
def test_types(definition: Any, kind: Any) -> None:
    assert attribute(definition) == Attribute(name="x", type=kind, field="x")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"field": "f"}, {"field": "f"}),
        ({"required": True, "readOnly": True, "hidden": True}, {"required": True, "read_only": True, "hidden": True}),
        ({"default": None}, {"default": Constant(None)}),
        ({"default": [1]}, {"default": Constant([1])}),
        ({"default": now}, {"default": now}),
        ({"default": {"$fn": "now"}}, {"default": now}),
        ({"validate": upper}, {"validate": upper}),
        ({"validate": re.compile("a")}, {"validate": Pattern("a")}),
        ({"validate": Pattern("a")}, {"validate": Pattern("a")}),
        ({"get": upper, "set": upper}, {"get": upper, "set": upper}),
        ({"watch": ["a", "b"]}, {"watch": ("a", "b")}),
        ({"watch": "*"}, {"watch": "*"}),
        ({"label": ""}, {"label": ""}),
        ({"padding": {"length": 3, "char": "0"}}, {"padding": Padding(3, "0")}),
        ({"cast": "number", "anything": 1}, {}),
    ],
)
def test_options(options: dict[str, Any], expected: dict[str, Any]) -> None:
    base: dict[str, Any] = {"name": "x", "type": STRING, "field": "x"}
    assert attribute({"type": "string", **options}) == Attribute(**{**base, **expected})


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ({"composite": ["a"]}, {"composite": ("a",)}),
        ({"template": "x${a}${b}"}, {"composite": ("a", "b"), "template": "x${a}${b}"}),
        ({"composite": ["a"], "template": "x${a}"}, {"composite": ("a",), "template": "x${a}"}),
        ({"facets": ["a"]}, {"composite": ("a",)}),
        ({"facets": "x${a}"}, {"composite": ("a",), "template": "x${a}"}),
        ({"composite": ["b"], "facets": ["a"]}, {"composite": ("b",)}),
        ({"composite": ["a"], "template": ""}, {"composite": ()}),
        ({"composite": [], "casing": "none", "cast": "string"}, {"composite": (), "casing": "none", "cast": "string"}),
    ],
)
def test_keys(key: dict[str, Any], expected: dict[str, Any]) -> None:
    assert pattern({"pk": {"field": "gpk", **key}}).pk == KeySide(**{"field": "gpk", **expected})


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ({"collection": "c"}, {"collection": ("c",)}),
        ({"collection": ["c", "d"]}, {"collection": ("c", "d")}),
        ({"collection": ""}, {}),
        ({"type": "clustered"}, {"kind": "clustered"}),
        ({"scope": "z"}, {"scope": "z"}),
        ({"scope": 5}, {"scope": "5"}),
        ({"scope": None}, {}),
        ({"condition": is_open}, {"condition": is_open}),
        ({"projection": "KEYS_only"}, {"projection": "keys_only"}),
        ({"projection": ["a", "__edb_e__"]}, {"projection": ("a", "__edb_e__")}),
    ],
)
def test_index_options(index: dict[str, Any], expected: dict[str, Any]) -> None:
    keys = {"pk": {"field": "gpk", "composite": ["a"]}, "sk": {"field": "gsk", "composite": ["b"]}}
    sides = {
        "pk": KeySide(field="gpk", composite=("a",)),
        "sk": KeySide(field="gsk", composite=("b",)),
    }
    assert pattern({**keys, **index}) == AccessPattern(**{"name": "x", "index": "i", **sides, **expected})


def test_the_legacy_form() -> None:
    entity = load_entity(LEGACY)
    assert (entity.service, entity.name, entity.version, entity.table) == ("old", "thing", "3", "legacy")
    assert entity.legacy
    assert entity.primary.sk == KeySide(field="sk", composite=("y",), template="y-${y}")
    assert not load_entity(schema()).legacy


def test_the_legacy_version_may_be_left_out() -> None:
    assert load_entity({name: value for name, value in LEGACY.items() if name != "version"}).version == "1"


def test_table_and_identifiers_can_be_given() -> None:
    identifiers = Identifiers(entity="Type", version="V")
    entity = load_entity({**schema(), "table": "t"}, table="u", identifiers=identifiers)
    assert (entity.table, entity.identifiers) == ("u", identifiers)
    assert load_entity({**schema(), "table": "t"}).table == "t"


def test_a_projection_may_name_the_identifiers_in_use() -> None:
    index = {"index": "i", "projection": ["Type"], "pk": {"field": "gpk", "composite": ["b"]}}
    assert load_entity(schema(None, x=index), identifiers=Identifiers(entity="Type")).pattern("x")
    with pytest.raises(SchemaError) as caught:
        load_entity(schema(None, x=index))
    assert caught.value.code == 1025


def test_filters() -> None:
    assert load_entity({**schema(), "filters": {"loud": upper}}).filters == {"loud": upper}


def test_functions_that_are_not_known_are_refused() -> None:
    with pytest.raises(SchemaError, match=r"names \d functions .* now \(attributes\.taskId\.default\)"):
        load_entity(TASK)
    with pytest.raises(SchemaError, match=r"attributes\.x\.default: no function is called 'now'"):
        load_entity(schema({"x": {"type": "string", "default": {"$fn": "now"}}}))


def test_the_schema_given_is_not_changed() -> None:
    given = schema({"x": {"type": "string", "default": {"$fn": "now"}}})
    load_entity(given, functions=FUNCTIONS)
    assert given["attributes"]["x"]["default"] == {"$fn": "now"}


def test_a_custom_attribute_type_is_its_base() -> None:
    assert custom_attribute_type("string") == "string"
    with pytest.raises(SchemaError, match="string, number, boolean or any"):
        custom_attribute_type("map")


@pytest.mark.parametrize(
    ("attributes", "code", "words"),
    [
        ({"m": {"type": "map", "properties": {"l": {"type": "list", "items": {"type": "dat"}}}}}, 1008, '"m.l[*]"'),
        ({"m": {"type": "map", "properties": {"p": {"type": "string", "required": 1}}}}, 1009, "m.properties.p"),
        ({"x": "boolan"}, 1008, 'perhaps it should be "boolean"'),
        ({"x": {"type": "string", "watch": ["bb"]}}, 1016, 'perhaps it should be "b"'),
        ({"x": {"type": "enum"}}, 1008, "list of choices"),
        ({"m": {"type": "map", "properties": {"p": {"type": "string", "watch": ["q"]}}}}, 1016, '"m.p"'),
    ],
)
def test_faults_name_the_place_and_the_remedy(attributes: dict[str, Any], code: int, words: str) -> None:
    with pytest.raises(SchemaError) as caught:
        load_entity(schema(attributes))
    assert caught.value.code == code
    assert words in caught.value.message


def test_an_unclosed_brace_is_refused() -> None:
    with pytest.raises(SchemaError, match="not closed") as caught:
        pattern({"pk": {"field": "gpk", "template": "x${b"}})
    assert caught.value.code == 1003


def test_a_path_into_a_map_may_be_watched() -> None:
    address = {"type": "map", "properties": {"city": "string"}}
    assert load_entity(schema({"address": address, "x": {"type": "string", "watch": ["address.city"]}}))
    with pytest.raises(SchemaError) as caught:
        load_entity(schema({"address": address, "x": {"type": "string", "watch": ["address.street"]}}))
    assert caught.value.code == 1016
