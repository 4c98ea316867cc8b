"""HTTP/1.1 answers out of bytes, without I/O: whoever reads from a socket fills the buffer and says how much came.

    parser = Parser()
    while (response := parser.filled(sock.recv_into(parser.room()))) is None: ...

A good answer that arrives as one piece takes the short way (`_whole`), which looks for exactly what DynamoDB sends.
Everything else takes the long one: pieces, chunks, bodies that end with the connection. What is no HTTP or passes the
limits raises `ProtocolFault`.
"""

from __future__ import annotations

import re
import zlib

import msgspec

from tablewright.wire.limits import KB, MB

MAX_HEAD_BYTES = 64 * KB
MAX_BODY_BYTES = 128 * MB  # of what BatchGetItem may give, 16 MB, written as JSON with every character escaped
MAX_LENGTH_DIGITS = 12
MAX_INTERIM_ANSWERS = 16
AT_ONCE_BYTES = 4 * MB  # more room than this is made as bytes arrive, not because somebody said they would
BUFFER_BYTES = 64 * KB
END_OF_HEAD = b"\r\n\r\n"
STATUS_LINE = re.compile(rb"HTTP/1\.([01]) ([1-9]\d\d)(?= |\r|$)")
CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")
CHUNK_LINE_BYTES = 4 * KB
KEPT_BYTES = MB
BODILESS = frozenset({*range(100, 200), 204, 304})

# Headers as they are looked for in a head in lower case.
CONNECTION = b"\r\nconnection:"
CONTENT_LENGTH = b"\r\ncontent-length:"
TRANSFER_ENCODING = b"\r\ntransfer-encoding:"

GOOD = b"http/1.1 200 "
TELLS_LENGTH = CONTENT_LENGTH + b" "
STAYS = CONNECTION + b" keep-alive\r\n"


class ProtocolFault(Exception):
    """What came is no answer in HTTP; the connection cannot be used any further."""


class Response(msgspec.Struct, frozen=True, gc=False):
    """An answer as it came. `head` has the status line and the headers, `lower` the same in lower case."""

    status: int
    head: bytes
    lower: bytes
    body: bytes
    reusable: bool

    def header(self, name: bytes) -> bytes | None:
        """The value of a header; its name is given as it is looked for, such as `CONNECTION`."""
        return _find_header(self.lower, self.head, name)


class Parser:
    """Reads the answers of one connection, one after the other."""

    __slots__ = (
        "_at",
        "_buffer",
        "_chunked",
        "_closing",
        "_end",
        "_filled",
        "_head",
        "_interim",
        "_lower",
        "_status",
        "_view",
    )

    def __init__(self) -> None:
        self._buffer = bytearray(BUFFER_BYTES)
        self._view = memoryview(self._buffer)
        self._reset()

    def _reset(self) -> None:
        self._filled = 0
        self._head: bytes | None = None
        self._lower = b""
        self._status = 0
        self._at = 0  # where the body begins; of a body in chunks, where the next one does
        self._end: int | None = 0  # where the body ends; None while nobody can know
        self._closing = False
        self._chunked: bytearray | None = None
        self._interim = 0  # how many answers said that the real one is to come

    @property
    def is_empty(self) -> bool:
        """Whether no byte of an answer has come yet."""
        return not self._filled

    def room(self) -> memoryview:
        """Where the next bytes go; never empty."""
        if self._filled == len(self._buffer):
            self._grow(2 * len(self._buffer))
        return self._view[self._filled :]

    def feed(self, data: bytes) -> Response | None:
        """As `filled`, for whoever was handed the bytes."""
        if len(data) > len(self._buffer) - self._filled:
            self._grow(self._filled + 2 * len(data))
        self._buffer[self._filled : self._filled + len(data)] = data
        return self.filled(len(data))

    def filled(self, count: int) -> Response | None:
        """So many bytes were put into the room (none: the connection ended); the answer if it is complete."""
        if not self._filled and (response := self._whole(count)) is not None:
            return response
        if not count:
            return self._finish_at_close()
        self._filled += count
        if self._head is None and not self._read_head(count):
            return None
        if self._end is not None:
            return self._response(self._end) if self._filled >= self._end else None
        if self._chunked is not None:
            return self._read_chunks(self._chunked)
        _check_body_size(self._filled - self._at)
        return None

    def _whole(self, count: int) -> Response | None:
        """The answer if nothing else is in the buffer and nothing is unusual about it."""
        end = self._buffer.find(END_OF_HEAD, 0, count)
        head = bytes(self._view[: max(end, 0) + 2])
        lower = head.lower()
        at = lower.find(TELLS_LENGTH)
        if at < 0 or not lower.startswith(GOOD) or TRANSFER_ENCODING in lower:
            return None
        if STAYS not in lower and CONNECTION in lower:
            return None
        start = at + len(TELLS_LENGTH)
        digits = lower[start : lower.find(b"\r", start)]
        start = end + len(END_OF_HEAD)
        if not _is_length(digits) or count - start != int(digits) or lower.find(CONTENT_LENGTH, at + 1) >= 0:
            return None
        return Response(200, head, lower, bytes(self._view[start:count]), True)

    def _read_head(self, count: int) -> bool:
        """Look for the end of the head in the bytes that came last; whether it is there and a body may follow."""
        found = self._find_head(count)
        while found and self._status < 200:  # an interim answer; the real one follows
            found = self._skip_interim()
        if found and self._end is not None:
            self._end += self._at
            if self._end > len(self._buffer):
                self._grow(max(min(self._end, AT_ONCE_BYTES), self._filled))
        return found

    def _find_head(self, count: int) -> bool:
        searched = max(self._filled - count - len(END_OF_HEAD) + 1, 0)
        end = self._buffer.find(END_OF_HEAD, searched, self._filled)
        if end < 0 or end > MAX_HEAD_BYTES:
            if self._filled > MAX_HEAD_BYTES:
                raise ProtocolFault(f"the head of the answer is longer than {MAX_HEAD_BYTES} bytes")
            return False
        head = bytes(self._view[: end + 2])
        self._take_head(head, head.lower())
        self._at += end + len(END_OF_HEAD)
        return True

    def _take_head(self, head: bytes, lower: bytes) -> None:
        line = STATUS_LINE.match(head)
        if line is None:
            raise ProtocolFault(f"the answer does not begin as HTTP does: {head[:40]!r}")
        self._head, self._lower, self._status = head, lower, int(line[2])
        connection = _find_header(lower, lower, CONNECTION)
        self._closing = b"close" in connection if connection is not None else line[1] == b"0"
        if self._status in BODILESS:
            self._end = 0
        elif (coding := _find_header(lower, lower, TRANSFER_ENCODING)) is not None:
            if coding != b"chunked":
                raise ProtocolFault(f"the answer has an unknown transfer encoding, {coding.decode('latin-1')}")
            self._end, self._chunked = None, bytearray()
        else:
            self._end = _content_length(lower)
            self._closing = self._closing or self._end is None

    def _skip_interim(self) -> bool:
        interim = self._interim + 1
        if interim > MAX_INTERIM_ANSWERS:
            raise ProtocolFault(f"more than {MAX_INTERIM_ANSWERS} interim answers came, and no other")
        rest = bytes(self._view[self._at : self._filled])
        self._reset()
        self._interim = interim
        self._buffer[: len(rest)] = rest
        self._filled = len(rest)
        return self._find_head(len(rest)) if rest else False

    def _read_chunks(self, body: bytearray) -> Response | None:
        while (size := self._chunk_size()) is not None:
            line_end, length = size
            if not length:
                return self._finish_chunks(line_end, body)
            end = line_end + length
            _check_body_size(len(body) + length)
            if self._filled < end + 2:
                break
            if not self._buffer.startswith(b"\r\n", end):
                raise ProtocolFault("a chunk of the answer is longer than it says")
            body += self._view[line_end:end]
            self._at = end + 2
        self._drop_read()
        return None

    def _chunk_size(self) -> tuple[int, int] | None:
        """Where the data of the next chunk begins and how long it is, if its first line has come."""
        line = CHUNK_SIZE.match(self._buffer, self._at, self._filled)
        if line is not None:
            return line.end(), int(line[1], 16)
        come = self._filled - self._at
        if come > CHUNK_LINE_BYTES or self._buffer.find(b"\n", self._at, self._filled) >= 0:
            raise ProtocolFault("the size of a chunk of the answer cannot be read")
        return None

    def _finish_chunks(self, line_end: int, body: bytearray) -> Response | None:
        """The last chunk was empty; trailers may follow it, and an empty line ends all."""
        if self._filled >= line_end + 2 and self._buffer.startswith(b"\r\n", line_end):
            end = line_end + 2
        else:
            found = self._buffer.find(END_OF_HEAD, line_end, self._filled)
            if found < 0:
                if self._filled - line_end > MAX_HEAD_BYTES:
                    raise ProtocolFault(f"the trailers of the answer are longer than {MAX_HEAD_BYTES} bytes")
                return None
            end = found + len(END_OF_HEAD)
        return self._answer(bytes(body), end)

    def _drop_read(self) -> None:
        """Make room by forgetting chunks that were taken."""
        if 2 * self._at > len(self._buffer):
            rest = bytes(self._view[self._at : self._filled])
            self._buffer[: len(rest)] = rest
            self._at, self._filled = 0, len(rest)

    def _finish_at_close(self) -> Response | None:
        if self._head is not None and self._end is None and self._chunked is None:
            return self._response(self._filled)
        state = "in the middle of its answer" if self._filled else "without an answer"
        raise ConnectionResetError(f"the connection was closed {state}")

    def _response(self, end: int) -> Response:
        return self._answer(bytes(self._view[self._at : end]), end)

    def _answer(self, body: bytes, end: int) -> Response:
        """Hand out what was read and begin anew. Bytes behind the end that nobody asked for spoil the connection."""
        assert self._head is not None
        response = Response(self._status, self._head, self._lower, body, not self._closing and self._filled == end)
        if len(self._buffer) > KEPT_BYTES:
            self.__init__()  # type: ignore[misc]  # one large answer is no reason to hold that much for ever
        else:
            self._reset()
        return response

    def _grow(self, size: int) -> None:
        buffer = bytearray(size)
        buffer[: self._filled] = self._view[: self._filled]
        self._buffer, self._view = buffer, memoryview(buffer)


def _find_header(lower: bytes, head: bytes, name: bytes) -> bytes | None:
    """The value of a header, taken from `head`; `lower` is the same in lower case."""
    at = lower.find(name)
    if at < 0:
        return None
    start = at + len(name)
    return head[start : head.find(b"\r", start)].strip()


def _content_length(lower: bytes) -> int | None:
    """The length the head tells; None if it tells none, so that the body ends with the connection."""
    told = _find_header(lower, lower, CONTENT_LENGTH)
    if told is None:
        return None
    if not _is_length(told) or lower.count(CONTENT_LENGTH) > 1:
        raise ProtocolFault("the length of the answer cannot be read")
    length = int(told)
    _check_body_size(length)
    return length


def _is_length(told: bytes) -> bool:
    return told.isdigit() and len(told) <= MAX_LENGTH_DIGITS


def _check_body_size(size: int) -> None:
    if size > MAX_BODY_BYTES:
        raise ProtocolFault(f"the body of the answer is longer than {MAX_BODY_BYTES} bytes")


def unpack(body: bytes) -> bytes:
    """The content of a gzipped body, which servers may send although we ask for none."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        content = unpacker.decompress(body, MAX_BODY_BYTES + 1)
    except zlib.error as error:
        raise ProtocolFault(f"the gzipped body of the answer cannot be read: {error}") from error
    _check_body_size(len(content))
    if not unpacker.eof:
        raise ProtocolFault("the gzipped body of the answer is incomplete")
    return content
