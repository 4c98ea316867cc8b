"""A bare HTTP client for the tests of the server: it can send what no library would."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=key/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0a"
)
SIGNED = {"Authorization": AUTHORIZATION, "X-Amz-Date": "20261115T000000Z"}
JSON_1_0 = {"Content-Type": "application/x-amz-json-1.0"}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def target(action: str, version: str = "DynamoDB_20120810") -> dict[str, str]:
    return {"X-Amz-Target": f"{version}.{action}"}


def head(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    told = {"Host": "localhost", **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def message(
    body: bytes = b"", *, method: str = "POST", path: str = "/", headers: Mapping[str, str] | None = None
) -> bytes:
    told = dict(headers or {})
    if body or method == "POST":
        told["Content-Length"] = str(len(body))
    return head(method, path, told) + body


def action_message(action: str, params: object) -> bytes:
    return message(json.dumps(params).encode(), headers={**JSON_1_0, **SIGNED, **target(action)})


class Client:
    """One connection."""

    def __init__(self, port: int, timeout: float = 10.0) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.rest = b""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def until(self, mark: bytes) -> bytes:
        while mark not in self.rest:
            self._more()
        found, _, self.rest = self.rest.partition(mark)
        return found

    def _more(self) -> None:
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionResetError("the server closed the connection")
        self.rest += data

    def reply(self) -> Reply:
        start, *lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        found = re.fullmatch(r"HTTP/1\.1 (\d{3}) .*", start)
        assert found is not None, start
        length = int(headers.get("content-length", "0"))
        while len(self.rest) < length:
            self._more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return Reply(int(found[1]), headers, body)

    def ask(self, data: bytes) -> Reply:
        self.send(data)
        return self.reply()

    def call(self, action: str, params: object) -> Reply:
        return self.ask(action_message(action, params))

    def is_closed(self) -> bool:
        """Whether the server closes the connection (it has the time-out of the socket to do so)."""
        try:
            while self.socket.recv(1 << 16):
                pass
        except ConnectionError:
            return True
        return True


def ask_once(port: int, data: bytes) -> Reply:
    with Client(port) as client:
        return client.ask(data)
