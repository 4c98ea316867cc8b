"""What was handled once is not handled again, however often it comes; in memory and in a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

import tablewright as tw
from tests.runtime.streams.bakery import (
    Cake,
    Loaf,
    bakery,
    clock_of,
    engine_of,
    kinesis_event,
    lambda_event,
    open_bakery,
    told,
)


def in_memory(db: tw.Database) -> Any:
    return tw.SeenInMemory()


def in_table(db: tw.Database) -> Any:
    return tw.SeenInTable(db, bakery, expires="expires", clock=clock_of(db))


def in_table_awaited(db: tw.Database) -> Any:
    return tw.SeenInTable(tw.AsyncDatabase.embedded(engine=engine_of(db)), bakery, expires="expires")


each_memory = pytest.mark.parametrize("memory", [in_memory, in_table, in_table_awaited])
Memory = Callable[[tw.Database], Any]


def three_loaves() -> tw.Database:
    db = open_bakery(ttl="expires")
    for name in ("a", "b", "c"):
        db.run(Loaf(oven="o", loaf=name).put())
    return db


@each_memory
def test_a_batch_that_comes_again_is_not_handled_again(memory: Memory) -> None:
    db = three_loaves()
    event, seen = lambda_event(db), memory(db)
    names: list[str] = []

    def handlers() -> tw.Handlers:
        """As another process would make them."""
        made = tw.Handlers(bakery, seen=seen)

        @made.on(tw.Inserted[Loaf])
        def note(event: tw.Inserted[Loaf]) -> None:
            names.append(event.new.loaf)

        return made

    for _ in range(2):
        assert handlers().lambda_handler(event, None) == {"batchItemFailures": []}
    assert names == ["a", "b", "c"]


@each_memory
def test_each_handler_is_remembered(memory: Memory) -> None:
    db = three_loaves()
    event = lambda_event(db)
    handlers = tw.Handlers(bakery, seen=memory(db))
    seen: list[str] = []
    failing = True

    @handlers.on(tw.Inserted[Loaf])
    def first(event: tw.Inserted[Loaf]) -> None:
        seen.append("first")

    @handlers.on(tw.Inserted[Loaf], when=Loaf.loaf == "b")
    async def second(event: tw.Inserted[Loaf]) -> None:
        if failing:
            raise ValueError
        seen.append("second")

    report = handlers.lambda_handler(event, None)
    assert report["batchItemFailures"] == [{"itemIdentifier": event["Records"][1]["dynamodb"]["SequenceNumber"]}]
    failing = False
    assert handlers.lambda_handler(event, None) == {"batchItemFailures": []}
    assert seen == ["first"] * 3 + ["second"]


@each_memory
@pytest.mark.parametrize("fresh", [True, False])
def test_a_change_behind_a_newer_one_is_late(memory: Memory, fresh: bool) -> None:
    db = open_bakery()
    for weight in (1.0, 2.0, 3.0):
        db.run(Loaf(oven="o", loaf="a", weight=weight).put())
    first, second, third = kinesis_event(told(db))["Records"]
    handlers = tw.Handlers(bakery, seen=memory(db))
    seen: list[tuple[float, bool]] = []

    @handlers.on(tw.Event[Loaf])
    def note(event: tw.Event[Loaf]) -> None:
        seen.append((event.item.weight, event.late))

    for record in (second, first, third) if fresh else (second, first, third, first, second):
        assert handlers.lambda_handler({"Records": [record]}, None) == {"batchItemFailures": []}
    assert seen == [(2.0, False), (1.0, True), (3.0, False)]


def test_streams_are_never_late() -> None:
    db = open_bakery()
    for weight in (1.0, 2.0):
        db.run(Loaf(oven="o", loaf="a", weight=weight).put())
    handlers = tw.Handlers(bakery, seen=tw.SeenInMemory())
    late: list[bool] = []
    handlers.on(tw.Event[Loaf])(lambda event: late.append(event.late))
    handlers.handle(reversed(told(db)))
    assert late == [False, False]


# ---- memory ----------------------------------------------------------------------------------------------------------


def test_memory_forgets_the_oldest() -> None:
    db = three_loaves()
    seen: list[Any] = []
    handlers = tw.Handlers(bakery, seen=tw.SeenInMemory(size=2))
    handlers.on(tw.Inserted[Loaf])(lambda event: seen.append(event.new.loaf))
    for _ in range(2):
        handlers.handle(told(db)).raise_failed()
    assert len(seen) == 6  # the first was forgotten when it came again, then the second, then the third


def test_memory_of_nothing_is_refused() -> None:
    with pytest.raises(tw.RequestError, match="remember nothing"):
        tw.SeenInMemory(0)
    with pytest.raises(tw.RequestError, match="remember nothing"):
        tw.SeenInTable(open_bakery(), bakery, expires=None, keep=timedelta(0))


# ---- tables ----------------------------------------------------------------------------------------------------------


def notes(db: tw.Database) -> list[dict[str, Any]]:
    items = engine_of(db).call("Scan", {"TableName": "bakery"})["Items"]
    return [item for item in items if item["sk"]["S"] == "$seen"]


def test_notes_in_the_table_expire_and_are_nobodys_items() -> None:
    db = three_loaves()
    handlers = tw.Handlers(bakery, seen=in_table(db))
    called: list[Any] = []
    handlers.on(tw.Event[tw.Entity])(called.append)
    strangers: list[Any] = []
    handlers.unknown(lambda record: strangers.append(record.keys))
    assert handlers.catch_up(db) == 6  # the three loaves, and the notes that were made of them
    assert handlers.catch_up(db) == 0
    assert (len(called), strangers) == (3, [])
    assert len(db.run(Loaf.scan()).items) == 3
    found = notes(db)
    assert len(found) == 3
    for note in found:
        assert note["pk"]["S"].startswith("$bakery#seen_")
        assert note["expires"] == {"N": str(int(clock_of(db)()) + 2 * 86_400)}
    clock_of(db).step(days=3)
    engine_of(db).expire()
    assert notes(db) == []


def test_a_note_costs_one_read_and_one_write() -> None:
    db = three_loaves()
    calls: list[str] = []
    watched = tw.Database.embedded(engine=engine_of(db), observe=lambda seen: calls.append(seen.action))
    handlers = tw.Handlers(bakery, seen=in_table(watched))
    handlers.on(tw.Inserted[Loaf])(lambda event: None)
    handlers.handle(told(db)[:1]).raise_failed()
    assert calls == ["GetItem", "UpdateItem"]
    db.run(Cake(cake="c").put())  # nobody wants it, so nobody asks
    handlers.handle(told(db)[-1:]).raise_failed()
    assert len(calls) == 2


def test_notes_may_stand_in_another_table() -> None:
    db = three_loaves()
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    types = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")]
    settings = {"BillingMode": "PAY_PER_REQUEST", "KeySchema": keys, "AttributeDefinitions": types}
    engine_of(db).call("CreateTable", {"TableName": "notes", **settings})
    handlers = tw.Handlers(bakery, seen=tw.SeenInTable(db, bakery, expires=None, table="notes"))
    handlers.on(tw.Inserted[Loaf])(lambda event: None)
    handlers.handle(told(db)).raise_failed()
    assert notes(db) == []
    found = engine_of(db).call("Scan", {"TableName": "notes"})["Items"]
    assert len(found) == 3
    assert not any("expires" in note for note in found)


def test_an_awaited_memory_cannot_be_used_blocking() -> None:
    db = three_loaves()
    handlers = tw.Handlers(bakery, seen=in_table_awaited(db))
    handlers.on(tw.Inserted[Loaf])(lambda event: None)
    with pytest.raises(tw.RequestError, match="awaited"):
        handlers.handle(told(db)).raise_failed()
    asyncio.run(handlers.ahandle(told(db))).raise_failed()


def test_a_memory_that_fails_makes_the_record_come_again() -> None:
    class Broken(tw.SeenInMemory):
        def remember(self, record: tw.StreamRecord, done: frozenset[str]) -> None:
            raise OSError

    db = three_loaves()
    handlers = tw.Handlers(bakery, seen=Broken())
    handlers.on(tw.Inserted[Loaf])(lambda event: None)
    assert handlers.handle(told(db)).count == 0


def test_a_memory_of_ones_own() -> None:
    noted: dict[str, frozenset[str]] = {}

    class Dict:
        async def recall(self, record: tw.StreamRecord) -> tw.Recalled:
            return tw.Recalled(noted.get(record.id, frozenset()))

        async def remember(self, record: tw.StreamRecord, done: frozenset[str]) -> None:
            noted[record.id] = done

    db = three_loaves()
    handlers = tw.Handlers(bakery, seen=Dict())
    seen: list[Any] = []
    handlers.on(tw.Inserted[Loaf])(seen.append)
    for _ in range(2):
        handlers.lambda_handler(told(db))
    assert (len(seen), len(noted)) == (3, 3)
