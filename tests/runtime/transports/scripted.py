"""A server for tests of transports: it answers each request as the next step of a script says, and keeps it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Self, TypeAlias

Step: TypeAlias = bytes | Callable[[socket.socket], None]
"""Bytes to answer with, or a function that does something with the connection."""


def answer(body: bytes = b"{}", *, status: int = 200, headers: str = "") -> bytes:
    return f"HTTP/1.1 {status} Said\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


def refusal(name: str, message: str = "no", *, status: int = 400, headers: str = "") -> bytes:
    body = b'{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"%s"}' % (name.encode(), message.encode())
    return answer(body, status=status, headers=headers)


def hang_up(connection: socket.socket) -> None:
    connection.shutdown(socket.SHUT_RDWR)


class Scripted:
    """`with Scripted([...]) as server`. After the last step it answers with `{}`."""

    def __init__(
        self, steps: Iterable[Step] = (), wrap: Callable[[socket.socket], socket.socket] | None = None
    ) -> None:
        self.steps = list(steps)
        self.requests: list[bytes] = []
        self.sources: list[socket.socket] = []
        self.connections = 0
        self._wrap = wrap or (lambda connection: connection)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self._open: list[socket.socket] = []
        self._order = threading.Lock()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for connection in self._open:
            connection.close()

    def request_of(self, connection: socket.socket) -> bytes:
        """The request that a connection waits for an answer to."""
        with self._order:
            last = max(at for at, source in enumerate(self.sources) if source is connection)
            return self.requests[last]

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            connection = self._wrap(plain)
            if connection is not plain:
                self._open.append(connection)
            while request := read_request(connection):
                with self._order:
                    self.requests.append(request)
                    self.sources.append(connection)
                    step = self.steps.pop(0) if self.steps else answer()
                if isinstance(step, bytes):
                    connection.sendall(step)
                else:
                    step(connection)
        except OSError:
            pass


def read_request(connection: socket.socket) -> bytes:
    """One request with its body, nothing if the connection ended."""
    data = b""
    while b"\r\n\r\n" not in data:
        got = connection.recv(65536)
        if not got:
            return b""
        data += got
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        got = connection.recv(65536)
        if not got:
            return b""
        body += got
        data += got
    return data


def header(request: bytes, name: str) -> str | None:
    for line in request.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]:
        key, _, value = line.partition(": ")
        if key.lower() == name.lower():
            return value
    return None
