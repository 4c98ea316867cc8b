"""Clients that mean harm, or are just broken: each gets a 4xx or a closed connection, and nobody else notices."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from tablewright.engine import Engine
from tablewright.engine.server import Limits, Server, serve
from tests.engine.wire import JSON_1_0, SIGNED, Client, ask_once, head, message, target

TABLE = {
    "TableName": "things",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
}
PUT = {**JSON_1_0, **SIGNED, **target("PutItem")}
IMPATIENT = Limits(request_seconds=0.3, idle_seconds=0.6, drain_seconds=0.3)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Engine() as engine, serve(engine) as running:
        engine.call("CreateTable", TABLE)
        yield running


@pytest.fixture(scope="module")
def impatient() -> Iterator[Server]:
    with serve(limits=IMPATIENT) as running:
        yield running


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never happened")


@pytest.fixture(autouse=True)
def still_healthy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test did, the next client is served."""
    yield
    for name in {"server", "impatient"} & set(request.fixturenames):
        running: Server = request.getfixturevalue(name)
        assert ask_once(running.port, message(method="GET")).status == 200


# ---- bodies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(0, 60, 7))
def test_every_beginning_of_a_body_is_refused(server: Server, count: int) -> None:
    whole = json.dumps({"TableName": "things", "Item": {"id": {"S": "x"}, "c": {"S": "x"}}}).encode()
    reply = ask_once(server.port, message(whole[:count], headers=PUT))
    assert reply.status == 400
    assert reply.json()["__type"] == "com.amazon.coral.service#SerializationException"


@pytest.mark.parametrize(
    "body",
    [
        *(
            b"}}}",
            b"}{",
            b"habababa",
            b"7",
            b"><#",
            b'"""',
            b'{"""}',
            b'{""}',
            b"{7}",
            b'{"2":{}',
            b",",
            b"{,}",
            b"{{}}",
        ),
        *(b"{" * 10000 + b"}" * 9999, b"[" * 200000, b'{"":' * 200000 + b"{}" + b"}" * 200000),
        *(b"\xff\xfe", b'{"a": "\xff"}', b'{"a": "\\ud800"}', b'{"a": NaN}', b'{"a": 1e999}', b"\0" * 100),
    ],
)
def test_broken_json_is_refused(server: Server, body: bytes) -> None:
    reply = ask_once(server.port, message(body, headers=PUT))
    assert reply.status == 400
    assert reply.json()["__type"].endswith("SerializationException")


def test_deep_nesting_is_refused(server: Server) -> None:
    for depth in (33, 100, 500, 900, 5000, 200000):
        value = b'{"M":{"a":' * depth + b'{"S":"x"}' + b"}}" * depth
        body = b'{"TableName":"things","Item":{"id":{"S":"deep"},"v":' + value + b"}}"
        reply = ask_once(server.port, message(body, headers=PUT))
        assert (depth, reply.status) == (depth, 400)


@pytest.mark.parametrize("value", [None, 7, -1.5, True, "text", [], {}, [[]], {"S": 1}, {"X": "y"}, {"": {}}])
@pytest.mark.parametrize(
    "name", ["TableName", "Item", "ConditionExpression", "ExpressionAttributeValues", "ReturnValues"]
)
def test_wrong_types_are_never_our_fault(server: Server, name: str, value: object) -> None:
    params = {"TableName": "things", "Item": {"id": {"S": "x"}}, name: value}
    with Client(server.port) as client:
        assert client.call("PutItem", params).status in (200, 400)


def test_huge_bodies_are_refused_so_that_the_client_can_read_why(server: Server) -> None:
    for headers in ({"Content-Length": str(17 * 1024 * 1024)}, {"Transfer-Encoding": "chunked"}):
        with Client(server.port) as client:
            client.send(head("POST", "/", {**PUT, **headers}))
            if "Transfer-Encoding" in headers:
                client.send(b"%x\r\n" % (17 * 1024 * 1024))
            for _ in range(17):
                client.send(b" " * 1024 * 1024)
            assert client.reply().status == 413
            assert client.is_closed()


def test_a_body_of_the_largest_size_is_taken(server: Server) -> None:
    body = b'{"TableName":"things","Item":{"id":{"S":"x"}}}'
    padded = body + b" " * (16 * 1024 * 1024 - len(body))
    assert ask_once(server.port, message(padded, headers=PUT)).status == 200


# ---- connections -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "noise",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", b"hello\r\n\r\n", b"GET\r\n\r\n", b"\0" * 70000, b"x" * 70000],
)
def test_noise_is_refused_and_the_connection_closed(impatient: Server, noise: bytes) -> None:
    with Client(impatient.port) as client:
        client.send(noise)
        assert 400 <= client.reply().status < 500
        assert client.is_closed()


@pytest.mark.parametrize("begin", [b"", b"POST / HT", b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc"])
def test_clients_that_stop_talking_are_hung_up_on(impatient: Server, begin: bytes) -> None:
    with Client(impatient.port) as client:
        client.send(begin)
        assert client.is_closed()


def test_clients_that_talk_too_slowly_are_hung_up_on(impatient: Server) -> None:
    def drip(client: Client) -> None:
        for _ in range(2000):
            client.send(b"x")
            time.sleep(0.05)

    with Client(impatient.port) as client, pytest.raises(ConnectionError):
        drip(client)


def test_clients_that_do_not_read_are_hung_up_on() -> None:
    with Engine() as engine, serve(engine, limits=IMPATIENT) as server:
        engine.call("CreateTable", TABLE)
        for count in range(3):
            engine.call("PutItem", {"TableName": "things", "Item": {"id": {"S": str(count)}, "v": {"S": "x" * 300000}}})
        scan = message(b'{"TableName":"things"}', headers={**JSON_1_0, **SIGNED, **target("Scan")})
        with Client(server.port) as client:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.send(scan * 100)
            wait_until(lambda: server.connection_count == 0)
            assert ask_once(server.port, message(method="GET")).status == 200


def test_answers_larger_than_the_buffers_arrive_in_order(server: Server) -> None:
    with Client(server.port) as client:
        for count in range(3):
            client.call(
                "PutItem", {"TableName": "things", "Item": {"id": {"S": f"big{count}"}, "v": {"S": "x" * 300000}}}
            )
        get = message(
            b'{"TableName":"things","Key":{"id":{"S":"big1"}}}', headers={**JSON_1_0, **SIGNED, **target("GetItem")}
        )
        sender = threading.Thread(target=client.send, args=(get * 20,))
        sender.start()
        assert {len(client.reply().body) for _ in range(20)} == {
            300000 + len('{"Item":{"id":{"S":"big1"},"v":{"S":""}}}')
        }
        sender.join()


def test_a_client_that_runs_ahead_does_not_keep_others_waiting(server: Server) -> None:
    listed = message(b"{}", headers={**JSON_1_0, **SIGNED, **target("ListTables")})
    with Client(server.port) as ahead, Client(server.port) as other:
        ahead.send(listed * 2000)
        assert other.ask(message(method="GET")).status == 200
        assert {ahead.reply().status for _ in range(2000)} == {200}


def test_connections_that_break_are_forgotten(server: Server) -> None:
    for _ in range(50):
        client = Client(server.port)
        client.send(b"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + b"x" * 1000)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.socket.close()


def test_two_thousand_connections_are_served() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4500:
        pytest.skip("the machine allows too few open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4500), hard))
    try:
        with serve() as server, contextlib.ExitStack() as stack:
            clients = [stack.enter_context(Client(server.port)) for _ in range(2000)]
            for client in clients:
                client.send(b"GET / HTTP/1.1\r\n\r\n")
            assert {client.reply().status for client in clients} == {200}
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_no_more_connections_than_allowed() -> None:
    with serve(limits=Limits(connections=5)) as server, contextlib.ExitStack() as stack:
        served = [stack.enter_context(Client(server.port)) for _ in range(5)]
        for client in served:
            assert client.ask(message(method="GET")).status == 200
        assert stack.enter_context(Client(server.port)).is_closed()
        assert served[0].ask(message(method="GET")).status == 200


def test_memory_for_unfinished_requests_is_limited() -> None:
    with serve(limits=Limits(held_bytes=1024 * 1024)) as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(Client(server.port)) for _ in range(8)]
        for client in clients:
            with contextlib.suppress(ConnectionError):
                client.send(b"POST / HTTP/1.1\r\nContent-Length: 900000\r\n\r\n" + b"x" * 800000)
        assert ask_once(server.port, message(method="GET")).status == 200
        stack.close()


def test_stopping_lets_requests_finish() -> None:
    server = serve()
    server.start()
    body = b"{}"
    with Client(server.port) as busy, Client(server.port) as idle:
        listed = {**JSON_1_0, **SIGNED, **target("ListTables"), "Content-Length": str(len(body))}
        busy.send(head("POST", "/", listed) + b"{")
        assert idle.ask(message(method="GET")).status == 200, "and by then the busy one was read too"
        stopper = threading.Thread(target=server.stop)
        stopper.start()
        assert idle.is_closed()
        busy.send(b"}")
        reply = busy.reply()
        assert (reply.status, reply.headers["connection"]) == (200, "close")
        stopper.join(5)
        assert not stopper.is_alive()
    with pytest.raises(ConnectionError):
        Client(server.port)
