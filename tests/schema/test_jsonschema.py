from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from tablewright.schema.dump import dump
from tablewright.schema.electro import load_service
from tablewright.schema.jsonschema import json_schema
from tablewright.schema.model import Service
from tests.schema.samples import EMPLOYEE, FUNCTIONS, TASK, services

VALIDATOR = jsonschema.Draft202012Validator(json_schema())
OWN = dump(load_service({"task": TASK, "employee": EMPLOYEE}, table="app", functions=FUNCTIONS), functions=FUNCTIONS)


def test_it_is_a_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert json.loads(json.dumps(json_schema())) == json_schema()


@given(services())
@settings(max_examples=40)
def test_it_accepts_every_dump(service: Service) -> None:
    VALIDATOR.validate(json.loads(json.dumps(dump(service, functions=FUNCTIONS))))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every mapping whose keys are the form's own words (not names a user chose, nor functions)."""
    if not isinstance(value, dict):
        return []
    free = path and path[-1] in ("attributes", "access_patterns", "entities", "map")
    own = [] if free or "$fn" in value else [path]
    return own + [found for key, each in value.items() for found in places(each, (*path, key))]


@pytest.mark.parametrize("path", places(OWN), ids=lambda path: ".".join(map(str, path)) or "service")
def test_it_rejects_unknown_keys_everywhere(path: tuple[Any, ...]) -> None:
    data = copy.deepcopy(OWN)
    part: Any = data
    for key in path:
        part = part[key]
    part["typo"] = True
    assert not VALIDATOR.is_valid(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("entities", "task", "attributes", "status", "type"), "strin"),
        (("entities", "task", "attributes", "slug", "hidden"), "yes"),
        (("entities", "task", "access_patterns", "key", "pk", "casing"), "uper"),
        (("entities", "task", "access_patterns", "byEmployee", "kind"), "isolate"),
        (("entities", "task", "version"), 1),
        (("entities",), {}),
    ],
)
def test_it_rejects_wrong_words_and_kinds(path: tuple[str, ...], value: Any) -> None:
    data = copy.deepcopy(OWN)
    part: Any = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    assert not VALIDATOR.is_valid(data)


def test_the_published_file_is_current() -> None:
    published = Path(__file__).parents[2] / "docs" / "reference" / "service.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == json_schema(), (
        "write it again with: python -m tablewright.schema.jsonschema > docs/reference/service.schema.json"
    )
