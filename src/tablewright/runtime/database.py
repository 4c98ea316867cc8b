"""A database: something that operations can be run on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tablewright.runtime.flow import drive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.runtime.operations.query import Page
    from tablewright.runtime.operations.request import Operation
    from tablewright.runtime.options import Options
    from tablewright.runtime.transports import Transport

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
        step: Any = query
        while True:
            page: Page[R] = self.run(step)
            yield from page.items
            if page.cursor is None:
                return
            options: Options = step.options
            step = msgspec.structs.replace(step, options=msgspec.structs.replace(options, cursor=page.cursor))
