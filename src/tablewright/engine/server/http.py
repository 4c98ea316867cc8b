"""HTTP/1.1 requests read from bytes as they come; no sockets here, and no memory beyond the limits.

    parser.feed(data)      more bytes from the client
    parser.next_request()  the next whole request; None when more bytes are needed; RefusedError when it cannot be one

A refused request ends the conversation: where the next request would begin is not known, so the connection must close.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

MAX_HEAD_BYTES = 32 * 1024
MAX_BODY_BYTES = 16 * 1024 * 1024
MAX_CHUNK_LINE_BYTES = 256

REQUEST_LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([!-~\x80-\xff]+) HTTP/1\.([01])")
NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;|$)")
FORBIDDEN_IN_VALUE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class RefusedError(Exception):
    """Nothing more can be read from this connection; `status` tells the client why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(slots=True)
class Request:
    method: str
    target: str
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    keep_alive: bool = True


class Parser:
    """The bytes of one connection, in the order they came."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.request: Request | None = None  # its head is read, its body is not complete
        self.missing = 0  # bytes of the body, or of the chunk, that have not come yet
        self.chunked = False
        self.body = bytearray()
        self.wants_continue = False

    @property
    def held_bytes(self) -> int:
        return len(self.buffer) + len(self.body)

    @property
    def in_request(self) -> bool:
        """Whether a request has begun that is not complete."""
        return self.request is not None or bool(self.buffer)

    def feed(self, data: bytes | memoryview) -> None:
        self.buffer += data

    def next_request(self) -> Request | None:
        if self.request is None and not (self.buffer and self._read_head()):
            return None
        done = self._read_chunks() if self.chunked else self._read_length()
        request = self.request
        if not done or request is None:
            return None
        request.body = bytes(self.body)
        self.request, self.wants_continue = None, False
        if self.body:
            self.body = bytearray()
        return request

    # ---- the head --------------------------------------------------------------------------------------------------

    def _read_head(self) -> bool:
        while self.buffer.startswith(b"\r\n"):  # some clients send an empty line after a body
            del self.buffer[:2]
        end = self.buffer.find(b"\r\n\r\n", 0, MAX_HEAD_BYTES + 4)
        if end < 0:
            if len(self.buffer) > MAX_HEAD_BYTES:
                raise RefusedError(431, "the head of the request is larger than 32 KiB")
            return False
        lines = self.buffer[:end].decode("latin-1").split("\r\n")
        del self.buffer[: end + 4]
        request = _parse_head(lines)
        self._expect_body(request)
        self.request = request
        return True

    def _expect_body(self, request: Request) -> None:
        headers = request.headers
        encoding = headers.get("transfer-encoding")
        self.chunked = encoding is not None
        if encoding is None:
            self.missing = _body_length(headers.get("content-length", "0"))
        elif "content-length" in headers:
            raise RefusedError(400, "Content-Length and Transfer-Encoding contradict each other")
        elif encoding.lower() != "chunked":
            raise RefusedError(501, "no Transfer-Encoding is known but chunked")
        else:
            self.missing = 0
        expectation = headers.get("expect")
        if expectation is not None and expectation.lower() != "100-continue":
            raise RefusedError(417, "no Expect is known but 100-continue")
        self.wants_continue = expectation is not None and (self.chunked or self.missing > 0)

    # ---- the body --------------------------------------------------------------------------------------------------

    def _take(self) -> None:
        taken = self.buffer[: self.missing]
        del self.buffer[: len(taken)]
        self.body += taken
        self.missing -= len(taken)

    def _read_length(self) -> bool:
        if self.missing and self.buffer:
            self._take()
        return self.missing == 0

    def _read_chunks(self) -> bool:
        """Chunks until the empty one. Between chunks `missing` is 0; inside, it counts the line end as well."""
        while True:
            if self.missing > 2:
                self._take_chunk()
            if 0 < self.missing <= 2 and not self._end_chunk():
                return False
            if self.missing:
                return False
            line = self._line()
            if line is None:
                return False
            size = _chunk_size(line)
            if size == 0:
                return self._trailers()
            if len(self.body) + size > MAX_BODY_BYTES:
                raise too_large()
            self.missing = size + 2

    def _take_chunk(self) -> None:
        taken = self.buffer[: self.missing - 2]
        del self.buffer[: len(taken)]
        self.body += taken
        self.missing -= len(taken)

    def _end_chunk(self) -> bool:
        if len(self.buffer) < 2:
            return False
        if not self.buffer.startswith(b"\r\n"):
            raise RefusedError(400, "a chunk is longer than it said")
        del self.buffer[:2]
        self.missing = 0
        return True

    def _line(self) -> bytes | None:
        end = self.buffer.find(b"\r\n", 0, MAX_CHUNK_LINE_BYTES)
        if end < 0:
            if len(self.buffer) >= MAX_CHUNK_LINE_BYTES:
                raise RefusedError(400, "the line before a chunk is too long")
            return None
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 2]
        return line

    def _trailers(self) -> bool:
        """Trailers are not used by any client of DynamoDB: only the empty line is taken."""
        if len(self.buffer) < 2:
            self.buffer[:0] = b"0\r\n"  # come back to the last chunk when more has arrived
            return False
        if not self.buffer.startswith(b"\r\n"):
            raise RefusedError(400, "trailers after a chunked body are not taken")
        del self.buffer[:2]
        return True


def _parse_head(lines: list[str]) -> Request:
    start = REQUEST_LINE.fullmatch(lines[0])
    if start is None:
        raise RefusedError(400, "the request line is malformed")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        written, colon, value = line.partition(":")
        name = _header_name(written)
        if not colon or name is None or (not value.isprintable() and FORBIDDEN_IN_VALUE.search(value)):
            raise RefusedError(400, "a header line is malformed")
        value = value.strip(" \t")
        if name in headers and headers[name] != value:
            if name in ("content-length", "transfer-encoding"):
                raise RefusedError(400, f"{name} is given twice")
            value = f"{headers[name]}, {value}"
        headers[name] = value
    connection = headers.get("connection", "").lower()
    keep_alive = "close" not in connection if start[3] == "1" else "keep-alive" in connection
    return Request(start[1], start[2], headers, keep_alive=keep_alive)


@lru_cache(256)  # clients send the same few names again and again
def _header_name(written: str) -> str | None:
    return written.lower() if NAME.fullmatch(written) else None


def _body_length(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 18:
        raise RefusedError(400, "Content-Length is not a number")
    length = int(text)
    if length > MAX_BODY_BYTES:
        raise too_large()
    return length


def _chunk_size(line: bytes) -> int:
    digits = CHUNK_SIZE.match(line)
    if digits is None:
        raise RefusedError(400, "the size of a chunk is not a hexadecimal number")
    return int(digits[1], 16)


def too_large() -> RefusedError:
    return RefusedError(413, "the body of the request is larger than 16 MiB")
