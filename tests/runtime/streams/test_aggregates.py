"""Aggregates kept by a stream: each change once, however often its record comes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tests.runtime.features.interleaving import FAULTS, choosing, interleave, items_in

shop = tw.Service("shop", table="shop")


class Product(tw.Entity, service=shop, name="product"):
    """Knows what is thought of it."""

    product: Attr[str]
    reviews: Attr[int] = attr(aggregate=True, default=0)
    stars: Attr[int] = attr(aggregate=True, default=0)
    best: Attr[int | None] = attr(aggregate=True, default=None)

    @tw.primary
    def key(self, product: str) -> None:
        """One product."""


class Review(
    tw.Entity,
    service=shop,
    name="review",
    aggregates=[
        tw.count_into("product", "reviews", by="product", kept="stream"),
        tw.sum_into("product", "stars", by="product", of="stars", kept="stream"),
        tw.max_into("product", "best", by="product", of="stars", kept="stream"),
    ],
):
    """Counted when the stream tells of it."""

    product: Attr[str]
    review: Attr[str]
    stars: Attr[int]

    @tw.primary
    def key(self, product: str, *, review: str) -> None:
        """One review."""


def fresh() -> tw.Database:
    db = tw.Database.embedded()
    db.create(shop, stream="new_and_old_images")
    db.run(Product(product="p").create())
    return db


def check(db: tw.Database) -> None:
    stars = [each["stars"] for each in items_in(db.transport.call, "shop") if each["__edb_e__"] == "review"]
    expected = Product(product="p", reviews=len(stars), stars=sum(stars), best=max(stars, default=None))
    assert db.run(Product.key("p").get()) == expected


WRITES = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 3)), max_size=8)


def write(review: str, stars: int) -> Any:
    if not stars:
        return Review.key("p", review=review).delete()
    return Review(product="p", review=review, stars=stars).put()


@settings(max_examples=40, deadline=None)
@given(writes=WRITES)
def test_the_stream_brings_aggregates_up_to_date(writes: list[tuple[str, int]]) -> None:
    with fresh() as db:
        handlers = tw.Handlers(shop)
        tw.keep_aggregates(handlers, db)
        for each in writes:
            calls = db.run(write(*each), explain=True).calls
            assert [call.action for call in calls] in (["PutItem"], ["DeleteItem"])
        handlers.catch_up(db)
        check(db)


@settings(max_examples=40, deadline=None)
@given(writes=WRITES, data=st.data())
def test_records_that_come_again_add_nothing(writes: list[tuple[str, int]], data: st.DataObject) -> None:
    from tablewright.runtime.streams.aggregates import application

    with fresh() as db:
        events: list[Any] = []
        handlers = tw.Handlers(shop)
        handlers.on(tw.Event[Review])(events.append)
        for each in writes:
            db.run(write(*each))
        handlers.catch_up(db)
        for event in events:  # two workers get every record, and are struck by faults
            work = [application(event), application(event)]
            interleave(db.transport.call, work, choosing(data), faults=FAULTS)
        for event in events:
            db.run(application(event))
        db.run(tw.recount(Product.key("p")))  # what a crash left lost
        check(db)


def test_awaited_handlers_do_the_same() -> None:
    async def run(db: tw.Database) -> None:
        engine: Any = db.transport
        other = tw.AsyncDatabase.embedded(engine=engine.engine)
        handlers = tw.Handlers(shop)
        tw.keep_aggregates(handlers, other)
        for each in (("a", 3), ("b", 2), ("a", 0)):
            await other.run(write(*each))
        await handlers.acatch_up(other)

    with fresh() as db:
        asyncio.run(run(db))
        check(db)


def test_a_stream_without_images_says_so() -> None:
    with tw.Database.embedded() as db:
        db.create(shop, stream="keys_only")
        db.run(Product(product="p").create())
        db.run(write("a", 1))
        handlers = tw.Handlers(shop)
        tw.keep_aggregates(handlers, db)
        with pytest.raises(tw.RequestError, match="new_and_old_images"):
            handlers.catch_up(db)
