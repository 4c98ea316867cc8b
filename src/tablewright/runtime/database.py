"""Databases: something that operations can be run on, blocking or awaited. Both drive the same flows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tablewright.runtime.flow import adrive, drive

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tablewright.runtime.operations.query import Page
    from tablewright.runtime.operations.request import Operation
    from tablewright.runtime.transports import AsyncTransport, Transport

R = TypeVar("R")


class Database:
    """Runs operations on a transport, one after the other."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    def run(self, operation: Operation[R]) -> R:
        """Run one operation and give its result."""
        return drive(operation.flow(), self.transport.call)

    def iter(self, query: Operation[Page[R]]) -> Iterator[R]:
        """All items that answer a query or scan, page after page, each page read when it is needed."""
        step: Operation[Page[R]] | None = query
        while step is not None:
            page = self.run(step)
            yield from page.items
            step = following(step, page)


class AsyncDatabase:
    """As Database, awaited: `await db.run(operation)`, `async for task in db.iter(query)`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.transport = transport

    async def run(self, operation: Operation[R]) -> R:
        """Run one operation and give its result."""
        return await adrive(operation.flow(), self.transport.call)

    async def iter(self, query: Operation[Page[R]]) -> AsyncIterator[R]:
        """All items that answer a query or scan, page after page, each page read when it is needed."""
        step: Operation[Page[R]] | None = query
        while step is not None:
            page = await self.run(step)
            for item in page.items:
                yield item
            step = following(step, page)


def following(query: Operation[Page[R]], page: Page[R]) -> Operation[Page[R]] | None:
    """The query for the page behind this one, None when there is none."""
    if page.cursor is None:
        return None
    paged: Any = query
    options = msgspec.structs.replace(paged.options, cursor=page.cursor)
    return msgspec.structs.replace(paged, options=options)  # type: ignore[no-any-return]
