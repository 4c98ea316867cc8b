from __future__ import annotations

import re

from msgspec.structs import replace

from tablewright.schema.describe import describe
from tablewright.schema.electro import load_entity, load_service
from tests.schema.samples import EMPLOYEE, FUNCTIONS, TASK


def test_a_service_as_a_table() -> None:
    service = load_service({"employee": EMPLOYEE, "task": TASK}, table="app", functions=FUNCTIONS)
    heading, blank, *table = describe(service).splitlines()
    assert (heading, blank) == ('Service "taskapp", table "app"', "")
    of_employee = "$taskapp#employee_{employee}"
    assert [re.split(" {2,}", line) for line in (table[0], *table[2:])] == [
        ["entity", "access pattern", "index", "partition key", "sort key", "collection", "answers"],
        ["employee", "key", "table", of_employee, "$employee_1"],
        ["employee", "workload", "gsi1", of_employee, "$workload#employee_1", "workload"],
        ["task", "key", "table", "$taskapp#project_{project}", "$task_1#taskid_{taskId}"],
        [
            *("task", "byEmployee", "gsi1", of_employee),
            *("$workload#task_1#status_{status}#createdat_{createdAt}", "workload", "(sparse)"),
        ],
    ]


def test_an_entity_with_what_it_answers() -> None:
    entity = load_entity(EMPLOYEE)
    documented = replace(entity, patterns=(replace(entity.patterns[0], doc="One employee.\n\nMore."),))
    assert describe(documented).splitlines() == [
        "entity    access pattern  index  partition key                 sort key     answers",
        "--------  --------------  -----  ----------------------------  -----------  -------------",
        "employee  key             table  $taskapp#employee_{employee}  $employee_1  One employee.",
    ]
