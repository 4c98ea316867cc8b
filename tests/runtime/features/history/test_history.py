"""Versioned history: complete, in order, and the newest version is the item, whatever happens between requests."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr
from tests.runtime.features.history.archive import NOON, Doc, Memo, Note, Shelf, archive, fresh
from tests.runtime.features.interleaving import FAULTS, choosing, interleave, items_in

MINUTE = timedelta(minutes=1)


def at(minutes: float) -> Any:
    return tw.time_held(NOON + minutes * MINUTE)


def written() -> tw.Database:
    """Three versions, and a deletion for good."""
    db = fresh()
    with at(0):
        db.run(Doc(doc="d", text="one", editor="ann").create())
    with at(10):
        db.run(Doc.key("d").patch(Doc.text.set("two"), Doc.editor.set("bob")))
    with at(20):
        db.run(Doc.key("d").update(Doc.text.set("three")))
    with at(30):
        db.run(tw.purge(Doc.key("d")))
    return db


def test_versions_come_newest_first() -> None:
    found = list(written().iter(tw.versions(Doc.key("d")).limit(2)))
    assert [(each.number, each.at, each.by, each.is_deleted) for each in found] == [
        (4, NOON + 30 * MINUTE, None, True),
        (3, NOON + 20 * MINUTE, "bob", False),
        (2, NOON + 10 * MINUTE, "bob", False),
        (1, NOON, "ann", False),
    ]
    assert [each.item and each.item.text for each in found] == [None, "three", "two", "one"]


def test_two_who_write_at_once_where_an_item_was_deleted_skip_no_version() -> None:
    """The first to look finds the next number, and before it writes, the other has taken it."""
    with written() as db:
        writes = [Doc.key("d").update(Doc.text.set(text)) for text in ("late", "early")]
        turns = iter([0, 0, 0, 1, 1, 1, 1])
        outcomes = interleave(db.transport.call, writes, lambda _: next(turns))
        assert [each.error for each in outcomes] == [None, None]
        found = [(each.number, each.item and each.item.text) for each in db.iter(tw.versions(Doc.key("d")).limit(2))]
        assert found == [(6, "late"), (5, "early"), (4, None), (3, "three"), (2, "two"), (1, "one")]


def test_one_version_and_that_of_a_moment() -> None:
    db = written()
    two = db.run(tw.version_of(Doc.key("d"), 2))
    assert two is not None
    assert two.item is not None
    assert (two.item.text, two.item.version) == ("two", 2)
    assert db.run(tw.version_of(Doc.key("d"), 9)) is None
    moments = [db.run(tw.as_of(Doc.key("d"), NOON + minutes * MINUTE)) for minutes in (-1, 0, 15, 29, 30)]
    assert [each and each.number for each in moments] == [None, 1, 2, 3, None]


def test_the_moment_is_found_however_far_back() -> None:
    db = fresh()
    for minute in range(40):
        with at(minute):
            db.run(Note.key("n").update(Note.text.set(str(minute))))
            db.run(Memo.key("m").update(Memo.text.set(str(minute))))
    found = db.run(tw.as_of(Memo.key("m"), NOON + 2 * MINUTE))
    assert found is not None
    assert found.number == 3
    assert [each.number for each in db.run(tw.versions(Note.key("n")))] == [40, 39]


def test_versions_expire_a_while_after_the_next() -> None:
    db = fresh()
    for minute in (0, 1):
        with at(minute):
            db.run(Memo.key("m").update(Memo.text.set(str(minute))))
    kept = {item["number"]: item.get("expires") for item in items_in(db.transport.call, "archive") if "number" in item}
    assert kept == {1: int((NOON + MINUTE + timedelta(days=1)).timestamp()), 2: None}


def test_a_new_item_in_the_place_of_an_old_one_counts_on() -> None:
    db = written()
    assert db.run(Doc(doc="d", text="new").create()).version == 5  # type: ignore[union-attr]
    db.run(tw.purge(Doc.key("d")))
    db.run(Doc.key("d").update(Doc.text.set("newer")))
    assert [each.number for each in db.run(tw.versions(Doc.key("d")))] == [7, 6, 5, 4, 3, 2, 1]
    item = db.run(Doc.key("d").get())
    assert item is not None
    assert (item.version, item.text) == (7, "newer")


@pytest.mark.parametrize("writes", range(1, 6))
def test_counting_on_does_not_depend_on_what_is_kept(writes: int) -> None:
    db = fresh()
    for _ in range(writes):
        db.run(Note.key("n").update(Note.text.set("x")))
    db.run(Note.key("n").delete())
    assert [each.number for each in db.run(tw.versions(Note.key("n")))] == [writes + 1, writes]
    assert db.run(Note(note="n").create()).version == writes + 2  # type: ignore[union-attr]
    assert [each.number for each in db.run(tw.versions(Note.key("n")))] == [writes + 2, writes + 1]
    if writes > 1:
        assert db.run(tw.version_of(Note.key("n"), 1)) is None


def test_restoring_a_version_is_the_next_one() -> None:
    db = fresh()
    doc = db.run(Doc(doc="d", text="one", title="t").create())
    assert doc is not None
    doc.text, doc.title = "two", None
    db.run(doc.put())
    db.run(Doc(doc="e", title="t").create())
    with pytest.raises(tw.NotUnique):
        db.run(tw.restore(Doc.key("d"), 1))
    db.run(Doc.key("e").patch(Doc.title.remove()))
    back = db.run(tw.restore(Doc.key("d"), 1))
    assert (back.text, back.title, back.version) == ("one", "t", 3)
    db.run(tw.purge(Doc.key("d")))
    assert db.run(tw.restore(Doc.key("d"), 2)).version == 5
    with pytest.raises(tw.RequestError, match="version 4 is a deletion"):
        db.run(tw.restore(Doc.key("d"), 4))
    with pytest.raises(tw.RequestError, match="version 99 is not kept"):
        db.run(tw.restore(Doc.key("d"), 99))


def test_forgetting_leaves_nothing() -> None:
    db = written()
    assert db.run(tw.forget(Doc.key("d"))) == 4
    left = items_in(db.transport.call, "archive")
    assert [item["__edb_e__"] for item in left] == ["shelf"]


def test_in_a_transaction() -> None:
    db = fresh()
    db.run(tw.transact(Doc(doc="a").create(), Note(note="n").create()))
    db.run(tw.transact(Doc.key("a").patch(Doc.text.set("x")), Note.key("n").delete()))
    assert len(db.run(tw.versions(Doc.key("a")))) == 2
    assert [each.is_deleted for each in db.run(tw.versions(Note.key("n")))] == [True, False]


def test_async() -> None:
    async def main() -> None:
        db = tw.AsyncDatabase.embedded()
        await db.create(archive)
        await db.run(Doc(doc="d", text="one").create())
        await db.run(Doc.key("d").delete())
        await db.run(tw.restore(Doc.key("d")))
        assert [each.number async for each in db.iter(tw.versions(Doc.key("d")).limit(1))] == [3, 2, 1]
        assert (await db.run(tw.restore(Doc.key("d"), 1))).version == 4

    asyncio.run(main())


def test_what_keeps_no_versions_says_so() -> None:
    with pytest.raises(tw.RequestError, match="declare it with history=True"):
        tw.versions(Shelf.key("s"))
    with pytest.raises(tw.RequestError, match="time zone"):
        tw.as_of(Doc.key("d"), NOON.replace(tzinfo=None))


def test_versions_must_be_counted() -> None:
    app = tw.Service("app", table="app")

    class Bare(tw.Entity, service=app, name="bare", history=True):
        name: Attr[str]

        @tw.primary
        def key(self, name: str) -> None:
            """One."""

    with pytest.raises(tw.SchemaError, match=r"attr\(version=True\)"):
        Bare.schema()


# ---- whatever happens between requests -------------------------------------------------------------------------------

IDS = st.sampled_from("ab")
TEXTS = st.sampled_from("xyz")
OPERATIONS = st.one_of(
    st.builds(lambda doc, text: Doc(doc=doc, text=text).create(), IDS, TEXTS),
    st.builds(lambda doc, text: Doc(doc=doc, text=text, title=text).upsert(), IDS, TEXTS),
    st.builds(lambda doc, text: Doc.key(doc).update(Doc.text.set(text)), IDS, TEXTS),
    st.builds(lambda doc, text: Doc.key(doc).patch(Doc.title.set(text)), IDS, TEXTS),
    st.builds(lambda doc: Doc.key(doc).delete(), IDS),
    st.builds(lambda doc: Doc.key(doc).remove(), IDS),
    st.builds(lambda doc: tw.purge(Doc.key(doc)), IDS),
    st.builds(lambda doc: tw.restore(Doc.key(doc)), IDS),
    st.builds(lambda doc, number: tw.restore(Doc.key(doc), number), IDS, st.integers(1, 3)),
    st.just(Note(note="n").create()),
    st.just(Note.key("n").update(Note.text.set("x"))),
    st.just(Note.key("n").delete()),
    st.just(tw.transact(Doc.key("a").update(Doc.text.set("t")), Doc.key("b").delete())),
)
ROUNDS = st.lists(st.lists(OPERATIONS, min_size=1, max_size=3), min_size=1, max_size=4)
EXPECTED = (tw.ConditionFailed, tw.TransactionCancelled, tw.RequestError, tw.TransportError)


@settings(max_examples=50, deadline=None)
@given(rounds=ROUNDS, data=st.data())
def test_the_history_is_complete(rounds: list[list[Any]], data: st.DataObject) -> None:
    with fresh() as db:
        for operations in rounds:
            for outcome in interleave(db.transport.call, operations, choosing(data), faults=FAULTS):
                assert outcome.error is None or isinstance(outcome.error, EXPECTED), outcome.error
            check(db)


def test_of_two_who_read_the_same_the_second_starts_over() -> None:
    with fresh() as db:
        db.run(Doc(doc="a", text="one").create())
        turns = iter(range(100))
        rivals = [Doc.key("a").patch(Doc.text.set("two")), Doc.key("a").patch(Doc.editor.set("bob"))]
        outcomes = interleave(db.transport.call, rivals, lambda below: next(turns) % below)
        assert all(outcome.is_done for outcome in outcomes)
        check(db)
        newest = db.run(tw.versions(Doc.key("a")).limit(1)).items[0]
        assert newest.item is not None
        assert (newest.number, newest.item.text, newest.item.editor) == (3, "two", "bob")


def check(db: tw.Database) -> None:
    """Numbers without gaps, the newest version is what is stored, and what is marked does not count."""
    items = items_in(db.transport.call, "archive")
    docs = {item["doc"]: item for item in items if item["__edb_e__"] == "doc"}
    for name in "ab":
        kept = sorted((item for item in items if is_version_of(item, name)), key=lambda item: item["number"])
        assert [item["number"] for item in kept] == list(range(1, len(kept) + 1))
        assert (kept[-1].get("item") if kept else None) == docs.get(name)
        for item in kept:
            assert item.get("item", {"version": item["number"]})["version"] == item["number"]
    check_last_two(items)
    shelves = [item["documents"] for item in items if item["__edb_e__"] == "shelf"]
    assert sum(shelves) == sum("deleted_at" not in item and "shelf" in item for item in docs.values())


def check_last_two(items: list[dict[str, Any]]) -> None:
    kept = [item for item in items if "note_n" in item["pk"] and "at" in item]
    kept.sort(key=lambda item: item["number"])
    assert len(kept) <= 2
    assert len(kept) < 2 or kept[0]["number"] + 1 == kept[1]["number"]
    stored = [item for item in items if item["__edb_e__"] == "note"]
    assert stored == [item["item"] for item in kept[-1:] if "item" in item]


def is_version_of(item: dict[str, Any], name: str) -> bool:
    return item["__edb_e__"] == "tablewright:history" and f"doc_{name}" in item["pk"]
