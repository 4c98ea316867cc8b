"""Packed requests and packed answers, and what becomes of those that are broken or made to burst."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Iterator

import pytest

from tablewright.engine import Engine
from tablewright.engine.server import Server, serve
from tests.engine.make import create_table, put
from tests.engine.wire import JSON_1_0, SIGNED, Reply, ask_once, message, target

ITEM = {"pk": {"S": "p"}, "sk": {"S": "s"}, "text": {"S": "x" * 5000}}
PUT = {"TableName": "things", "Item": ITEM}
GET = {"TableName": "things", "Key": {"pk": {"S": "p"}, "sk": {"S": "s"}}}
MEGABYTE = 1024 * 1024


@pytest.fixture
def server() -> Iterator[Server]:
    with Engine() as engine, serve(engine) as running:
        create_table(engine)
        yield running


def call(server: Server, action: str, body: bytes, **headers: str) -> Reply:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return ask_once(server.port, message(body, headers={**JSON_1_0, **SIGNED, **target(action), **told}))


def packed(params: object) -> bytes:
    return gzip.compress(json.dumps(params).encode())


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", packed(PUT)),
        ("GZIP", packed(PUT)),
        ("identity", json.dumps(PUT).encode()),
        ("deflate", zlib.compress(json.dumps(PUT).encode())),
        (
            "gzip",
            b"".join(gzip.compress(part) for part in (json.dumps(PUT).encode()[:9], json.dumps(PUT).encode()[9:])),
        ),
    ],
)
def test_packed_requests_are_read(server: Server, encoding: str, body: bytes) -> None:
    assert call(server, "PutItem", body, Content_Encoding=encoding).status == 200
    assert call(server, "GetItem", json.dumps(GET).encode()).json()["Item"] == ITEM


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", json.dumps(PUT).encode()),
        ("gzip", packed(PUT)[:-1]),
        ("gzip", packed(PUT)[:-5] + b"\0" + packed(PUT)[-4:]),
        ("gzip", packed(PUT) + b"junk"),
        ("deflate", packed(PUT)),
        ("br", packed(PUT)),
        ("gzip, gzip", gzip.compress(packed(PUT))),
        ("gzip", b""),
    ],
)
def test_broken_packages_are_refused(server: Server, encoding: str, body: bytes) -> None:
    reply = call(server, "PutItem", body, Content_Encoding=encoding)
    assert reply.status == 400
    assert reply.json()["__type"].endswith("#SerializationException")
    assert "Item" not in call(server, "GetItem", json.dumps(GET).encode()).json()


@pytest.mark.parametrize("encoding", ["gzip", pytest.param("deflate", marks=pytest.mark.slow)])
def test_a_bomb_is_refused_before_it_bursts(server: Server, encoding: str) -> None:
    """A gigabyte in a megabyte: no more of it is unpacked than a request may have."""
    packer = zlib.compressobj(9, wbits=31 if encoding == "gzip" else 15)
    bomb = b"".join(packer.compress(b" " * MEGABYTE) for _ in range(1024)) + packer.flush()
    tracemalloc.start()
    try:
        reply = call(server, "PutItem", bomb, Content_Encoding=encoding)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reply.status == 413
    assert most < 100 * MEGABYTE
    assert call(server, "ListTables", b"{}").status == 200


def test_several_packages_are_no_way_around_the_limit(server: Server) -> None:
    several = gzip.compress(b" " * MEGABYTE) * 17
    assert call(server, "ListTables", several, Content_Encoding="gzip").status == 413


def test_nobody_waits_for_a_million_empty_packages(server: Server) -> None:
    many = gzip.compress(b"") * 800_000
    reply = call(server, "ListTables", many, Content_Encoding="gzip")
    assert (reply.status, "parts" in reply.json()["Message"]) == (400, True)


@pytest.mark.parametrize("accepted", ["gzip", "gzip, deflate, br", "deflate;q=0.5, GZIP;q=0.1", "x-gzip"])
def test_answers_are_packed_for_those_who_can_read_them(server: Server, accepted: str) -> None:
    call(server, "PutItem", json.dumps(PUT).encode())
    reply = call(server, "GetItem", json.dumps(GET).encode(), Accept_Encoding=accepted)
    assert reply.headers["content-encoding"] == "gzip"
    assert reply.headers["x-amz-crc32"] == str(zlib.crc32(reply.body))  # DynamoDB's is of what is sent
    assert len(reply.body) < 500
    assert json.loads(gzip.decompress(reply.body))["Item"] == ITEM


@pytest.mark.parametrize("accepted", ["identity", "", "gzip;q=0", "deflate", "*;q=0", "br"])
def test_answers_stay_as_they_are_for_others(server: Server, accepted: str) -> None:
    call(server, "PutItem", json.dumps(PUT).encode())
    reply = call(server, "GetItem", json.dumps(GET).encode(), Accept_Encoding=accepted)
    assert "content-encoding" not in reply.headers
    assert reply.json()["Item"] == ITEM


def test_small_answers_are_not_worth_it(server: Server) -> None:
    assert "content-encoding" not in call(server, "ListTables", b"{}", Accept_Encoding="gzip").headers


def test_a_page_is_packed_once(server: Server) -> None:
    engine = server.databases.engine  # type: ignore[attr-defined]
    put(engine, *({"pk": "q", "sk": f"{i:04}", "text": "y" * 300} for i in range(1000)))
    reply = call(server, "Scan", b'{"TableName":"things"}', Accept_Encoding="gzip")
    assert len(json.loads(gzip.decompress(reply.body))["Items"]) == 1000
