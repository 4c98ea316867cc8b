"""An explanation tells what an operation took, for every kind of operation."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import tablewright as tw
from tablewright.runtime.transports.recorded import Recorded
from tests.runtime.observing.shelf import BOOKS, Book, Both, Note, filled, shelf

FIRST = Book.key("ann", book="b0")


def explained(operation: Any) -> tw.Explained[Any]:
    return filled().run(operation, explain=True)


def test_a_query_is_explained() -> None:
    told = explained(Book.by_genre("novel").where(Book.text == "secret").limit(4).pages("all"))
    assert len(told.result) == 3
    assert told.index == "gsi1"
    assert told.key_condition == 'gsi1pk = "$shelf#genre_novel" and begins_with(gsi1sk, "$both#book_1#book_")'
    assert told.filter == 'text = "secret"'
    assert (told.items_read, told.items_returned) == (6, 3)
    assert (told.pages, told.requests, told.retries) == (2, 2, 0)
    assert (told.rcu, told.wcu) == (1.0, 0.0)
    assert told.duration_seconds > 0
    assert (
        str(told)
        == """\
book.by_genre
  operation  Query on index gsi1 of table shelf
  key        gsi1pk = "$shelf#genre_novel" and begins_with(gsi1sk, "$both#book_1#book_")
  filter     text = "secret"
  page       4 items at most
  again      1 more call like this one
  items      3 returned of 6 read
  capacity   1 rcu (gsi1 1)
  requests   2 for 2 pages"""
    )


OTHERS: dict[str, tuple[Any, tuple[float, float, int]]] = {
    "get": (FIRST.get(), (0.5, 0.0, 1)),
    "consistent": (FIRST.get().consistent(), (1.0, 0.0, 1)),
    "missing": (Book.key("bob", book="b").get(), (0.5, 0.0, 0)),
    "put": (Book(reader="bob", book="b").put(), (0.0, 2.0, 0)),
    "batch get": (tw.batch_get(FIRST.get(), Note.key("novel", note="n").get()), (1.0, 0.0, 2)),
    "batch write": (tw.batch_write(FIRST.delete()), (0.0, 2.0, 0)),
    "transaction": (tw.transact(FIRST.remove()), (0.0, 4.0, 0)),
    "snapshot": (tw.transact_get(FIRST.get(), Book.key("bob", book="b").get()), (4.0, 0.0, 1)),
    "collection": (Both.of("novel"), (0.5, 0.0, 7)),
    "scan": (Book.scan(), (0.5, 0.0, 6)),
    "delete all": (tw.delete_all(Book.by_genre("novel")), (0.5, 12.0, 6)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_every_operation_is_explained(name: str) -> None:
    operation, (rcu, wcu, returned) = OTHERS[name]
    told = explained(operation)
    assert (told.rcu, told.wcu, told.items_returned) == (rcu, wcu, returned)
    assert told.name in str(told).splitlines()[0]


def test_long_requests_are_cut() -> None:
    text = str(explained(tw.batch_write(*(Book(reader="bob", book=f"{n}").put() for n in range(25)))))
    assert "and 14 more" in text
    assert max(map(len, text.splitlines())) < 250


def test_awaited_and_blocking_explain_alike() -> None:
    db = filled()

    async def explain() -> str:
        return str(
            await tw.AsyncDatabase.embedded(engine=db.transport.engine).run(Book.by_genre("novel"), explain=True)
        )  # type: ignore[attr-defined]

    assert asyncio.run(explain()) == str(db.run(Book.by_genre("novel"), explain=True))


def test_observers_hear_of_explained_operations_too() -> None:
    seen: list[tw.Observation] = []
    told = filled(observe=seen.append).run(FIRST.get(), explain=True)
    assert told.calls == tuple(seen)
    assert told.result == BOOKS[0]


def test_failures_are_not_explained_away() -> None:
    with pytest.raises(tw.ConditionFailed):
        explained(BOOKS[0].create())


def test_what_asks_nothing_is_explained_as_nothing() -> None:
    told = tw.Database(Recorded()).run(tw.batch_write(), explain=True)
    assert (told.index, told.key_condition, told.requests) == (None, None, 0)
    assert "not told" in str(told)


def test_the_loaded_style_is_explained() -> None:
    db = filled()
    schema = {
        "model": {"service": "shelf", "entity": "book", "version": "1"},
        "attributes": {"reader": "string", "book": "string"},
        "indexes": {
            "books": {"pk": {"field": "pk", "composite": ["reader"]}, "sk": {"field": "sk", "composite": ["book"]}}
        },
    }
    told = db.run(tw.Service.load(schema, table="shelf").book.query.books(reader="ann"), explain=True)
    assert len(told.result["data"]) == 6
    assert told.name == "book.books"
    assert shelf.name == "shelf"
