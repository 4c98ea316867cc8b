"""The awaited transport: same requests and rules as the blocking one, and never a connection with half an answer."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import threading
import zlib
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import msgspec
import pytest
from botocore.config import Config
from moto import mock_aws

from tablewright import errors
from tablewright.engine.server import Server, serve
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.fast import open_fast
from tablewright.runtime.transports.fast_async import FastAsync, open_fast_async
from tablewright.runtime.transports.settings import Settings, read_settings
from tablewright.runtime.transports.trace import Trace
from tablewright.wire.call import Call
from tests.runtime.transports.aws.certificates import Certificates
from tests.runtime.transports.aws.test_connecting import Relay, secure
from tests.runtime.transports.scripted import Scripted, answer, hang_up, refusal

T = TypeVar("T")

QUICK = Retry(base_seconds=0.0, cap_seconds=0.0)
ONCE = Retry(attempts=1)
READ = Call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}})
PUT = Call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}}})
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


def settings(url: str, **more: Any) -> Settings:
    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
    return read_settings(**{"endpoint_url": url, "region_name": "us-east-1", **keys, **more})


def connected(url: str, retry: Retry = QUICK, **more: Any) -> FastAsync:
    return open_fast_async(settings(url, **more), retry=retry)


def limited(size: int) -> Config:
    return Config(max_pool_connections=size)


def run(url: str, scene: Callable[[FastAsync], Coroutine[Any, Any, T]], retry: Retry = QUICK, **more: Any) -> T:
    """Play a scene with a transport that is closed behind it; no task may be left over."""

    async def play() -> T:
        fast = connected(url, retry, **more)
        try:
            return await asyncio.wait_for(scene(fast), 20)
        finally:
            await fast.close()
            assert asyncio.all_tasks() == {asyncio.current_task()}

    return asyncio.run(play())


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve() as running:
        blocking = open_fast(settings(running.url))
        blocking.call(Call("CreateTable", TABLE))
        blocking.call(PUT)
        blocking.close()
        yield running


# ---- answers ---------------------------------------------------------------------------------------------------------


def test_calls_bring_back_the_text_of_replies(server: Server) -> None:
    item = {"pk": {"S": "ä☃"}, "b": {"B": "AAE="}, "long": {"S": "x" * 300_000}}

    async def scene(fast: FastAsync) -> bytes:
        assert await fast.call(Call("PutItem", {"TableName": "things", "Item": item})) == b"{}"
        return await fast.call(Call("GetItem", {"TableName": "things", "Key": {"pk": item["pk"]}}))

    assert msgspec.json.decode(run(server.url, scene)) == {"Item": item}


def test_refusals_are_raised(server: Server) -> None:
    create = Call("PutItem", {**PUT.params, "ConditionExpression": "attribute_not_exists(pk)"})
    with pytest.raises(errors.ConditionFailed):
        run(server.url, lambda fast: fast.call(create))


def test_requests_are_those_of_the_blocking_transport() -> None:
    calls = [READ, PUT, COUNT, Call("TransactWriteItems", {"TransactItems": [], "ClientRequestToken": "t"})]
    with Scripted() as script:
        blocking = open_fast(settings(script.url, aws_session_token="token"))
        blocking.writer.clock = lambda: 1_800_000_000.0
        for call in calls:
            blocking.call(call)
        blocking.close()

        async def scene(fast: FastAsync) -> None:
            fast.writer.clock = lambda: 1_800_000_000.0
            for call in calls:
                await fast.call(call)

        run(script.url, scene, aws_session_token="token")
        assert script.requests[:4] == script.requests[4:]


def test_chunks_and_bodies_that_end_with_the_connection() -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"

    def until_close(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}")
        hang_up(connection)

    async def scene(fast: FastAsync) -> list[bytes]:
        return [await fast.call(READ) for _ in range(3)]

    with Scripted([chunked, until_close]) as script:
        assert run(script.url, scene, ONCE) == [b"{}"] * 3
        assert script.connections == 2


# ---- trouble ---------------------------------------------------------------------------------------------------------


def silent(connection: socket.socket) -> None:
    connection.recv(1)


def half(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{")
    hang_up(connection)


WRONG_SUM = answer(b"{}", headers=f"x-amz-crc32: {zlib.crc32(b'{ }')}\r\n")
TROUBLE = [hang_up, half, b"not http at all\r\n\r\n", WRONG_SUM, refusal("InternalServerError", status=500)]


@pytest.mark.parametrize("trouble", TROUBLE)
def test_what_is_harmless_survives_trouble(trouble: Any) -> None:
    async def scene(fast: FastAsync) -> list[bytes]:
        return [await fast.call(call) for call in (READ, READ, PUT)]

    with Scripted([answer(), trouble, trouble]) as script:
        assert run(script.url, scene) == [b"{}"] * 3
        assert len(script.requests) == 5


@pytest.mark.parametrize("trouble", TROUBLE)
def test_a_count_is_not_sent_twice(trouble: Any) -> None:
    async def scene(fast: FastAsync) -> None:
        await fast.call(READ)
        await fast.call(COUNT)

    with Scripted([answer(), trouble]) as script:
        with pytest.raises(errors.OutcomeUnknown):
            run(script.url, scene)
        assert len(script.requests) == 2


def test_throttling_is_waited_out_and_noted() -> None:
    trace = Trace()
    with Scripted([refusal("ThrottlingException")] * 2) as script:
        run(script.url, lambda fast: fast.call(COUNT, trace))
    assert trace == Trace(attempts=3, faults=["ThrottlingException"] * 2)


def test_silence_ends_with_the_time_allowed() -> None:
    with Scripted([silent]) as script, pytest.raises(errors.TimedOut, match=r"within 0\.05 s"):
        run(script.url, lambda fast: fast.call(READ), ONCE, timeout=0.05)


def test_an_answer_in_drops_ends_with_the_time_allowed() -> None:
    def drops(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            connection.sendall(b" ")
            threading.Event().wait(0.01)

    with Scripted([drops]) as script, pytest.raises(errors.TimedOut):
        run(script.url, lambda fast: fast.call(READ), ONCE, timeout=0.06)


def test_the_time_is_counted_anew_for_each_call() -> None:
    def slow(connection: socket.socket) -> None:
        threading.Event().wait(0.5)
        connection.sendall(answer())

    async def scene(fast: FastAsync) -> list[bytes]:
        return [await fast.call(READ) for _ in range(3)]

    with Scripted([slow] * 3) as script:
        assert run(script.url, scene, ONCE, timeout=1.2) == [b"{}"] * 3
        assert script.connections == 1


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(errors.ConnectionFailed, match="no connection to 127"):
        run(url, lambda fast: fast.call(COUNT), Retry(attempts=2, base_seconds=0.0))


def test_a_keep_alive_that_ended_is_noticed_before_a_write() -> None:
    left = threading.Event()

    def leave(connection: socket.socket) -> None:
        connection.sendall(answer())
        hang_up(connection)
        left.set()

    async def scene(fast: FastAsync) -> None:
        await fast.call(READ)
        await asyncio.to_thread(left.wait, 30)
        await asyncio.sleep(0.05)
        await fast.call(COUNT)

    with Scripted([leave]) as script:
        run(script.url, scene, ONCE)
        assert script.connections == 2


def test_an_answer_that_nobody_asked_for_spoils_the_connection() -> None:
    async def scene(fast: FastAsync) -> list[bytes]:
        first = await fast.call(READ)
        await asyncio.sleep(0.05)
        return [first, await fast.call(READ)]

    with Scripted([answer(b'{"n":1}') + answer(b'{"n":2}'), answer(b'{"n":3}')]) as script:
        assert run(script.url, scene, ONCE) == [b'{"n":1}', b'{"n":3}']
        assert script.connections == 2


# ---- many at once ----------------------------------------------------------------------------------------------------


def test_ten_thousand_at_once_share_few_connections(server: Server) -> None:
    resource = pytest.importorskip("resource")
    peak = 0

    async def scene(fast: FastAsync) -> None:
        nonlocal peak

        async def one(number: int) -> None:
            nonlocal peak
            await fast.call(READ)
            if number % 100 == 0:
                peak = max(peak, server.connection_count)

        await asyncio.gather(*(one(number) for number in range(10_000)))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run(server.url, scene, config=limited(7))
    assert 0 < peak <= 7
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000  # kilobytes, of tasks mostly


def test_who_waits_is_served_in_order() -> None:
    async def scene(fast: FastAsync) -> list[int]:
        served: list[int] = []

        async def one(number: int) -> None:
            await fast.call(READ)
            served.append(number)

        await asyncio.gather(*(one(number) for number in range(20)))
        return served

    with Scripted() as script:
        assert run(script.url, scene, config=limited(1)) == list(range(20))
        assert script.connections == 1


def test_trouble_does_not_leak_room() -> None:
    async def scene(fast: FastAsync) -> list[Any]:
        first = await asyncio.gather(*(fast.call(READ) for _ in range(9)), return_exceptions=True)
        return [*first, *[await fast.call(READ) for _ in range(3)]]

    with Scripted([hang_up, half] * 4) as script:
        outcomes = run(script.url, scene, ONCE, config=limited(2))
    assert sum(isinstance(each, errors.ConnectionFailed) for each in outcomes) == 8
    assert outcomes.count(b"{}") == 4  # which of the nine got through depends on the order in which they arrived
    assert outcomes[9:] == [b"{}"] * 3


def test_a_fresh_connection_is_to_be_had_though_idle_ones_fill_the_pool() -> None:
    async def scene(fast: FastAsync) -> list[bytes]:
        await asyncio.gather(fast.call(READ), fast.call(READ))
        return await asyncio.gather(fast.call(READ), fast.call(READ))

    with Scripted([answer(), answer(), hang_up, hang_up]) as script:
        assert run(script.url, scene, config=limited(2)) == [b"{}"] * 2


# ---- cancellation ----------------------------------------------------------------------------------------------------


def test_a_cancelled_call_takes_its_connection_with_it() -> None:
    asked = threading.Event()
    go_on = threading.Event()

    def late(connection: socket.socket) -> None:
        asked.set()
        go_on.wait(5)
        connection.sendall(answer(b'{"n":"too late"}'))

    async def scene(fast: FastAsync) -> bytes:
        call = asyncio.create_task(fast.call(COUNT))
        await asyncio.to_thread(asked.wait, 5)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        go_on.set()
        return await fast.call(READ)

    with Scripted([late, answer(b'{"n":"mine"}')]) as script:
        assert run(script.url, scene, config=limited(1)) == b'{"n":"mine"}'
        assert script.connections == 2


def test_cancelled_waiters_give_their_place_away() -> None:
    async def scene(fast: FastAsync) -> list[Any]:
        calls = [asyncio.create_task(fast.call(READ)) for _ in range(40)]
        await asyncio.sleep(0)
        for number in (*range(0, 40, 3), *range(20, 30)):
            await asyncio.sleep(0)
            calls[number].cancel()
        return await asyncio.gather(*calls, return_exceptions=True)

    with Scripted() as script:
        outcomes = run(script.url, scene, config=limited(2))
        assert {type(each) for each in outcomes} == {bytes, asyncio.CancelledError}
        assert run(script.url, lambda fast: fast.call(READ), config=limited(2)) == b"{}"


def test_cancelling_at_any_moment_leaves_the_pool_whole() -> None:
    async def scene(fast: FastAsync) -> None:
        for rounds in range(30):
            calls = [asyncio.create_task(fast.call(READ)) for _ in range(4)]
            for _ in range(rounds):
                await asyncio.sleep(0)
            calls[rounds % 4].cancel()
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            assert sum(outcome == b"{}" for outcome in outcomes) >= 3

    with Scripted() as script:
        run(script.url, scene, config=limited(2))


def test_closing_ends_those_who_wait() -> None:
    asked = threading.Event()

    async def play() -> None:
        fast = connected(script.url, ONCE, config=limited(1), timeout=5)
        calls = [asyncio.create_task(fast.call(READ)) for _ in range(2)]
        await asyncio.to_thread(asked.wait, 5)
        await fast.close()
        with pytest.raises(errors.TransportError, match="was closed"):
            await calls[1]
        calls[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await calls[0]
        with pytest.raises(errors.TransportError, match="was closed"):
            await fast.call(READ)

    def ask_and_wait(connection: socket.socket) -> None:
        asked.set()
        silent(connection)

    with Scripted([ask_and_wait]) as script:
        asyncio.run(play())


# ---- loops, processes ------------------------------------------------------------------------------------------------


def test_one_loop_after_the_other(server: Server) -> None:
    fast = connected(server.url)
    for _ in range(3):
        assert b"Item" in asyncio.run(fast.call(READ))
        gc.collect()  # a connection that was not closed with its loop would complain here
    asyncio.run(fast.close())


def test_loops_in_several_threads(server: Server) -> None:
    fast = connected(server.url)
    replies: list[bytes] = []

    async def some() -> None:
        replies.extend(await asyncio.gather(*(fast.call(READ) for _ in range(20))))

    threads = [threading.Thread(target=lambda: asyncio.run(some())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(replies) == 80
    asyncio.run(fast.close())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_process_uses_its_own_connections() -> None:
    with Scripted([answer(b'{"n":1}'), answer(b'{"n":2}'), answer(b'{"n":3}')]) as script:
        fast = connected(script.url)
        loop = asyncio.new_event_loop()
        assert loop.run_until_complete(fast.call(READ)) == b'{"n":1}'
        child = os.fork()
        if child == 0:
            os._exit(0 if asyncio.run(fast.call(READ)) == b'{"n":2}' else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert loop.run_until_complete(fast.call(READ)) == b'{"n":3}'
        assert script.connections == 2
        loop.run_until_complete(fast.close())
        loop.close()


def test_uvloop_will_do(server: Server) -> None:
    uvloop = pytest.importorskip("uvloop")
    fast = connected(server.url, config=limited(3))

    async def some() -> list[bytes]:
        return await asyncio.gather(*(fast.call(READ) for _ in range(50)))

    for _ in range(2):
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            assert len(runner.run(some())) == 50


def test_moto_answers_instead_of_aws() -> None:
    async def scene(fast: FastAsync) -> bytes:
        await fast.call(Call("CreateTable", TABLE))
        await fast.call(PUT)
        return await fast.call(READ)

    with mock_aws():
        found = run("https://dynamodb.us-east-1.amazonaws.com", scene)
    assert msgspec.json.decode(found) == {"Item": PUT.params["Item"]}


# ---- TLS and proxies -------------------------------------------------------------------------------------------------


def test_an_authority_can_be_named(certificates: Certificates) -> None:
    async def scene(fast: FastAsync) -> list[bytes]:
        return [await fast.call(READ) for _ in range(2)]

    with Scripted(wrap=secure(certificates.server_context())) as script:
        url = f"https://localhost:{script.port}"
        assert run(url, scene, verify=certificates.authority) == [b"{}"] * 2
        assert script.connections == 1


def test_an_unknown_authority_is_refused_at_once(certificates: Certificates) -> None:
    with Scripted(wrap=secure(certificates.server_context())) as script:
        with pytest.raises(errors.ConnectionFailed, match="certificate of localhost is not trusted"):
            run(f"https://localhost:{script.port}", lambda fast: fast.call(READ))
        assert script.connections == 1


def test_https_goes_through_a_tunnel(certificates: Certificates) -> None:
    relay = Relay()
    with Scripted(wrap=secure(certificates.server_context())) as script, Scripted(wrap=relay) as proxy:
        config = Config(proxies={"https": f"http://127.0.0.1:{proxy.port}"})
        url = f"https://localhost:{script.port}"
        assert run(url, lambda fast: fast.call(READ), verify=certificates.authority, config=config) == b"{}"
    assert relay.asked[0].startswith(f"CONNECT localhost:{script.port} HTTP/1.1\r\n".encode())


def test_a_proxy_that_refuses_is_quoted() -> None:
    relay = Relay(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    with Scripted(wrap=relay) as proxy:
        config = Config(proxies={"https": f"http://127.0.0.1:{proxy.port}"})
        with pytest.raises(errors.ConnectionFailed, match="407 Proxy Authentication Required"):
            run("https://dynamodb.us-east-1.amazonaws.com", lambda fast: fast.call(READ), config=config)


# ---- keys ------------------------------------------------------------------------------------------------------------


def test_keys_that_must_be_fetched_do_not_block_the_loop(server: Server) -> None:
    asked, fetching = threading.Event(), threading.Event()
    fetched_by: list[threading.Thread] = []

    async def scene(fast: FastAsync) -> bytes:
        ready = fast.writer.credentials.keys()

        class Slow:
            is_ready = False

            def keys(self) -> Any:
                fetched_by.append(threading.current_thread())
                asked.set()
                fetching.wait(5)
                return ready

            def renew(self) -> None:
                """There is nothing to renew."""

        fast.writer.credentials = Slow()
        call = asyncio.create_task(fast.call(READ))
        await asyncio.to_thread(asked.wait, 5)
        fetching.set()
        return await call

    assert b"Item" in run(server.url, scene)
    assert fetched_by[0] is not threading.main_thread()
