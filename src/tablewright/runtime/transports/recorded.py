"""A transport that answers from a list: for tests, and for looking at what an operation sends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import ServiceError, TablewrightError
from tablewright.wire.document import from_wire, to_wire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Call, Reply

Document: TypeAlias = dict[str, Any]


class Recorded:
    """Answers calls in order with the given replies (in document form) or raises the given errors; keeps the calls."""

    def __init__(self, replies: Iterable[Document | Exception] = ()) -> None:
        self.replies = list(replies)
        self.calls: list[Call] = []

    @property
    def requests(self) -> list[tuple[str, Document]]:
        """What was sent so far, with plain values."""
        return [(call.action, from_wire(call.params)) for call in self.calls]

    def call(self, call: Call, trace: Trace | None = None) -> Reply:
        if trace is not None:
            trace.attempts += 1
        self.calls.append(call)
        if not self.replies:
            raise TablewrightError(f"no reply is recorded for call {len(self.calls)}, {call.action}")
        reply = self.replies.pop(0)
        if isinstance(reply, ServiceError):
            raise reply
        if isinstance(reply, Exception):
            raise ServiceError(type(reply).__name__, str(reply)) from reply
        return msgspec.json.encode(to_wire(reply))

    def close(self) -> None:
        """There is nothing to give back."""


class AsyncRecorded:
    """The same for an `AsyncDatabase`."""

    def __init__(self, replies: Iterable[Document | Exception] = ()) -> None:
        self.recorded = Recorded(replies)

    @property
    def requests(self) -> list[tuple[str, Document]]:
        """What was sent so far, with plain values."""
        return self.recorded.requests

    async def call(self, call: Call, trace: Trace | None = None) -> Reply:
        return self.recorded.call(call, trace)

    async def close(self) -> None:
        """There is nothing to give back."""
