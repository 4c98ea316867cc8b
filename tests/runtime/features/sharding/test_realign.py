"""Changing the number of shards: nothing is missed on the way, whoever writes meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, attr


def declared(shards: int | tw.Shards) -> Any:
    app = tw.Service("app", table=tw.Table("app"))

    class Task(tw.Entity, service=app, name="task"):
        ref: Attr[int]
        owner: Attr[str | None] = attr(default=None)
        rank: Attr[int] = attr(default=0)

        @tw.primary
        def key(self, ref: int) -> None: ...

        @tw.index("gsi1", shards=shards)
        def by_owner(self, owner: str, *, rank: int = ANY) -> None: ...

    return app, Task


before, Before = declared(3)
between, Between = declared(tw.Shards(7, earlier=(3,)))
after, After = declared(7)
shrinking, Shrinking = declared(tw.Shards(2, earlier=(7,)))


def ids(db: tw.Database, query: Any) -> list[int]:
    return sorted(item.ref for item in db.iter(query))


@settings(deadline=None, max_examples=20)
@given(
    writes=st.lists(st.tuples(st.integers(0, 25), st.sampled_from(["rank", "owner", "put"])), max_size=6),
    pages=st.integers(1, 9),
    stop=st.integers(0, 3),
)
def test_no_item_is_missed_on_the_way(writes: list[tuple[int, str]], pages: int, stop: int) -> None:
    with tw.Database.embedded() as db:
        db.create(before)
        db.write_all(Before(ref=n, owner="ann", rank=n).put() for n in range(20))
        everyone = set(range(20))
        job = tw.realign(Between).limit(pages)
        cursor: str | None = None
        for _ in range(stop):  # some pages, then a new process goes on
            page = db.run(job.after(cursor))
            cursor = page.cursor
            if cursor is None:
                break
        for id_, verb in writes:  # writers of the new declaration in between
            item = db.run(Between.key(id_).get())
            if verb == "put" or item is None:
                db.run(Between(ref=id_, owner="ann", rank=id_).put())
                everyone.add(id_)
            else:
                change = Between.rank.set(99) if verb == "rank" else Between.owner.set("ann")
                db.run(item.patch(change))
            assert ids(db, Between.by_owner("ann")) == sorted(everyone)
        list(db.iter(job.after(cursor)))
        assert ids(db, Between.by_owner("ann")) == sorted(everyone)
        assert list(db.iter(tw.realign(Between))) == []  # nothing is left to do
        assert ids(db, After.by_owner("ann")) == sorted(everyone)
        list(db.iter(tw.realign(Shrinking)))
        assert all(item["shard"] < 2 for item in stored(db))


def stored(db: tw.Database) -> list[dict[str, Any]]:
    from tablewright.runtime.requests.request import call

    class Everything:
        def params(self) -> None: ...

        def flow(self) -> Any:
            return call("Scan", {"TableName": "app"})

    found: Any = db.run(Everything())
    return list(found["Items"])


def finish(db: tw.Database, flow: Any, effect: Any) -> None:
    with contextlib.suppress(StopIteration):
        while True:
            effect = flow.send(db.transport.call(effect))


def test_an_item_that_changes_meanwhile_is_moved_all_the_same() -> None:
    with tw.Database.embedded() as db:
        db.create(before)
        db.run(Before(ref=0, owner="ann", rank=1).put())
        flow = tw.realign(After).flow()
        reply = db.transport.call(next(flow))
        item = db.run(Before.key(0).get())
        together = flow.send(reply)
        db.run(item.patch(Before.rank.set(5)))  # an old writer, between reading and moving
        outcomes: list[Any] = []
        for each in together.calls:
            try:
                outcomes.append(db.transport.call(each))
            except tw.ConditionFailed as error:
                outcomes.append(error)
        assert isinstance(outcomes[0], tw.ConditionFailed)
        finish(db, flow, flow.send(outcomes))
        assert [(task.ref, task.rank) for task in db.run(After.by_owner("ann"))] == [(0, 5)]


def test_awaited() -> None:
    async def run() -> None:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(before)
            await db.write_all(Before(ref=n, owner="ann").put() for n in range(9))
            moved = [item async for item in db.iter(tw.realign(Between))]
            assert moved
            assert len((await db.run(After.by_owner("ann"))).items) == 9

    asyncio.run(run())


def test_only_indexes_can_be_realigned() -> None:
    app = tw.Service("app", table=tw.Table("app"))

    class Plain(tw.Entity, service=app, name="plain"):
        ref: Attr[str]

        @tw.primary(shards=4)
        def key(self, ref: str) -> None: ...

    with pytest.raises(tw.RequestError, match="nothing to realign"):
        tw.realign(Plain)


def test_a_cursor_of_another_number_of_shards_is_refused() -> None:
    with tw.Database.embedded() as db:
        db.create(before)
        db.write_all(Before(ref=n, owner="ann").put() for n in range(9))
        cursor = db.run(Before.by_owner("ann").limit(2)).cursor
        with pytest.raises(tw.RequestError, match="its shards is 3, and here it is 7"):
            db.run(Between.by_owner("ann").after(cursor))
