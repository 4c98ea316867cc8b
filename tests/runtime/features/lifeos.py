"""A small service with tenants, a tree, comments on anything and things that belong to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.runtime.flow import Pause, carry_out
from tests.runtime.features.interleaving import items_in

life = tw.Service("life", table="life")
TreePath = tw.TreePath


class Space(tw.Entity, service=life, name="space", tenant="space"):
    """A tenant's own item."""

    space: Attr[str]
    title: Attr[str] = attr(default="")

    @tw.primary
    def key(self, space: str) -> None:
        """One space."""


class Folder(tw.Entity, service=life, name="folder", tenant="space", belongs_to={"inside": Space}):
    """A tree."""

    space: Attr[str]
    path: Attr[tw.TreePath]
    size: Attr[int] = attr(default=0)
    visits: Attr[int] = attr(default=0)
    tags: Attr[set[str]] = attr(default_factory=set)
    parent: Attr[str | None] = attr(default=None, watch="path", set=lambda _, item: str(item.path.parent or ""))

    @tw.primary
    def key(self, space: str, *, path: tw.TreePath) -> None:
        """One folder."""

    @tw.index("table")
    def inside(self, space: str) -> None:
        """All folders of a space."""

    @tw.index("gsi1")
    def by_size(self, space: str, *, size: int = ANY, path: tw.TreePath = ANY) -> None:
        """Folders by size."""


class Task(tw.Entity, service=life, name="task", tenant="space", belongs_to={"of_space": Space}):
    """Something to be done."""

    space: Attr[str]
    task: Attr[int]
    title: Attr[str] = attr(default="")

    @tw.primary
    def key(self, space: str, *, task: int) -> None:
        """One task."""

    @tw.index("gsi1")
    def of_space(self, space: str, *, title: str = ANY) -> None:
        """The tasks of a space."""

    @tw.index("gsi3", across_tenants=True)
    def by_title(self, title: str) -> None:
        """Tasks of all spaces."""


class Comment(tw.Entity, service=life, name="comment", tenant="space", belongs_to={"about": (Task, Folder)}):
    """Said about a task, or a folder."""

    space: Attr[str]
    comment: Attr[str]
    on: Attr[tw.Ref[Task | Folder]]
    text: Attr[str] = attr(default="")

    @tw.primary
    def key(self, space: str, *, comment: str) -> None:
        """One comment."""

    @tw.index("gsi2")
    def about(self, space: str, on: tw.Ref[Task | Folder], *, comment: str = ANY) -> None:
        """What is said about something."""


class Plan(tw.Entity, service=life, name="plan"):
    """What can be bought; the same for all tenants."""

    plan: Attr[str]

    @tw.primary
    def key(self, plan: str) -> None:
        """One plan."""


class Board(tw.Collection, service=life, name="board"):
    """Cards and lanes of a space."""

    cards: list[Card]
    lanes: list[Lane]

    @tw.index("gsi4")
    def of(self, space: str) -> None: ...


class Card(tw.Entity, service=life, name="card", tenant="space"):
    """On a board."""

    space: Attr[str]
    card: Attr[str]

    @tw.primary
    def key(self, space: str, *, card: str) -> None:
        """One card."""

    @tw.index("gsi4", collection="board")
    def on_board(self, space: str, *, card: str = ANY) -> None:
        """Cards of a space."""


class Lane(tw.Entity, service=life, name="lane", tenant="space"):
    """On a board."""

    space: Attr[str]
    lane: Attr[str]

    @tw.primary
    def key(self, space: str, *, lane: str) -> None:
        """One lane."""

    @tw.index("gsi4", collection="board")
    def on_board(self, space: str, *, lane: str = ANY) -> None:
        """Lanes of a space."""


def fresh() -> tw.Database:
    """A new engine with the empty table, on which nobody waits."""
    db = tw.Database.embedded()
    db.create(life)
    return db


def stored(db: tw.Database, entity: str | None = None, table: str = "life") -> list[dict[str, Any]]:
    found = items_in(db.transport.call, table)
    return [item for item in found if entity is None or item["__edb_e__"] == entity]


def folder(*steps: str, visits: int = 0) -> Folder:
    return Folder(space="s1", path=TreePath(*steps), visits=visits)


def place(*steps: str) -> tw.Tree[Folder]:
    return tw.tree(Folder.key("s1", path=TreePath(*steps)))


def plant(db: tw.Database, *paths: str) -> None:
    """Create folders at paths such as "a/b"."""
    for path in paths:
        db.run(tw.tree(folder(*path.split("/"))).create())


def paths(db: tw.Database) -> list[str]:
    return sorted(item["path"] for item in stored(db, "folder"))


def with_gap(db: tw.Database, operation: Any, at: int, between: Callable[[], Any] | None) -> bool:
    """Run an operation with something done between its requests `at` and `at + 1`; None: it crashes there.

    The answer is whether it has that many requests.
    """
    flow = operation.flow()
    calls = 0
    try:
        effect = next(flow)
        while True:
            if not isinstance(effect, Pause):
                if calls == at:
                    if between is None:
                        return True
                    between()
                calls += 1
            try:
                answer = carry_out(effect, db.transport.call, lambda _: None)
            except Exception as error:  # noqa: BLE001 - the flow decides
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration:
        return calls > at
