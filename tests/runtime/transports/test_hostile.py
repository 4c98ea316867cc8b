"""Answers that are broken, endless, huge or nonsense end in our own errors, within bounds of memory and time."""

from __future__ import annotations

import asyncio
import gzip
import json
import resource
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import botocore.session
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr
from tablewright.errors import TablewrightError
from tablewright.runtime.transports import http
from tablewright.runtime.transports.http import Parser, ProtocolFault
from tests.runtime.transports.scripted import Scripted, Step, answer, refusal

shop = tw.Service("shop", table="shop")


class Order(tw.Entity, service=shop, name="order"):
    customer: Attr[str]
    number: Attr[int]
    tags: Attr[set[str]]
    lines: Attr[list[str]]

    @tw.primary
    def key(self, customer: str, *, number: int) -> None:
        """One order."""

    @tw.index("table")
    def of_customer(self, customer: str) -> None:
        """The orders of a customer."""


class Shouted(tw.Entity, service=shop, name="shouted"):
    """Read the generic way."""

    customer: Attr[str] = tw.attr(get=str.upper)

    @tw.primary
    def key(self, customer: str) -> None:
        """One."""


ORDER = Order(customer="a", number=1, tags={"x"}, lines=["y"])
READS: dict[str, Callable[[], Any]] = {
    "get": lambda: Order.key("a", number=1).get(),
    "generic": lambda: Shouted.key("a").get(),
    "query": lambda: Order.of_customer("a"),
    "scan": Order.scan,
    "batch": lambda: tw.batch_get(Order.key("a", number=1).get()),
    "transaction": lambda: tw.transact_get(Order.key("a", number=1).get()),
}
WRITES: dict[str, Callable[[], Any]] = {
    "put": ORDER.put,
    "replaced": lambda: ORDER.put().with_options(response="all_old"),
    "deleted": lambda: Order.key("a", number=1).delete().with_options(response="all_old"),
    "batch": lambda: tw.batch_write(ORDER.put()),
}
ONCE = tw.Retry(attempts=1)
SESSION = botocore.session.Session()  # it keeps what it has read of botocore's models
KEYS = {"aws_access_key_id": "id", "aws_secret_access_key": "secret", "region_name": "us-east-1"}


def outcome(kind: str, steps: list[Step], operation: Any, **more: Any) -> Any:
    """The result of an operation on a server that answers as the steps say, or the error, which must be ours."""
    with Scripted(steps) as server:
        told = {"endpoint_url": server.url, "retry": ONCE, "timeout": 5.0, **KEYS, **more}
        try:
            if kind == "async":
                return asyncio.run(awaited(told, operation))
            if kind == "botocore":
                told.update(session=SESSION, transport="botocore")
            with tw.Database.aws(**told) as db:
                return db.run(operation)
        except TablewrightError as error:
            return error


async def awaited(told: dict[str, Any], operation: Any) -> Any:
    async with tw.AsyncDatabase.aws(**told) as db:
        return await db.run(operation)


OURS = pytest.mark.parametrize("kind", ["sync", "async"])
ALL = pytest.mark.parametrize("kind", ["sync", "async", "botocore"])

DEEP = b"[" * 100_000
BODIES = {
    "broken": b'{"Item":{"customer":{"S":"a"',
    "cut": b'{"Item":',
    "not utf-8": b'{"Item":{"a":{"S":"\xff"}},"Items":[{"a":{"S":"\xff"}}],"Responses":[{"Item":{"a":{"S":"\xff"}}}]}',
    "deep": b'{"Item":{"x":' + DEEP + b'},"Items":' + DEEP + b',"Responses":' + DEEP,
    "deep but whole": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep item": b'{"Item":{"x":%s},"Items":[{"x":%s}]}' % ((b'{"L":[' * 5000 + b"]}" * 5000,) * 2),
    "html": b"<html>login</html>",
    "list": b"[1]",
}


@ALL
@pytest.mark.parametrize("operation", READS)
@pytest.mark.parametrize("body", BODIES)
def test_bodies_that_are_not_json(kind: str, operation: str, body: str) -> None:
    found = outcome(kind, [answer(BODIES[body])] * 3, READS[operation]())
    if body == "deep but whole" and not isinstance(found, Exception):
        assert operation not in ("batch", "transaction")
        return  # a member that nobody asked for
    assert isinstance(found, tw.BadAnswer | tw.Incomplete), found


ITEMS: list[Any] = [
    *(5, "x", [], [5], None, True, {"customer": 5}, {"customer": "a"}, {"customer": {}}, {"customer": {"S": 5}}),
    *(
        {"customer": {"S": None}},
        {"customer": {"S": "a", "N": "1"}},
        {"customer": {"X": 1}},
        {"customer": {"S": ["a"]}},
    ),
    *({"number": {"N": 5}}, {"number": {"N": "five"}}, {"number": {"N": "1" * 5000}}, {"number": {"N": "1e99999999"}}),
    *(
        {"tags": {"SS": "x"}},
        {"tags": {"SS": [1]}},
        {"tags": {"SS": {}}},
        {"lines": {"L": "x"}},
        {"lines": {"L": ["x"]}},
    ),
    *(
        {"lines": {"L": [{"S": 1}]}},
        {"lines": {"M": 1}},
        {"blob": {"B": "%%%"}},
        {"blob": {"BS": [1]}},
        {"flag": {"BOOL": "x"}},
    ),
]
GOOD = {
    "pk": {"S": "$shop#customer_a"},
    "sk": {"S": "$order_1#number_1"},
    "__edb_e__": {"S": "order"},
    "__edb_v__": {"S": "1"},
    "customer": {"S": "a"},
    "number": {"N": "1"},
    "tags": {"SS": ["x"]},
    "lines": {"L": []},
}


def replies(item: Any) -> dict[str, bytes]:
    spoiled = {**GOOD, **item} if isinstance(item, dict) else item
    return {
        "get": json.dumps({"Item": spoiled}).encode(),
        "query": json.dumps({"Items": [GOOD, spoiled], "Count": 2}).encode(),
        "scan": json.dumps({"Items": [spoiled], "Count": 1}).encode(),
        "batch": json.dumps({"Responses": {"shop": [spoiled]}}).encode(),
        "transaction": json.dumps({"Responses": [{"Item": spoiled}]}).encode(),
    }


@ALL
@pytest.mark.parametrize("item", ITEMS, ids=lambda item: json.dumps(item)[:40])
def test_items_of_wrong_types(kind: str, item: Any) -> None:
    for operation, body in replies(item).items():
        found = outcome(kind, [answer(body)], READS[operation]())
        if isinstance(found, Exception):
            assert isinstance(found, tw.BadAnswer | tw.Incomplete), (operation, found)
        elif found is not None and operation == "get":
            assert isinstance(found.customer, str)
            assert isinstance(found.number, int)
            assert isinstance(found.tags, set)


@OURS
@pytest.mark.parametrize(
    "members",
    [
        *(
            {"Items": 5},
            {"Items": {}},
            {"Items": [], "LastEvaluatedKey": 5},
            {"Items": [], "LastEvaluatedKey": {"pk": 1}},
        ),
        *({"Responses": 5}, {"Responses": {"shop": 5}}, {"Responses": [], "UnprocessedKeys": 5}, {"Item": [1]}),
        *({"Responses": {"shop": []}, "UnprocessedKeys": {"shop": 7}}, {"UnprocessedItems": [1]}, {"Attributes": 5}),
    ],
    ids=lambda members: json.dumps(members)[:50],
)
@pytest.mark.parametrize("operation", [*READS, *(f"write {name}" for name in WRITES)])
def test_members_of_wrong_types(kind: str, operation: str, members: Any) -> None:
    make = WRITES[operation[6:]] if operation.startswith("write ") else READS[operation]
    outcome(kind, [answer(json.dumps(members).encode())] * 5, make())  # whatever it is, it is ours


@OURS
def test_observers_do_not_hide_whose_fault_it_is(kind: str) -> None:
    seen: list[Any] = []
    found = outcome(kind, [answer(BODIES["deep"])], READS["get"](), observe=seen.append)
    assert isinstance(found, tw.BadAnswer)
    assert len(seen) == 1


# ---- refusals --------------------------------------------------------------------------------------------------------

REFUSALS = {
    "deep": DEEP,
    "deep object": b'{"__type":"x#Y","message":' + DEEP,
    "deep details": b'{"__type":"x#ConditionalCheckFailedException","Item":' + b'{"a":' * 5000 + b"1" + b"}" * 5001,
    "type is a number": b'{"__type":5}',
    "type has lines": b'{"__type":"x#Y\\nX: 1"}',
    "long type": b'{"__type":"' + b"x" * 1_000_000 + b'"}',
    "long message": b'{"__type":"x#Y","message":"' + b"x" * 1_000_000 + b'"}',
    "message is a list": b'{"__type":"x#Y","message":[1]}',
    "reasons are a number": b'{"__type":"x#TransactionCanceledException","CancellationReasons":5}',
    "reasons are numbers": b'{"__type":"x#TransactionCanceledException","CancellationReasons":[1]}',
    "item of a number": b'{"__type":"x#ConditionalCheckFailedException","Item":5}',
    "untyped item": b'{"__type":"x#ConditionalCheckFailedException","Item":{"pk":"x"}}',
}


@ALL
@pytest.mark.parametrize("body", REFUSALS)
@pytest.mark.parametrize("operation", ["get", "create", "transaction"])
def test_refusals(kind: str, body: str, operation: str) -> None:
    operations = {
        "get": READS["get"],
        "create": ORDER.create,
        "transaction": lambda: tw.transact(ORDER.put()),
    }
    found = outcome(kind, [answer(REFUSALS[body], status=400)] * 5, operations[operation]())
    assert isinstance(found, TablewrightError)
    assert len(str(found)) < 20_000


# ---- HTTP ------------------------------------------------------------------------------------------------------------


def flood(chunk: bytes, begin: bytes = b"HTTP/1.1 200 OK\r\n") -> Callable[[socket.socket], None]:
    """Send without end, until the other side has had enough."""

    def step(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.sendall(begin)
            while True:
                connection.sendall(chunk)

    return step


OK = b"HTTP/1.1 200 OK\r\n"
STREAMS: dict[str, Step] = {
    "giant length": OK + b"Content-Length: 99999999999\r\n\r\n{}",
    "length of many digits": OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}",
    "negative length": OK + b"Content-Length: -1\r\n\r\n{}",
    "two lengths": OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "endless headers": flood(b"X-More: and more\r\n"),
    "one endless header": flood(b"x" * 10_000),
    "endless interim": flood(b"HTTP/1.1 100 Continue\r\n\r\n", b""),
    "a thousand interim": b"HTTP/1.1 100 Continue\r\n\r\n" * 1000 + answer(),
    "a hundred hints": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 100 + answer(),
    "bad chunk size": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "negative chunk size": OK + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "giant chunk": OK + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n{}",
    "giant chunk size": OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 5000 + b"\r\n{}",
    "chunk without end": flood(b"x" * 10_000, OK + b"Transfer-Encoding: chunked\r\n\r\n5;"),
    "unknown coding": OK + b"Transfer-Encoding: rot13\r\n\r\n{}",
    "not http": b"SSH-2.0-OpenSSH_9.0\r\n\r\n\r\n",
    "nothing": b"\r\n\r\n",
    "status 0": b"HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n",
    "wrong checksum": answer(b"{}", headers="x-amz-crc32: 1\r\n"),
    "checksum of letters": answer(b"{}", headers="x-amz-crc32: abc\r\n"),
    "gzip of nothing": answer(b"", headers="Content-Encoding: gzip\r\n"),
    "gzip that is none": answer(b"{}", headers="Content-Encoding: gzip\r\n"),
    "cut gzip": answer(gzip.compress(b"{}" * 1000)[:-9], headers="Content-Encoding: gzip\r\n"),
}


@OURS
@pytest.mark.parametrize("stream", STREAMS)
def test_streams_that_are_no_answer(kind: str, stream: str) -> None:
    begun = time.monotonic()
    found = outcome(kind, [STREAMS[stream]], READS["get"]())
    assert isinstance(found, tw.TransportError), found
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("stream", [name for name in STREAMS if "endless" not in name and "without end" not in name])
def test_botocore_in_our_words(stream: str) -> None:
    found = outcome("botocore", [STREAMS[stream]] * 3, READS["get"](), timeout=1.0)  # which some wait for
    assert found is None or isinstance(found, TablewrightError), found


def test_a_few_interim_answers_are_fine() -> None:
    assert outcome("sync", [b"HTTP/1.1 100 Continue\r\n\r\n" * 5 + answer(b'{"Item":null}')], READS["get"]()) is None


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.binary(max_size=30)
        | st.sampled_from([OK, b"\r\n", b"\r\n\r\n", b"Content-Length: ", b"2", b"{}", b"0\r\n\r\n"]),
        max_size=12,
    )
)
def test_any_bytes(pieces: list[bytes]) -> None:
    parser = Parser()
    with suppress(ProtocolFault, ConnectionResetError):
        for piece in pieces:
            if piece:
                parser.feed(piece)
        parser.filled(0)


BOUND = """
import resource, sys
import tablewright as tw
from tablewright import errors
from tests.runtime.transports.test_hostile import Order, outcome, READS, bomb
outcome("sync", [b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}'], READS["get"]())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = outcome(sys.argv[1], [bomb(sys.argv[2])], READS["get"](), timeout=1.0)
assert isinstance(found, errors.TransportError), found
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def bomb(name: str) -> Step:
    """Answers that say they are far larger than they are."""
    if name == "length":
        return OK + b"Content-Length: %d\r\n\r\n{" % (http.MAX_BODY_BYTES - 10)
    if name == "chunk":
        return OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n{" % (http.MAX_BODY_BYTES - 10)
    packer = zlib.compressobj(9, wbits=31)
    packed = b"".join([*(packer.compress(b" " * 1_000_000) for _ in range(150)), packer.flush()])
    return answer(packed, headers="Content-Encoding: gzip\r\n")


@OURS
@pytest.mark.parametrize(("name", "most_mb"), [("length", 24), ("chunk", 24), ("gzip", 300)])
def test_memory_has_a_bound(kind: str, name: str, most_mb: int) -> None:
    """What is promised is not reserved; what a gigabyte unpacks into is given up at the limit of any body."""
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0
    done = subprocess.run([sys.executable, "-c", BOUND, kind, name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < most_mb


@OURS
@pytest.mark.parametrize(
    "date", ["yesterday", "9" * 500, "Thu, 01 Jan 99999 01:00:00 GMT", "Thu, 99 Foo 2020 99:99:99 +99999999999999"]
)
def test_odd_dates(kind: str, date: str) -> None:
    found = outcome(kind, [refusal("InvalidSignatureException", headers=f"Date: {date}\r\n")], READS["get"]())
    assert isinstance(found, tw.ServiceError)
    assert found.name == "InvalidSignatureException"
