from __future__ import annotations

import json
from decimal import Decimal

import pytest
import yaml
from hypothesis import given, settings
from msgspec.structs import replace

from tablewright.schema.dump import dump, dumps_json, dumps_yaml
from tablewright.schema.electro import load_service
from tablewright.schema.load import load
from tablewright.schema.model import Service
from tablewright.schema.service import build_service
from tablewright.schema.types import Attribute, Constant
from tests.schema.samples import EMPLOYEE, FUNCTIONS, TASK, services


def docs(service: Service) -> list[str]:
    """Everything that equality leaves out."""
    found = [service.doc, *(each.doc for each in service.collections)]
    for entity in service.entities.values():
        found += [entity.doc, *(each.doc for each in entity.attributes), *(each.doc for each in entity.patterns)]
    return found


@given(services())
@settings(max_examples=80)
def test_what_is_dumped_loads_back(service: Service) -> None:
    text = dumps_json(service, functions=FUNCTIONS)
    loaded = load(text, functions=FUNCTIONS)
    assert loaded == service
    assert docs(loaded) == docs(service)


@given(services())
@settings(max_examples=30)
def test_yaml_holds_the_same(service: Service) -> None:
    text = dumps_yaml(service, functions=FUNCTIONS)
    assert yaml.safe_load(text) == json.loads(dumps_json(service, functions=FUNCTIONS))


def test_a_service_reads_well() -> None:
    service = load_service({"task": TASK, "employee": EMPLOYEE}, table="app", functions=FUNCTIONS)
    dumped = dump(service, functions=FUNCTIONS)
    assert dumped["service"] == "taskapp"
    assert dumped["table"] == "app"
    task = dumped["entities"]["task"]
    assert task["attributes"]["project"] == "string"
    assert task["attributes"]["status"] == {"type": {"enum": ["open", "done"]}, "default": "open"}
    assert task["attributes"]["employee"] == {"type": "string", "set": {"$fn": "prefix", "args": ["e-"]}}
    assert task["attributes"]["notes"] == {"type": {"list": {"type": {"map": {"by": "string", "at": "number"}}}}}
    assert task["access_patterns"]["key"] == {
        "pk": {"field": "pk", "composite": ["project"]},
        "sk": {"field": "sk", "composite": ["taskId"]},
    }
    assert task["access_patterns"]["byEmployee"]["collection"] == "workload"
    assert "name" not in task  # the alias says it


def test_functions_go_by_qualified_name_unless_named() -> None:
    service = load_service({"task": TASK}, functions=FUNCTIONS)
    named = dump(service, functions={"clock": FUNCTIONS["now"]})["entities"]["task"]["attributes"]
    assert named["taskId"]["default"] == {"$fn": "clock"}
    assert named["slug"]["set"] == {"$fn": "tests.schema.samples.upper"}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b", "a"}, {"$set": ["a", "b"]}),
        (b"\x00\xff", {"$binary": "AP8="}),
        (Decimal("1.20"), {"$number": "1.20"}),
        ({"$fn": 1}, {"$map": {"$fn": 1}}),
        (None, None),
        (False, False),
    ],
)
def test_defaults_of_all_types_can_be_written(value: object, written: object) -> None:
    entity = load_service({"employee": EMPLOYEE}).entities["employee"]
    extra = Attribute(name="extra", type=entity.attributes[0].type, field="extra", default=Constant(value))
    service = build_service({"employee": replace(entity, attributes=(*entity.attributes, extra))})
    dumped = dump(service)
    assert dumped["entities"]["employee"]["attributes"]["extra"]["default"] == written
    assert load(json.loads(json.dumps(dumped))) == service
