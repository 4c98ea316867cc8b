"""Cascades: everything that belongs to an item goes with it, and nothing else, wherever it is interrupted."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.runtime.features.cascade import work
from tests.runtime.features.interleaving import FAULTS, choosing, interleave, items_in
from tests.runtime.features.lifeos import Comment, Folder, Space, Task, TreePath, fresh, life, stored, with_gap


def fill(db: tw.Database, space: str, tasks: int = 3, comments: int = 2) -> int:
    """A space with tasks and folders that are commented on; the answer is how many items that makes."""
    db.run(Space(space=space).put())
    targets: list[Any] = [Task(space=space, task=number) for number in range(tasks)]
    targets += [Folder(space=space, path=TreePath("a")), Folder(space=space, path=TreePath("a", "b"))]
    said = [
        Comment(space=space, comment=f"{at}-{number}", on=tw.ref(target))
        for at, target in enumerate(targets)
        for number in range(comments)
    ]
    db.write_all(each.put() for each in [*targets, *said])
    return 1 + len(targets) + len(said)


def job() -> tw.Job:
    return tw.cascade(Space.key("s1"))


@settings(max_examples=50, deadline=None)
@given(data=st.data(), size=st.integers(1, 5))
def test_nothing_of_it_is_left_and_nothing_else_is_touched(data: st.DataObject, size: int) -> None:
    with fresh() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "STEP_ITEMS", size)
        others = fill(db, "s2")
        fill(db, "s1")
        late = Comment(space="s1", comment="late", on=tw.ref(Task.key("s1", task=1)))
        adding = [
            tw.transact(late.create(), Task.key("s1", task=1).check(Task.task.exists())),
            tw.transact(Task(space="s1", task=99).create(), Space.key("s1").check(Space.space.exists())),
        ]
        interleave(db.transport.call, [job(), job(), *adding], choosing(data), faults=FAULTS, one_in=15)
        final = db.run(job())
        assert final.is_done
        left = [item for item in stored(db) if item.get("space") == "s1"]
        assert left == []
        assert len([item for item in stored(db) if item.get("space") == "s2"]) == others
        assert stored(db, "tablewright:job") == []


@pytest.mark.parametrize("size", [1, 3, 50])
@pytest.mark.parametrize("adds", [False, True])
def test_a_crash_or_another_writer_in_every_gap(size: int, adds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "STEP_ITEMS", size)
    gap, is_inside = 0, True
    while is_inside:
        with fresh() as db:
            fill(db, "s1", tasks=2, comments=1)
            is_inside = with_gap(db, job(), gap, (lambda: add(db)) if adds else None)
            if not adds:
                db.run(job())
            assert stored(db) == []
        gap += 1
    assert gap > 5


def add(db: tw.Database) -> None:
    """Add a task where there is a space, and a comment where there is a task."""
    late = Comment(space="s1", comment="late", on=tw.ref(Task.key("s1", task=1)))
    new = Task(space="s1", task=99)
    for write in (
        tw.transact(late.create(), Task.key("s1", task=1).check(Task.task.exists())),
        tw.transact(new.create(), Space.key("s1").check(Space.space.exists())),
    ):
        with contextlib.suppress(tw.TransactionCancelled):
            db.run(write)


def test_counts_and_units() -> None:
    with fresh() as db:
        count = fill(db, "s1")
        dry = db.run(job().dry_run())
        assert dry.counts == {"space": 1, "task": 3, "folder": 2, "comment": 10}
        assert dry.items == count == len(stored(db))
        before = list(stored(db))
        assert stored(db) == before
        final = db.run(job())
        assert final.counts == dry.counts
        assert final.write_units >= count
        assert db.run(job().status()) is None


def test_progress_can_be_watched_stopped_and_gone_on_with() -> None:
    with fresh() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "STEP_ITEMS", 4)
        count = fill(db, "s1")
        watching = db.iter_job(job())
        first = next(watching)
        watching.close()
        assert 0 < first.items < count
        assert db.run(job().status()) == first
        seen = list(db.iter_job(job()))
        assert [each.items for each in seen] == sorted(each.items for each in seen)
        assert seen[-1].is_done
        assert seen[-1].items == count
        assert seen[-1].steps == first.steps + len(seen)


def test_the_pace_is_kept() -> None:
    pauses: list[float] = []
    with fresh() as db:
        db.sleep = pauses.append
        fill(db, "s1", tasks=10, comments=10)
        final = db.run(job().throttled(50))
        assert sum(pauses) == pytest.approx(final.write_units / 50)
        assert max(pauses) < sum(pauses)
    with pytest.raises(tw.RequestError, match="write units a second"):
        job().throttled(0)


def test_archived_in_another_table() -> None:
    with fresh() as db:
        fill(db, "s1")
        archive = tw.Service("archive", table="archive")

        class Kept(tw.Entity, service=archive, name="kept"):
            key_: Attr[str] = attr(name="key")

            @tw.primary
            def key(self, key_: str) -> None: ...

        db.create(archive)
        before = sorted(stored(db), key=lambda item: (item["pk"], item["sk"]))
        final = db.run(tw.cascade(Space.key("s1"), archive="archive"))
        kept = sorted(items_in(db.transport.call, "archive"), key=lambda item: (item["pk"], item["sk"]))
        assert kept == before
        assert stored(db) == []
        assert final.write_units >= 2 * len(before)
    with pytest.raises(tw.RequestError, match="is the table of space itself"):
        tw.cascade(Space.key("s1"), archive="life")


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_item_is_gone_that_was_not_archived(data: st.DataObject) -> None:
    with fresh() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "STEP_ITEMS", 3)
        fill(db, "s1", tasks=2, comments=1)
        before = {(item["pk"], item["sk"]) for item in stored(db)}
        kept: list[tw.Entity] = []
        archiving = tw.cascade(Space.key("s1"), archive=kept.extend)
        interleave(db.transport.call, [archiving], choosing(data), faults=FAULTS)
        there = {(item["pk"], item["sk"]) for item in stored(db)}
        seen = {tuple(item.key.values().values()) for item in kept}  # type: ignore[attr-defined]
        assert before - there <= seen
        db.run(archiving)
        assert {tuple(item.key.values().values()) for item in kept} == before  # type: ignore[attr-defined]


def test_awaited() -> None:
    async def story() -> None:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(life)
            await db.run(Space(space="s1").create())
            await db.run(Task(space="s1", task=1).create())
            seen = [progress async for progress in db.iter_job(job())]
            assert seen[-1].counts == {"space": 1, "task": 1}

    asyncio.run(story())


# ---- chains, rings, companions ---------------------------------------------------------------------------------------

shop = tw.Service("shop", table="shop")


class Node(tw.Entity, service=shop, name="node", belongs_to={"below": "node"}):
    """Nodes below nodes; no two of one title."""

    node: Attr[str]
    under: Attr[tw.Ref[Node] | None] = attr(default=None)
    title: Attr[str | None] = attr(default=None, unique=True)

    @tw.primary
    def key(self, node: str) -> None: ...

    @tw.index("gsi1", projection="keys_only")
    def below(self, under: tw.Ref[Node]) -> None: ...


class Part(tw.Entity, service=shop, name="part", belongs_to={"of": Node}):
    """Found by nothing that a node has."""

    part: Attr[str]
    colour: Attr[str]

    @tw.primary
    def key(self, part: str) -> None: ...

    @tw.index("gsi2")
    def of(self, colour: str) -> None: ...


chains = tw.Service("chains", table="shop")


class Link(tw.Entity, service=chains, name="link", belongs_to={"below": "link"}):
    """As a node."""

    link: Attr[str]
    under: Attr[tw.Ref[Link] | None] = attr(default=None)
    title: Attr[str | None] = attr(default=None, unique=True)

    @tw.primary
    def key(self, link: str) -> None: ...

    @tw.index("gsi1", projection="keys_only")
    def below(self, under: tw.Ref[Link]) -> None: ...


@settings(max_examples=30, deadline=None)
@given(above=st.lists(st.integers(0, 11), min_size=12, max_size=12), data=st.data(), size=st.integers(1, 3))
def test_chains_and_rings_end_and_companions_go_along(above: list[int], data: st.DataObject, size: int) -> None:
    """Everything that leads up to the root goes, with the sentinels of its unique values."""
    with tw.Database.embedded() as db, pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "STEP_ITEMS", size)
        db.create(chains)
        for number, parent in enumerate(above):
            under = tw.ref(Link.key(str(parent)))
            db.run(Link(link=str(number), under=under, title=f"t{number}").create())
        going = {number for number in range(12) if leads_to(above, number, 0)}
        root = tw.cascade(Link.key("0"))
        interleave(db.transport.call, [root], choosing(data), faults=FAULTS, one_in=25)
        db.run(root)
        left = {int(item["link"]) for item in stored(db, "link", "shop")}
        assert left == set(range(12)) - going
        assert len(stored(db, "tablewright:unique", "shop")) == len(left)


def leads_to(above: list[int], number: int, goal: int) -> bool:
    seen: set[int] = set()
    while number not in seen:
        if number == goal:
            return True
        seen.add(number)
        number = above[number]
    return False


def test_a_pattern_that_does_not_find_children_is_told() -> None:
    with pytest.raises(tw.SchemaError, match=r"part.of does not find the children of one node: colour is neither"):
        tw.cascade(Node.key("n"))


def test_belonging_names_access_patterns() -> None:
    class Stray(tw.Entity, service=tw.Service("stray", table="stray"), name="stray", belongs_to={"belo": "stray"}):
        stray: Attr[str]

        @tw.primary
        def key(self, stray: str) -> None: ...

    with pytest.raises(tw.SchemaError, match='belongs_to names "belo", which is no access pattern'):
        Stray.schema()
