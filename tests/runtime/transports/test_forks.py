"""A forked child has connections and locks of its own, whatever its parent was doing."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from typing import Any

import boto3
import pytest

from tablewright.engine.server import serve
from tablewright.runtime.transports.botocore import AsyncBotocore, Botocore
from tablewright.runtime.transports.credentials import FromContainer
from tablewright.runtime.transports.fast import open_fast
from tablewright.runtime.transports.forks import ForkedLock
from tablewright.runtime.transports.settings import read_settings
from tablewright.wire.call import Call
from tests.engine.test_forks import TABLE, in_child
from tests.runtime.transports.scripted import Scripted, answer
from tests.runtime.transports.test_refresh import Lender, of_container

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]

READ = Call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}})


def client(url: str) -> Any:
    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
    return boto3.client("dynamodb", endpoint_url=url, region_name="us-east-1", **keys)


def item(number: int) -> bytes:
    return answer(b'{"Item":{"n":{"N":"%d"}}}' % number)


def test_a_child_does_not_speak_on_connections_of_a_boto3_client() -> None:
    with Scripted([item(1), item(2), item(3)]) as server:
        transport = Botocore(client(server.url))
        assert b'"1"' in transport.call(READ)

        def work() -> None:
            assert b'"2"' in transport.call(READ)

        in_child(work)
        assert b'"3"' in transport.call(READ)
        assert server.connections == 2


def test_an_awaited_boto3_client_in_a_child() -> None:
    with Scripted([item(1), item(2), item(3)]) as server:
        transport = AsyncBotocore(client(server.url))
        assert b'"1"' in asyncio.run(transport.call(READ))

        def work() -> None:
            assert b'"2"' in asyncio.run(transport.call(READ))

        in_child(work)
        assert b'"3"' in asyncio.run(transport.call(READ))
        assert server.connections == 2


def test_locks_are_free_in_a_child() -> None:
    lock = ForkedLock()

    def work() -> None:
        assert not lock.locked()
        with lock:
            assert lock.locked()

    with lock:
        in_child(work)
        assert lock.locked()


def test_a_fork_while_another_thread_fetches_keys() -> None:
    lender = Lender()
    lender.pause = 0.5
    credentials: Any = of_container(lender)
    assert isinstance(credentials, FromContainer)
    thread = threading.Thread(target=credentials.keys)
    thread.start()
    while not lender.inside:
        time.sleep(0.01)

    def work() -> None:
        assert credentials.keys().access_key == "id 2"

    in_child(work)
    thread.join()


def test_forks_while_threads_share_a_transport() -> None:
    with serve() as server:
        keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
        fast = open_fast(read_settings(endpoint_url=server.url, region_name="us-east-1", **keys))
        fast.call(Call("CreateTable", TABLE))
        done = threading.Event()

        def work() -> None:
            while not done.is_set():
                fast.call(READ)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for each in threads:
            each.start()
        try:
            for _ in range(10):
                in_child(lambda: [fast.call(READ) for _ in range(5)] and None)
        finally:
            done.set()
            for each in threads:
                each.join()
        fast.close()
