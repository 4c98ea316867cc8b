"""Tasks add to their projects: how many, how much, the most and the latest, while they come, change, move and go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "office"
PROJECTS = ("p", "q")
TASKS = ("t1", "t2", "t3")
CLIENTS, DEEDS = 3, 3

office = tw.Service("office", table=TABLE)


class Project(tw.Entity, service=office, name="project"):
    """Knows how much there is to do."""

    project: Attr[str]
    open_tasks: Attr[int] = attr(aggregate=True, default=0)
    hours: Attr[int] = attr(aggregate=True, default=0)
    longest: Attr[int | None] = attr(aggregate=True, default=None)
    newest: Attr[str | None] = attr(aggregate=True, default=None)

    @tw.primary
    def key(self, project: str) -> None:
        """One project."""


class Task(
    tw.Entity,
    service=office,
    name="task",
    aggregates=[
        tw.count_into("project", "open_tasks", by="project", where={"status": "open"}),
        tw.sum_into("project", "hours", by="project", of="effort"),
        tw.max_into("project", "longest", by="project", of="effort"),
        tw.latest_into("project", "newest", by="project", of="task", at="number"),
    ],
):
    """Adds to the project that it is in at the moment."""

    task: Attr[str]
    project: Attr[str]
    status: Attr[str] = attr(default="open")
    effort: Attr[int] = attr(default=1)
    number: Attr[int] = attr(default=0)
    by: Attr[str] = attr(default="")

    @tw.primary
    def key(self, task: str) -> None:
        """One task."""

    @tw.index("gsi1")
    def in_project(self, project: str, *, task: str = ANY) -> None:
        """The tasks of a project."""


def begin(_: Story) -> Script:
    for name in PROJECTS:
        yield Deed("plan", Project(project=name).create())
    yield Deed("create", Task(task="t1", project="p", effort=5, number=5).create(), {"by": ""})


def written(how: str, story: Story, by: str) -> Any:
    name, project = story.rng.choice(TASKS), story.rng.choice(PROJECTS)
    effort, number = story.rng.randrange(1, 9), story.rng.randrange(1, 9)
    key, said = Task.key(name), Task.by.set(by)
    match how:
        case "create":
            return Task(task=name, project=project, effort=effort, number=number, by=by).create()
        case "put":
            return Task(task=name, project=project, effort=effort, number=number, by=by).put()
        case "weigh":
            return key.patch(Task.effort.set(effort), said)
        case "close":
            return key.patch(Task.status.set("done"), said)
        case "move":
            return key.patch(Task.project.set(project), said)
        case _:
            return key.delete()


HOWS = ("create", "create", "put", "weigh", "close", "move", "delete")


def person(number: int, story: Story) -> Script:
    for each in range(DEEDS):
        how, by = story.rng.choice(HOWS), f"{number}.{each}"
        yield Deed(how, written(how, story, by), {"by": by})


def heal(story: Story) -> Script:
    """First as it was left by those who wrote; then recounted."""
    story.notes["left"] = story.stored(TABLE, "project")
    for name in PROJECTS:
        yield Deed("recount", tw.recount(Project.key(name)))


def scripts(_: Story) -> Sequence[Play]:
    return [partial(person, number) for number in range(CLIENTS)]


# ---- what must hold --------------------------------------------------------------------------------------------------


def expected(story: Story, project: str) -> dict[str, Any]:
    """Counted from the tasks; ties of the latest may go either way."""
    tasks = [item for item in story.stored(TABLE, "task") if item["project"] == project]
    latest = max((item["number"] for item in tasks), default=None)
    return {
        "open_tasks": sum(item["status"] == "open" for item in tasks),
        "hours": sum(item["effort"] for item in tasks),
        "longest": {max((item["effort"] for item in tasks), default=None)},
        "newest": {item["task"] for item in tasks if item["number"] == latest} or {None},
    }


def sums_are_right(story: Story) -> Iterator[str]:
    """Counts and sums follow from the tasks, at any time and without a recount."""
    for item in story.notes["left"]:
        wanted = expected(story, item["project"])
        for name in ("open_tasks", "hours"):
            if item[name] != wanted[name]:
                yield f"{item}: {name} should be {wanted[name]}"


def extremes_are_right_or_lost(story: Story) -> Iterator[str]:
    """Never wrong; absent only where it is noted as lost."""
    for item in story.notes["left"]:
        wanted, lost = expected(story, item["project"]), item.get("__lost__", set())
        for name in ("longest", "newest"):
            if (name in item) if name in lost else (item.get(name) not in wanted[name]):
                yield f"{item}: {name} should be one of {wanted[name]}"


def recounts_put_right(story: Story) -> Iterator[str]:
    for item in story.stored(TABLE, "project"):
        wanted = expected(story, item["project"])
        for name in ("longest", "newest"):
            if item.get(name) not in wanted[name]:
                yield f"{item}: {name} should be one of {wanted[name]} after a recount"


def no_ghosts(story: Story) -> Iterator[str]:
    """Nothing that was refused is to be seen."""
    refused = {deed.facts["by"]: deed for deed in story.deeds if deed.is_refused and deed.facts}
    for item in story.stored(TABLE, "task"):
        if item.get("by") in refused:
            yield f"{refused[item['by']]}, but there is {item}"


SCENARIO = Scenario(
    "adding",
    [office],
    scripts,
    (sums_are_right, extremes_are_right_or_lost, recounts_put_right, no_ghosts),
    begin=begin,
    heal=heal,
)
