"""A small service with aggregates of every kind, for the tests."""

from __future__ import annotations

from typing import Any, Literal

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.runtime.features.interleaving import items_in

office = tw.Service("office", table="office")
Status = Literal["open", "done"]


class Project(tw.Entity, service=office, name="project"):
    """Knows how much there is to do."""

    project: Attr[str]
    title: Attr[str] = attr(default="")
    open_tasks: Attr[int] = attr(aggregate=True, default=0, field="openTasks")
    hours: Attr[int] = attr(aggregate=True, default=0)
    longest: Attr[int | None] = attr(aggregate=True, default=None)
    shortest: Attr[int | None] = attr(aggregate=True, default=None)
    newest: Attr[str | None] = attr(aggregate=True, default=None)

    @tw.primary
    def key(self, project: str) -> None:
        """One project."""


class Employee(tw.Entity, service=office, name="employee"):
    """Knows how many tasks are waiting."""

    employee: Attr[str]
    waiting: Attr[int] = attr(aggregate=True, default=0)

    @tw.primary
    def key(self, employee: str) -> None:
        """One employee."""


class Task(
    tw.Entity,
    service=office,
    name="task",
    aggregates=[
        tw.count_into("project", "open_tasks", by="project", where={"status": "open"}),
        tw.sum_into("project", "hours", by="project", of="effort"),
        tw.max_into("project", "longest", by="project", of="effort"),
        tw.min_into("project", "shortest", by="project", of="effort", where={"status": ["open", "done"]}),
        tw.latest_into("project", "newest", by="project", of="task", at="number"),
        tw.count_into(Employee, "waiting", by={"employee": "assignee"}, where={"status": "open"}),
    ],
):
    """Adds to its project, and to whoever has to do it."""

    project: Attr[str]
    task: Attr[str]
    assignee: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    effort: Attr[int | None] = attr(default=None)
    number: Attr[int] = attr(default=0)
    note: Attr[str | None] = attr(default=None)

    @tw.primary
    def key(self, project: str, *, task: str) -> None:
        """One task."""

    @tw.index("gsi1")
    def by_assignee(self, assignee: str, *, project: str = ANY, task: str = ANY) -> None:
        """What somebody has to do."""


def fresh() -> tw.Database:
    """A new engine with two projects and two employees."""
    db = tw.Database.embedded()
    db.create(office)
    for name in "pq":
        db.run(Project(project=name).create())
    for name in "ab":
        db.run(Employee(employee=name).create())
    return db


def stored(db: tw.Database, entity: str) -> list[dict[str, Any]]:
    return [item for item in items_in(db.transport.call, "office") if item["__edb_e__"] == entity]


def expected_project(db: tw.Database, name: str) -> dict[str, Any]:
    """What the aggregates of a project are, counted from its tasks."""
    tasks = [each for each in stored(db, "task") if each["project"] == name]
    efforts = [each["effort"] for each in tasks if "effort" in each]
    latest = max((each["number"] for each in tasks), default=None)
    return {
        "openTasks": sum(each["status"] == "open" for each in tasks),
        "hours": sum(efforts),
        "longest": max(efforts, default=None),
        "shortest": min(efforts, default=None),
        "newest": {each["task"] for each in tasks if each["number"] == latest} or {None},
    }


def check_sums(db: tw.Database) -> None:
    """Numbers are right, always; extremes are right, or on record as lost."""
    for item in stored(db, "project"):
        expected, lost = expected_project(db, item["project"]), item.get("__lost__", set())
        assert (item["openTasks"], item["hours"]) == (expected["openTasks"], expected["hours"])
        for field in ("longest", "shortest", "newest"):
            if field in lost:
                assert field not in item
            elif field == "newest":
                assert item.get(field) in expected[field]
            else:
                assert item.get(field) == expected[field], field
    for item in stored(db, "employee"):
        mine = [each for each in stored(db, "task") if each.get("assignee") == item["employee"]]
        assert item["waiting"] == sum(each["status"] == "open" for each in mine)


def lost(db: tw.Database) -> list[str]:
    return [field for item in stored(db, "project") for field in item.get("__lost__", ())]
