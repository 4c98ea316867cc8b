"""A bare HTTP client: one keep-alive connection, requests encoded beforehand, answers read but not decoded.

What is measured through it is the server, and the same few microseconds of client for everybody.
"""

from __future__ import annotations

import json
import re
import socket
from typing import Any

AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request,"
    " SignedHeaders=host;x-amz-date, Signature=0000"
)
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
LAST = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
HEAD_END = b"\r\n\r\n"
READ_BYTES = 256 * 1024


def encoded(action: str, params: dict[str, Any]) -> bytes:
    """The bytes of one request, head and body."""
    body = json.dumps(params).encode()
    head = (
        f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
        f"X-Amz-Target: DynamoDB_20120810.{action}\r\nX-Amz-Date: 20260101T000000Z\r\n"
        f"Authorization: {AUTHORIZATION}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Client:
    def __init__(self, port: int) -> None:
        self.port = port
        self.socket = self._connect()

    def _connect(self) -> socket.socket:
        connected = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connected

    def exchange(self, request: bytes) -> bytes:
        """The body of the answer; a connection that was closed while others were measured is opened again."""
        try:
            return self._exchange(request)
        except ConnectionError:
            self.socket.close()
            self.socket = self._connect()
            return self._exchange(request)

    def _exchange(self, request: bytes) -> bytes:
        self.socket.sendall(request)
        answer = self._more()
        while (end := answer.find(HEAD_END)) < 0:
            answer += self._more()
        length = LENGTH.search(answer, 0, end)
        if length is None:
            raise RuntimeError(f"an answer without a length: {answer[:end]!r}")
        parts, missing = [answer], end + len(HEAD_END) + int(length[1]) - len(answer)
        while missing > 0:
            parts.append(self._more())
            missing -= len(parts[-1])
        whole = answer if len(parts) == 1 else b"".join(parts)
        if LAST.search(answer, 0, end):
            self.socket.close()
            self.socket = self._connect()
        if whole[9:12] != b"200":
            raise RuntimeError(f"a refusal: {whole[:600]!r}")
        return whole[end + len(HEAD_END) :]

    def _more(self) -> bytes:
        data = self.socket.recv(READ_BYTES)
        if not data:
            raise ConnectionResetError("the server closed the connection")
        return data

    def close(self) -> None:
        self.socket.close()
