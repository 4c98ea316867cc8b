"""Connections on asyncio: each belongs to an event loop, as do those who wait for one.

At most `pool_size` (`max_pool_connections` of a Config) are open in a loop; who finds all busy waits for the next free
one, in order and for as long as it takes: time is counted from when a request can be sent. There are no tasks, only
callbacks; and when a loop ends its connections do, because a generator that asyncio finishes with its loop
(`asyncio.run` does) holds them.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from typing import TYPE_CHECKING, cast

from tablewright.errors import BadAnswer, ConnectionFailed, TimedOut
from tablewright.runtime.transports.aws.connecting import closed
from tablewright.runtime.transports.aws.proxies import is_tunnel_open, tunnel_request
from tablewright.runtime.transports.fast import watch
from tablewright.runtime.transports.http import Parser, ProtocolFault
from tablewright.runtime.transports.pool import Pool
from tablewright.runtime.transports.retry import Failed

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from tablewright.runtime.transports.aws.connecting import Connector
    from tablewright.runtime.transports.http import Response
    from tablewright.runtime.transports.settings import Settings

POOL_SIZE = 50
"""More than a blocking transport keeps: one thread can have them all busy at once."""
LATE_SECONDS = 0.1
"""A timer that goes off so late has waited for the loop, which did something else."""


class _Connection(asyncio.BufferedProtocol):
    """One connection: bytes go from the socket straight into the parser's buffer."""

    def __init__(self, loop: asyncio.AbstractEventLoop, read_seconds: float) -> None:
        self.loop = loop
        self.read_seconds = read_seconds
        self.parser = Parser()
        self.used = False
        self.idle_since = 0.0
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Response] | None = None
        self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._can_read: Callable[[], object] = bool

    def exchange(self, request: bytes) -> asyncio.Future[Response]:
        """Send a request; its answer is to be awaited. `Failed` if that cannot be done."""
        transport = self._transport
        if transport is None or transport.is_closing():
            raise Failed(ConnectionFailed("the connection was closed before the request was sent"), sent=False)
        answer: asyncio.Future[Response] = self.loop.create_future()
        self._answer = answer
        transport.write(request)
        self._deadline = self.loop.time() + self.read_seconds
        if self._timer is None:
            self._timer = self.loop.call_at(self._deadline, self._check_time)
        return answer

    @property
    def is_stale(self) -> bool:
        if self._transport is None or self._transport.is_closing():
            return True
        return bool(self._can_read())  # a loop that stood still has not noticed yet that a connection was closed

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._transport is not None and not self.loop.is_closed():
            self._transport.abort()

    # ---- what the loop tells -----------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # no subclass of it under uvloop
        self._can_read = watch(transport.get_extra_info("socket"))

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - the parser knows how much room it needs
        return self.parser.room()

    def buffer_updated(self, nbytes: int) -> None:
        if self._answer is None:  # nobody asked for anything
            self.close()
            return
        try:
            response = self.parser.filled(nbytes)
        except ProtocolFault as fault:
            self._fail(Failed(BadAnswer(str(fault))))
            return
        if response is not None:
            self._succeed(response)

    def eof_received(self) -> None:
        if self._answer is None:
            return
        try:
            response = self.parser.filled(0)
        except (OSError, ProtocolFault) as error:
            self._fail(self._broken(error))
            return
        if response is not None:
            self._succeed(response)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(self._broken(exc or ConnectionResetError("the connection was closed")))
        self._transport = None
        self.close()

    def _succeed(self, response: Response) -> None:
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_result(response)

    def _fail(self, failed: Failed) -> None:
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_exception(failed)

    def _broken(self, error: Exception) -> Failed:
        failed = ConnectionFailed(f"no answer: {error}")
        failed.__cause__ = error
        return Failed(failed, pooled=self.used and self.parser.is_empty)

    def _check_time(self) -> None:
        """One timer serves all exchanges of a connection: it goes off now and then to look at the time."""
        self._timer = None
        if self._answer is None:
            return
        if self.loop.time() < self._deadline:
            self._timer = self.loop.call_at(self._deadline, self._check_time)
            return
        self._fail(Failed(TimedOut(f"no answer within {self.read_seconds:g} s; allow more with timeout=")))
        self.close()


class _Tunnel(asyncio.Protocol):
    """Waits for a proxy's consent."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.opened: asyncio.Future[None] = loop.create_future()
        self._answer = b""

    def data_received(self, data: bytes) -> None:
        self._answer += data
        try:
            is_open = is_tunnel_open(self._answer)
        except ProtocolFault as fault:
            self._end(fault)
            return
        if is_open and not self.opened.done():
            self.opened.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionResetError("the proxy closed the connection"))

    def _end(self, error: Exception) -> None:
        if not self.opened.done():
            self.opened.set_exception(error)
            self.opened.exception()  # seen: whoever waited may be gone


class Connections:
    """The connections of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, settings: Settings, connector: Connector) -> None:
        self.loop = loop
        self.settings = settings
        self.connector = connector
        self.size = settings.pool_size or POOL_SIZE
        self.idle: Pool[_Connection] = Pool(self.size, clock=loop.time)
        self.count = 0
        self._waiting: deque[asyncio.Future[_Connection | None]] = deque()
        self._held = self._hold()

    async def begin(self) -> None:
        await anext(self._held)

    async def end(self) -> None:
        await self._held.aclose()

    async def _hold(self) -> AsyncGenerator[None]:
        """Begun on the loop, this is brought to its end by `end`, or together with the loop."""
        try:
            yield
        finally:
            self.close()
            await asyncio.sleep(0)  # the loop tells connections on its next round that they are closed

    def close(self) -> None:
        self.idle.close()
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_exception(closed())

    async def take(self, *, fresh: bool) -> _Connection:
        """A connection for one exchange, when none is idle or a `fresh` one is wanted: a new one, or the first that
        somebody gives back.
        """
        full = self.count >= self.size
        connection = self.take_idle() if full else None
        if connection is None and full and self.count >= self.size:
            connection = await self._wait()
        elif connection is None:
            self.count += 1
        if connection is not None:
            if not fresh and not connection.is_stale:
                return connection
            connection.close()  # the new one takes its place
        return await self._connect()

    def take_idle(self) -> _Connection | None:
        """A connection that can be used at once, if there is one."""
        before = len(self.idle)
        connection = self.idle.take()
        self.count -= before - len(self.idle) - (connection is not None)
        return connection

    async def _wait(self) -> _Connection | None:
        """A connection that was given back, or None: there is room for a new one, which has been counted."""
        waiter: asyncio.Future[_Connection | None] = self.loop.create_future()
        self._waiting.append(waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self._pass_on(waiter.result())  # it came too late for us
            raise

    def give(self, connection: _Connection) -> None:
        """A connection whose answer was read to its end."""
        connection.used = True
        self._pass_on(connection)

    def drop(self, connection: _Connection) -> None:
        """A connection that cannot be used again."""
        connection.close()
        self._pass_on(None)

    def _pass_on(self, connection: _Connection | None) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                if connection is not None:
                    connection.idle_since = self.loop.time()
                waiter.set_result(connection)
                return
        if connection is None:
            self.count -= 1
        else:
            self.idle.give(connection)

    # ---- connecting --------------------------------------------------------------------------------------------------

    async def _connect(self) -> _Connection:
        try:
            return await self._open_in_time()
        except (OSError, ProtocolFault) as error:
            self._pass_on(None)
            raise self.connector.failed(error) from error
        except BaseException:
            self._pass_on(None)
            raise

    async def _open_in_time(self) -> _Connection:
        """A timer that goes off late says that the loop was busy, not that nobody answered: that attempt is void."""
        deadline = self.loop.time() + self.settings.connect_seconds
        try:
            async with asyncio.timeout_at(deadline):
                return await self._open()
        except TimeoutError:
            if self.loop.time() - deadline < LATE_SECONDS:
                raise
        async with asyncio.timeout(self.settings.connect_seconds):
            return await self._open()

    async def _open(self) -> _Connection:
        made = _Connection(self.loop, self.settings.read_seconds)
        host, port = self.connector.address
        if not self.settings.is_secure:
            transport, _ = await self.loop.create_connection(lambda: made, host, port)
        else:
            context = await self.loop.run_in_executor(None, self.connector.context)  # reads files the first time
            name = self.settings.host
            if self.connector.proxy is None:
                transport, _ = await self.loop.create_connection(
                    lambda: made, host, port, ssl=context, server_hostname=name
                )
            else:
                tunnel = await self._open_tunnel(host, port)
                secured = await self.loop.start_tls(tunnel, made, context, server_hostname=name)
                assert secured is not None
                made.connection_made(secured)
                transport = secured
        if self.settings.keep_alive:
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return made

    async def _open_tunnel(self, host: str, port: int) -> asyncio.Transport:
        assert self.connector.proxy is not None
        transport, tunnel = await self.loop.create_connection(lambda: _Tunnel(self.loop), host, port)
        try:
            transport.write(tunnel_request(self.connector.proxy, self.settings.host, self.settings.port))
            await tunnel.opened
        except BaseException:
            transport.abort()
            raise
        return transport
