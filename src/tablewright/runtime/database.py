"""Databases: something that operations can be run on, blocking or awaited. Both drive the same flows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.flow import adrive, drive
from tablewright.runtime.operations.query import Page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.requests.request import Operation
    from tablewright.runtime.transports import AsyncTransport, Transport
    from tablewright.runtime.transports.embedded import Engine

R = TypeVar("R")


class Database:
    """Runs operations on a transport, one after the other."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    @classmethod
    def embedded(cls, path: str | Path | None = None, *, engine: Engine | None = None) -> Self:
        """A DynamoDB in this process: in memory, in the file at `path`, or an engine you made yourself."""
        from tablewright.runtime.transports.embedded import Embedded, engine_at

        return cls(Embedded(engine or engine_at(path)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back connections and files. A closed database cannot be used again."""
        self.transport.close()

    def run(self, operation: Operation[R]) -> R:
        """Run one operation and give its result."""
        return drive(flow_of(operation), self.transport.call)

    def iter(self, query: Operation[Page[R]]) -> Iterator[R]:
        """All items that answer a query or scan, page after page, each page read when it is needed."""
        step: Operation[Page[R]] | None = query
        while step is not None:
            page = self.run(step)
            step = following(step, page)
            yield from page.items


class AsyncDatabase:
    """As Database, awaited: `await db.run(operation)`, `async for task in db.iter(query)`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.transport = transport

    @classmethod
    def embedded(cls, path: str | Path | None = None, *, engine: Engine | None = None) -> Self:
        """A DynamoDB in this process: in memory, in the file at `path`, or an engine you made yourself."""
        from tablewright.runtime.transports.embedded import AsyncEmbedded, engine_at

        return cls(AsyncEmbedded(engine or engine_at(path)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Give back connections and files. A closed database cannot be used again."""
        await self.transport.close()

    async def run(self, operation: Operation[R]) -> R:
        """Run one operation and give its result."""
        return await adrive(flow_of(operation), self.transport.call)

    async def iter(self, query: Operation[Page[R]]) -> AsyncIterator[R]:
        """All items that answer a query or scan, page after page, each page read when it is needed."""
        step: Operation[Page[R]] | None = query
        while step is not None:
            page = await self.run(step)
            step = following(step, page)
            for item in page.items:
                yield item


def flow_of(operation: Operation[R]) -> Flow[R]:
    if not hasattr(operation, "flow"):
        remedy = "a check belongs into transact(...)" if hasattr(operation, "clause") else "give it an operation"
        raise RequestError(f"{type(operation).__name__} cannot be run on its own; {remedy}", code=5002)
    return operation.flow()


def following(query: Operation[Page[R]], page: Page[R]) -> Operation[Page[R]] | None:
    """The query for the page behind this one, None when there is none."""
    if not isinstance(page, Page):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
        raise RequestError(f"iter() goes through pages, and {type(query).__name__} gives none; use run()", code=5002)
    if page.cursor is None:
        return None
    paged: Any = query
    options = msgspec.structs.replace(paged.options, cursor=page.cursor)
    return msgspec.structs.replace(paged, options=options)  # type: ignore[no-any-return]
