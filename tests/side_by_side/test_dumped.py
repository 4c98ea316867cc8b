"""A typed service, dumped as ElectroDB's schemas, makes the same requests on Node and in the loaded style."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

import tablewright as tw
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import dump_service, load_service
from tests.conftest import Node
from tests.side_by_side import boxoffice_cases, taskapp_cases
from tests.side_by_side.boxoffice import Ticket, box_office
from tests.side_by_side.columns import Case, Recorded, assert_same, record
from tests.side_by_side.loaded import request_of
from tests.side_by_side.taskapp import taskapp
from tests.side_by_side.test_boxoffice import FUNCTIONS

SERVICES: dict[str, tuple[tw.Service, list[Case]]] = {
    "taskapp": (taskapp, taskapp_cases.CASES),
    "boxoffice": (box_office, boxoffice_cases.CASES),
}
CASES = [pytest.param(name, case, id=f"{name}: {case.name}") for name, (_, cases) in SERVICES.items() for case in cases]


@dataclass(frozen=True, slots=True)
class Both:
    """A service as written for ElectroDB and as dumped from the typed one, on Node; the latter loaded as well."""

    written: Recorded
    dumped: Recorded
    loaded: LoadedService


@pytest.fixture(scope="module")
def services(node: Node) -> dict[str, Both]:
    return {name: both(node, name) for name in SERVICES}


def both(node: Node, name: str) -> Both:
    service, cases = SERVICES[name]
    written = record(node, name, cases)
    schemas = dumped_schemas(service, written)
    loaded = LoadedService(load_service(schemas, table=written.table, functions=FUNCTIONS))
    return Both(written, record(node, name, cases, schemas), loaded)


def dumped_schemas(service: tw.Service, written: Recorded) -> dict[str, Any]:
    """By the aliases of the Node side. Defaults that are functions are left out: JSON cannot hold them."""
    condition = Ticket.schema().pattern("on_resale")
    functions = {"isResale": condition.condition} if condition is not None and condition.condition is not None else {}
    dumped = dump_service(service.schema, functions=functions)
    for schema in dumped.values():
        for attribute in schema["attributes"].values():
            if isinstance(attribute.get("default"), dict):
                del attribute["default"]
    by_name = {schema["model"]["entity"]: schema for schema in dumped.values()}
    return {alias: by_name[schema["model"]["entity"]] for alias, schema in written.schemas.items()}


@pytest.mark.parametrize(("name", "case"), CASES)
def test_electrodb_makes_the_same_request_from_the_dump(services: dict[str, Both], name: str, case: Case) -> None:
    dumped, written = services[name].dumped.request(case), services[name].written.request(case)
    assert_same("dumped from Python", dumped, f"written for ElectroDB: {case.electro}", written)


@pytest.mark.parametrize(("name", "case"), CASES)
def test_the_loaded_dump_makes_the_same_request(services: dict[str, Both], name: str, case: Case) -> None:
    made = request_of(services[name].loaded, deepcopy(services[name].written.calls(case)))
    assert_same(
        "Tablewright, loaded", made, f"written for ElectroDB: {case.electro}", services[name].written.request(case)
    )
