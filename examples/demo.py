"""A task-management service in one table: its access patterns, and the request that each of them makes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from showing import show_patterns, show_request

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
    task_id: Attr[str] = attr(default_factory=tw.new_id, name="taskId")
    employee: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    created_at: Attr[datetime] = attr(default_factory=tw.now, read_only=True, name="createdAt")
    tags: Attr[set[str]] = attr(default_factory=set)

    @tw.primary
    def key(self, project: str, *, task_id: str) -> None:
        """One task."""

    @tw.index("table")
    def of_project(self, project: str, *, task_id: Range[str] = ANY) -> None:
        """The tasks of a project."""

    @tw.index("gsi1", collection="workload")
    def by_employee(self, employee: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        """What an employee has to do, by status and age."""


class Workload(tw.Collection, service=taskapp, name="workload"):
    """An employee with all tasks, in one query."""

    employees: list[Employee]
    tasks: list[Task]

    @tw.index("gsi1")
    def of(self, employee: str) -> None: ...


ASKED = {
    "Employee.key": {
        "read one": 'Employee.key("e1").get()',
        "write a new one": 'Employee(employee="e1", name="Ada").create()',
    },
    "Task.key": {
        "read one": 'Task.key("web", task_id="t1").get()',
        "write it, index keys included": "paint.put()",
        "finish it, once; the index key follows the status": (
            'paint.patch(Task.status.set("completed")).where(Task.status != "completed")'
        ),
        "delete it, if it is there to be deleted": 'Task.key("web", task_id="t1").remove()',
    },
    "Task.of_project": {
        "the newest ten": 'Task.of_project("web").descending().limit(10)',
    },
    "Task.by_employee": {
        "all": 'Task.by_employee("e1")',
        "open ones": 'Task.by_employee("e1", status="open")',
        "open ones from before 2026": 'Task.by_employee("e1", status="open", created_at=tw.lt(new_year))',
        "urgent ones, by a filter": 'Task.by_employee("e1").where(Task.tags.contains("urgent"))',
    },
    "Workload.of": {
        "employee and tasks together": 'Workload.of("e1")',
    },
    "several at once": {
        "finish a task and count it, or neither": (
            'tw.transact(paint.patch(Task.status.set("completed")), '
            'Employee.key("e1").patch(Employee.open_tasks.add(-1)))'
        ),
        "read two items as of one moment": 'tw.transact_get(Employee.key("e1").get(), paint.key.get())',
        "write and delete in one batch": 'tw.batch_write(paint.put(), Task.key("web", task_id="t0").delete())',
    },
}


def main() -> None:
    new_year = datetime(2026, 1, 1, tzinfo=UTC)
    paint = Task(project="web", task_id="t1", employee="e1", created_at=new_year, tags={"fence"})
    names = {**globals(), "new_year": new_year, "paint": paint}
    show_patterns(taskapp)
    for pattern, asked in ASKED.items():
        for question, code in asked.items():
            show_request(f"{pattern}: {question}", eval(code, names), code=code)  # noqa: S307 - the texts above


if __name__ == "__main__":
    main()
