"""Observers hear of every call; operations do not notice."""

from __future__ import annotations

import asyncio
import contextvars
import logging
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.simulation import Failure, Instruments
from tablewright.errors import service_error
from tablewright.runtime.operations.names import name_of
from tablewright.runtime.transports.recorded import AsyncRecorded, Recorded
from tests.runtime.observing.shelf import BOOKS, Book, Both, Note, filled, shelf

FIRST = Book.key("ann", book="b0")

NAMES: dict[str, Any] = {
    "book.key": FIRST.get(),
    "book.put": BOOKS[0].put(),
    "book.create": BOOKS[0].create(),
    "book.upsert": BOOKS[0].upsert(),
    "book.update": FIRST.update(Book.text.set("x")),
    "book.patch": FIRST.patch(Book.text.set("x")),
    "book.delete": FIRST.delete(),
    "book.remove": FIRST.remove(),
    "book.by_genre": Book.by_genre("novel"),
    "book.scan": Book.scan(),
    "both": Both.of("novel"),
    "transact(book.patch, book.remove)": tw.transact(FIRST.patch(Book.text.set("x")), FIRST.remove()),
    "transact_get(book.key)": tw.transact_get(FIRST.get(), Book.key("ann", book="b1").get()),
    "batch_get(book.key, note.key)": tw.batch_get(FIRST.get(), Note.key("novel", note="n").get()),
    "batch_write(book.put)": tw.batch_write(BOOKS[0].put(), BOOKS[1].put()),
    "delete_all(book.by_genre)": tw.delete_all(Book.by_genre("novel")),
}


@pytest.mark.parametrize("name", NAMES)
def test_operations_have_names(name: str) -> None:
    assert name_of(NAMES[name]) == name


def test_a_crowd_is_not_listed_whole() -> None:
    many = tw.transact(
        BOOKS[0].put(), BOOKS[1].create(), BOOKS[2].upsert(), FIRST.remove(), Note(genre="g", note="n").put()
    )
    assert name_of(many) == "transact(book.put, book.create, book.upsert, book.remove, 1 more)"


def test_a_query_is_seen_with_its_cost() -> None:
    seen: list[tw.Observation] = []
    db = filled(observe=seen.append)
    page = db.run(Book.by_genre("novel").where(Book.text == "secret"))
    assert len(page) == 3
    (call,) = seen
    assert (call.name, call.action, call.table, call.index) == ("book.by_genre", "Query", "shelf", "gsi1")
    assert (call.items_read, call.items_returned) == (6, 3)
    assert call.capacity_units == 0.5
    assert call.capacity[0].gsis == {"gsi1": 0.5}
    assert call.params["ExpressionAttributeValues"][":text0"] == "secret"
    assert call.attempts == 1
    assert call.duration_seconds > 0
    assert call.error is None


def test_every_page_is_a_call() -> None:
    seen: list[tw.Observation] = []
    list(filled(observe=seen.append).iter(Book.by_genre("novel").limit(4)))
    assert [each.items_read for each in seen] == [4, 2]


def test_several_observers_and_one_that_fails(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[tw.Observation] = []

    def fail(_: tw.Observation) -> None:
        raise ValueError("no")

    assert filled(observe=[fail, seen.append]).run(FIRST.get()) == BOOKS[0]
    assert len(seen) == 1
    assert "an observer failed on book.key" in caplog.text


def test_an_observer_is_a_function() -> None:
    with pytest.raises(tw.RequestError, match="a function that takes an Observation"):
        tw.Database(Recorded(), observe=["print"])  # type: ignore[list-item]


def test_failures_are_seen_and_raised() -> None:
    seen: list[tw.Observation] = []
    with pytest.raises(tw.ConditionFailed):
        filled(observe=seen.append).run(BOOKS[0].create())
    assert seen[0].error_name == "ConditionalCheckFailedException"
    assert "failed with ConditionalCheckFailedException" in str(seen[0])


def test_retries_are_counted() -> None:
    seen: list[tw.Observation] = []
    failures = iter([Failure("InternalServerError"), Failure("InternalServerError")])
    fails = Instruments(failures=lambda action, _: next(failures, None) if action == "GetItem" else None)
    engine = Engine(instruments=fails)
    db = tw.Database.embedded(engine=engine, retry=tw.Retry(base_seconds=0.0), observe=seen.append)
    db.create(shelf)
    assert db.run(FIRST.get()) is None
    assert seen[-1].attempts == 3
    assert seen[-1].faults == ("InternalServerError", "InternalServerError")
    assert "3 attempts (InternalServerError, InternalServerError)" in str(seen[-1])


def test_unobserved_nothing_is_asked() -> None:
    transport = Recorded([{}, {}])
    tw.Database(transport).run(FIRST.get())
    tw.Database(transport, observe=lambda _: None).run(FIRST.get())
    assert ["ReturnConsumedCapacity" in params for _, params in transport.requests] == [False, True]


RESULTS = {name: operation for name, operation in NAMES.items() if name not in ("book.create", "book.scan")}


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_the_same_observed(name: str) -> None:
    operation = RESULTS[name]
    assert outcome(filled(), operation) == outcome(filled(observe=lambda _: None), operation)


def test_raw_replies_are_the_same_observed() -> None:
    raw = Book.by_genre("novel").with_options(data="raw")
    plain = filled().run(raw)
    assert plain == filled(observe=lambda _: None).run(raw)
    assert "ConsumedCapacity" not in plain.items[0]  # type: ignore[operator]


def test_who_asks_for_capacity_keeps_it() -> None:
    seen: list[tw.Observation] = []
    raw = FIRST.get().with_options(data="raw", params={"ReturnConsumedCapacity": "TOTAL"})
    found: Any = filled(observe=seen.append).run(raw)
    assert found["ConsumedCapacity"]["CapacityUnits"] == 0.5
    assert seen[0].capacity_units == 0.5


def outcome(db: tw.Database, operation: Any) -> Any:
    try:
        found = db.run(operation)
    except tw.TablewrightError as error:
        return str(error)
    return found.__dict__ if isinstance(found, Both) else found


@given(st.dictionaries(st.text(), st.recursive(st.integers() | st.text() | st.none(), st.lists), max_size=5))
def test_what_was_not_asked_for_is_taken_out_and_nothing_else(parts: dict[str, Any]) -> None:
    parts.pop("ConsumedCapacity", None)
    parts.pop("Item", None)
    reply = {**parts, "ConsumedCapacity": {"TableName": "shelf", "CapacityUnits": 0.5}}
    answers: list[bytes] = []

    class Echo:
        def call(self, _call: Any, _trace: Any = None) -> bytes:
            return msgspec.json.encode(reply)

        def close(self) -> None: ...

    class Ask:
        def params(self) -> None: ...

        def flow(self) -> Any:
            answers.append((yield tw.runtime.flow.Call("GetItem", {"TableName": "shelf", "Key": {}})))  # type: ignore[attr-defined]

    tw.Database(Echo(), observe=lambda _: None).run(Ask())
    assert msgspec.json.decode(answers[0]) == parts


# ---- awaited, threads, logging ----------------------------------------------------------------------------------


def test_awaited_calls_are_seen() -> None:
    seen: list[tw.Observation] = []
    no = service_error("ResourceNotFoundException", "no")
    db = tw.AsyncDatabase(AsyncRecorded([{"Item": BOOKS[0].put().item()}, no]), observe=seen.append)

    async def run() -> None:
        assert await db.run(FIRST.get()) == BOOKS[0]
        with pytest.raises(tw.ServiceError):
            await db.run(FIRST.get())

    asyncio.run(run())
    assert [each.error_name for each in seen] == [None, "ResourceNotFoundException"]
    assert [each.items_returned for each in seen] == [1, None]


def test_cancelled_calls_are_seen() -> None:
    seen: list[tw.Observation] = []

    class Never:
        async def call(self, _call: Any, _trace: Any = None) -> bytes:
            await asyncio.Event().wait()
            raise AssertionError

        async def close(self) -> None: ...

    async def run() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(tw.AsyncDatabase(Never(), observe=seen.append).run(FIRST.get()), 0.01)

    asyncio.run(run())
    assert [each.error_name for each in seen] == ["CancelledError"]


def test_observers_in_threads_have_the_callers_context() -> None:
    who = contextvars.ContextVar("who", default="nobody")
    heard: list[str] = []
    db = filled(observe=lambda _: heard.append(who.get()))
    who.set("caller")
    gets = [Book.key("ann", book=f"b{number}").get() for number in range(250)]
    db.run(tw.batch_get(*gets).with_options(concurrent=3))
    assert heard == ["caller"] * 3


def test_logging_hides_values(caplog: pytest.LogCaptureFixture) -> None:
    db = filled()
    with caplog.at_level(logging.INFO, "tablewright.calls"):
        db.run(FIRST.get())
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, "tablewright.calls"):
        db.run(Book.by_genre("novel").where(Book.text == "secret"))
    (record,) = caplog.records
    assert record.getMessage().startswith("book.by_genre: Query shelf/gsi1, ")
    assert "3 of 6 items" in record.getMessage()
    assert "secret" not in record.getMessage()
    assert "rcu" not in record.getMessage()  # capacity is asked for by observers alone


def test_an_observation_shows_no_values() -> None:
    seen: list[tw.Observation] = []
    filled(observe=seen.append).run(FIRST.update(Book.text.set("secret")))
    assert "secret" not in repr(seen) + str(seen[0])
