"""Gives canned answers over HTTP, in a process of its own: `python -m benchmarks.calls.server`.

It prints its port, serves whoever connects and ends when its input does. Answers carry the headers that DynamoDB sends.
"""

from __future__ import annotations

import asyncio
import sys
import zlib
from email.utils import formatdate
from typing import cast

from benchmarks.calls.workload import answers

END_OF_HEAD = b"\r\n\r\n"


def response(body: bytes) -> bytes:
    lines = (
        "HTTP/1.1 200 OK",
        "Server: Server",
        f"Date: {formatdate(usegmt=True)}",
        "Content-Type: application/x-amz-json-1.0",
        f"Content-Length: {len(body)}",
        "Connection: keep-alive",
        "x-amzn-RequestId: 4KBNVRGD25RG1KEO9UT4V3FQDJVV4KQNSO5AEMVJF66Q9ASUAAJG",
        f"x-amz-crc32: {zlib.crc32(body)}",
    )
    return "\r\n".join(lines).encode() + END_OF_HEAD + body


class Canned(asyncio.Protocol):
    """One connection; requests come one after the other, in any pieces."""

    def __init__(self, responses: dict[bytes, bytes]) -> None:
        self.responses = responses
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        received = self.received = self.received + data if self.received else data
        end = received.find(END_OF_HEAD)
        if end < 0:
            return
        head = received[: end + 2].lower()
        if len(received) < end + len(END_OF_HEAD) + int(value_of(head, b"\r\ncontent-length:")):
            return
        self.received = b""
        self.transport.write(self.responses[value_of(head, b"\r\nx-amz-target:")])


def value_of(head: bytes, header: bytes) -> bytes:
    start = head.index(header) + len(header)
    return head[start : head.index(b"\r", start)].strip()


async def serve() -> None:
    responses = {f"dynamodb_20120810.{action.lower()}".encode(): response(body) for action, body in answers().items()}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Canned(responses), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve())
