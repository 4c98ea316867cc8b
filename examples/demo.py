"""A task-management service in one table: its access patterns, and the request that each of them makes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Literal

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

Status = Literal["open", "in-progress", "completed"]
taskapp = tw.Service("taskapp", table=tw.Table("app"))


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


class Task(tw.Entity, service=taskapp, name="task", version="1"):
    """Something to be done in a project."""

    project: Attr[str]
    task_id: Attr[str] = attr(default_factory=tw.new_id, alias="taskId")
    employee: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    created_at: Attr[datetime] = attr(default_factory=tw.now, read_only=True, alias="createdAt")
    tags: Attr[set[str]] = attr(default_factory=set)

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


def requests() -> list[tuple[str, dict[str, Any]]]:
    """What the application asks, with the request that answers it."""
    year = datetime(2026, 1, 1, tzinfo=UTC)
    finish = Task.key("web", task_id="t1").patch(Task.status.set("completed")).composite(created_at=year)
    return [
        ("one employee", Employee.key("e1").get().params()),
        ("one task", Task.key("web", task_id="t1").get().params()),
        ("open tasks of an employee", Task.by_employee("e1", status="open").params()),
        ("open tasks older than 2026", Task.by_employee("e1", status="open", created_at=tw.lt(year)).params()),
        ("an employee with all tasks", Workload.of("e1").params()),
        ("finish a task, once", finish.where(Task.status != "completed").params()),
    ]


def main() -> None:
    for question, params in requests():
        print(f"\n{question}")
        for name, value in params.items():
            print(f"  {name:<26} {value if isinstance(value, str) else json.dumps(value)}")


if __name__ == "__main__":
    main()
