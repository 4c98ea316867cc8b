"""The task-management service, with a few attributes more than the guide shows, so that every verb has its object."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

Status = Literal["open", "in-progress", "completed"]
taskapp = tw.Service("taskapp", table=tw.Table("app"), casing="default")


class Employee(tw.Entity, service=taskapp, name="employee", version="1"):
    """Someone who works here."""

    employee: Attr[str]
    name: Attr[str]
    team: Attr[str | None] = attr(default=None)
    open_tasks: Attr[int] = attr(default=0, field="openTasks")

    @tw.primary
    def key(self, employee: str) -> None:
        """One employee."""

    @tw.index("gsi1", collection="workload")
    def workload(self, employee: str) -> None:
        """The employee's own row beside the tasks."""


class Effort(tw.Map):
    """How long it may take."""

    best_case: Attr[int | None] = attr(default=None, name="bestCase")
    worst_case: Attr[int | None] = attr(default=None, name="worstCase", field="worst")
    unit: Attr[str | None] = attr(default=None)


class Comment(tw.Map):
    """What someone had to say."""

    author: Attr[str]
    body: Attr[str]


class Task(tw.Entity, service=taskapp, name="task", version="1"):
    """Something to be done in a project."""

    project: Attr[str]
    task_id: Attr[str] = attr(default_factory=tw.new_id, alias="taskId")
    employee: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    created_at: Attr[datetime] = attr(default_factory=tw.now, read_only=True, alias="createdAt")
    tags: Attr[set[str]] = attr(default_factory=set)
    title: Attr[str] = attr(default="")
    points: Attr[int] = attr(default=0)
    spent: Attr[float | None] = attr(default=None)
    effort: Attr[Effort | None] = attr(default=None)
    comments: Attr[list[Comment] | None] = attr(default=None)
    checklist: Attr[list[str] | None] = attr(default=None)

    @tw.primary
    def key(self, project: str, *, task_id: str) -> None:
        """One task."""

    @tw.index("gsi1", collection="workload")
    def by_employee(self, employee: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        """What an employee has to do, by status and age."""


class Workload(tw.Collection, service=taskapp, name="workload"):
    """An employee with all tasks, in one query."""

    employees: list[Employee]
    tasks: list[Task]

    @tw.index("gsi1")
    def of(self, employee: str) -> None: ...
