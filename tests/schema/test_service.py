from __future__ import annotations

import copy
from typing import Any

import pytest

from tablewright.errors import SchemaError
from tablewright.schema.check import check_service
from tablewright.schema.electro import load_entity, load_service
from tablewright.schema.model import Member, Service
from tablewright.schema.service import build_service
from tests.schema.samples import EMPLOYEE, FUNCTIONS, TASK


def with_collection(schema: dict[str, Any], pattern: str, names: Any, entity: str) -> Any:
    changed = copy.deepcopy(schema)
    changed["indexes"][pattern]["collection"] = names
    changed["model"]["entity"] = entity
    return load_entity(changed, functions=FUNCTIONS)


def test_name_and_table_come_from_the_entities_unless_given() -> None:
    entity = load_entity(EMPLOYEE, table="hr")
    assert (build_service({"e": entity}).name, build_service({"e": entity}).table.name) == ("taskapp", "hr")
    given = build_service({"e": entity}, name="TaskApp", table="other", doc="Words.")
    assert (given.name, given.table.name, given.doc) == ("TaskApp", "other", "Words.")


def test_members_of_a_collection_in_order() -> None:
    service = load_service({"tasks": TASK, "employees": EMPLOYEE}, functions=FUNCTIONS)
    (workload,) = service.collections
    assert (workload.name, workload.index, workload.kind) == ("workload", "gsi1", "isolated")
    assert workload.members == (
        Member(alias="tasks", entity="task", pattern="byEmployee"),
        Member(alias="employees", entity="employee", pattern="workload"),
    )


def test_an_outer_collection_has_the_members_of_inner_ones() -> None:
    outer = with_collection(EMPLOYEE, "workload", "all", "outer")
    inner = with_collection(EMPLOYEE, "workload", ["all", "some"], "inner")
    found = {
        each.name: [member.alias for member in each.members]
        for each in build_service({"o": outer, "i": inner}).collections
    }
    assert found == {"all": ["o", "i"], "some": ["i"]}


def test_a_table_is_handed_to_the_entities_of_an_electrodb_service() -> None:
    service = load_service({"e": EMPLOYEE, "t": load_entity(TASK, functions=FUNCTIONS)}, table="app")
    assert [each.table for each in service.entities.values()] == ["app", "app"]


def test_a_service_without_entities_is_refused() -> None:
    with pytest.raises(SchemaError, match="at least one"):
        build_service({}, name="empty")


def test_checking_a_service_checks_its_entities_and_collections() -> None:
    service = load_service({"e": EMPLOYEE})
    check_service(service)
    other = with_collection(EMPLOYEE, "workload", ["some", "workload"], "inner")
    wrong = Service(name="taskapp", entities={**service.entities, "o": other}, table=service.table)
    with pytest.raises(SchemaError) as caught:
        check_service(wrong)
    assert caught.value.code == 1013
