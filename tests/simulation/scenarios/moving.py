"""A part of a tree moves while others add to it and change what is in it; a runner crashes, and another goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import tablewright as tw
from tablewright import Attr, attr
from tests.simulation.invariants import digits, made_once
from tests.simulation.scenario import Play, Scenario
from tests.simulation.story import Deed, Script, Story

TABLE = "tree"
PLANTED = ("a", "a/b", "a/b/c", "a/d", "z")
CLIENTS, DEEDS = 2, 3

forest = tw.Service("forest", table=TABLE)


class Folder(tw.Entity, service=forest, name="folder"):
    """Somewhere in the tree; its last step is a name that nobody else has."""

    space: Attr[str]
    path: Attr[tw.TreePath]
    visits: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, space: str, *, path: tw.TreePath) -> None:
        """One folder."""


def at(path: str) -> tw.Tree[Folder]:
    return tw.tree(Folder.key("s", path=tw.TreePath(*path.split("/"))))


def added(path: str) -> tw.Transaction:
    return tw.tree(Folder(space="s", path=tw.TreePath(*path.split("/")))).create()


def begin(_: Story) -> Script:
    for path in PLANTED:
        yield Deed("plant", added(path))


def visitor(number: int, story: Story) -> Script:
    for each in range(DEEDS):
        mark = number * DEEDS + each
        before = story.rng.choice(("a", "a/b", "a/b/c", "a/d"))
        after = before.replace("a", "z/a", 1)
        path = story.rng.choice((before, after))
        if story.rng.random() < 0.5:
            yield Deed("add", added(f"{path}/n{mark}"), {"name": f"n{mark}"})
        else:
            folder = Folder.key("s", path=tw.TreePath(*path.split("/")))
            yield Deed("visit", folder.patch(Folder.visits.add(10**mark)), {"mark": mark})


def moved() -> Deed:
    return Deed("move", at("a").move(tw.TreePath("z", "a")))


def mover(_: Story) -> Script:
    for _time in range(3):
        deed = yield moved()
        if deed.is_done:
            return


def heal(_: Story) -> Script:
    yield moved()


def scripts(story: Story) -> Sequence[Play]:
    runners = [mover] * story.rng.choice((1, 2))
    return [*(partial(visitor, number) for number in range(CLIENTS)), *runners]


# ---- what must hold --------------------------------------------------------------------------------------------------


def paths(story: Story) -> list[str]:
    return [item["path"].strip("/") for item in story.stored(TABLE, "folder")]


def marks(story: Story) -> Mapping[Deed, int]:
    """Additions by their names, visits by their digits."""
    names = Counter(path.split("/")[-1] for path in paths(story))
    visits = sum(int(item["visits"]) for item in story.stored(TABLE, "folder"))
    additions = {deed: names[deed.facts["name"]] for deed in story.named("add")}
    return {**additions, **{deed: digits(visits, deed.facts["mark"]) for deed in story.named("visit")}}


def everything_is_in_one_place(story: Story) -> Iterator[str]:
    """What was planted is where it was moved to, and nowhere else."""
    names = Counter(path.split("/")[-1] for path in paths(story))
    yield from (f"{name} is there {names[name]} times" for name in ("a", "b", "c", "d", "z") if names[name] != 1)
    yield from (f"{path} was left behind" for path in paths(story) if path == "a" or path.startswith("a/"))


def nobody_hangs_in_the_air(story: Story) -> Iterator[str]:
    """Everything has its parent."""
    found = set(paths(story))
    yield from (f"{path} has no parent" for path in found if "/" in path and path.rpartition("/")[0] not in found)


def jobs_are_forgotten(story: Story) -> Iterator[str]:
    yield from (f"{item} is left" for item in story.stored(TABLE, "tablewright:job"))


SCENARIO = Scenario(
    "moving",
    [forest],
    scripts,
    (*made_once(marks), everything_is_in_one_place, nobody_hangs_in_the_air, jobs_are_forgotten),
    begin=begin,
    heal=heal,
    resumed=(mover,),
)
