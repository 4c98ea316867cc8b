"""Streams of writes and gets: bounded memory, order, and where they stopped when they were stopped."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright.runtime.transports.embedded import AsyncEmbedded
from tests.runtime.operations.test_batches import ONCE, engine_of, failing, stubborn
from tests.runtime.operations.toys import Ball, Bell, ball, balls, database, names


class Nowhere:
    """Takes every batch and keeps nothing of it but the number."""

    def __init__(self) -> None:
        self.calls = 0

    def call(self, _call: Any) -> bytes:
        self.calls += 1
        return b"{}"

    def close(self) -> None:
        """There is nothing to give back."""


def test_a_stream_of_writes_and_gets() -> None:
    db = database()
    written = db.write_all(
        chain((each.put() for each in balls(230)), [Bell(bell="x").put(), Ball.key("0003").delete()])
    )
    assert written == tw.Written(writes=232, requests=10, resent=0)
    gets = chain((Ball.key(f"{number:04}").get() for number in range(230)), [Bell.key("x").get()])
    found = list(db.get_all(gets, concurrent=2, consistent=True))
    assert found[:230] == [None if number == 3 else each for number, each in enumerate(balls(230))]
    assert found[230] == Bell(bell="x")


def test_an_empty_stream_is_done_already() -> None:
    db = tw.Database(Nowhere())
    assert db.write_all([]) == tw.Written()
    assert list(db.get_all([])) == []


def test_a_stream_is_taken_as_it_is_needed() -> None:
    taken: list[int] = []

    def gets() -> Iterator[Any]:
        for number in range(1000):
            taken.append(number)
            yield Ball.key(str(number)).get()

    found = database().get_all(gets(), concurrent=1)
    assert taken == []
    assert next(found) is None
    assert len(taken) == 100


def peak_bytes(db: tw.Database, count: int) -> int:
    tracemalloc.start()
    try:
        db.write_all((Ball(ball=str(number), note="x" * 1000).put() for number in range(count)), concurrent=2)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_stream() -> None:
    db = tw.Database(Nowhere())
    few, many = peak_bytes(db, 100), peak_bytes(db, 2000)
    assert many < 1.5 * few


def test_two_writes_of_one_item_happen_in_their_order() -> None:
    db = database(unprocessed=3)
    writes = [ball("a", size=size).put() for size in range(5)]
    written = db.write_all([*writes, ball("b").put(), Ball.key("a").delete(), ball("a", size=9).put()])
    assert written.writes == 8
    found = db.run(Ball.key("a").get())
    assert found is not None
    assert found.size == 9


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.none() | st.integers(1, 9)), max_size=300),
    st.integers(2, 5),
    st.integers(1, 4),
)
def test_a_stream_leaves_what_its_writes_in_order_would_leave(
    steps: list[tuple[int, int | None]], nth: int, concurrent: int
) -> None:
    """Whatever is handed back, and however many requests run at once."""
    db = database(unprocessed=nth)
    writes = [Ball.key(str(name)).delete() if size is None else ball(name, size=size).put() for name, size in steps]
    assert db.write_all(iter(writes), concurrent=concurrent).writes == len(writes)
    left = {str(name): size for name, size in steps}
    engine_of(db).instruments = None
    found = {each.ball: each.size for each in db.iter(Ball.scan())}
    assert found == {name: size for name, size in left.items() if size is not None}


def test_a_stream_that_is_stopped_tells_where_and_can_go_on() -> None:
    db = database(unprocessed=stubborn)
    stream = iter([each.put() for each in balls(200)])
    with pytest.raises(tw.Incomplete) as told:
        db.write_all(stream, concurrent=2)
    assert told.value.done == 49
    assert [write.values["ball"] for write in told.value.undone] == ["0007"]
    engine_of(db).instruments = None
    db.write_all(chain(told.value.undone, told.value.unknown, stream))
    assert db.run(Ball.scan().total()) == 200


@pytest.mark.parametrize(("at", "done"), [(1, 0), (3, 50)])
def test_a_refusal_leaves_nothing_unaccounted_for(at: int, done: int) -> None:
    db = database(retry=ONCE, failures=failing(at, "ThrottlingException"))
    stream = iter([each.put() for each in [*balls(60), *balls(60)]])
    with pytest.raises(tw.Incomplete) as told:
        db.write_all(stream, concurrent=1)
    assert isinstance(told.value.__cause__, tw.Throttled)
    assert (told.value.done, told.value.unknown) == (done, ())
    assert done + len(told.value.undone) + len(list(stream)) == 120


def test_the_write_that_waits_for_its_predecessor_is_accounted_for() -> None:
    db = database(retry=ONCE, failures=failing(1, "ThrottlingException"))
    first, second = ball("a", size=1).put(), ball("a", size=2).put()
    with pytest.raises(tw.Incomplete) as told:
        db.write_all([first, second])
    assert told.value.undone == (first, second)


def test_a_stream_that_fails_is_written_up_to_there() -> None:
    def stream() -> Iterator[Any]:
        yield from (each.put() for each in balls(30))
        raise LookupError("no more")

    db = database()
    with pytest.raises(LookupError, match="no more"):
        db.write_all(stream(), concurrent=1)
    assert db.run(Ball.scan().total()) == 30
    with pytest.raises(tw.RequestError, match="batches take no conditions"):
        db.write_all([ball("y").put(), ball("z").create()])
    assert db.run(Ball.scan().total()) == 31


def test_options_of_streams_are_checked() -> None:
    db = database()
    with pytest.raises(tw.RequestError, match="option concurrent is 0"):
        db.write_all([ball("a").put()], concurrent=0)
    with pytest.raises(tw.RequestError, match="unknown option 'consistant'"):
        db.get_all([], consistant=True)


# ---- awaited ---------------------------------------------------------------------------------------------------------


async def slowly(operations: list[Any]) -> AsyncIterator[Any]:
    for operation in operations:
        await asyncio.sleep(0)
        yield operation


@pytest.mark.parametrize("stream", [slowly, list], ids=["async", "plain"])
def test_awaited_streams(stream: Any) -> None:
    async def run() -> None:
        blocking = database(unprocessed=4)
        db = tw.AsyncDatabase(AsyncEmbedded(engine_of(blocking)), sleep=lambda _: asyncio.sleep(0))
        written = await db.write_all(stream([each.put() for each in balls(120)]), concurrent=3)
        assert written.writes == 120
        assert written.resent > 0
        gets = [Ball.key(name).get() for name in ("0001", "none", "0119")]
        found = [item async for item in db.get_all(stream(gets))]
        assert names(found) == ["0001", None, "0119"]

    asyncio.run(run())


def test_awaited_streams_stop_as_others_do() -> None:
    async def run() -> tw.Incomplete:
        engine = engine_of(database(failures=failing(3, "ThrottlingException")))
        db = tw.AsyncDatabase(AsyncEmbedded(engine, retry=ONCE))
        with pytest.raises(tw.Incomplete) as told:
            await db.write_all(slowly([each.put() for each in balls(100)]), concurrent=2)
        return told.value

    told = asyncio.run(run())
    assert (told.done, len(told.undone)) == (75, 25)
    assert isinstance(told.__cause__, tw.Throttled)
