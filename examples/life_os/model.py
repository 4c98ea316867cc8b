"""What is stored. All but users belongs to a workspace, which begins every partition key.

Things have ids, and each knows the one it is in, because comments and relations point at them and they move. Pages of
the notebook, at which nothing points, have their way from the root in the key: a chapter is one query.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, TypeAlias

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

Kind = Literal["physical", "digital", "relational"]
Status = Literal["open", "done"]

life = tw.Service("life", table=tw.Table("life"))


class User(tw.Entity, service=life, name="user"):
    """Someone, in as many workspaces as they like."""

    user: Attr[str]
    name: Attr[str]
    email: Attr[str] = attr(unique=True, set=str.lower)

    @tw.primary
    def key(self, user: str) -> None:
        """One user."""


class Workspace(tw.Entity, service=life, name="workspace", tenant="workspace"):
    """A tenant's own item."""

    workspace: Attr[str]
    title: Attr[str]

    @tw.primary
    def key(self, workspace: str) -> None:
        """One workspace."""


class Membership(tw.Entity, service=life, name="membership", tenant="workspace", belongs_to={"members": Workspace}):
    """Someone is in a workspace."""

    workspace: Attr[str]
    user: Attr[str]

    @tw.primary
    def key(self, workspace: str, *, user: str) -> None:
        """Whether someone is in a workspace."""

    @tw.index("table")
    def members(self, workspace: str) -> None:
        """Who is in a workspace."""

    @tw.index("gsi1", across_tenants=True)
    def of_user(self, user: str, *, workspace: str = ANY) -> None:
        """The workspaces of someone."""


class Thing(
    tw.Entity, service=life, name="thing", tenant="workspace", belongs_to={"of_workspace": Workspace, "within": "thing"}
):
    """Something one has or knows; it may be in another thing."""

    workspace: Attr[str]
    thing: Attr[str]
    title: Attr[str]
    kind: Attr[Kind] = attr(default="physical")
    parent: Attr[tw.Ref[Thing] | None] = attr(default=None)

    @tw.primary
    def key(self, workspace: str, *, thing: str) -> None:
        """One thing."""

    @tw.index("table")
    def of_workspace(self, workspace: str) -> None:
        """The things of a workspace."""

    @tw.index("gsi1")
    def within(self, workspace: str, parent: tw.Ref[Thing], *, kind: Kind = ANY, title: str = ANY) -> None:
        """What is in a thing, by kind."""


class Asset(tw.Entity, service=life, name="asset", tenant="workspace", belongs_to={"of_workspace": Workspace}):
    """A file: a photo, a contract, a manual."""

    workspace: Attr[str]
    asset: Attr[str]
    title: Attr[str]

    @tw.primary
    def key(self, workspace: str, *, asset: str) -> None:
        """One asset."""

    @tw.index("table")
    def of_workspace(self, workspace: str) -> None:
        """The assets of a workspace."""


class Task(tw.Entity, service=life, name="task", tenant="workspace", belongs_to={"of_workspace": Workspace}):
    """Something to be done."""

    workspace: Attr[str]
    task: Attr[str]
    title: Attr[str]
    assignee: Attr[str | None] = attr(default=None)
    status: Attr[Status] = attr(default="open")
    due: Attr[date]

    @tw.primary
    def key(self, workspace: str, *, task: str) -> None:
        """One task."""

    @tw.index("table")
    def of_workspace(self, workspace: str) -> None:
        """The tasks of a workspace."""

    @tw.index("gsi1", across_tenants=True)
    def of_user(self, assignee: str, *, status: Status = ANY, due: Range[date] = ANY) -> None:
        """What someone has to do in all workspaces, by date."""


Anything: TypeAlias = Thing | Asset | Task


class Relation(
    tw.Entity,
    service=life,
    name="relation",
    tenant="workspace",
    symmetric=("one", "other"),
    belongs_to={"of": (Thing, Asset, Task)},
):
    """Two things have to do with each other; found from either."""

    workspace: Attr[str]
    one: Attr[tw.Ref[Anything]]
    other: Attr[tw.Ref[Anything]]
    note: Attr[str] = attr(default="")

    @tw.primary
    def key(self, workspace: str, *, one: tw.Ref[Anything], other: tw.Ref[Anything]) -> None:
        """Whether two are related."""

    @tw.index("table")
    def of(self, workspace: str, *, one: tw.Ref[Anything] = ANY) -> None:
        """What something is related to."""


class Comment(tw.Entity, service=life, name="comment", tenant="workspace", belongs_to={"about": (Thing, Asset, Task)}):
    """What someone said about anything."""

    workspace: Attr[str]
    on: Attr[tw.Ref[Anything]]
    at: Attr[datetime] = attr(default_factory=tw.now)
    author: Attr[str]
    text: Attr[str]

    @tw.primary
    def key(self, workspace: str, *, on: tw.Ref[Anything], at: datetime, author: str) -> None:
        """One comment."""

    @tw.index("table")
    def about(self, workspace: str, *, on: tw.Ref[Anything] = ANY, at: Range[datetime] = ANY) -> None:
        """What was said about something, in order."""


class Page(tw.Entity, service=life, name="page", tenant="workspace", belongs_to={"notebook": Workspace}):
    """A page of the notebook."""

    workspace: Attr[str]
    path: Attr[tw.TreePath]
    text: Attr[str] = attr(default="")

    @tw.primary
    def key(self, workspace: str, *, path: tw.TreePath) -> None:
        """One page."""

    @tw.index("table")
    def notebook(self, workspace: str) -> None:
        """All pages of a workspace."""
