"""Broken schemas and the code ElectroDB gave for each: every fault, every pair of faults, every kind of value."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tablewright.errors import SchemaError
from tablewright.schema.electro import load_entity, load_service

RECORDED = Path(__file__).parent.parent / "recorded"


def recorded(name: str) -> dict[str, Any]:
    return json.loads((RECORDED / name).read_text(encoding="utf-8"))


def always(*_: Any) -> bool:
    return True


FUNCTIONS = dict.fromkeys(("x", "f"), always)
DEFINITIONS = recorded("definitions.json")
FAULTS = recorded("faults.json")
LAST_INDEX = recorded("last_index.json")
STRUCTURE = recorded("structure.json")

# ElectroDB takes these, though nothing sensible can come of them; we say so when the schema is loaded.
STRICTER = {
    ("model.entity", "empty"): 1009,  # ElectroDB raises as well, without a code
    ("attributes.n.type", "empty"): 1008,
    ("indexes.two.pk", "obj"): 1009,  # the same
    ("indexes.two.sk", "obj"): 1009,
    ("indexes.two.pk.field", "empty"): 1026,
    ("indexes.two.sk.field", "empty"): 1026,
    **{
        (f"indexes.{index}.scope", value): 1009
        for index in ("one", "two")
        for value in ("bool", "list", "elist", "obj", "fn")
    },
}

# ElectroDB does not compare the tables of a service's entities; DynamoDB has one key for each table and index.
ONE_TABLE = {"sk field", "no collection different pk", "primary pk field differs", "primary no sk", "cast pk"}


def outcome(schema: dict[str, Any], *, service: bool = False) -> int | str:
    load = load_service if service else load_entity
    try:
        load(schema, functions=FUNCTIONS)
    except SchemaError as error:
        return error.code if error.message.endswith((".", "?")) else f"not a sentence: {error.message}"
    return "ok"


@pytest.mark.parametrize("case", DEFINITIONS["entities"], ids=lambda case: case["title"])
def test_entity(case: dict[str, Any]) -> None:
    assert outcome(case["schema"]) == case["code"]


@pytest.mark.parametrize("case", DEFINITIONS["services"], ids=lambda case: case["title"])
def test_service(case: dict[str, Any]) -> None:
    expected = 1009 if case["title"] in ONE_TABLE else case["code"]
    assert outcome(case["service"], service=True) == expected


def with_faults(*names: str) -> dict[str, Any]:
    schema = copy.deepcopy(FAULTS["base"])
    for name in names:
        for part, added in FAULTS["faults"][name].items():
            schema.setdefault(part, {}).update(copy.deepcopy(added))
    return schema


@pytest.mark.parametrize("first", FAULTS["codes"])
def test_of_two_faults_the_one_electrodb_reports_comes_first(first: str) -> None:
    codes = FAULTS["codes"][first]
    assert {second: outcome(with_faults(first, second)) for second in codes} == codes


def test_of_two_faults_in_one_access_pattern_the_one_electrodb_reports_comes_first() -> None:
    wrong = []
    for case in LAST_INDEX["cases"]:
        schema = copy.deepcopy(LAST_INDEX["base"])
        schema["indexes"]["new"] = case["index"]
        if outcome(schema) != case["code"]:
            wrong.append((case, outcome(schema)))
    assert not wrong


@pytest.mark.parametrize("path", STRUCTURE["codes"])
def test_values_of_any_kind_in_any_place(path: str) -> None:
    expected = {kind: STRICTER.get((path, kind), code) for kind, code in STRUCTURE["codes"][path].items()}
    assert {kind: outcome(with_value(path, STRUCTURE["values"][kind])) for kind in expected} == expected


def with_value(path: str, value: Any) -> dict[str, Any]:
    schema = copy.deepcopy(STRUCTURE["base"])
    *parents, last = path.split(".")
    part = schema
    for name in parents:
        part = part.setdefault(name, {})
    part[last] = value
    return schema
