"""The proxy does the harm it promises: else nothing that is shown with it would mean anything."""

from __future__ import annotations

import socket
import zlib
from collections.abc import Iterator

import pytest

from tablewright.engine import Engine
from tablewright.engine.server import serve
from tests.faults.proxy import LOOPBACK, UNSEEN, Fault, FaultProxy, header, script, storm

REQUEST = (
    b"POST / HTTP/1.1\r\nHost: [::1]\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nX-Amz-Date: 20260101T000000Z\r\n"
    b"Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
    b"Signature=0\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: 2\r\n\r\n{}"
)
ANSWERED = {
    Fault.NONE: b'{"TableNames":[]}',
    Fault.CLOSE: b'{"TableNames":[]}',
    Fault.WRONG_CRC: b'{"TableNames":[]}',
    Fault.ERROR_BEFORE: b"InternalServerError",
    Fault.ERROR_AFTER: b"InternalServerError",
    Fault.UNAVAILABLE: b"<html>",
    Fault.THROTTLE: b"ThrottlingException",
}


@pytest.fixture
def proxy() -> Iterator[FaultProxy]:
    with Engine() as engine, serve(engine) as server, FaultProxy(server.port) as running:
        yield running


def ask(proxy: FaultProxy, *, patient: bool = True) -> tuple[bytes, bytes, bool]:
    """A request; head and body of the answer as far as they came, and whether the connection was closed then.

    Who is not patient is content with a whole answer.
    """
    answer = b""
    with socket.create_connection((LOOPBACK, proxy.port), timeout=0.2) as connection:
        connection.sendall(REQUEST)
        try:
            while part := connection.recv(65536):
                answer += part
                if not patient and is_whole(*split(answer)):
                    return *split(answer), False
        except TimeoutError:
            return *split(answer), False
        except ConnectionResetError:
            pass
    return *split(answer), True


def split(answer: bytes) -> tuple[bytes, bytes]:
    head, separator, body = answer.partition(b"\r\n\r\n")
    return (head, body) if separator else (b"", b"")


def is_whole(head: bytes, body: bytes) -> bool:
    return bool(head) and int(header(head, b"content-length")) == len(body)


@pytest.mark.parametrize("fault", Fault)
def test_each_fault(proxy: FaultProxy, fault: Fault) -> None:
    proxy.plan = script(fault)
    head, body, is_closed = ask(proxy)
    assert is_whole(head, body) == (fault in ANSWERED)
    assert is_closed == fault.name.startswith(("DROP", "HALF", "CLOSE", "RESET"))
    if fault in ANSWERED:
        assert ANSWERED[fault] in body
        is_right = header(head, b"x-amz-crc32") == b"%d" % zlib.crc32(body)
        assert is_right == (fault in (Fault.NONE, Fault.CLOSE))
    assert proxy.passed["ListTables"] == (0 if fault in UNSEEN else 1)
    assert ask(proxy, patient=False)[1] == b'{"TableNames":[]}'


def test_a_storm_is_the_same_for_the_same_seed() -> None:
    first, second = storm(1, 0.5), storm(1, 0.5)
    drawn = [first("GetItem") for _ in range(200)]
    assert drawn == [second("GetItem") for _ in range(200)]
    assert set(drawn) == set(Fault)
