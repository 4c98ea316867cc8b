"""Functions, schemas and services that the tests of the schema share, and a strategy for any service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tablewright.schema.functions import Made
from tablewright.schema.model import AccessPattern, Entity, Identifiers, KeySide, Service
from tablewright.schema.service import build_service
from tablewright.schema.types import (
    ANY,
    BINARY,
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
    OneOf,
    Padding,
    Pattern,
    RecordOf,
    SetOf,
    Type,
)


def upper(value: Any, item: Any = None) -> Any:
    return str(value).upper()


def now() -> str:
    return "2026-01-01T00:00:00.000Z"


def is_open(item: Any) -> bool:
    return item.get("status") == "open"


def prefix(text: str) -> Callable[..., str]:
    return lambda value, item=None: f"{text}{value}"


FUNCTIONS: dict[str, Callable[..., Any]] = {"upper": upper, "now": now, "is_open": is_open, "prefix": prefix}

TASK: dict[str, Any] = {
    "model": {"service": "taskapp", "entity": "task", "version": "1"},
    "attributes": {
        "project": "string",
        "taskId": {"type": "string", "default": {"$fn": "now"}},
        "employee": {"type": "string", "set": {"$fn": "prefix", "args": ["e-"]}},
        "status": {"type": ["open", "done"], "default": "open"},
        "createdAt": {"type": "string", "readOnly": True, "validate": {"$regex": "^[0-9]{4}-"}},
        "points": {"type": "number", "padding": {"length": 4, "char": "0"}, "field": "pts"},
        "tags": {"type": "set", "items": "string"},
        "notes": {"type": "list", "items": {"type": "map", "properties": {"by": "string", "at": {"type": "number"}}}},
        "slug": {"type": "string", "watch": ["project"], "set": {"$fn": "upper"}, "hidden": True, "label": "s"},
    },
    "indexes": {
        "key": {"pk": {"field": "pk", "composite": ["project"]}, "sk": {"field": "sk", "composite": ["taskId"]}},
        "byEmployee": {
            "index": "gsi1",
            "collection": "workload",
            "condition": {"$fn": "is_open"},
            "projection": ["status", "points"],
            "pk": {"field": "gsi1pk", "composite": ["employee"]},
            "sk": {"field": "gsi1sk", "composite": ["status", "createdAt"]},
        },
    },
}

EMPLOYEE: dict[str, Any] = {
    "model": {"service": "taskapp", "entity": "employee", "version": "1"},
    "attributes": {"employee": "string", "name": {"type": "string", "required": True}},
    "indexes": {
        "key": {"pk": {"field": "pk", "composite": ["employee"]}, "sk": {"field": "sk", "composite": []}},
        "workload": {
            "index": "gsi1",
            "collection": "workload",
            "projection": ["name"],
            "pk": {"field": "gsi1pk", "composite": ["employee"]},
            "sk": {"field": "gsi1sk", "composite": []},
        },
    },
}

LEGACY: dict[str, Any] = {
    "service": "old",
    "entity": "thing",
    "version": "3",
    "table": "legacy",
    "attributes": {"x": "string", "y": "string"},
    "indexes": {"main": {"pk": {"field": "pk", "facets": ["x"]}, "sk": {"field": "sk", "facets": "y-${y}"}}},
}

# What follows draws whole services whose parts obey the rules.

NAMES = st.from_regex(r"[a-z][A-Za-z0-9]{0,6}", fullmatch=True)
DOCS = st.text(max_size=12)
JSON_VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
DYNAMODB_VALUES = (
    JSON_VALUES
    | st.binary(max_size=5)
    | st.decimals(allow_nan=False)
    | st.sets(st.integers() | st.text(max_size=3), max_size=3)
)


def constants(leaves: st.SearchStrategy[Any], keys: st.SearchStrategy[str]) -> st.SearchStrategy[Constant]:
    deep = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=4
    )
    return deep.map(Constant)


JSON_CONSTANTS = constants(JSON_VALUES, NAMES)
CONSTANTS = constants(DYNAMODB_VALUES, st.text(max_size=4) | st.just("$fn"))
FUNCTION = st.sampled_from([upper, Made("prefix", ("e-",), prefix("e-")), Made("prefix", ("x",), upper)])
TESTS = st.sampled_from([upper, Pattern("^a+$"), Pattern("(?i)b")])
ENUMS = st.lists(st.text(max_size=4) | st.integers(), min_size=1, max_size=3, unique=True).map(
    lambda choices: Enum(tuple(choices))
)


@st.composite
def attributes(
    draw: st.DrawFn,
    name: str,
    types: st.SearchStrategy[Type],
    watch: tuple[str, ...] = (),
    defaults: st.SearchStrategy[Constant] = JSON_CONSTANTS,
) -> Attribute:
    watched = st.none() | st.just("*") | st.just(watch) if watch else st.none()
    return Attribute(
        name=name,
        type=draw(types),
        field=draw(st.sampled_from([name, f"{name}_f"])),
        required=draw(st.booleans()),
        default=draw(st.none() | st.just(now) | defaults),
        validate=draw(st.none() | TESTS),
        get=draw(st.none() | FUNCTION),
        set=draw(st.none() | FUNCTION),
        watch=draw(watched),
        read_only=draw(st.booleans()),
        hidden=draw(st.booleans()),
        label=draw(st.none() | st.just("") | NAMES),
        padding=draw(st.none() | st.builds(Padding, st.integers(0, 9), st.sampled_from(["0", "ab"]))),
        doc=draw(DOCS),
    )


def maps(types: st.SearchStrategy[Type]) -> st.SearchStrategy[MapOf]:
    names = st.lists(NAMES, max_size=2, unique=True)
    return names.flatmap(lambda found: st.tuples(*(attributes(name, types) for name in found))).map(MapOf)


def nested(types: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    element = attributes("*", types)
    members = st.dictionaries(NAMES, maps(types), min_size=1, max_size=2).map(lambda found: tuple(found.items()))
    return element.map(ListOf) | maps(types) | element.map(RecordOf) | st.builds(OneOf, NAMES, members)


LEAF_TYPES: st.SearchStrategy[Type] = (
    st.sampled_from([STRING, NUMBER, BOOLEAN, BINARY, ANY, CUSTOM, STATIC, ListOf()])
    | ENUMS
    | st.sampled_from([STRING, NUMBER, BINARY]).map(SetOf)
    | ENUMS.map(SetOf)
)
TYPES = st.recursive(LEAF_TYPES, nested, max_leaves=3)


@st.composite
def entities(
    draw: st.DrawFn,
    alias: str,
    shared: AccessPattern,
    types: st.SearchStrategy[Type],
    defaults: st.SearchStrategy[Constant],
) -> Entity:
    extra = draw(st.lists(NAMES, max_size=3, unique=True))
    found = [draw(attributes(f"{alias}_{name}", types, ("id", "group"), defaults)) for name in extra]
    own = (Attribute(name="group", type=STRING, field="group"), Attribute(name="id", type=NUMBER, field="theId"))
    template = draw(st.sampled_from([None, "thing-${id}", "${id}!"]))
    sort = KeySide(field="sk", composite=("id",), template=template, casing=draw(st.sampled_from(["default", "upper"])))
    primary = AccessPattern(
        name="key", index=None, pk=KeySide(field="pk", composite=("group",)), sk=sort, doc=draw(DOCS)
    )
    return Entity(
        name=draw(st.sampled_from([alias, f"{alias}Entity"])),
        service=draw(st.sampled_from(["shop", "Shop"])),
        version=draw(st.sampled_from(["1", "2"])),
        attributes=(*own, *found),
        patterns=(primary, shared) if draw(st.booleans()) else (primary,),
        table=draw(st.sampled_from([None, "app", "other"])),
        identifiers=draw(st.sampled_from([Identifiers(), Identifiers(entity="Type", version="V")])),
        legacy=draw(st.booleans()),
        filters=draw(st.sampled_from([{}, {"loud": upper}])),
        doc=draw(DOCS),
    )


@st.composite
def shared_patterns(draw: st.DrawFn) -> AccessPattern:
    kind = draw(st.sampled_from(["isolated", "clustered", "composite"]))
    keyed = kind != "composite"
    return AccessPattern(
        name="second",
        index="gsi1",
        pk=KeySide(
            field="gsi1pk" if keyed else "", composite=("id",), cast=draw(st.sampled_from([None, "number", "string"]))
        ),
        sk=KeySide(field="gsi1sk" if keyed else "", composite=draw(st.sampled_from([("group",), ()][: keyed + 1]))),
        collection=draw(st.sampled_from([(), ("all",), ("all", "some")] if kind == "isolated" else [(), ("all",)])),
        kind=kind,
        scope=draw(st.sampled_from(["", "z"])) if keyed else "",
        condition=draw(st.sampled_from([None, is_open])) if keyed else None,
        depends_on=draw(st.sampled_from([None, (), ("id",)])),
        projection=draw(st.sampled_from(["all", "keys_only", ("id",), ("group", "id")])),
        doc=draw(DOCS),
    )


@st.composite
def services(
    draw: st.DrawFn,
    types: st.SearchStrategy[Type] = TYPES,
    defaults: st.SearchStrategy[Constant] = CONSTANTS,
) -> Service:
    shared = draw(shared_patterns())
    aliases = draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3, unique=True))
    found = {alias: draw(entities(alias, shared, types, defaults)) for alias in aliases}
    return build_service(found, name=draw(st.sampled_from(["shop", "SHOP"])), table="app", doc=draw(DOCS))
