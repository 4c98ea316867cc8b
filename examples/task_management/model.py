"""What the service stores, and how it is found."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

Role = Literal["admin", "manager", "developer"]
Status = Literal["open", "in-progress", "completed"]
Priority = Literal["low", "medium", "high"]

taskapp = tw.Service("taskapp", table=tw.Table("taskapp"))


class Employee(tw.Entity, service=taskapp, name="employee", version="1"):
    """Someone who works here."""

    employee_id: Attr[str] = attr(name="employeeId")
    organisation_id: Attr[str] = attr(name="organisationId")
    name: Attr[str]
    email: Attr[str] = attr(unique=True, set=str.lower, validate=r"^[^@\s]+@[^@\s]+$")
    role: Attr[Role]
    team_id: Attr[str] = attr(name="teamId")

    @tw.primary
    def key(self, employee_id: str) -> None:
        """An employee by id."""

    @tw.index("gsi1")
    def team(self, team_id: str, *, role: Role = ANY, name: Range[str] = ANY) -> None:
        """The members of a team, by role and name."""

    @tw.index("gsi2", collection="workspace")
    def workspace(self, organisation_id: str, *, employee_id: str = ANY) -> None:
        """The people of an organisation."""


class Project(tw.Entity, service=taskapp, name="project", version="1"):
    """What tasks are for; knows how much is left to do."""

    project_id: Attr[str] = attr(name="projectId")
    organisation_id: Attr[str] = attr(name="organisationId")
    title: Attr[str]
    tasks_left: Attr[int] = attr(aggregate=True, default=0, name="tasksLeft")

    @tw.primary
    def key(self, project_id: str) -> None:
        """A project by id."""

    @tw.index("gsi2", collection="workspace")
    def workspace(self, organisation_id: str, *, project_id: str = ANY) -> None:
        """The projects of an organisation."""


class Comment(tw.Map):
    """What someone had to say about a task."""

    author: Attr[str]
    text: Attr[str]


class Task(
    tw.Entity,
    service=taskapp,
    name="task",
    version="1",
    aggregates=[tw.count_into(Project, "tasks_left", by="project_id", where={"status": ["open", "in-progress"]})],
):
    """Something to be done."""

    project_id: Attr[str] = attr(name="projectId")
    task_id: Attr[str] = attr(default_factory=tw.new_id, name="taskId")
    organisation_id: Attr[str] = attr(name="organisationId")
    title: Attr[str]
    assignee_id: Attr[str | None] = attr(default=None, name="assigneeId")
    status: Attr[Status] = attr(default="open")
    priority: Attr[Priority] = attr(default="medium")
    created_at: Attr[datetime] = attr(default_factory=tw.now, read_only=True, name="createdAt")
    views: Attr[int] = attr(default=0)
    hours_left: Attr[int | None] = attr(default=None, name="hoursLeft")
    tags: Attr[set[str]] = attr(default_factory=set)
    comments: Attr[list[Comment]] = attr(default_factory=list)
    revision: Attr[int] = attr(version=True)

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

    @tw.index("gsi2", collection="workspace")
    def workspace(self, organisation_id: str, *, project_id: str = ANY, task_id: str = ANY) -> None:
        """The tasks of an organisation, by project."""


class Workspace(tw.Collection, service=taskapp, name="workspace"):
    """Everything of an organisation: one query."""

    employees: list[Employee]
    projects: list[Project]
    tasks: list[Task]

    @tw.index("gsi2")
    def of(self, organisation_id: str) -> None:
        """Projects, tasks and people of an organisation."""
