"""The fast transport against the engine's server, and against servers that misbehave."""

from __future__ import annotations

import gzip
import os
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from email.utils import formatdate
from typing import Any

import msgspec
import pytest

from tablewright import errors
from tablewright.engine.server import Server, serve
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.fast import Connection, Fast, open_fast
from tablewright.runtime.transports.retry import Failed
from tablewright.runtime.transports.settings import read_settings
from tablewright.runtime.transports.trace import Trace
from tablewright.wire.call import Call
from tests.runtime.transports.scripted import Scripted, answer, hang_up, header, refusal

QUICK = Retry(base_seconds=0.0, cap_seconds=0.0)
ONCE = Retry(attempts=1)
READ = Call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}})
COUNT = Call(
    "UpdateItem",
    {
        "TableName": "things",
        "Key": {"pk": {"S": "a"}},
        "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    },
)
TABLE: dict[str, Any] = {
    "TableName": "things",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def connected(url: str, retry: Retry | None = QUICK, **more: Any) -> Fast:
    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
    return open_fast(read_settings(**{"endpoint_url": url, "region_name": "us-east-1", **keys, **more}), retry=retry)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        connected(running.url).call(Call("CreateTable", TABLE))
        yield running


# ---- DynamoDB's answers ----------------------------------------------------------------------------------------------


def test_calls_bring_back_the_text_of_replies(server: Server) -> None:
    fast = connected(server.url)
    item = {"pk": {"S": "ä☃"}, "n": {"N": "1"}, "b": {"B": "AAE="}}
    assert fast.call(Call("PutItem", {"TableName": "things", "Item": item})) == b"{}"
    reply = fast.call(Call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "ä☃"}}}))
    assert msgspec.json.decode(reply) == {"Item": item}
    fast.close()


def test_connections_are_used_again() -> None:
    with Scripted() as server:
        fast = connected(server.url)
        for _ in range(5):
            fast.call(READ)
        assert server.connections == 1
        assert len(fast.pool) == 1
        fast.close()


def test_a_refusal_has_its_details(server: Server) -> None:
    fast = connected(server.url)
    item = {"pk": {"S": "taken"}}
    fast.call(Call("PutItem", {"TableName": "things", "Item": item}))
    again = {
        "TableName": "things",
        "Item": item,
        "ConditionExpression": "attribute_not_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    with pytest.raises(errors.ConditionFailed) as failed:
        fast.call(Call("PutItem", again))
    assert failed.value.name == "ConditionalCheckFailedException"
    assert failed.value.details == {"Item": item}
    assert failed.value.request_id
    with pytest.raises(errors.TransactionCancelled) as cancelled:
        fast.call(Call("TransactWriteItems", {"TransactItems": [{"Put": again}]}))
    assert cancelled.value.details["CancellationReasons"][0]["Item"] == item
    fast.close()


def test_a_large_page_arrives_whole(server: Server) -> None:
    fast = connected(server.url)
    text = "x" * 300_000
    for number in range(3):
        fast.call(
            Call("PutItem", {"TableName": "things", "Item": {"pk": {"S": f"large {number}"}, "text": {"S": text}}})
        )
    found = msgspec.json.decode(fast.call(Call("Scan", {"TableName": "things"})))["Items"]
    assert sum(len(item.get("text", {"S": ""})["S"]) for item in found) == 900_000
    fast.close()


def test_threads_share_a_transport(server: Server) -> None:
    fast = connected(server.url)
    wrong: list[object] = []

    def work(name: str) -> None:
        for number in range(30):
            item = {"pk": {"S": name}, "n": {"N": str(number)}}
            fast.call(Call("PutItem", {"TableName": "things", "Item": item}))
            reply = msgspec.json.decode(fast.call(Call("GetItem", {"TableName": "things", "Key": {"pk": {"S": name}}})))
            if reply != {"Item": item}:
                wrong.append(reply)

    threads = [threading.Thread(target=work, args=(f"thread {number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    fast.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_uses_its_own_connections() -> None:
    with Scripted([answer(b'{"n":1}'), answer(b'{"n":2}'), answer(b'{"n":3}')]) as server:
        fast = connected(server.url)
        assert fast.call(READ) == b'{"n":1}'
        child = os.fork()
        if child == 0:
            os._exit(0 if fast.call(READ) == b'{"n":2}' else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert fast.call(READ) == b'{"n":3}'
        assert server.connections == 2
        fast.close()


def test_a_closed_transport_is_closed(server: Server) -> None:
    fast = connected(server.url)
    fast.call(READ)
    fast.close()
    with pytest.raises(errors.TransportError, match="was closed"):
        fast.call(READ)


# ---- answers that were damaged on the way ----------------------------------------------------------------------------


def checksum(body: bytes, sent: bytes | None = None, headers: str = "") -> bytes:
    return answer(body if sent is None else sent, headers=f"{headers}x-amz-crc32: {zlib.crc32(body)}\r\n")


def test_a_wrong_checksum_is_not_believed() -> None:
    with Scripted([checksum(b'{"n":1}', b'{"n":2}'), checksum(b'{"n":1}')]) as server:
        trace = Trace()
        assert connected(server.url).call(READ, trace) == b'{"n":1}'
        assert trace.attempts == 2
        assert trace.faults == ["BadAnswer"]


def test_a_wrong_checksum_of_a_write_leaves_its_outcome_open() -> None:
    with Scripted([checksum(b"{}", b"{ }")]) as server, pytest.raises(errors.OutcomeUnknown) as unknown:
        connected(server.url).call(COUNT)
    assert isinstance(unknown.value.__cause__, errors.BadAnswer)


@pytest.mark.parametrize("of_packed", [True, False])
def test_gzip_that_nobody_asked_for_is_understood(of_packed: bool) -> None:
    packed = gzip.compress(b'{"n":1}')
    sent = checksum(packed if of_packed else b'{"n":1}', packed, "Content-Encoding: gzip\r\n")
    with Scripted([sent]) as server:
        assert connected(server.url, ONCE).call(READ) == b'{"n":1}'
        assert header(server.requests[0], "Accept-Encoding") == "identity"


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        (answer(b"<html>Please log in</html>"), "Please log in"),
        (answer(b"plain", headers="Content-Encoding: gzip\r\n"), "gzipped body"),
        (b"220 mail.example ESMTP\r\n\r\n", "does not begin as HTTP"),
    ],
)
def test_answers_of_somebody_else_are_refused(sent: bytes, complaint: str) -> None:
    with Scripted([sent]) as server, pytest.raises(errors.BadAnswer, match=complaint):
        connected(server.url, ONCE).call(READ)


def test_an_empty_success_is_an_empty_reply() -> None:
    with Scripted([answer(b"")]) as server:
        assert connected(server.url).call(Call("TagResource", {})) == b"{}"


@pytest.mark.parametrize(
    ("status", "name"),
    [(503, "ServiceUnavailable"), (413, "RequestEntityTooLarge"), (418, "Http418"), (302, "Http302")],
)
def test_refusals_without_json_are_named_by_their_status(status: int, name: str) -> None:
    with Scripted([answer(b"<h1>no</h1>", status=status)]) as server, pytest.raises(errors.ServiceError) as failed:
        connected(server.url, ONCE).call(READ)
    assert failed.value.name == name
    assert "<h1>no</h1>" in failed.value.service_message


# ---- connections that break ------------------------------------------------------------------------------------------


def test_a_keep_alive_that_ended_is_noticed_before_a_write() -> None:
    def answer_and_leave(connection: socket.socket) -> None:
        connection.sendall(answer(b'{"n":1}'))
        hang_up(connection)

    with Scripted([answer_and_leave, answer(b'{"n":2}')]) as server:
        fast = connected(server.url, ONCE)
        assert fast.call(COUNT) == b'{"n":1}'
        wait_until(lambda: fast.pool._idle[0].is_stale)
        assert fast.call(COUNT) == b'{"n":2}'
        assert server.connections == 2
        fast.close()


def wait_until(holds: Any) -> None:
    for _ in range(500):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never happened")


def test_a_read_survives_a_broken_connection() -> None:
    with Scripted([hang_up, b"HTTP/1.1 200 OK\r\nContent-Le", answer(b'{"n":1}')]) as server:
        server.steps[1] = lambda connection: (connection.sendall(b"HTTP/1.1 200 OK\r\nConte"), hang_up(connection))[1]
        trace = Trace()
        assert connected(server.url).call(READ, trace) == b'{"n":1}'
        assert trace.faults == ["ConnectionFailed", "ConnectionFailed"]


def test_a_count_is_not_sent_twice() -> None:
    with Scripted([hang_up]) as server:
        with pytest.raises(errors.OutcomeUnknown):
            connected(server.url).call(COUNT)
        assert len(server.requests) == 1


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs a pair of sockets that close like a server's")
def test_an_answer_before_the_end_of_the_request_is_heard() -> None:
    ours, theirs = socket.socketpair()
    connection = Connection(ours, 5.0)
    theirs.sendall(answer(b"too large", status=413))
    theirs.close()
    response = connection.exchange(b"x" * 100_000)
    assert (response.status, response.body, response.reusable) == (413, b"too large", False)
    with pytest.raises(Failed) as failed:
        connection.exchange(b"x")
    assert not failed.value.sent
    connection.close()


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    trace = Trace()
    with pytest.raises(errors.ConnectionFailed, match=f"no connection to 127.0.0.1:{port}"):
        connected(f"http://127.0.0.1:{port}", Retry(attempts=2, base_seconds=0.0)).call(COUNT, trace)
    assert trace.attempts == 2


def test_silence_ends_with_the_time_allowed() -> None:
    done = threading.Event()
    with Scripted([lambda _: done.wait(10) and None]) as server:
        fast = connected(server.url, ONCE, timeout=(5, 0.05))
        with pytest.raises(errors.TimedOut, match=r"no answer within 0\.05 s"):
            fast.call(READ)
        done.set()
        assert fast.call(READ) == b"{}"
        assert server.connections == 2
        fast.close()


def test_an_answer_in_drops_ends_with_the_time_allowed() -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            connection.sendall(b" ")
            time.sleep(0.01)

    with Scripted([drip]) as server, pytest.raises(errors.TimedOut):
        connected(server.url, ONCE, timeout=0.2).call(READ)


def test_a_slow_answer_does_not_shorten_the_next_one() -> None:
    def in_two(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
        time.sleep(0.02)
        connection.sendall(b"{}")

    with Scripted([in_two]) as server:
        fast = connected(server.url, ONCE)
        assert fast.call(READ) == b"{}"
        assert fast.pool._idle[0].sock.gettimeout() == fast.settings.read_seconds
        fast.close()


# ---- signatures that were refused ------------------------------------------------------------------------------------


def test_a_wrong_clock_is_set_right() -> None:
    hours = 3 * 3600.0
    date = f"Date: {formatdate(time.time() + hours, usegmt=True)}\r\n"
    late = refusal("InvalidSignatureException", "Signature expired: 2026 is now earlier than 2027", headers=date)
    with Scripted([late]) as server:
        fast = connected(server.url)
        assert fast.call(COUNT) == b"{}"
        assert abs(fast.writer.offset_seconds - hours) < 5
        first, second = (header(request, "X-Amz-Date") for request in server.requests)
        assert first is not None
        assert second is not None
        assert second > first
        fast.close()


def test_a_wrong_key_is_not_taken_for_a_wrong_clock() -> None:
    date = f"Date: {formatdate(usegmt=True)}\r\n"
    with Scripted([refusal("InvalidSignatureException", headers=date)]) as server:
        with pytest.raises(errors.ServiceError, match="InvalidSignatureException"):
            connected(server.url).call(READ)
        assert len(server.requests) == 1


def test_an_expired_token_is_renewed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "old")

    def expired(connection: socket.socket) -> None:
        monkeypatch.setenv("AWS_SESSION_TOKEN", "new")
        connection.sendall(refusal("ExpiredTokenException"))

    with Scripted([expired]) as server:
        settings = read_settings(endpoint_url=server.url, region_name="us-east-1")
        assert open_fast(settings, retry=QUICK).call(COUNT) == b"{}"
        assert [header(request, "X-Amz-Security-Token") for request in server.requests] == ["old", "new"]


def test_a_token_that_stays_expired_is_told() -> None:
    with Scripted([refusal("ExpiredTokenException")] * 3) as server:
        with pytest.raises(errors.ServiceError, match="ExpiredTokenException"):
            connected(server.url).call(READ)
        assert len(server.requests) == 2


# ---- what else is sent -----------------------------------------------------------------------------------------------


def test_throttling_is_waited_out() -> None:
    with Scripted([refusal("ThrottlingException")] * 2) as server:
        trace = Trace()
        assert connected(server.url).call(COUNT, trace) == b"{}"
        assert trace.faults == ["ThrottlingException"] * 2


def test_transactions_get_a_token() -> None:
    with Scripted() as server:
        connected(server.url).call(Call("TransactWriteItems", {"TransactItems": []}))
        body = msgspec.json.decode(server.requests[0].partition(b"\r\n\r\n")[2])
        assert body["ClientRequestToken"]


def test_attempts_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "3")
    assert connected("http://localhost:1", None).retry.attempts == 3
    monkeypatch.delenv("AWS_MAX_ATTEMPTS")
    assert connected("http://localhost:1", None).retry == Retry()
