"""Every way an operation can take, behind one face: a scenario cannot tell whether it is awaited, or where it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any, Protocol, TypeVar

import tablewright as tw
from tablewright.engine.server import serve
from tablewright.wire.call import Call
from tests.scenarios.museum import museum

R = TypeVar("R")
REGION = "us-east-1"
LOGIN = {"region_name": REGION, "aws_access_key_id": "test", "aws_secret_access_key": "test"}


class Run(Protocol):
    """Runs operations on some database."""

    def __call__(self, operation: tw.Operation[R]) -> R:
        """The result of one operation."""
        ...

    def all(self, query: tw.Operation[tw.Page[R]]) -> list[R]:
        """What `iter` goes through."""
        ...

    def together(self, operations: Iterable[tw.Operation[R]]) -> list[R]:
        """The results of operations that run at the same time."""
        ...

    def write_all(self, writes: Iterable[tw.Put[Any] | tw.Delete[Any]]) -> tw.Written:
        """Any number of writes."""
        ...

    def get_all(self, gets: Iterable[tw.Get[R]]) -> list[R | None]:
        """The items of any number of gets."""
        ...

    def send(self, action: str, params: dict[str, Any]) -> bytes:
        """A bare request."""
        ...

    def create(self) -> None:
        """Make the table of the museum."""
        ...

    def check(self) -> list[str]:
        """What the table has otherwise than the museum declares."""
        ...


class Blocking:
    """A `Database`; what runs together does so in threads."""

    def __init__(self, database: tw.Database) -> None:
        self.database = database

    def __call__(self, operation: tw.Operation[R]) -> R:
        return self.database.run(operation)

    def all(self, query: tw.Operation[tw.Page[R]]) -> list[R]:
        return list(self.database.iter(query))

    def together(self, operations: Iterable[tw.Operation[R]]) -> list[R]:
        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(self.database.run, operations))

    def write_all(self, writes: Iterable[tw.Put[Any] | tw.Delete[Any]]) -> tw.Written:
        return self.database.write_all(writes)

    def get_all(self, gets: Iterable[tw.Get[R]]) -> list[R | None]:
        return list(self.database.get_all(gets))

    def send(self, action: str, params: dict[str, Any]) -> bytes:
        return self.database.transport.call(Call(action, params))

    def create(self) -> None:
        self.database.create(museum)

    def check(self) -> list[str]:
        return [str(each) for each in self.database.check(museum)]


class Awaited:
    """An `AsyncDatabase` with an event loop of its own; what runs together does so in tasks."""

    def __init__(self, database: tw.AsyncDatabase, wait: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
        self.database = database
        self.wait = wait

    def __call__(self, operation: tw.Operation[R]) -> R:
        return self.wait(self.database.run(operation))  # type: ignore[no-any-return]

    def all(self, query: tw.Operation[tw.Page[R]]) -> list[R]:
        async def collect() -> list[R]:
            return [item async for item in self.database.iter(query)]

        return self.wait(collect())  # type: ignore[no-any-return]

    def together(self, operations: Iterable[tw.Operation[R]]) -> list[R]:
        async def gather() -> list[R]:
            return await asyncio.gather(*(self.database.run(each) for each in operations))

        return self.wait(gather())  # type: ignore[no-any-return]

    def write_all(self, writes: Iterable[tw.Put[Any] | tw.Delete[Any]]) -> tw.Written:
        return self.wait(self.database.write_all(writes))  # type: ignore[no-any-return]

    def get_all(self, gets: Iterable[tw.Get[R]]) -> list[R | None]:
        async def collect() -> list[R | None]:
            return [item async for item in self.database.get_all(gets)]

        return self.wait(collect())  # type: ignore[no-any-return]

    def send(self, action: str, params: dict[str, Any]) -> bytes:
        async def call() -> bytes:
            return await self.database.transport.call(Call(action, params))

        return self.wait(call())  # type: ignore[no-any-return]

    def create(self) -> None:
        self.wait(self.database.create(museum))

    def check(self) -> list[str]:
        return [str(each) for each in self.wait(self.database.check(museum))]


@contextmanager
def blocking(database: tw.Database) -> Generator[Run]:
    with database:
        yield Blocking(database)


@contextmanager
def awaited(make: Callable[[], tw.AsyncDatabase]) -> Generator[Run]:
    async def made() -> tw.AsyncDatabase:
        return make()

    with asyncio.Runner() as runner:
        database = runner.run(made())
        try:
            yield Awaited(database, runner.run)
        finally:
            runner.run(database.close())


@contextmanager
def served(use: Callable[[str], AbstractContextManager[Run]]) -> Generator[Run]:
    """On an engine behind a port."""
    with serve() as server, use(server.url) as run:
        yield run


@contextmanager
def mocked(use: Callable[[], AbstractContextManager[Run]]) -> Generator[Run]:
    """On moto, which answers in place of AWS."""
    from moto import mock_aws  # takes its time, and most ways need none

    with mock_aws(), use() as run:
        yield run


@cache
def session() -> Any:
    """One for all: making a client reads megabytes of JSON, which a session does once."""
    import boto3
    import moto.core  # noqa: F401 - only sessions made after this import can be mocked

    return boto3.Session(**LOGIN)


def client(**options: Any) -> Any:
    return session().client("dynamodb", **options)


Way = Callable[[], AbstractContextManager[Run]]
WAYS: dict[str, Way] = {
    "embedded": lambda: blocking(tw.Database.embedded()),
    "embedded async": lambda: awaited(tw.AsyncDatabase.embedded),
    "fast": lambda: served(lambda url: blocking(tw.Database.aws(endpoint_url=url, **LOGIN))),
    "fast async": lambda: served(lambda url: awaited(lambda: tw.AsyncDatabase.aws(endpoint_url=url, **LOGIN))),
    "botocore": lambda: served(lambda url: blocking(tw.Database.aws(client=client(endpoint_url=url)))),
    "botocore async": lambda: served(
        lambda url: awaited(lambda: tw.AsyncDatabase.aws(client=client(endpoint_url=url)))
    ),
    "moto, botocore": lambda: mocked(lambda: blocking(tw.Database.aws(client=client()))),
    "moto, fast": lambda: mocked(lambda: blocking(tw.Database.aws(**LOGIN))),
    "moto, fast async": lambda: mocked(lambda: awaited(lambda: tw.AsyncDatabase.aws(**LOGIN))),
}


@contextmanager
def ready(way: str) -> Generator[Run]:
    """A way with an empty table at its end."""
    with WAYS[way]() as run:
        run.create()
        yield run
