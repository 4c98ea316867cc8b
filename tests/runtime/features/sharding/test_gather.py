"""Spread access patterns read as if they were one list, wherever a page ends."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

START = datetime(2026, 1, 1, tzinfo=UTC)
UNTIL = START + timedelta(days=400)

app = tw.Service("app", table=tw.Table("app"))


class Task(tw.Entity, service=app, name="task"):
    ref: Attr[int]
    owner: Attr[str | None] = attr(default=None)
    rank: Attr[int] = attr(default=0, padding=(3, "0"))
    at: Attr[datetime]

    @tw.primary
    def key(self, ref: int) -> None: ...

    @tw.index("gsi1", shards=5)
    def by_rank(self, owner: str, *, rank: Range[int] = ANY, ref: int = ANY) -> None: ...

    @tw.index("gsi2", bucket="month")
    def by_time(self, owner: str, *, at: Range[datetime] = ANY, ref: int = ANY) -> None: ...

    @tw.index("gsi3", bucket=tw.Bucket("week", since=START), shards=tw.Shards(3, attribute="lane"))
    def by_week(self, owner: str, *, at: Range[datetime] = ANY, ref: int = ANY) -> None: ...

    @tw.index("gsi4", bucket=tw.Bucket("month", since=START))
    def by_rank_and_time(self, owner: str, *, rank: Range[int] = ANY, at: Range[datetime] = ANY) -> None: ...


moments = st.integers(0, 400 * 24).map(lambda hours: START + timedelta(hours=hours))


@st.composite
def tasks(draw: st.DrawFn) -> list[Task]:
    drawn = draw(st.lists(st.tuples(st.integers(0, 20), moments), max_size=30))
    return [Task(ref=at, owner="ann", rank=rank, at=moment) for at, (rank, moment) in enumerate(drawn)]


def stored(items: list[Task]) -> tw.Database:
    db = tw.Database.embedded()
    db.create(app)
    db.write_all(item.put() for item in items)
    return db


def ids(items: Any) -> list[int]:
    return [item.ref for item in items]


@settings(deadline=None, max_examples=25)
@given(items=tasks(), limit=st.integers(1, 9), descending=st.booleans(), counted=st.booleans())
def test_shards_are_one_sorted_list(items: list[Task], limit: int, descending: bool, counted: bool) -> None:
    expected = ids(sorted(items, key=lambda task: (task.rank, str(task.ref)), reverse=descending))
    query = Task.by_rank("ann")
    query = query.descending() if descending else query
    with stored(items) as db:
        assert ids(db.run(query.pages("all"))) == expected
        pages = query.count(limit) if counted else query.limit(limit)
        found: list[int] = []
        page = db.run(pages)
        while True:
            assert len(page) == limit or page.cursor is None or len(found) + len(page) == len(items)
            found += ids(page)
            if page.cursor is None:
                break
            page = db.run(pages.after(page.cursor))
        assert found == expected
        assert db.run(query.total()) == len(items)


@settings(deadline=None, max_examples=25)
@given(
    items=tasks(),
    ends=st.tuples(moments, moments).map(sorted),
    limit=st.integers(1, 9),
    descending=st.booleans(),
    operator=st.sampled_from(["between", "gte", "gt", "lte", "lt"]),
)
def test_periods_are_one_sorted_list(
    items: list[Task], ends: list[datetime], limit: int, descending: bool, operator: str
) -> None:
    low, high = ends
    asked: Any = tw.between(low, high) if operator == "between" else getattr(tw, operator)(low)
    fits = {
        "between": lambda at: low <= at <= high,
        "gte": lambda at: at >= low,
        "gt": lambda at: at > low,
        "lte": lambda at: at <= low,
        "lt": lambda at: at < low,
    }[operator]
    kept = sorted((task for task in items if fits(task.at)), key=lambda task: (task.at, str(task.ref)))
    expected = ids(kept[::-1] if descending else kept)
    with stored(items) as db, tw.time_held(UNTIL):
        queries = [Task.by_week("ann", at=asked)]
        if operator in ("between", "gte", "gt"):
            queries.append(Task.by_time("ann", at=asked))
        for query in queries:
            ordered = query.descending() if descending else query
            assert ids(db.iter(ordered)) == expected
            assert ids(db.iter(ordered.limit(limit))) == expected
            assert ids(db.iter(ordered.count(limit).only("ref"))) == expected
            assert db.run(ordered.total()) == len(expected)


@settings(deadline=None, max_examples=15)
@given(items=tasks(), limit=st.integers(1, 9), odd=st.booleans())
def test_filters_see_every_item(items: list[Task], limit: int, odd: bool) -> None:
    wanted = sorted((t for t in items if (t.rank > 10) is odd), key=lambda task: (task.rank, str(task.ref)))
    condition = Task.rank > 10 if odd else Task.rank <= 10
    with stored(items) as db:
        found = Task.by_rank("ann").where(condition)
        assert ids(db.iter(found.limit(limit))) == ids(wanted)
        assert ids(db.run(found.count(limit))) == ids(wanted[:limit])
        assert ids(db.iter(found.count(limit))) == ids(wanted)


def test_periods_are_read_side_by_side_where_something_else_sorts_first() -> None:
    items = [Task(ref=n, owner="ann", rank=9 - n, at=START + timedelta(days=20 * n)) for n in range(10)]
    with stored(items) as db, tw.time_held(UNTIL):
        assert ids(db.run(Task.by_rank_and_time("ann", rank=tw.between(2, 8)))) == [7, 6, 5, 4, 3, 2, 1]
        assert ids(db.iter(Task.by_rank_and_time("ann").descending().limit(2))) == list(range(10))
        with pytest.raises(tw.RequestError, match=r"has no beginning.*since"):
            db.run(Task.by_time("ann"))
        query = Task.by_rank_and_time("ann", rank=3, at=tw.gte(START))
        assert ids(db.run(query)) == [6]


def test_awaited_with_few_lanes_at_a_time_and_hydrated() -> None:
    async def run() -> None:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(app)
            await db.write_all(Task(ref=n, owner="ann", rank=n % 7, at=START).put() for n in range(40))
            query = Task.by_rank("ann").limit(6).with_options(width=2)
            found = [task async for task in db.iter(query)]
            assert [task.rank for task in found] == sorted(task.rank for task in found)
            assert len({task.ref for task in found}) == 40
            whole = [task.ref async for task in db.iter(query.hydrate())]
            assert whole == ids(found)

    asyncio.run(run())


def test_a_cursor_goes_on_with_its_own_question_alone() -> None:
    items = [Task(ref=n, owner="ann", rank=n, at=START + timedelta(days=9 * n)) for n in range(12)]
    with stored(items) as db, tw.time_held(UNTIL):
        query = Task.by_rank("ann")
        cursor = db.run(query.limit(3)).cursor
        assert ids(db.run(query.after(cursor).limit(4))) == [3, 4, 5, 6]
        others = [
            Task.by_rank("bob"),
            Task.by_rank("ann", rank=tw.gte(1)),
            query.descending(),
            Task.by_week("ann"),
        ]
        for other in others:
            with pytest.raises(tw.RequestError, match="not of task"):
                db.run(other.after(cursor))
        with pytest.raises(tw.RequestError, match=r"no cursor|another question"):
            db.run(query.after("e30"))
        week = db.run(Task.by_week("ann").limit(2)).cursor
        with pytest.raises(tw.RequestError, match="not of task"):
            db.run(Task.by_rank("ann").after(week))


def test_an_empty_time_ends_a_page_after_some_periods() -> None:
    with stored([Task(ref=1, owner="ann", at=UNTIL)]) as db, tw.time_held(UNTIL):
        query = Task.by_week("ann", at=tw.gte(START))
        explained = db.run(query, explain=True)
        assert explained.result.items == []
        assert explained.result.cursor is not None
        assert ids(db.iter(query)) == [1]
        assert ids(db.run(query.pages("all"))) == [1]


def test_deleting_and_finding() -> None:
    items = [Task(ref=n, owner="ann", rank=n, at=START) for n in range(12)]
    with stored(items) as db:
        found = Task.match(owner="ann", rank=3)
        assert isinstance(found, tw.Query)
        assert ids(db.run(found)) == [3]
        assert db.run(tw.delete_all(Task.by_rank("ann", rank=tw.gte(4)))) == 8
        assert ids(db.run(Task.by_rank("ann"))) == [0, 1, 2, 3]


def test_raw_replies_cannot_be_gathered() -> None:
    with stored([]) as db, pytest.raises(tw.RequestError, match="no raw reply"):
        db.run(Task.by_rank("ann").with_options(data="raw"))


@settings(deadline=None, max_examples=15)
@given(
    items=tasks(),
    limit=st.integers(1, 5),
    newcomers=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 20)), max_size=8),
)
def test_writers_between_pages_hide_nothing(items: list[Task], limit: int, newcomers: list[tuple[int, int]]) -> None:
    """What was there from the beginning is found once, in order, whoever writes or moves items meanwhile."""
    query = Task.by_rank("ann").limit(limit)
    with stored(items) as db:
        found: list[Task] = []
        cursor: str | None = None
        for number in range(200):
            page = db.run(query.after(cursor))
            found += page.items
            for at, (when, rank) in enumerate(newcomers):
                if when == number:
                    db.run(Task(ref=1000 + at, owner="ann", rank=rank, at=START).put())
            cursor = page.cursor
            if cursor is None:
                break
        old = [task.ref for task in found if task.ref < 1000]
        assert old == ids(sorted(items, key=lambda task: (task.rank, str(task.ref))))
        assert [task.rank for task in found] == sorted(task.rank for task in found)
        assert len({task.ref for task in found}) == len(found)


def test_find_uses_spread_indexes_or_says_what_is_left_over() -> None:
    items = [Task(ref=n, owner="ann", rank=n % 3, at=START + timedelta(days=n)) for n in range(9)]
    with stored(items) as db:
        assert ids(db.run(Task.find(owner="ann", rank=1).pages("all"))) == [1, 4, 7]
        assert ids(db.run(Task.find(owner="ann", at=START + timedelta(days=4)).pages("all"))) == [4]
        with pytest.raises(tw.RequestError, match=r"no index serves rank; use Task.match"):
            tw.delete_all(Task.find(rank=1))
        with pytest.raises(tw.RequestError, match=r"key, has no use for owner; use Task.match"):
            Task.find(ref=1, owner="ann")
