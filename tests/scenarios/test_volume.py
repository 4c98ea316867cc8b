"""Much at once and much in a row: thousands of gets, a hundred thousand writes, in memory that stays what it was."""

from __future__ import annotations

import asyncio
import resource
import tracemalloc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.server import Server, serve
from tablewright.runtime.transports.aws.connections import POOL_SIZE
from tests.scenarios.museum import TABLE, Exhibit, Tour, at, exhibit
from tests.scenarios.ways import LOGIN

CONCURRENT = 4
BATCH = 25
MEGABYTE = 1024 * 1024
STATM = Path("/proc/self/statm")
MANY_GETS = [2_000, pytest.param(10_000, marks=pytest.mark.slow)]
FEW_WRITES = 2_000
MANY_WRITES = 100_000


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as running:
        running.call("CreateTable", TABLE)
        yield running


@pytest.fixture
def server(engine: Engine) -> Iterator[Server]:
    with serve(engine) as running:
        yield running


def resident_bytes() -> int:
    """The memory of this process that is in use at this moment."""
    return int(STATM.read_text().split()[1]) * resource.getpagesize()


class Memory:
    """What Python held at most, in bytes, beyond what it held before."""

    grown = 0


@contextmanager
def measured() -> Generator[Memory]:
    """The engine keeps its items in SQLite, whose memory is not Python's: what is measured is the client."""
    memory = Memory()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        yield memory
        memory.grown = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


# ---- gets ------------------------------------------------------------------------------------------------------------


def get(number: int) -> Any:
    return Exhibit.key("Uffizi", number=number % 100).get()


async def get_at_once(database: tw.AsyncDatabase, count: int) -> list[int]:
    return [item.number for item in await asyncio.gather(*(database.run(get(number)) for number in range(count)))]


@pytest.mark.parametrize("count", MANY_GETS)
def test_gets_at_once_over_few_connections(engine: Engine, server: Server, count: int) -> None:
    tw.Database.embedded(engine=engine).run(tw.batch_write(*(exhibit(number).put() for number in range(100))))
    connections: list[int] = []

    async def watch() -> None:
        while True:
            connections.append(server.connection_count)
            await asyncio.sleep(0.01)

    async def main() -> list[int]:
        async with tw.AsyncDatabase.aws(endpoint_url=server.url, **LOGIN) as database:
            watcher = asyncio.create_task(watch())
            try:
                return await get_at_once(database, count)
            finally:
                watcher.cancel()

    with measured() as memory:
        found = asyncio.run(main())
    assert found == [number % 100 for number in range(count)]
    assert 1 <= max(connections) <= POOL_SIZE
    assert memory.grown < count * 20_000  # a task, a future and a request for each


def test_gets_at_once_in_process(engine: Engine) -> None:
    database = tw.AsyncDatabase.embedded(engine=engine)
    tw.Database.embedded(engine=engine).run(tw.batch_write(*(exhibit(number).put() for number in range(100))))
    assert asyncio.run(get_at_once(database, 10_000)) == [number % 100 for number in range(10_000)]


# ---- writes ----------------------------------------------------------------------------------------------------------


class Stream:
    """Writes made as they are taken; `ahead` is how many were taken, at most, before those before them were sent."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.taken = 0
        self.sent = 0
        self.ahead = 0
        self.resident: list[int] = []

    def __iter__(self) -> Iterator[tw.Put[Tour]]:
        for number in range(self.count):
            self.taken += 1
            self.ahead = max(self.ahead, self.taken - self.sent)
            if number % 1000 == 0 and number >= self.count / 10:
                self.resident.append(resident_bytes())
            yield Tour(house=f"h{number:06}", begins=at(9), guests=number).put()

    def observe(self, seen: tw.Observation) -> None:
        self.sent += sum(len(members) for members in seen.call.params["RequestItems"].values())


def blocking_writes(url: str, stream: Stream) -> tw.Written:
    with tw.Database.aws(endpoint_url=url, observe=stream.observe, **LOGIN) as database:
        return database.write_all(stream, concurrent=CONCURRENT)


def awaited_writes(url: str, stream: Stream) -> tw.Written:
    async def main() -> tw.Written:
        async with tw.AsyncDatabase.aws(endpoint_url=url, observe=stream.observe, **LOGIN) as database:
            return await database.write_all(stream, concurrent=CONCURRENT)

    return asyncio.run(main())


WRITERS = {"fast": blocking_writes, "fast async": awaited_writes}


def check_written(engine: Engine, written: tw.Written, stream: Stream) -> None:
    assert (written.writes, written.requests) == (stream.count, stream.count / BATCH)
    assert stream.ahead <= CONCURRENT * BATCH + 1
    database = tw.Database.embedded(engine=engine)
    assert sum(1 for _ in database.iter(Tour.scan())) == stream.count


@pytest.mark.parametrize("way", WRITERS)
def test_writes_in_a_row(engine: Engine, server: Server, way: str) -> None:
    WRITERS[way](server.url, Stream(BATCH))  # so that what is made once is there
    stream = Stream(FEW_WRITES)
    with measured() as memory:
        written = WRITERS[way](server.url, stream)
    check_written(engine, written, stream)
    assert memory.grown < 3 * MEGABYTE


@pytest.mark.slow
@pytest.mark.skipif(not STATM.exists(), reason="there is no /proc that tells how much memory is in use")
@pytest.mark.parametrize("way", WRITERS)
def test_a_hundred_thousand_writes(tmp_path: Path, way: str) -> None:
    """Client, server and engine together: SQLite caches 64 megabytes of the file, and nobody else keeps anything."""
    with Engine(tmp_path / "museum.db") as engine, serve(engine) as server:
        engine.call("CreateTable", TABLE)
        stream = Stream(MANY_WRITES)
        written = WRITERS[way](server.url, stream)
        check_written(engine, written, stream)
    assert max(stream.resident) - stream.resident[0] < (64 + 16) * MEGABYTE
