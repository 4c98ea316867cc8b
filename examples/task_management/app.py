"""What the service does. Each function is what one endpoint of its API would call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tablewright as tw
from examples.task_management.model import Comment, Employee, Task, Workspace

if TYPE_CHECKING:
    from datetime import datetime

    from examples.task_management.model import Priority, Role, Status


class NotYours(Exception):
    """The task is somebody else's by now."""


def hire(db: tw.Database, employee: Employee) -> None:
    """Raises `tw.NotUnique` where the address is another's, whoever was faster."""
    db.run(employee.create())


def team(db: tw.Database, team_id: str, role: Role | None = None) -> list[Employee]:
    query = Employee.team(team_id) if role is None else Employee.team(team_id, role=role)
    return list(db.iter(query))


def add_task(db: tw.Database, task: Task) -> None:
    """The project counts it in the same transaction."""
    db.run(task.create())


def read_task(db: tw.Database, project_id: str, task_id: str) -> Task:
    task = db.run(Task.key(project_id, task_id=task_id).get().consistent())
    if task is None:
        raise LookupError(f"project {project_id} has no task {task_id}")
    return task


def page_of_project(db: tw.Database, project_id: str, cursor: str | None = None, size: int = 25) -> tw.Page[Task]:
    return db.run(Task.of_project(project_id).limit(size).after(cursor))


def to_do(
    db: tw.Database, assignee_id: str, status: Status, priority: Priority, since: datetime | None = None
) -> list[Task]:
    """What somebody has to do, the oldest first."""
    if since is None:
        return list(db.iter(Task.assigned(assignee_id, status=status, priority=priority)))
    return list(db.iter(Task.assigned(assignee_id, status=status, priority=priority, created_at=tw.gte(since))))


def complete(db: tw.Database, project_id: str, task_id: str, caller: str) -> None:
    """Only whoever has the task can complete it, also when it is taken from them at this very moment."""
    task = read_task(db, project_id, task_id)
    try:
        db.run(task.patch(Task.status.set("completed")).where(Task.assignee_id == caller))
    except tw.ConditionFailed as error:
        raise NotYours(f"{task.title!r} is not assigned to {caller}") from error


def assign(db: tw.Database, project_id: str, task_id: str, assignee_id: str) -> Task:
    """Read, decide, write; from the start if somebody else wrote meanwhile."""

    def give(task: Task) -> list[tw.Change]:
        return [] if task.status == "completed" else [Task.assignee_id.set(assignee_id)]

    return db.run(tw.edit(Task.key(project_id, task_id=task_id), give))


def discuss(db: tw.Database, project_id: str, task_id: str, comment: Comment, hours: int) -> None:
    """A view, a tag, hours worked and a comment, in one update that needs no reading."""
    db.run(
        Task.key(project_id, task_id=task_id).patch(
            Task.views.add(1),
            Task.tags.add({"discussed"}),
            Task.hours_left.subtract(hours),
            Task.comments.append(comment),
        )
    )


def workspace(db: tw.Database, organisation_id: str) -> Workspace:
    return db.run(Workspace.of(organisation_id))
