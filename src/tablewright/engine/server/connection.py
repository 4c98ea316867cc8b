"""One client's connection: bytes to requests to answers, in order, within limits of time and memory."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from random import getrandbits
from typing import TYPE_CHECKING, cast

from tablewright.engine.server.http import CONTINUE, Parser, RefusedError
from tablewright.engine.server.service import Answer

if TYPE_CHECKING:
    from tablewright.engine.server.http import Request
    from tablewright.engine.server.service import Service

REQUESTS_AT_A_TIME = 16
ROOM_BYTES = 64 * 1024
REASONS = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of the machine clients may use, and for how long."""

    connections: int = 8192
    request_seconds: float = 30.0  # from the first byte of a request to its last
    idle_seconds: float = 600.0  # between requests
    drain_seconds: float = 5.0  # for a client that still sends what was refused
    held_bytes: int = 512 * 1024 * 1024  # of incomplete requests, over all connections


class Clients:
    """What the connections of one server share."""

    def __init__(self, service: Service, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        self.service = service
        self.limits = limits
        self.loop = loop
        self.connections: set[Connection] = set()
        self.held_bytes = 0
        self.stopping = False
        self.all_gone = asyncio.Event()
        # What is read is taken at once, so that one room does for all; other loops wait for data with the room in hand.
        self.room = memoryview(bytearray(ROOM_BYTES)) if isinstance(loop, asyncio.SelectorEventLoop) else None
        self._date = ""
        self._date_until = 0.0

    def date(self) -> str:
        now = self.loop.time()
        if now >= self._date_until:
            self._date, self._date_until = formatdate(usegmt=True), now + 1
        return self._date

    def close_overdue(self) -> None:
        now = self.loop.time()
        for connection in [each for each in self.connections if each.deadline <= now]:
            connection.abort()

    def close_idle(self) -> None:
        for connection in [each for each in self.connections if not each.parser.in_request]:
            connection.close()


class Connection(asyncio.BufferedProtocol):
    """Buffered, for asyncio's plain protocols make room for 256 KiB at each reading, which costs more than the rest."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.room = clients.room or memoryview(bytearray(ROOM_BYTES))
        self.parser = Parser()
        self.transport: asyncio.Transport | None = None
        self.deadline = clients.loop.time() + clients.limits.request_seconds
        self.held = 0
        self.continued = False
        self.blocked = False  # the client does not read what it asked for
        self.refused = False  # what still comes is thrown away

    # ---- what asyncio tells us ---------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self.clients.stopping or len(self.clients.connections) >= self.clients.limits.connections:
            self.transport.abort()
        else:
            self.clients.connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.clients.connections.discard(self)
        self._hold(0)
        self.transport = None
        if self.clients.stopping and not self.clients.connections:
            self.clients.all_gone.set()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's signature
        return self.room

    def buffer_updated(self, nbytes: int) -> None:
        if not self.refused:
            self.receive(self.room[:nbytes])

    def receive(self, data: bytes | memoryview) -> None:
        if not self.parser.in_request:
            self.deadline = self.clients.loop.time() + self.clients.limits.request_seconds
        self.parser.feed(data)
        self._work()

    def eof_received(self) -> bool:
        return False

    def pause_writing(self) -> None:
        self.blocked = True
        self.deadline = self.clients.loop.time() + self.clients.limits.request_seconds
        if self.transport is not None:
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        self.blocked = False
        if self.transport is not None and not self.transport.is_closing():
            self.transport.resume_reading()
            self._work()

    # ---- what we do --------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Answer requests that are complete, as long as the client takes the answers and others need not wait."""
        try:
            for _ in range(REQUESTS_AT_A_TIME):
                if self.blocked or self.refused or (request := self.parser.next_request()) is None:
                    break
                self._respond(request, self.clients.service.answer(request))
            else:
                self._let_others_work()
        except RefusedError as error:
            self._refuse(error)
            return
        self._after_requests()

    def _let_others_work(self) -> None:
        """Read no more from a client that is far ahead until every other connection had its turn."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.pause_reading()
            self.clients.loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        if self.transport is not None and not self.transport.is_closing() and not self.blocked:
            self.transport.resume_reading()
            self._work()

    def _after_requests(self) -> None:
        clients, parser = self.clients, self.parser
        if parser.wants_continue and not self.continued and self.transport is not None:
            self.continued = True
            self.transport.write(CONTINUE)
        if not parser.in_request:
            self.deadline = clients.loop.time() + clients.limits.idle_seconds
        self._hold(parser.held_bytes)
        if clients.held_bytes > clients.limits.held_bytes:
            self.abort()
        elif clients.stopping and not parser.in_request:
            self.close()

    def _hold(self, size: int) -> None:
        self.clients.held_bytes += size - self.held
        self.held = size

    def _respond(self, request: Request, answer: Answer) -> None:
        if self.transport is None:
            return
        self.continued = False
        self.deadline = self.clients.loop.time() + self.clients.limits.request_seconds
        keep = request.keep_alive and not self.clients.stopping
        head = _answer_head(answer, self.clients.date(), keep_alive=keep)
        self.transport.write(head if request.method == "HEAD" else head + answer.body)
        if not keep:
            self.refused = True
            self.transport.close()

    def _refuse(self, error: RefusedError) -> None:
        """Say why, and give the client time to stop sending: closing at once would hide the answer from it."""
        self.refused = True
        self.parser = Parser()
        self._hold(0)
        self.deadline = self.clients.loop.time() + self.clients.limits.drain_seconds
        answer = Answer(error.status, f"{error.reason}\n".encode(), "text/plain")
        if self.transport is not None:
            self.transport.write(_answer_head(answer, self.clients.date(), keep_alive=False) + answer.body)
            if self.transport.can_write_eof():
                self.transport.write_eof()

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()

    def abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()


def _answer_head(answer: Answer, date: str, *, keep_alive: bool) -> bytes:
    kind = "" if answer.content_type is None else f"Content-Type: {answer.content_type}\r\n"
    extra = "" if answer.extra is None else "".join(f"{name}: {value}\r\n" for name, value in answer.extra.items())
    return (
        f"HTTP/1.1 {answer.status} {REASONS[answer.status]}\r\nServer: Tablewright\r\nDate: {date}\r\n"
        f"{kind}{extra}Content-Length: {len(answer.body)}\r\nConnection: {'keep-alive' if keep_alive else 'close'}\r\n"
        f"x-amzn-RequestId: {getrandbits(208):052X}\r\nx-amz-crc32: {zlib.crc32(answer.body)}\r\n\r\n"
    ).encode("latin-1")
