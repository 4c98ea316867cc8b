"""The fast transport for whoever awaits: the same requests, parser and rules as `fast.py`, on asyncio's connections.

One transport serves any number of coroutines, and event loops at the same time or one after the other. A call that is
cancelled takes its connection with it, so that none is ever handed on with half an answer in it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tablewright.runtime.backoff import DEFAULT, Retry
from tablewright.runtime.transports.aws.answer import reply_of
from tablewright.runtime.transports.aws.connecting import Connector, closed
from tablewright.runtime.transports.aws.connections import Connections
from tablewright.runtime.transports.aws.events import BeforeSend
from tablewright.runtime.transports.retry import TAKES_TOKEN, Budget, Failed, acarry_out, recover, with_token
from tablewright.runtime.transports.sigv4 import RequestWriter

if TYPE_CHECKING:
    from tablewright.runtime.transports.retry import Renew
    from tablewright.runtime.transports.settings import Settings
    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Call, Reply


class FastAsync:
    """Calls a DynamoDB over connections of its own, from any number of coroutines and event loops."""

    def __init__(self, settings: Settings, retry: Retry = DEFAULT) -> None:
        self.settings = settings
        self.retry = retry
        self.budget = Budget(retry)
        self.writer = RequestWriter(settings.credentials, settings.destination)
        self._connector = Connector(settings)
        self._before_send = BeforeSend(settings.endpoint, settings.session)
        self._by_loop: dict[asyncio.AbstractEventLoop, Connections] = {}
        self._closed = False

    async def call(self, call: Call, trace: Trace | None = None) -> Reply:
        if call.action in TAKES_TOKEN:
            call = with_token(call)
        if trace is not None:
            trace.attempts += 1
        body = call.text()
        try:
            reply = await self._attempt(call.action, body)
        except Failed as failed:
            recovery = recover(call, failed, self.retry, self.budget, trace=trace)
        else:
            if self.budget.missing:
                self.budget.give_back()
            return reply
        return await acarry_out(
            recovery,
            lambda fresh: self._attempt(call.action, body, fresh=fresh),
            renew=self._renew,
            sleep=asyncio.sleep,
        )

    async def close(self) -> None:
        self._closed = True
        here = asyncio.get_running_loop()
        for loop, connections in list(self._by_loop.items()):
            if loop is here:
                await connections.end()
            elif loop.is_running():
                loop.call_soon_threadsafe(connections.close)
        self._by_loop.clear()

    async def _renew(self, step: Renew) -> None:
        if step.offset_seconds is not None:
            self.writer.renew(step.access_key, step.offset_seconds)
        else:
            await asyncio.to_thread(self.writer.renew, step.access_key)

    async def _attempt(self, action: str, body: bytes, *, fresh: bool = False) -> Reply:
        if self._before_send.listens(action):
            request = await self._request(action, body)
            response = self._before_send.answer(action, request)
            if response is not None:
                return reply_of(response, request, self.writer.clock)
        loop = asyncio.get_running_loop()
        connections = self._by_loop.get(loop) or await self._begin(loop)
        connection = (None if fresh else connections.take_idle()) or await connections.take(fresh=fresh)
        try:  # only now is the request signed: signatures grow old while one waits
            ready = self.writer.credentials.is_ready
            request = self.writer.write(action, body) if ready else await self._request(action, body)
            response = await connection.exchange(request)
        except BaseException:  # whatever it was, the rest of an answer may still come on this connection
            connections.drop(connection)
            raise
        if response.reusable:
            connections.give(connection)
        else:
            connections.drop(connection)
        return reply_of(response, request, self.writer.clock)

    async def _request(self, action: str, body: bytes) -> bytes:
        if self.writer.credentials.is_ready:
            return self.writer.write(action, body)
        return await asyncio.to_thread(self.writer.write, action, body)

    async def _begin(self, loop: asyncio.AbstractEventLoop) -> Connections:
        if self._closed:
            raise closed()
        for other in [each for each in self._by_loop if each.is_closed()]:
            del self._by_loop[other]
        connections = self._by_loop[loop] = Connections(loop, self.settings, self._connector)
        await connections.begin()
        return connections


def open_fast_async(settings: Settings, *, retry: Retry | None = None) -> FastAsync:
    """As `open_fast`, for an `AsyncDatabase`."""
    if retry is None:
        retry = DEFAULT if settings.attempts is None else Retry(attempts=settings.attempts)
    return FastAsync(settings, retry)
