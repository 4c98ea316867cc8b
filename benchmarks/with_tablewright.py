"""Tablewright's typed style, keys composed as ElectroDB composes them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import tablewright as tw
from benchmarks.in_process import InProcess
from tablewright import ANY, Attr, Range, attr

if TYPE_CHECKING:
    from benchmarks.scenario import Case

Status = Literal["open", "in-progress", "completed"]
taskapp = tw.Service("taskapp", table=tw.Table("app"))


class Task(tw.Entity, service=taskapp, name="task", version="1"):
    """The task of the scenario."""

    project: Attr[str]
    task_id: Attr[str] = attr(alias="taskId")
    employee: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    created_at: Attr[datetime] = attr(default_factory=tw.now, alias="createdAt")
    title: Attr[str | None] = attr(default=None)
    points: Attr[int] = attr(default=0)
    views: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, project: str, *, task_id: str) -> None:
        """One task."""

    @tw.index("gsi1")
    def by_employee(self, employee: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        """What an employee has to do, by status and age."""


def query(case: Case) -> dict[str, Any]:
    params: dict[str, Any] = Task.by_employee(case.employee, status="open").where(Task.points >= case.points).params()
    return params


def update(case: Case) -> dict[str, Any]:
    changes = (
        Task.status.set("completed"),
        Task.title.set(case.title),
        Task.points.set(case.points),
        Task.views.add(1),
    )
    one = Task.key(case.project, task_id=case.task_id)
    return one.update(*changes).composite(created_at=case.created).where(Task.employee == case.employee).params()


CONTENDER = InProcess("tablewright", {"query": query, "update": update})
