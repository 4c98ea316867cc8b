"""Packed bodies: requests in gzip or deflate are read, and answers are packed for those who can unpack them.

No more is unpacked than a request may have. The checksum of an answer is that of the bytes that are sent, as DynamoDB
has it.
"""

from __future__ import annotations

import gzip
import re
import zlib
from functools import lru_cache

from tablewright.engine.faults import serialization
from tablewright.engine.server.http import MAX_BODY_BYTES, too_large

WORTH_PACKING_BYTES = 1024
LEVEL = 1  # the network of a machine with itself is fast
MAX_MEMBERS = 100
"""A package may consist of several; each costs a copy of those behind it."""

WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}  # as zlib calls the formats
TAKES_GZIP = re.compile(r"(?:x-)?gzip\s*(?:;\s*q\s*=\s*(?!0(?:\.0*)?\s*$).*)?", re.IGNORECASE)


def unpack(body: bytes, encoding: str) -> bytes:
    """The body that was sent in this Content-Encoding."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body
    if encoding not in WINDOWS:
        raise serialization(f"Content-Encoding {encoding} is not known; send gzip, deflate or none")
    pieces: list[bytes] = []
    room = MAX_BODY_BYTES
    for _ in range(MAX_MEMBERS):
        piece, body = _member(body, WINDOWS[encoding], room)
        pieces.append(piece)
        room -= len(piece)
        if not body:
            return b"".join(pieces)
    raise serialization(f"the body has more than {MAX_MEMBERS} packed parts")


def _member(body: bytes, window: int, room: int) -> tuple[bytes, bytes]:
    """What the first package holds, and what is behind it."""
    reader = zlib.decompressobj(window)
    try:
        piece = reader.decompress(body, room + 1)
    except zlib.error as error:
        raise serialization(f"the body cannot be unpacked: {error}") from None
    if len(piece) > room:
        raise too_large()
    if not reader.eof:
        raise serialization("the body cannot be unpacked: it ends too early")
    return piece, reader.unused_data


@lru_cache(64)  # clients say the same again and again
def takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding names gzip, and does not name it to forbid it."""
    return any(TAKES_GZIP.fullmatch(each.strip()) for each in accepted.split(","))


def pack(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
