"""pydynantic, with a client that keeps the parameters instead of sending them.

Its update has no step before the call; its query has one, `_build_params`, which spares it the reading of a reply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydynantic import Entity, F, Table, key

from benchmarks.in_process import InProcess

if TYPE_CHECKING:
    from benchmarks.scenario import Case


class Client:
    """Remembers the last request and answers with nothing."""

    last: dict[str, Any]

    def update_item(self, **params: Any) -> dict[str, Any]:
        self.last = params
        return {}


CLIENT = Client()
TABLE = Table(name="app", pk="pk", sk="sk", indexes={"gsi1": {"pk": "gsi1pk", "sk": "gsi1sk"}}, client=CLIENT)


class Task(Entity, table=TABLE, name="task"):
    """The task of the scenario."""

    project: str
    task_id: str
    employee: str
    status: str
    created_at: str
    title: str
    points: int
    views: int = 0

    class Meta:
        primary = key(pk="$taskapp#project_{project}", sk="$task_1#taskid_{task_id}")
        by_employee = key(
            index="gsi1",
            pk="$taskapp#employee_{employee}",
            sk="$task_1#status_{status}#createdat_{created_at}",
        )


def query(case: Case) -> dict[str, Any]:
    built = Task.query.by_employee(employee=case.employee).begins_with("$task_1#status_open#createdat_")
    return built.filter(F("points") >= case.points)._build_params()


def update(case: Case) -> dict[str, Any]:
    # The index key is recomputed from attributes that are set, so all that feed it are given.
    Task.update(
        project=case.project,
        task_id=case.task_id,
        set={
            "status": "completed",
            "title": case.title,
            "points": case.points,
            "employee": case.employee,
            "created_at": case.created_at,
        },
        add={"views": 1},
        condition=F("employee") == case.employee,
    )
    return CLIENT.last


CONTENDER = InProcess("pydynantic", {"query": query, "update": update})
