"""PynamoDB, with the one method that sends a request replaced by one that keeps its parameters.

Keys are composed by hand, as PynamoDB has no notion of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.connection.base import Connection
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model

from benchmarks.in_process import InProcess

if TYPE_CHECKING:
    from benchmarks.scenario import Case

SENT: list[dict[str, Any]] = []


def keep(_: Connection, operation_name: str, operation_kwargs: dict[str, Any]) -> dict[str, Any]:
    SENT[:] = [operation_kwargs]
    return {"Items": [], "Count": 0, "ScannedCount": 0} if operation_name == "Query" else {"Attributes": {}}


Connection.dispatch = keep


class ByEmployee(GlobalSecondaryIndex["Task"]):
    """The tasks of an employee."""

    class Meta:
        index_name = "gsi1"
        projection = AllProjection()

    gsi1pk = UnicodeAttribute(hash_key=True)
    gsi1sk = UnicodeAttribute(range_key=True)


class Task(Model):
    """The task of the scenario."""

    class Meta:
        table_name = "app"
        region = "us-east-1"

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    gsi1pk = UnicodeAttribute()
    gsi1sk = UnicodeAttribute()
    by_employee = ByEmployee()
    project = UnicodeAttribute()
    task_id = UnicodeAttribute()
    employee = UnicodeAttribute()
    status = UnicodeAttribute()
    created_at = UnicodeAttribute()
    title = UnicodeAttribute()
    points = NumberAttribute()
    views = NumberAttribute(default=0)


def query(case: Case) -> dict[str, Any]:
    pages = Task.by_employee.query(
        f"$taskapp#employee_{case.employee}",
        ByEmployee.gsi1sk.startswith("$task_1#status_open#createdat_"),
        filter_condition=Task.points >= case.points,
    )
    next(pages, None)
    return SENT[0]


def update(case: Case) -> dict[str, Any]:
    task = Task(f"$taskapp#project_{case.project}", f"$task_1#taskid_{case.task_id}")
    task.update(
        actions=[
            Task.status.set("completed"),
            Task.title.set(case.title),
            Task.points.set(case.points),
            Task.gsi1sk.set(f"$task_1#status_completed#createdat_{case.created_at.lower()}"),
            Task.views.add(1),
        ],
        condition=Task.employee == case.employee,
    )
    return SENT[0]


CONTENDER = InProcess("pynamodb", {"query": query, "update": update})
