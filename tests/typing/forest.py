"""A service with tenants, a tree, references and things that belong to others."""

from __future__ import annotations

import tablewright as tw
from tablewright import ANY, Attr, attr

app = tw.Service("app", table="app")


class Space(tw.Entity, service=app, name="space", tenant="space"):
    space: Attr[str]

    @tw.primary
    def key(self, space: str) -> None: ...


class Folder(tw.Entity, service=app, name="folder", tenant="space", belongs_to={"key": Space}):
    space: Attr[str]
    path: Attr[tw.TreePath]

    @tw.primary
    def key(self, space: str, *, path: tw.TreePath) -> None: ...


class Task(tw.Entity, service=app, name="task", tenant="space"):
    space: Attr[str]
    task: Attr[int]
    title: Attr[str] = attr(default="")

    @tw.primary
    def key(self, space: str, *, task: int) -> None: ...

    @tw.index("gsi1")
    def by_title(self, space: str, *, title: str = ANY) -> None: ...


class Comment(tw.Entity, service=app, name="comment", tenant="space", belongs_to={"about": (Task, Folder)}):
    space: Attr[str]
    comment: Attr[str]
    on: Attr[tw.Ref[Task | Folder]]

    @tw.primary
    def key(self, space: str, *, comment: str) -> None: ...

    @tw.index("gsi2")
    def about(self, space: str, on: tw.Ref[Task | Folder]) -> None: ...
