"""Requests nobody would write, for a bounded time: the answer is a reply or a ServiceError, never anything else."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablewright.engine import Engine
from tablewright.engine.server import Server, serve
from tablewright.errors import ServiceError
from tests.engine.fuzz import TABLES, requests
from tests.engine.wire import JSON_1_0, SIGNED, Client, message, target

EXAMPLES = 5000 if os.environ.get("HYPOTHESIS_PROFILE") == "full" else 300
BOUNDED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as opened:
        for table in TABLES:
            opened.call("CreateTable", table)
        yield opened


@pytest.fixture(scope="module")
def client(engine: Engine) -> Iterator[Client]:
    with serve(engine) as server, Client(server.port) as connected:
        yield connected


@BOUNDED
@given(requests())
def test_the_engine_gives_a_reply_or_a_service_error(engine: Engine, request: tuple[str, dict[str, Any]]) -> None:
    with suppress(ServiceError):
        assert isinstance(engine.call(*request), dict)


def headers(action: str) -> dict[str, str]:
    streams = ("ListStreams", "DescribeStream", "GetShardIterator", "GetRecords")
    version = "DynamoDBStreams_20120810" if action in streams else "DynamoDB_20120810"
    return {**JSON_1_0, **SIGNED, **target(action, version)}


@BOUNDED
@given(requests())
def test_the_server_answers_200_or_400(client: Client, request: tuple[str, dict[str, Any]]) -> None:
    action, params = request
    reply = client.ask(message(json.dumps(params).encode(), headers=headers(action)))
    assert reply.status in (200, 400), (request, reply)


@BOUNDED
@given(requests(), st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=3)), min_size=1, max_size=4))
def test_the_server_survives_mutated_bodies(
    client: Client, request: tuple[str, dict[str, Any]], changes: list[tuple[int, bytes]]
) -> None:
    body = bytearray(json.dumps(request[1]).encode())
    for at, new in changes:
        body[at % len(body) : at % len(body) + 1] = new or b"}"
    reply = client.ask(message(bytes(body), headers=headers(request[0])))
    assert reply.status in (200, 400), (request, changes, reply)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=3)), min_size=1, max_size=4))
def test_the_server_survives_mutated_requests(mutation_server: Server, changes: list[tuple[int, bytes]]) -> None:
    whole = bytearray(message(b'{"TableName":"x"}', headers=headers("DescribeTable")))
    for at, new in changes:
        whole[at % len(whole) : at % len(whole) + 1] = new
    with Client(mutation_server.port, timeout=0.05) as client, suppress(ConnectionError, TimeoutError):
        client.send(bytes(whole))
        assert client.reply().status < 500 or b"501" in whole


@pytest.fixture(scope="module")
def mutation_server() -> Iterator[Server]:
    with serve() as server:
        yield server
