"""Cascades and subtrees of entities that do more than storing: marks instead of deletions, large attributes."""

from __future__ import annotations

import pytest

import tablewright as tw
from tablewright import Attr, attr
from tests.runtime.features.interleaving import items_in

yard = tw.Service("yard", table="yard")


class Shed(tw.Entity, service=yard, name="shed"):
    """Holds tools."""

    shed: Attr[str]

    @tw.primary
    def key(self, shed: str) -> None: ...


class Tool(tw.Entity, service=yard, name="tool", soft_delete=True, belongs_to={"inside": Shed}):
    """Is only marked when it is deleted."""

    shed: Attr[str]
    path: Attr[tw.TreePath]

    @tw.primary
    def key(self, shed: str, *, path: tw.TreePath) -> None: ...

    @tw.index("table")
    def inside(self, shed: str) -> None: ...


class Photo(tw.Entity, service=yard, name="photo", belongs_to={"of": Tool}):
    """Large."""

    shed: Attr[str]
    photo: Attr[tw.TreePath]
    of_tool: Attr[tw.Ref[Tool]]
    pixels: Attr[bytes] = attr(compress="zlib")

    @tw.primary
    def key(self, shed: str, *, photo: tw.TreePath) -> None: ...

    @tw.index("gsi1")
    def of(self, of_tool: tw.Ref[Tool]) -> None: ...


def filled() -> tw.Database:
    db = tw.Database.embedded()
    db.create(yard)
    db.run(Shed(shed="s").create())
    for steps in (("a",), ("a", "b"), ("c",)):
        tool = Tool(shed="s", path=tw.TreePath(*steps))
        db.run(tool.create())
        db.run(Photo(shed="s", photo=tool.path, of_tool=tw.ref(tool), pixels=b"x" * 5000).create())
    return db


def entities(db: tw.Database) -> list[str]:
    return sorted(item["__edb_e__"] for item in items_in(db.transport.call, "yard"))


def test_what_is_only_marked_is_marked() -> None:
    with filled() as db:
        final = db.run(tw.cascade(Shed.key("s")))
        assert final.counts == {"shed": 1, "tool": 3, "photo": 3}
        assert entities(db) == ["tool", "tool", "tool"]
        assert db.run(Tool.inside("s")).items == []
        assert db.run(tw.cascade(Shed.key("s"))).counts == {"shed": 1}


def test_a_subtree_too() -> None:
    with filled() as db:
        job = tw.tree(Tool.key("s", path=tw.TreePath("a"))).delete()
        assert db.run(job).counts == {"tool": 2}
        assert db.run(job).counts == {}
        assert [tool.path for tool in db.run(Tool.inside("s"))] == [tw.TreePath("c")]


def test_large_attributes_are_archived_whole_or_not_at_all() -> None:
    with filled() as db:
        with pytest.raises(tw.RequestError, match=r"photo has large attributes.*archive with a function"):
            tw.cascade(Shed.key("s"), archive="elsewhere")
        with pytest.raises(tw.RequestError, match="its items cannot be moved"):
            tw.tree(Photo.key("s", photo=tw.TreePath("a"))).move(tw.TreePath("b"))
        kept: list[tw.Entity] = []
        db.run(tw.cascade(Shed.key("s"), archive=kept.extend))
        assert [len(item.pixels) for item in kept if isinstance(item, Photo)] == [5000] * 3
