from __future__ import annotations

import json

import pytest

from benchmarks.engine.client import Client, encoded
from benchmarks.engine.workload import CREATE, OPERATIONS, Requests, batches
from tablewright.engine.server import serve


def test_every_request_of_the_workload_is_answered() -> None:
    with serve() as server:
        client = Client(server.port)
        client.exchange(encoded("CreateTable", CREATE))
        for batch in batches(100):
            client.exchange(encoded("BatchWriteItem", batch))
        replies = {operation: client.exchange(encoded(*Requests(100).make(operation, 7))) for operation in OPERATIONS}
        client.close()
    assert json.loads(replies["get"])["Item"]["sk"] == {"S": "order#000000007"}
    assert [json.loads(replies[name])["Count"] for name in ("query 100", "gsi query 100")] == [100, 100]


def test_a_refusal_is_not_taken_for_an_answer() -> None:
    with serve() as server:
        client = Client(server.port)
        with pytest.raises(RuntimeError, match="ResourceNotFoundException"):
            client.exchange(encoded(*Requests(100).make("get", 7)))
        client.close()


def test_a_connection_that_was_closed_is_opened_again() -> None:
    with serve() as server:
        client = Client(server.port)
        client.socket.shutdown(2)
        assert client.exchange(encoded("ListTables", {})) == b'{"TableNames":[]}'
        client.close()
