"""The typed task-management service, the loaded one and ElectroDB make the same requests."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import load_service
from tests.conftest import Node
from tests.side_by_side.columns import Case, Recorded, assert_same, record
from tests.side_by_side.loaded import request_of
from tests.side_by_side.taskapp_cases import CASES

FUNCTIONS = {"newId": lambda: "made-by-the-service", "now": lambda: "2026-01-01T00:00:00.000Z"}


@pytest.fixture(scope="module")
def electro(node: Node) -> Recorded:
    return record(node, "taskapp", CASES)


@pytest.fixture(scope="module")
def loaded(electro: Recorded) -> LoadedService:
    """The schemas of the Node side, loaded."""
    return LoadedService(load_service(electro.schemas, table=electro.table, functions=FUNCTIONS))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_typed_and_electrodb_make_the_same_request(electro: Recorded, case: Case) -> None:
    assert_same("Tablewright", case.typed().params(), f"ElectroDB: {case.electro}", electro.request(case))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_loaded_and_electrodb_make_the_same_request(electro: Recorded, loaded: LoadedService, case: Case) -> None:
    made = request_of(loaded, deepcopy(electro.calls(case)))
    assert_same("Tablewright, loaded", made, f"ElectroDB: {case.electro}", electro.request(case))
