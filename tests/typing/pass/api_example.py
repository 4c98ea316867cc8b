from datetime import datetime
from typing import Literal

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

    @tw.primary  # before * the partition key, after it the sort key
    def key(self, project: str, *, task_id: str) -> None:
        """One task."""

    @tw.index("gsi1", collection="workload")
    def by_employee(self, employee: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        """What an employee has to do, by status and age."""


class Workload(tw.Collection, service=taskapp, name="workload"):
    """An employee with all tasks, in one query."""

    employees: list[Employee]
    tasks: list[Task]

    @tw.index("gsi1")  # the shared partition key; checked against the members
    def of(self, employee: str) -> None: ...


def finish(db: tw.Database, task: Task, employee: str) -> None:
    db.run(
        tw.transact(
            task.patch(Task.status.set("completed")).where(Task.status != "completed"),
            Employee.key(employee).patch(Employee.open_tasks.add(-1)),
        )
    )


def old_open_tasks(db: tw.Database, employee: str, before: datetime) -> list[Task]:
    return list(db.iter(Task.by_employee(employee, status="open", created_at=tw.lt(before))))


async def workload(db: tw.AsyncDatabase, employee: str) -> Workload:
    return await db.run(Workload.of(employee))
