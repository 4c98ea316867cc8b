"""Soft delete: marked items are hidden from every reader, keep their place, and come back or go for good."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

import tablewright as tw
from tablewright import Attr, attr
from tests.runtime.features.history.archive import NOON, Doc, Session, Shelf, Shelved, fresh


def with_session() -> tw.Database:
    db = fresh()
    with tw.time_held(NOON):
        db.run(Session(session="s").create())
        db.run(Session(session="t").create())
        db.run(Session.key("s").delete())
    return db


@pytest.mark.parametrize(
    "read",
    [
        Session.key("s").get(),
        tw.batch_get(Session.key("s").get()),
        tw.transact_get(Session.key("s").get()),
        Session.key("s").get().only("user"),
    ],
)
def test_gets_do_not_find_it(read: Any) -> None:
    assert with_session().run(read) in (None, [None], (None,))


@pytest.mark.parametrize(
    "read", [Session.of("u"), Session.scan(), Session.of("u").only("session"), Session.match(user="u")]
)
def test_searches_do_not_find_it(read: Any) -> None:
    db = with_session()
    assert [item.session for item in db.run(read.pages("all"))] == ["t"]
    assert sorted(item.session for item in db.run(read.including_deleted().pages("all"))) == ["s", "t"]
    assert (db.run(read.total()), db.run(read.including_deleted().total())) == (1, 2)


def test_collections_do_not_find_it() -> None:
    db = fresh()
    for name in "ab":
        db.run(Doc(doc=name).create())
    db.run(Doc.key("a").delete())
    assert [doc.doc for doc in db.run(Shelved.on("s")).docs] == ["b"]
    assert [doc.doc for doc in db.run(Shelved.on("s").including_deleted()).docs] == ["a", "b"]


def test_it_is_marked_and_goes_by_itself_later() -> None:
    db = with_session()
    marked = db.run(Session.key("s").get().including_deleted())
    assert marked is not None
    assert (marked.deleted_at, marked.expires) == (NOON, NOON + timedelta(days=30))
    assert db.run(tw.restore(Session.key("s")).returning("all_new")) == Session(session="s")
    with pytest.raises(tw.ConditionFailed):
        db.run(tw.restore(Session.key("s")))


def test_deleting_twice_or_nothing_is_fine_and_removing_is_not() -> None:
    db = with_session()
    db.run(Session.key("s").delete())
    db.run(Session.key("nobody").delete())
    assert db.run(Session.key("nobody").get().including_deleted()) is None
    for name in ("s", "nobody"):
        with pytest.raises(tw.ConditionFailed):
            db.run(Session.key(name).remove())
    with pytest.raises(tw.ConditionFailed):
        db.run(Session.key("t").delete().where(Session.user == "somebody else"))


def test_its_key_stays_taken_and_patches_do_not_find_it() -> None:
    db = with_session()
    with pytest.raises(tw.ConditionFailed):
        db.run(Session(session="s").create())
    with pytest.raises(tw.ConditionFailed):
        db.run(Session.key("s").patch(Session.user.set("v")))
    db.run(Session(session="s").put())
    assert db.run(Session.key("s").get()) is not None


def test_unique_values_stay_taken_until_it_is_purged_and_aggregates_leave_it_out() -> None:
    db = fresh()
    db.run(Doc(doc="d", title="t").create())
    assert documents(db) == 1
    db.run(Doc.key("d").delete())
    assert documents(db) == 0
    with pytest.raises(tw.NotUnique):
        db.run(Doc(doc="e", title="t").create())
    db.run(tw.restore(Doc.key("d")))
    assert documents(db) == 1
    db.run(Doc.key("d").delete())
    db.run(tw.purge(Doc.key("d")))
    assert documents(db) == 0
    db.run(Doc(doc="e", title="t").create())


def documents(db: tw.Database) -> int:
    shelf = db.run(Shelf.key("s").get())
    assert shelf is not None
    return shelf.documents


def test_together_with_others() -> None:
    db = with_session()
    db.run(tw.transact(Session.key("t").delete(), Session(session="u").create()))
    assert [item.session for item in db.run(Session.of("u"))] == ["u"]
    with pytest.raises(tw.RequestError, match="only marked when deleted"):
        tw.batch_write(Session.key("u").delete())
    db.run(tw.batch_write(tw.purge(Session.key("t")), Session(session="v").put()))
    assert db.run(tw.delete_all(Session.of("u"))) == 2
    assert db.run(Session.of("u")).items == []
    assert len(db.run(Session.of("u").including_deleted())) == 3


def test_what_cannot_work_is_refused() -> None:
    app = tw.Service("app", table="app")

    class Odd(tw.Entity, service=app, name="odd", soft_delete=True):
        name: Attr[str]
        deleted_at: Attr[bool] = attr(default=False)

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

    class Kept(tw.Entity, service=app, name="kept", soft_delete=tw.SoftDelete(keep=timedelta(days=1))):
        name: Attr[str]
        at: Attr[datetime | None] = attr(default=None)

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

    with pytest.raises(tw.SchemaError, match="declare it as datetime"):
        Odd.schema()
    with pytest.raises(tw.SchemaError, match="ttl=True"):
        Kept.schema()
    with pytest.raises(tw.RequestError, match="soft_delete=True"):
        tw.restore(Shelf.key("s"))
