"""Ways to carry a call to a DynamoDB. A transport has one method, `call`, and raises `ServiceError` for a no."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Call, Reply


class Transport(Protocol):
    """Anything that can carry a call to a DynamoDB and bring back its reply."""

    def call(self, call: Call, trace: Trace | None = None, /) -> Reply:
        """Send one request; the JSON text of its reply, or a `ServiceError`. A `trace` is told of every attempt."""
        ...

    def close(self) -> None:
        """Give back what was opened."""
        ...


class AsyncTransport(Protocol):
    """The same for whoever awaits."""

    async def call(self, call: Call, trace: Trace | None = None, /) -> Reply:
        """Send one request; the JSON text of its reply, or a `ServiceError`. A `trace` is told of every attempt."""
        ...

    async def close(self) -> None:
        """Give back what was opened."""
        ...
