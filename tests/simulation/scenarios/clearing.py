"""A workspace goes with everything in it, while others add to it; whoever deletes crashes, and another goes on.

Those who add insist on the parent, as the page on cascades says; what was added before its parent went must go, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "clearing"
PROJECTS, TASKS = 2, 2
ADDERS, ADDITIONS = 2, 3

app = tw.Service("clearing", table=TABLE)


class Workspace(tw.Entity, service=app, name="workspace"):
    """What goes."""

    workspace: Attr[str]

    @tw.primary
    def key(self, workspace: str) -> None:
        """One workspace."""


class Project(tw.Entity, service=app, name="project", belongs_to={"of_workspace": Workspace}):
    """Belongs to a workspace."""

    workspace: Attr[str]
    project: Attr[str]

    @tw.primary
    def key(self, workspace: str, *, project: str) -> None:
        """One project."""

    @tw.index("table")
    def of_workspace(self, workspace: str) -> None:
        """Those of a workspace."""


class Task(tw.Entity, service=app, name="task", belongs_to={"of_project": Project}):
    """Belongs to a project; its slug is its own, so that a second item goes with it."""

    workspace: Attr[str]
    project: Attr[str]
    task: Attr[str]
    slug: Attr[str | None] = attr(default=None, unique=True)

    @tw.primary
    def key(self, workspace: str, project: str, *, task: str) -> None:
        """One task."""

    @tw.index("table")
    def of_project(self, workspace: str, project: str) -> None:
        """Those of a project."""


def begin(_: Story) -> Script:
    for workspace in ("w1", "w2"):
        yield Deed("begin", Workspace(workspace=workspace).create())
        for project in range(PROJECTS):
            yield Deed("begin", Project(workspace=workspace, project=f"p{project}").create())
            for number in range(TASKS):
                yield Deed("begin", task(workspace, f"p{project}", f"t{number}").create())


def task(workspace: str, project: str, name: str) -> Task:
    return Task(workspace=workspace, project=project, task=name, slug=f"{workspace} {project} {name}")


def added(story: Story, name: str) -> Any:
    workspace, project = story.rng.choice(("w1", "w1", "w2")), f"p{story.rng.randrange(PROJECTS)}"
    if story.rng.random() < 0.3:
        parent: Any = Workspace.key(workspace).check(Workspace.workspace.exists())
        return tw.transact(parent, Project(workspace=workspace, project=name).create())
    parent = Project.key(workspace, project=project).check(Project.project.exists())
    return tw.transact(parent, task(workspace, project, name).create())


def adder(number: int, story: Story) -> Script:
    for each in range(ADDITIONS):
        yield Deed("add", added(story, f"{number}.{each}"), {"name": f"{number}.{each}"})


def deleter(_: Story) -> Script:
    """Runs the job again after a failure, as one would."""
    for _time in range(3):
        deed = yield Deed("cascade", tw.cascade(Workspace.key("w1")))
        if deed.is_done:
            return


def heal(_: Story) -> Script:
    yield Deed("cascade", tw.cascade(Workspace.key("w1")))


def scripts(story: Story) -> Sequence[Play]:
    runners = [deleter] * story.rng.choice((1, 2))
    return [*(partial(adder, number) for number in range(ADDERS)), *runners]


# ---- what must hold --------------------------------------------------------------------------------------------------


def no_orphans(story: Story) -> Iterator[str]:
    """Nothing of the workspace is left, however the job was interrupted and resumed."""
    yield from (f"{item} is left" for item in story.stored(TABLE) if item.get("workspace") == "w1")


def sentinels_go_along(story: Story) -> Iterator[str]:
    slugs = {item["slug"] for item in story.stored(TABLE, "task")}
    sentinels = {item["pk"].split('"')[1] for item in story.stored(TABLE, "tablewright:unique")}
    yield from (f"{slug} has a task or a sentinel, not both" for slug in slugs ^ sentinels)


def others_stay(story: Story) -> Iterator[str]:
    """The other workspace is whole."""
    found = {item.get("task") or item.get("project") for item in story.stored(TABLE) if item.get("workspace") == "w2"}
    wanted = {f"p{each}" for each in range(PROJECTS)} | {f"t{each}" for each in range(TASKS)}
    yield from (f"{name} is gone" for name in wanted - found)


def jobs_are_forgotten(story: Story) -> Iterator[str]:
    """A job that is done leaves nothing behind."""
    yield from (f"{item} is left" for item in story.stored(TABLE, "tablewright:job"))


SCENARIO = Scenario(
    "clearing",
    [app],
    scripts,
    (no_orphans, sentinels_go_along, others_stay, jobs_are_forgotten),
    begin=begin,
    heal=heal,
    resumed=(deleter,),
)
