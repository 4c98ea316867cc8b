"""A task-management service in one table: employees, projects' tasks, and an employee's workload in one query."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from showing import show_service

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

Role = Literal["admin", "manager", "developer"]
Status = Literal["open", "in-progress", "completed"]
Priority = Literal["low", "medium", "high"]
tasks = tw.Service("tasks", table=tw.Table("tasks"))


class Comment(tw.Map):
    """What someone had to say about a task."""

    author: Attr[str]
    text: Attr[str]


class Employee(tw.Entity, service=tasks, name="employee", version="1"):
    """Someone who works here."""

    employee_id: Attr[str] = attr(name="employeeId")
    name: Attr[str]
    email: Attr[str] = attr(validate=r"^[^@\s]+@[^@\s]+$")
    role: Attr[Role]
    team_id: Attr[str] = attr(name="teamId")

    @tw.primary
    def key(self, employee_id: str) -> None:
        """An employee by id."""

    @tw.index("gsi1")
    def team(self, team_id: str, *, role: Role = ANY, name: Range[str] = ANY) -> None:
        """The members of a team, by role and name."""


class Task(tw.Entity, service=tasks, name="task", version="1"):
    """Something to be done."""

    project_id: Attr[str] = attr(name="projectId")
    task_id: Attr[str] = attr(default_factory=tw.new_id, name="taskId")
    title: Attr[str]
    assignee_id: Attr[str | None] = attr(default=None, name="assigneeId")
    status: Attr[Status] = attr(default="open")
    priority: Attr[Priority] = attr(default="medium")
    created_at: Attr[datetime] = attr(default_factory=tw.now, read_only=True, name="createdAt")
    views: Attr[int] = attr(default=0)
    hours_left: Attr[int | None] = attr(default=None, name="hoursLeft")
    tags: Attr[set[str]] = attr(default_factory=set)
    comments: Attr[list[Comment]] = attr(default_factory=list)

    @tw.primary
    def key(self, project_id: str, *, task_id: str) -> None:
        """One task of a project."""

    @tw.index("table")
    def of_project(self, project_id: str, *, task_id: Range[str] = ANY) -> None:
        """The tasks of a project."""

    @tw.index("gsi1")
    def assigned(
        self, assignee_id: str, *, status: Status = ANY, priority: Priority = ANY, created_at: Range[datetime] = ANY
    ) -> None:
        """The tasks of an assignee, by status, priority and age."""


def main() -> None:
    spring = datetime(2026, 3, 20, tzinfo=UTC)
    task = Task(
        project_id="web",
        task_id="t1",
        title="Paint",
        assignee_id="e1",
        priority="high",
        created_at=spring,
        tags={"fence"},
    )
    discuss = Task.key("web", task_id="t1").patch(
        Task.views.add(1),
        Task.tags.add({"urgent"}),
        Task.hours_left.subtract(2),
        Task.comments.append(Comment(author="e2", text="Which colour?")),
    )
    show_service(
        tasks,
        {
            "An employee by id": Employee.key("e1").get(),
            "The developers of a team": Employee.team("t7", role="developer"),
            "The tasks of a project, newest 25 of a page": Task.of_project("web").descending().limit(25),
            "Urgent open tasks since the spring": Task.assigned(
                "e1", status="open", priority="high", created_at=tw.gte(spring)
            ),
            "A new task": task.create(),
            "Complete it, if it is still mine (the item completes its index key)": task.patch(
                Task.status.set("completed")
            ).where(Task.assignee_id == "e1"),
            "Views, tags, hours and comments in one update": discuss,
        },
    )


if __name__ == "__main__":
    main()
