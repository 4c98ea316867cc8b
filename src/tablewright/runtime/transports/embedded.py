"""The engine in this process as a transport: no socket, no signature, no botocore.

Only instruments make an engine fail in ways that pass: what they throttle or let fail is tried again as on any other
transport. Pauses let the engine's own time pass: a `Clock` that is stepped by hand is stepped, and nobody waits.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import msgspec

from tablewright.engine import Engine
from tablewright.errors import RequestError, ServiceError
from tablewright.runtime.backoff import DEFAULT, Retry
from tablewright.runtime.transports.retry import Budget, Failed, acarry_out, carry_out, recover, with_token

if TYPE_CHECKING:
    from pathlib import Path

    from tablewright.runtime.transports.retry import Renew
    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Call, Reply

__all__ = ["AsyncEmbedded", "Embedded", "Engine", "engine_at"]


def engine_at(path: str | Path | None) -> Engine:
    """An engine in memory, or in a file."""
    if path is not None and not isinstance(path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise RequestError(f"{path!r:.60} is no path of a file; leave it out for a database in memory", code=1023)
    return Engine(path)


class Embedded:
    """Calls an engine directly."""

    def __init__(self, engine: Engine, *, retry: Retry | None = None) -> None:
        self.engine = engine
        self.retry = retry or DEFAULT
        self.budget = Budget(self.retry)

    def call(self, call: Call, trace: Trace | None = None) -> Reply:
        if trace is not None:
            trace.attempts += 1
        if self.engine.instruments is None:
            return _send(self.engine, call)
        call = with_token(call)
        try:
            return _first(self.engine, call, self.budget)
        except Failed as failed:
            recovery = recover(call, failed, self.retry, self.budget, trace=trace)
        return carry_out(recovery, lambda _fresh: _attempt(self.engine, call), sleep=self.pause)

    def pause(self, seconds: float) -> None:
        """Let the engine's time pass."""
        getattr(self.engine.clock, "step", time.sleep)(seconds)

    def close(self) -> None:
        self.engine.close()


class AsyncEmbedded:
    """The same for whoever awaits. A call takes microseconds, less than handing it to a thread would."""

    def __init__(self, engine: Engine, *, retry: Retry | None = None) -> None:
        self.engine = engine
        self.retry = retry or DEFAULT
        self.budget = Budget(self.retry)

    async def call(self, call: Call, trace: Trace | None = None) -> Reply:
        if trace is not None:
            trace.attempts += 1
        if self.engine.instruments is None:
            return _send(self.engine, call)
        call = with_token(call)
        try:
            return _first(self.engine, call, self.budget)
        except Failed as failed:
            recovery = recover(call, failed, self.retry, self.budget, trace=trace)

        async def again(_fresh: bool) -> Reply:
            return _attempt(self.engine, call)

        return await acarry_out(recovery, again, renew=_no_keys, sleep=self.pause)

    async def pause(self, seconds: float) -> None:
        """Let the engine's time pass."""
        import asyncio  # whoever awaits this has paid for the import already

        step = getattr(self.engine.clock, "step", None)
        if step is not None:
            step(seconds)
        await asyncio.sleep(seconds if step is None else 0)

    async def close(self) -> None:
        self.engine.close()


def _send(engine: Engine, call: Call) -> Reply:
    return msgspec.json.encode(engine.handle(call.action, call.params))


async def _no_keys(_: Renew) -> None:
    """An engine checks no signatures."""


def _attempt(engine: Engine, call: Call) -> Reply:
    try:
        return _send(engine, call)
    except ServiceError as error:
        raise Failed(error) from error


def _first(engine: Engine, call: Call, budget: Budget) -> Reply:
    reply = _attempt(engine, call)
    if budget.missing:
        budget.give_back()
    return reply
