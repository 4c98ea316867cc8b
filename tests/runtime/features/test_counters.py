"""Counters: no count is lost or made twice, however many count at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr
from tests.runtime.features.interleaving import FAULTS, choosing, interleave, items_in

blog = tw.Service("blog", table="blog")


class Page(tw.Entity, service=blog, name="page"):
    """Many look at it at once."""

    page: Attr[str]
    views = tw.counter(shards=4)
    likes = tw.counter()

    @tw.primary
    def key(self, page: str) -> None:
        """One page."""


HOME = Page.key("home")


def fresh() -> tw.Database:
    db = tw.Database.embedded()
    db.create(blog)
    return db


AMOUNTS = st.tuples(st.just(""), st.integers(-2, 3))
REQUESTS = st.tuples(st.sampled_from(["r1", "r2"]), st.just(5))
COUNTS = st.lists(st.one_of(AMOUNTS, REQUESTS), min_size=1, max_size=8)


def counting(request: str, amount: int) -> Any:
    counter = Page.views.of(HOME)
    return counter.add_once(request, amount) if request else counter.add(amount)


@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, data=st.data())
def test_no_count_is_lost(counts: list[tuple[str, int]], data: st.DataObject) -> None:
    with fresh() as db:
        operations = [counting(*each) for each in counts]
        outcomes = interleave(db.transport.call, operations, choosing(data), faults=FAULTS)
        least = most = 0
        once: dict[str, list[Any]] = {}
        for (request, amount), outcome in zip(counts, outcomes, strict=True):
            if request:
                once.setdefault(request, []).append(outcome)
            elif outcome.is_done:
                least, most = least + amount, most + amount
            elif outcome.unheard:
                least, most = least + min(amount, 0), most + max(amount, 0)
        for outcomes_of_one in once.values():  # counted once, or (nobody can say) not at all
            least += 5 * any(each.is_done for each in outcomes_of_one)
            most += 5 * any(each.may_be_done for each in outcomes_of_one)
        assert least <= db.run(Page.views.of(HOME).value()) <= most


def test_many_tasks_count_at_once() -> None:
    async def race() -> int:
        async with tw.AsyncDatabase.embedded() as db:
            await db.create(blog)
            await asyncio.gather(*(db.run(Page.views.of(HOME).add()) for _ in range(40)))
            return await db.run(Page.views.of(HOME).value())

    assert asyncio.run(race()) == 40


def test_counting_is_spread_over_partitions() -> None:
    with fresh() as db:
        for _ in range(60):
            db.run(Page(page="home").views.add())
        items = items_in(db.transport.call, "blog")
        assert {item["pk"] for item in items} == {f"__counter__#{at}#$blog#page_home" for at in range(4)}
        assert {item["sk"] for item in items} == {"views#$page_1"}
        assert sum(item["n"] for item in items) == db.run(Page(page="home").views.value()) == 60


def test_reading_setting_and_forgetting() -> None:
    with fresh() as db:
        home, other = Page(page="home"), Page(page="other")
        for _ in range(5):
            db.run(home.views.add(2))
            db.run(home.likes.add())
        db.run(other.views.add(-1))
        keys = [HOME, Page.key("other"), Page.key("none"), HOME]
        assert db.run(Page.views.values(keys)) == [10, -1, 0, 10]
        assert db.run(Page.likes.values(keys)) == [5, 0, 0, 5]
        assert db.run(Page.views.values([])) == []
        db.run(home.views.set(7))
        assert db.run(home.views.value()) == 7
        db.run(home.put())
        db.run(tw.transact(home.delete(), *home.views.removals(), home.likes.add()))
        assert [db.run(each.value()) for each in (home.views, home.likes)] == [0, 6]
        db.run(home.likes.reset())
        db.run(other.views.reset())
        assert items_in(db.transport.call, "blog") == []


def test_a_count_goes_with_a_transaction_or_not_at_all() -> None:
    with fresh() as db:
        home = Page(page="home")
        db.run(tw.transact(home.create(), home.views.add()))
        with pytest.raises(tw.TransactionCancelled):
            db.run(tw.transact(home.create(), home.views.add()))
        assert db.run(home.views.value()) == 1


def test_fewer_shards_later_still_read_the_old_ones() -> None:
    app = tw.Service("blog", table="blog")

    class Fewer(tw.Entity, service=app, name="page"):
        page: Attr[str]
        views = tw.counter(shards=1, earlier=4)

        @tw.primary
        def key(self, page: str) -> None: ...

    with fresh() as db:
        for _ in range(20):
            db.run(Page.views.of(HOME).add())
        db.run(Fewer(page="home").views.add())
        assert db.run(Fewer(page="home").views.value()) == 21


def test_a_table_without_sort_key() -> None:
    app = tw.Service("app", table="app")

    class Thing(tw.Entity, service=app, name="thing"):
        thing: Attr[str]
        seen = tw.counter(shards=2)

        @tw.primary(sort=False)
        def key(self, thing: str) -> None: ...

    with tw.Database.embedded() as db:
        db.create(app)
        db.run(Thing(thing="t").seen.add(3))
        assert db.run(Thing.seen.of(Thing.key("t")).value()) == 3


@pytest.mark.parametrize("shards", [0, 101])
def test_shards_fit_into_a_transaction(shards: int) -> None:
    app = tw.Service("app", table="app")

    class Thing(tw.Entity, service=app, name="thing"):
        thing: Attr[str]
        seen = tw.counter(shards=shards)

        @tw.primary
        def key(self, thing: str) -> None: ...

    with pytest.raises(tw.SchemaError, match=f'the counter "seen" has {shards} shards'):
        Thing.schema()


def test_counters_are_part_of_the_schema() -> None:
    from tablewright.schema.dump import dump
    from tablewright.schema.load import load

    assert load(dump(blog.schema)) == blog.schema
    assert "counter views in 4 shards" in blog.describe()
