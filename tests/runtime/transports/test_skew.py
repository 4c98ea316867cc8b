"""A clock that is wrong is set right by all who were refused together, without anybody failing or going too far."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from calendar import timegm
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate

import pytest

from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.fast import open_fast
from tablewright.runtime.transports.fast_async import open_fast_async
from tablewright.runtime.transports.settings import Settings, read_settings
from tablewright.wire.call import Call
from tests.runtime.transports.scripted import Scripted, answer, header, refusal

MANY = 50
READ = Call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}})
COUNT = Call("UpdateItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :one"})
STRICT = Retry(attempts=2, budget=0)  # one correction, and not a single retry besides


class Strict(Scripted):
    """Refuses what is signed with another time than its own, as DynamoDB does. The first `gathered` requests are
    answered only when they are all there, and then one after the other.
    """

    def __init__(self, gathered: int, ahead_seconds: float = 0.0) -> None:
        super().__init__()
        self.ahead_seconds = ahead_seconds
        self.refused = 0
        self.steps = [self.gather] * gathered + [self.judge] * 10_000
        self._all_here = threading.Barrier(gathered)
        self._turn = threading.Lock()

    def now(self) -> float:
        return time.time() + self.ahead_seconds

    def gather(self, connection: socket.socket) -> None:
        said = self.verdict(self.request_of(connection))
        self._all_here.wait(20)
        with self._turn:
            time.sleep(0.01)  # the first have corrected the clock before the last hear that it is wrong
            connection.sendall(said)

    def judge(self, connection: socket.socket) -> None:
        connection.sendall(self.verdict(self.request_of(connection)))

    def verdict(self, request: bytes) -> bytes:
        now = self.now()
        date = f"Date: {formatdate(now, usegmt=True)}\r\n"
        if abs(signed_at(request) - now) <= 300:
            return answer(headers=date)
        self.refused += 1
        return refusal("InvalidSignatureException", "Signature expired", headers=date)


def signed_at(request: bytes) -> float:
    return float(timegm(time.strptime(header(request, "X-Amz-Date") or "", "%Y%m%dT%H%M%SZ")))


def settings(url: str) -> Settings:
    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
    return read_settings(endpoint_url=url, region_name="us-east-1", **keys)


@pytest.mark.parametrize("hours", [-26, -2, 2, 26])
@pytest.mark.parametrize("call", [READ, COUNT], ids=["read", "count"])
def test_fifty_threads_recover_together(hours: int, call: Call) -> None:
    with Strict(MANY, ahead_seconds=hours * 3600.0) as server, ThreadPoolExecutor(MANY) as threads:
        fast = open_fast(settings(server.url), retry=STRICT)
        assert [*threads.map(lambda _: fast.call(call), range(MANY))] == [b"{}"] * MANY
        assert abs(fast.writer.offset_seconds - hours * 3600) < 10
        assert server.refused == MANY
        assert [*threads.map(lambda _: fast.call(call), range(MANY))] == [b"{}"] * MANY
        assert server.refused == MANY  # nobody is refused from now on
        fast.close()


@pytest.mark.parametrize("hours", [-26, 2])
def test_fifty_tasks_recover_together(hours: int) -> None:
    with Strict(MANY, ahead_seconds=hours * 3600.0) as server:
        fast = open_fast_async(settings(server.url), retry=STRICT)

        async def main() -> None:
            assert await asyncio.gather(*(fast.call(COUNT) for _ in range(MANY))) == [b"{}"] * MANY
            assert abs(fast.writer.offset_seconds - hours * 3600) < 10
            assert await asyncio.gather(*(fast.call(COUNT) for _ in range(MANY))) == [b"{}"] * MANY
            await fast.close()

        asyncio.run(main())
        assert server.refused == MANY


def test_a_clock_that_is_set_meanwhile_is_followed() -> None:
    """The machine's own clock jumps back to the right time after it was corrected for."""
    with Strict(1, ahead_seconds=7200.0) as server:
        fast = open_fast(settings(server.url), retry=STRICT)
        assert fast.call(READ) == b"{}"
        server.ahead_seconds = 0.0
        assert fast.call(READ) == b"{}"
        assert abs(fast.writer.offset_seconds) < 10
        fast.close()


def wrong_key(connection: socket.socket) -> None:
    connection.sendall(refusal("InvalidSignatureException", headers=f"Date: {formatdate(usegmt=True)}\r\n"))


def test_wrong_keys_fail_all_alike() -> None:
    steps: list[Callable[[socket.socket], None]] = [wrong_key] * 20
    with Scripted(steps) as server, ThreadPoolExecutor(20) as threads:
        fast = open_fast(settings(server.url))
        failures = [*threads.map(lambda _: type(outcome(fast.call, READ)).__name__, range(20))]
        assert failures == ["ServiceError"] * 20
        assert len(server.requests) == 20
        fast.close()


def outcome(call: Callable[[Call], bytes], what: Call) -> object:
    try:
        return call(what)
    except Exception as error:  # noqa: BLE001 - it is looked at
        return error
