"""The engine in this process as a transport: no socket, no signature, no botocore."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.engine import Engine

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.wire.call import Call, Reply

__all__ = ["AsyncEmbedded", "Embedded", "Engine", "engine_at"]


def engine_at(path: str | Path | None) -> Engine:
    """An engine in memory, or in a file."""
    return Engine(path)


class Embedded:
    """Calls an engine directly."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def call(self, call: Call) -> Reply:
        return msgspec.json.encode(self.engine.handle(call.action, call.params))

    def close(self) -> None:
        self.engine.close()


class AsyncEmbedded:
    """The same for whoever awaits. A call takes microseconds, less than handing it to a thread would."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def call(self, call: Call) -> Reply:
        return msgspec.json.encode(self.engine.handle(call.action, call.params))

    async def close(self) -> None:
        self.engine.close()
