"""A proxy on loopback that does harm: it stands between a client and a server and spoils what its plan tells it to.

    with FaultProxy(server.port, plan) as proxy:
        tw.Database.aws(endpoint_url=proxy.url, ...)

A plan is asked for every request and answers with a fault. The proxy keeps count of what it passed on, so that a test
can tell how often a write reached the server.
"""

from __future__ import annotations

import asyncio
import enum
import json
import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Self

LOOPBACK = "127.0.0.1"
ENDED = (asyncio.IncompleteReadError, ConnectionError, TimeoutError)


class Fault(enum.Enum):
    """What happens to a request and its answer."""

    NONE = "passed on"
    DROP_BEFORE = "the connection closes; the server never sees the request"
    DROP_AFTER = "the server carries it out; the connection closes without an answer"
    RESET_AFTER = "the server carries it out; the connection is reset instead of closed"
    HALF_HEAD = "the server carries it out; the answer ends inside its head"
    HALF_BODY = "the server carries it out; the answer ends inside its body"
    ERROR_BEFORE = "answered with 500; the server never sees the request"
    ERROR_AFTER = "the server carries it out; the answer is 500 all the same"
    UNAVAILABLE = "answered with 503 and HTML, as a load balancer would; the server never sees the request"
    THROTTLE = "answered with ThrottlingException; the server never sees the request"
    SLOW_BEFORE = "no answer as long as the proxy lives; the server never sees the request"
    SLOW_AFTER = "the server carries it out; no answer as long as the proxy lives"
    WRONG_CRC = "the server carries it out; the checksum of the answer is wrong"
    CLOSE = "passed on, and the connection closes after a whole answer that did not say so"


UNSEEN = {
    Fault.DROP_BEFORE,
    Fault.ERROR_BEFORE,
    Fault.UNAVAILABLE,
    Fault.THROTTLE,
    Fault.SLOW_BEFORE,
}
"""Faults of requests that the server never sees."""

Plan = Callable[[str], Fault]


def quiet(_action: str) -> Fault:
    """Nothing is spoiled."""
    return Fault.NONE


def script(*faults: Fault) -> Plan:
    """These faults, one for each request, and none afterwards."""
    left = list(faults)
    return lambda _: left.pop(0) if left else Fault.NONE


def storm(seed: int, share: float, faults: Iterable[Fault] = tuple(Fault)) -> Plan:
    """Faults of these kinds for this share of the requests, the same ones for the same seed."""
    chance = random.Random(seed)
    kinds = [each for each in faults if each is not Fault.NONE]
    return lambda _: chance.choice(kinds) if chance.random() < share else Fault.NONE


class FaultProxy:
    """Runs in a thread of its own. `plan` may be replaced at any time."""

    def __init__(self, port: int, plan: Plan = quiet) -> None:
        self.target = port
        self.plan = plan
        self.port = 0
        self.asked: Counter[str] = Counter()  # requests that came, by action
        self.passed: Counter[str] = Counter()  # requests that the server saw, by action
        self.spoiled: Counter[Fault] = Counter()
        self.opened = 0
        self.open = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="fault-proxy", daemon=True)
        self._ready = threading.Event()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        assert not self._thread.is_alive()

    def hang_up(self) -> None:
        """Close all connections of clients, as a server does with those that were idle for long."""
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result(10)

    async def _hang_up(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._accept, LOOPBACK, 0, backlog=1024, limit=2**24)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        await self._hang_up()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.opened += 1
        self.open += 1
        try:
            with suppress(*ENDED, asyncio.CancelledError):
                await Conversation(self, reader, writer).hold()
        finally:
            self.open -= 1
            self._tasks.discard(task)
            writer.close()


class Conversation:
    """One connection of a client, and the one to the server behind it."""

    def __init__(self, proxy: FaultProxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.proxy = proxy
        self.reader = reader
        self.writer = writer
        self.server: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def hold(self) -> None:
        try:
            while await self._one():
                pass
        finally:
            if self.server is not None:
                self.server[1].transport.abort()

    async def _one(self) -> bool:
        """One request and what becomes of it; whether the connection stays open."""
        proxy = self.proxy
        head, body = await read_message(self.reader)
        action = header(head, b"x-amz-target").decode().partition(".")[2]
        fault = proxy.plan(action)
        proxy.asked[action] += 1
        proxy.spoiled[fault] += 1
        answer = b""
        if fault not in UNSEEN:
            proxy.passed[action] += 1
            answer = await self._ask_server(head + body)
        return await self._answer(fault, answer)

    async def _ask_server(self, request: bytes) -> bytes:
        if self.server is None:
            self.server = await asyncio.open_connection(LOOPBACK, self.proxy.target, limit=2**24)
        reader, writer = self.server
        writer.write(request)
        return b"".join(await read_message(reader))

    async def _answer(self, fault: Fault, answer: bytes) -> bool:
        if fault in (Fault.SLOW_BEFORE, Fault.SLOW_AFTER):
            await self.reader.read()  # until the client gives up
            return False
        self.writer.write(SPOILED[fault](answer))
        await self.writer.drain()
        if fault in STAYS_OPEN:
            return True
        if fault is Fault.RESET_AFTER:
            reset(self.writer)
            return False
        self.writer.close()
        await self.writer.wait_closed()
        return False


def reset(writer: asyncio.StreamWriter) -> None:
    """Close without goodbye: the other side's next word meets an error."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


# ---- messages --------------------------------------------------------------------------------------------------------


async def read_message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    return head, await reader.readexactly(int(header(head, b"content-length") or 0))


def header(head: bytes, name: bytes) -> bytes:
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip()
    return b""


def error(status: str, name: str, message: str) -> bytes:
    fault = {"__type": f"com.amazonaws.dynamodb.v20120810#{name}", "message": message}
    return message_of(status, "application/x-amz-json-1.0", json.dumps(fault).encode())


def message_of(status: str, kind: str, body: bytes) -> bytes:
    lines = (f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "", "")
    return "\r\n".join(lines).encode() + body


def without_checksum_in_order(answer: bytes) -> bytes:
    """The answer with a checksum that cannot be right."""
    head, separator, body = answer.partition(b"\r\n\r\n")
    right = header(head, b"x-amz-crc32")
    assert right, "the server sends no checksum, so none can be wrong"
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"x-amz-crc32:")]
    return b"\r\n".join([*lines, b"x-amz-crc32: %d" % (int(right) ^ 1)]) + separator + body


def half_body(answer: bytes) -> bytes:
    head, separator, body = answer.partition(b"\r\n\r\n")
    return head + separator + body[: len(body) // 2]


SPOILED: dict[Fault, Callable[[bytes], bytes]] = {
    Fault.NONE: lambda answer: answer,
    Fault.CLOSE: lambda answer: answer,
    Fault.DROP_BEFORE: lambda _: b"",
    Fault.DROP_AFTER: lambda _: b"",
    Fault.RESET_AFTER: lambda _: b"",
    Fault.HALF_HEAD: lambda answer: answer[:20],
    Fault.HALF_BODY: half_body,
    Fault.ERROR_BEFORE: lambda _: error("500 Internal Server Error", "InternalServerError", "try again"),
    Fault.ERROR_AFTER: lambda _: error("500 Internal Server Error", "InternalServerError", "try again"),
    Fault.UNAVAILABLE: lambda _: message_of("503 Service Unavailable", "text/html", b"<html>busy</html>"),
    Fault.THROTTLE: lambda _: error("400 Bad Request", "ThrottlingException", "slow down"),
    Fault.WRONG_CRC: without_checksum_in_order,
}
STAYS_OPEN = {
    Fault.NONE,
    Fault.ERROR_BEFORE,
    Fault.ERROR_AFTER,
    Fault.UNAVAILABLE,
    Fault.THROTTLE,
    Fault.WRONG_CRC,
}
