"""Who is called for what, what a failure holds up, and what Lambda is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

import tablewright as tw
from tests.runtime.streams.bakery import Cake, Loaf, bakery, kinesis_event, lambda_event, open_bakery, told


class Unwell(Exception):
    pass


def loaves(*names: str) -> tw.Database:
    """A table in which loaves were made in this order; a name again is a change."""
    db = open_bakery()
    for at, name in enumerate(names):
        db.run(Loaf(oven="o", loaf=name, weight=float(at)).put())
    return db


def numbers(event: dict[str, Any]) -> list[str]:
    return [record["dynamodb"]["SequenceNumber"] for record in event["Records"]]


# ---- who is called ---------------------------------------------------------------------------------------------------


def test_handlers_are_called_for_their_kind_and_entity() -> None:
    handlers = tw.Handlers(bakery)
    seen: list[str] = []

    @handlers.on(tw.Inserted[Loaf])
    def made(event: tw.Inserted[Loaf]) -> None:
        seen.append(f"made {event.new.loaf}")

    @handlers.on(tw.Modified[Loaf])
    def changed(event: tw.Modified[Loaf]) -> None:
        seen.append(f"changed {event.new.loaf}")

    @handlers.on(tw.Removed[Loaf])
    def gone(event: tw.Removed[Loaf]) -> None:
        seen.append(f"gone {event.old.loaf}")

    @handlers.on(tw.Inserted[Loaf], tw.Removed[Loaf])
    def either(event: tw.Inserted[Loaf] | tw.Removed[Loaf]) -> None:
        seen.append(f"either {event.item.loaf}")

    @handlers.on(tw.Event[tw.Entity])
    def anything(event: tw.Event[tw.Entity]) -> None:
        seen.append(f"any {type(event).__name__} {event.entity.__name__}")

    db = loaves("a", "a")
    db.run(Loaf.key("o", loaf="a").delete())
    db.run(Cake(cake="c").put())
    assert handlers.handle(told(db)).failures == ()
    assert seen == [
        *("made a", "either a", "any Inserted Loaf"),
        *("changed a", "any Modified Loaf"),
        *("gone a", "either a", "any Removed Loaf"),
        "any Inserted Cake",
    ]


def test_changed_names_what_must_have_changed() -> None:
    handlers = tw.Handlers(bakery)
    status: list[Any] = []
    handlers.on(tw.Modified[Loaf], changed=Loaf.status)(lambda event: status.append(event.new.status))
    db = loaves("a")
    loaf = Loaf.key("o", loaf="a")
    db.run(loaf.patch(Loaf.weight.set(9.0)))
    db.run(Loaf(oven="o", loaf="a", status="baked").put())
    db.run(loaf.patch(Loaf.baker_name.set("Bo")))
    handlers.handle(told(db)).raise_failed()
    assert status == ["baked"]


def test_one_of_several_changes_is_enough() -> None:
    handlers = tw.Handlers(bakery)
    seen: list[set[str]] = []
    handlers.on(tw.Modified[Loaf], changed=[Loaf.baker_name, Loaf.weight])(
        lambda event: seen.append(set(event.changed))
    )
    db = loaves("a")
    db.run(Loaf.key("o", loaf="a").patch(Loaf.weight.set(9.0)))
    db.run(Loaf.key("o", loaf="a").patch(Loaf.seeds.add({"rye"})))
    handlers.handle(told(db)).raise_failed()
    assert seen == [{"weight"}]


def test_when_is_a_condition_or_a_function() -> None:
    handlers = tw.Handlers(bakery)
    heavy: list[str] = []
    named: list[str] = []
    handlers.on(tw.Event[Loaf], when=(Loaf.weight > 1.5) & Loaf.status.begins_with("d"))(
        lambda event: heavy.append(f"{type(event).__name__} {event.item.loaf}")
    )

    def is_b(event: tw.Inserted[Loaf]) -> bool:
        return event.new.loaf == "b"

    @handlers.on(tw.Inserted[Loaf], when=is_b)
    def note(event: tw.Inserted[Loaf]) -> None:
        named.append(event.new.loaf)

    db = loaves("a", "b", "c")
    db.run(Loaf.key("o", loaf="c").delete())
    handlers.handle(told(db)).raise_failed()
    assert heavy == ["Inserted c", "Removed c"]
    assert named == ["b"]


def test_a_condition_reads_older_versions_as_of_today() -> None:
    handlers = tw.Handlers(bakery)
    seen: list[str] = []
    handlers.on(tw.Inserted[Loaf], when=Loaf.status == "raw")(lambda event: seen.append(event.new.loaf))
    identifiers = {"__edb_e__": {"S": "loaf"}, "__edb_v__": {"S": "1"}}
    keys = {"pk": {"S": "$bakery#oven_o"}, "sk": {"S": "$loaf_1#loaf_l"}}
    image = {**keys, "oven": {"S": "o"}, "loaf": {"S": "l"}, "state": {"S": "raw"}, **identifiers}
    record = {"eventID": "1", "eventName": "INSERT", "dynamodb": {"Keys": keys, "NewImage": image}}
    handlers.handle([record]).raise_failed()
    assert seen == ["l"]


def test_a_function_registered_twice_runs_once_for_an_event() -> None:
    handlers = tw.Handlers(bakery)
    seen: list[Any] = []

    def note(event: tw.Event[Loaf]) -> None:
        seen.append(event)

    handlers.on(tw.Event[Loaf])(note)
    handlers.on(tw.Inserted[Loaf])(note)
    handlers.handle(told(loaves("a"))).raise_failed()
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("register", "message"),
    [
        (lambda handlers: handlers.on(), "needs a kind"),
        (lambda handlers: handlers.on(tw.Inserted), "name a kind of change and an entity"),
        (lambda handlers: handlers.on(Loaf), "name a kind of change and an entity"),
        (lambda handlers: handlers.on(tw.Inserted[int]), "no entity of bakery"),
        (lambda handlers: handlers.on(tw.Inserted[Loaf], changed=Loaf.status), "modifications alone"),
        (lambda handlers: handlers.on(tw.Modified[Loaf], changed="status"), "no attribute"),
        (lambda handlers: tw.Handlers(bakery, concurrent=0), "at least 1"),
    ],
)
def test_mistakes_are_told(register: Callable[[tw.Handlers], Any], message: str) -> None:
    with pytest.raises(tw.RequestError, match=message):
        register(tw.Handlers(bakery))


def test_handlers_of_one_name_cannot_be_remembered() -> None:
    seen: list[int] = []

    def noting(number: int) -> Callable[[tw.Inserted[Loaf]], None]:
        return lambda event: seen.append(number)

    forgetful, mindful = tw.Handlers(bakery), tw.Handlers(bakery, seen=tw.SeenInMemory())
    for number in (1, 2, 3):
        forgetful.on(tw.Inserted[Loaf])(noting(number))
    forgetful.handle(told(loaves("a"))).raise_failed()
    assert seen == [1, 2, 3]
    mindful.on(tw.Inserted[Loaf])(noting(1))
    with pytest.raises(tw.RequestError, match="two handlers"):
        mindful.on(tw.Inserted[Loaf])(noting(2))


# ---- failures --------------------------------------------------------------------------------------------------------


class Kitchen:
    """Handlers that note what they were called for, and fail for some."""

    def __init__(self, *unwell: str, **options: Any) -> None:
        self.handlers = tw.Handlers(bakery, **options)
        self.unwell = set(unwell)
        self.seen: list[str] = []

        @self.handlers.on(tw.Event[Loaf])
        def note(event: tw.Event[Loaf]) -> None:
            self.note(event)

    def note(self, event: tw.Event[Loaf]) -> None:
        name = f"{event.item.loaf}{event.item.weight:.0f}"
        self.seen.append(name)
        if name in self.unwell:
            raise Unwell(name)


def test_nothing_behind_a_failure_is_handled_and_all_of_it_comes_again() -> None:
    kitchen, event = Kitchen("b1"), lambda_event(loaves("a", "b", "c", "a"))
    assert kitchen.handlers.lambda_handler(event, None) == {
        "batchItemFailures": [{"itemIdentifier": numbers(event)[1]}]
    }
    assert kitchen.seen == ["a0", "b1"]
    kitchen.unwell.clear()
    again = {"Records": event["Records"][1:]}
    assert kitchen.handlers.lambda_handler(again, None) == {"batchItemFailures": []}
    assert kitchen.seen == ["a0", "b1", "b1", "c2", "a3"]


def test_with_a_memory_others_go_on_and_the_failed_item_waits() -> None:
    kitchen = Kitchen("b1", seen=tw.SeenInMemory())
    event = lambda_event(loaves("a", "b", "c", "b", "a"))
    assert kitchen.handlers.lambda_handler(event, None) == {
        "batchItemFailures": [{"itemIdentifier": numbers(event)[1]}]
    }
    assert kitchen.seen == ["a0", "b1", "c2", "a4"]
    kitchen.unwell.clear()
    kitchen.seen.clear()
    assert kitchen.handlers.lambda_handler({"Records": event["Records"][1:]}, None) == {"batchItemFailures": []}
    assert kitchen.seen == ["b1", "b3"]


def test_failures_are_told_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    kitchen, event = Kitchen("a0"), lambda_event(loaves("a"))
    handled = kitchen.handlers.handle(event)
    assert (handled.count, handled.again_from) == (0, numbers(event)[0])
    assert [(str(each.error), each.record.change) for each in handled.failures] == [("a0", "INSERT")]
    with pytest.raises(Unwell):
        handled.raise_failed()
    with caplog.at_level(logging.ERROR, "tablewright.streams"):
        kitchen.handlers.lambda_handler(event, None)
    (line,) = caplog.records
    assert numbers(event)[0] in line.getMessage()
    assert line.exc_info is not None
    assert line.exc_info[0] is Unwell


def test_an_unreadable_record_fails_in_its_turn() -> None:
    kitchen, event = Kitchen(), lambda_event(loaves("a", "b", "c"))
    del event["Records"][1]["dynamodb"]["Keys"]
    assert kitchen.handlers.lambda_handler(event, None)["batchItemFailures"] == [{"itemIdentifier": numbers(event)[1]}]
    assert kitchen.seen == ["a0"]


def test_an_item_that_cannot_be_read_fails_in_its_turn() -> None:
    kitchen, event = Kitchen(), lambda_event(loaves("a", "b"))
    event["Records"][1]["dynamodb"]["NewImage"]["weight"] = {"S": "heavy"}
    assert kitchen.handlers.handle(event).again_from == numbers(event)[1]


def test_kinesis_is_told_its_own_numbers() -> None:
    kitchen = Kitchen("b1")
    event = kinesis_event(told(loaves("a", "b", "c")))
    assert kitchen.handlers.lambda_handler(event, None) == {"batchItemFailures": [{"itemIdentifier": "k001"}]}


def test_kinesis_is_put_in_order_and_repeats_are_dropped() -> None:
    kitchen = Kitchen()
    first, second, third = kinesis_event(told(loaves("a", "a", "a")))["Records"]
    assert kitchen.handlers.lambda_handler({"Records": [third, first, third, second, first]}, None) == {
        "batchItemFailures": []
    }
    assert kitchen.seen == ["a0", "a1", "a2"]


def test_a_failure_out_of_order_comes_again_from_the_first_that_is_not_done() -> None:
    kitchen = Kitchen("a1")
    first, second, third = kinesis_event(told(loaves("a", "a", "a")))["Records"]
    report = kitchen.handlers.lambda_handler({"Records": [first, third, second]}, None)
    assert report == {"batchItemFailures": [{"itemIdentifier": "k002"}]}
    assert kitchen.seen == ["a0", "a1"]


def test_the_second_handler_of_an_event_waits_for_the_first() -> None:
    kitchen = Kitchen("a0")
    seen: list[Any] = []
    kitchen.handlers.on(tw.Inserted[Loaf])(seen.append)
    kitchen.handlers.handle(told(loaves("a")))
    assert seen == []


# ---- awaited ---------------------------------------------------------------------------------------------------------


class AsyncKitchen(Kitchen):
    """The same with a handler that is awaited; `width` is how many ran at once."""

    def __init__(self, *unwell: str, **options: Any) -> None:
        self.handlers = tw.Handlers(bakery, **options)
        self.unwell = set(unwell)
        self.seen = []
        self.running: list[str] = []
        self.width = 0

        @self.handlers.on(tw.Event[Loaf])
        async def note(event: tw.Event[Loaf]) -> None:
            assert event.item.loaf not in self.running, "an item's changes must not overlap"
            self.running.append(event.item.loaf)
            self.width = max(self.width, len(self.running))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            self.running.remove(event.item.loaf)
            self.note(event)


def test_items_are_handled_side_by_side_and_each_in_order() -> None:
    kitchen = AsyncKitchen(concurrent=3)
    names = ["a", "b", "a", "c", "b", "a", "d", "a"]
    handled = asyncio.run(kitchen.handlers.ahandle(lambda_event(loaves(*names))))
    assert handled == tw.Handled(len(names))
    assert kitchen.width == 3
    for loaf in "abcd":
        own = [f"{loaf}{at}" for at, name in enumerate(names) if name == loaf]
        assert [each for each in kitchen.seen if each[0] == loaf] == own


def test_one_at_a_time_is_the_order_of_the_batch() -> None:
    kitchen = AsyncKitchen()
    asyncio.run(kitchen.handlers.ahandle(lambda_event(loaves("a", "b", "a", "c"))))
    assert kitchen.seen == ["a0", "b1", "a2", "c3"]
    assert kitchen.width == 1


@pytest.mark.parametrize("concurrent", [1, 2, 5])
@pytest.mark.parametrize("remembers", [True, False])
def test_a_failure_while_others_run(concurrent: int, remembers: bool) -> None:
    seen = tw.SeenInMemory() if remembers else None
    kitchen = AsyncKitchen("b1", concurrent=concurrent, seen=seen)
    event = lambda_event(loaves("a", "b", "c", "b", "a", "d"))
    report = kitchen.handlers.lambda_handler(event, None)
    assert report == {"batchItemFailures": [{"itemIdentifier": numbers(event)[1]}]}
    assert "b3" not in kitchen.seen
    kitchen.unwell.clear()
    assert kitchen.handlers.lambda_handler({"Records": event["Records"][1:]}, None) == {"batchItemFailures": []}
    if remembers:
        assert sorted(kitchen.seen) == ["a0", "a4", "b1", "b1", "b3", "c2", "d5"]
    assert kitchen.seen.index("a0") < kitchen.seen.index("a4")


def test_lambda_keeps_its_event_loop() -> None:
    handlers = tw.Handlers(bakery)
    loops: set[int] = set()

    @handlers.on(tw.Inserted[Loaf])
    async def note(event: tw.Inserted[Loaf]) -> None:
        loops.add(id(asyncio.get_running_loop()))

    event = lambda_event(loaves("a"))
    for _ in range(3):
        assert handlers.lambda_handler(event, None) == {"batchItemFailures": []}
    assert len(loops) == 1


def test_plain_handlers_may_stand_beside_awaited_ones() -> None:
    kitchen = AsyncKitchen()
    seen: list[Any] = []
    kitchen.handlers.on(tw.Inserted[Loaf])(seen.append)
    kitchen.handlers.lambda_handler(lambda_event(loaves("a")), None)
    assert (len(seen), kitchen.seen) == (1, ["a0"])


def test_awaited_handlers_cannot_be_called_blocking() -> None:
    handled = AsyncKitchen().handlers.handle(told(loaves("a")))
    with pytest.raises(tw.RequestError, match="ahandle"):
        handled.raise_failed()


def test_lambda_inside_an_event_loop_is_refused() -> None:
    async def inside() -> None:
        AsyncKitchen().handlers.lambda_handler(lambda_event(loaves("a")), None)

    with pytest.raises(tw.RequestError, match="ahandle"):
        asyncio.run(inside())


def test_cancelling_goes_through() -> None:
    handlers = tw.Handlers(bakery, concurrent=2)

    @handlers.on(tw.Inserted[Loaf])
    async def wait(event: tw.Inserted[Loaf]) -> None:
        await asyncio.Event().wait()

    async def impatient() -> None:
        async with asyncio.timeout(0):
            await handlers.ahandle(told(loaves("a", "b")))

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
