"""A day at a small company."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import tablewright as tw
from examples.running import catch_up, run
from examples.showing import heading, names, tell
from examples.task_management import app
from examples.task_management.model import Comment, Employee, Project, Task, taskapp

if TYPE_CHECKING:
    from examples.task_management.model import Role

SPRING = datetime(2026, 3, 20, tzinfo=UTC)


def story(db: tw.Database) -> None:
    people(db)
    tasks(db)
    work(db)
    overview(db)


def people(db: tw.Database) -> None:
    heading("People")
    app.hire(db, person("e1", "Ada", "developer"))
    app.hire(db, person("e2", "Bo", "manager"))
    app.hire(db, person("e3", "Cleo", "developer"))
    try:
        app.hire(db, person("e4", "Ada", "developer"))
    except tw.NotUnique as error:
        tell("a second Ada with the same address", f"refused, it belongs to {error.owner['employeeId']}")
    catch_up(db)
    tell("the team", names(each.name for each in app.team(db, "red")))
    tell("its developers", names(each.name for each in app.team(db, "red", "developer")))


def person(employee_id: str, name: str, role: Role) -> Employee:
    email = f"{name}@example.com"
    return Employee(employee_id=employee_id, organisation_id="acme", name=name, email=email, role=role, team_id="red")


def tasks(db: tw.Database) -> None:
    heading("Tasks")
    db.run(Project(project_id="web", organisation_id="acme", title="The web site").create())
    for number, title in enumerate(("Draw", "Build", "Test", "Publish"), start=1):
        app.add_task(db, task(f"t{number}", title, SPRING.replace(month=3 + number)))
    catch_up(db)
    page = app.page_of_project(db, "web", size=3)
    tell("first page of the project", names(each.title for each in page))
    tell("and the next", names(each.title for each in app.page_of_project(db, "web", page.cursor, size=3)))
    since_june = app.to_do(db, "e1", "open", "high", since=datetime(2026, 6, 1, tzinfo=UTC))
    tell("Ada's urgent tasks since June", names(each.title for each in since_june))


def task(task_id: str, title: str, created_at: datetime) -> Task:
    return Task(
        project_id="web",
        task_id=task_id,
        organisation_id="acme",
        title=title,
        assignee_id="e1",
        priority="high",
        created_at=created_at,
        hours_left=8,
    )


def work(db: tw.Database) -> None:
    heading("Work")
    app.discuss(db, "web", "t1", Comment(author="e2", text="Which colour?"), hours=2)
    seen = app.read_task(db, "web", "t1")
    tell("after a comment", f"{seen.views} view, {seen.hours_left} hours left, {seen.comments[0].text!r}, {seen.tags}")
    app.complete(db, "web", "t1", caller="e1")
    app.assign(db, "web", "t2", "e3")
    try:
        app.complete(db, "web", "t2", caller="e1")
    except app.NotYours as error:
        tell("Ada completes a task that Cleo has by now", error)
    try:
        db.run(seen.patch(Task.title.set("Sketch")))
    except tw.Conflict as conflict:
        tell("somebody saves what they read before", f"refused, the task is {conflict.item and conflict.item.status}")


def overview(db: tw.Database) -> None:
    heading("The organisation, in one query")
    catch_up(db)
    found = app.workspace(db, "acme")
    tell("people", names(each.name for each in found.employees))
    tell("tasks", names(f"{each.title} ({each.status})" for each in found.tasks))
    for project in found.projects:
        tell(project.title, f"{project.tasks_left} tasks left")


if __name__ == "__main__":
    run(taskapp, story)
