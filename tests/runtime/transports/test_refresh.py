"""Keys that were lent are renewed by one caller while the others go on, and a failure is told when it matters."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.credentials import RefreshableCredentials

from tablewright.errors import CredentialsMissing
from tablewright.runtime.backoff import Retry
from tablewright.runtime.transports.aws import container
from tablewright.runtime.transports.credentials import FromBotocore, FromContainer
from tablewright.runtime.transports.fast import open_fast
from tablewright.runtime.transports.fast_async import open_fast_async
from tablewright.runtime.transports.settings import Settings
from tablewright.runtime.transports.sigv4 import Credentials, Keys
from tablewright.wire.call import Call
from tests.runtime.transports.scripted import Scripted, answer, header, refusal

HOUR, MINUTE = 3600.0, 60.0
MANY = 50
READ = Call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}})


class Lender:
    """Lends keys for a time, slowly, on a clock of its own; counts how often it is asked and by how many at once."""

    def __init__(self, lifetime: float = HOUR) -> None:
        self.now = 1_800_000_000.0
        self.lifetime = lifetime
        self.pause = 0.05
        self.gate: threading.Semaphore | None = None  # passed by who lends when all others have passed it
        self.broken = False
        self.count = 0
        self.inside = 0
        self.most_inside = 0
        self._lock = threading.Lock()

    def clock(self) -> float:
        return self.now

    def lend(self) -> tuple[str, float]:
        with self._lock:
            self.count += 1
            number = self.count
            self.inside += 1
            self.most_inside = max(self.most_inside, self.inside)
        time.sleep(self.pause)
        for _ in range(0 if self.gate is None else MANY - 1):
            assert self.gate is not None
            assert self.gate.acquire(timeout=20)
        with self._lock:
            self.inside -= 1
        if self.broken:
            raise CredentialsMissing("the endpoint is down")
        return f"id {number}", self.now + self.lifetime


def of_container(lender: Lender) -> Credentials:
    def fetch() -> container.Lent:
        name, expires = lender.lend()
        return container.Lent(Keys(name, "secret", "token"), expires)

    return FromContainer(fetch, lender.clock)


class Session:
    """As much of botocore's as is needed; `load_credentials` is what its chain would find anew."""

    def __init__(self, lender: Lender) -> None:
        self.lender = lender

    def fetch(self) -> dict[str, str]:
        name, expires = self.lender.lend()
        expiry = datetime.fromtimestamp(expires, UTC).isoformat()
        return {"access_key": name, "secret_key": "secret", "token": "token", "expiry_time": expiry}

    def get_credentials(self) -> Any:
        return self.load_credentials()

    def load_credentials(self) -> Any:
        made = RefreshableCredentials.create_from_metadata(self.fetch(), self.fetch, "assume-role")
        made._time_fetcher = lambda: datetime.fromtimestamp(self.lender.now, UTC)
        return made

    def get_component(self, name: str) -> Any:
        assert name == "credential_provider"
        return self


def of_botocore(lender: Lender) -> Credentials:
    session = Session(lender)
    return FromBotocore(lambda: session, lender.clock)


SOURCES = pytest.mark.parametrize("source", [of_container, of_botocore])


def together(work: Callable[[], Any], many: int = MANY) -> list[Any]:
    """What many threads get that begin at the same moment."""
    start = threading.Barrier(many)

    def one(_: int) -> Any:
        start.wait(10)
        try:
            return work()
        except CredentialsMissing as error:
            return error

    with ThreadPoolExecutor(many) as threads:
        return [*threads.map(one, range(many))]


@SOURCES
def test_the_first_keys_are_fetched_once(source: Callable[[Lender], Credentials]) -> None:
    lender = Lender()
    credentials = source(lender)
    assert {keys.access_key for keys in together(credentials.keys)} == {"id 1"}
    assert lender.count == 1


@SOURCES
@pytest.mark.parametrize("left", [14 * MINUTE, 9 * MINUTE, 2.0])
def test_one_renews_while_the_others_use_good_keys(source: Callable[[Lender], Credentials], left: float) -> None:
    lender = Lender()
    credentials = source(lender)
    credentials.keys()
    lender.now += HOUR - left
    gate = lender.gate = threading.Semaphore(0)

    def work() -> str:
        key = credentials.keys().access_key
        gate.release()  # who renews is kept waiting until all others have their keys
        return key

    found = together(work)
    assert lender.count == 2
    assert sorted(found) == ["id 1"] * (MANY - 1) + ["id 2"]
    assert credentials.keys().access_key == "id 2"


@SOURCES
@pytest.mark.parametrize("left", [14 * MINUTE, 9 * MINUTE, 2.0])
def test_a_failure_is_nobodys_while_keys_are_good(
    source: Callable[[Lender], Credentials], left: float, caplog: pytest.LogCaptureFixture
) -> None:
    lender = Lender()
    credentials = source(lender)
    credentials.keys()
    lender.now += HOUR - left
    lender.broken = True
    with caplog.at_level(logging.WARNING):
        for _ in range(3):  # and nobody asks again at once
            assert {keys.access_key for keys in together(credentials.keys)} == {"id 1"}
            assert credentials.is_ready
    assert lender.count == 2
    assert "secret" not in caplog.text
    lender.now += min(31.0, left / 2)
    lender.broken = False
    if left > 60:
        assert credentials.keys().access_key == "id 3"


@SOURCES
def test_expired_keys_and_a_failure_are_told_to_all(source: Callable[[Lender], Credentials]) -> None:
    lender = Lender()
    credentials = source(lender)
    credentials.keys()
    lender.now += HOUR + 1
    lender.broken = True
    lender.pause = 0.5
    failures = together(credentials.keys)
    assert {type(each) for each in failures} == {CredentialsMissing}
    assert all("the endpoint is down" in str(each) for each in failures)
    assert lender.most_inside == 1
    assert lender.count < MANY / 2  # all who waited for one attempt heard of its outcome
    lender.broken = False
    asked = lender.count
    assert len({keys.access_key for keys in together(credentials.keys)}) == 1
    assert lender.count == asked + 1


@SOURCES
def test_refused_keys_are_replaced_once(source: Callable[[Lender], Credentials]) -> None:
    lender = Lender()
    credentials = source(lender)
    credentials.keys()
    together(lambda: credentials.renew("id 1"))
    assert lender.count == 2
    together(lambda: credentials.renew("id 1"))  # late news: these are gone already
    assert lender.count == 2
    assert credentials.keys().access_key == "id 2"


def test_keys_that_live_for_minutes_are_not_fetched_for_every_call() -> None:
    lender = Lender(lifetime=10 * MINUTE)
    credentials = of_container(lender)
    for _ in range(100):
        credentials.keys()
        lender.now += 1
    assert lender.count == 1
    for _ in range(1200):
        credentials.keys()
        lender.now += 1
    assert 3 <= lender.count <= 5


def test_an_endpoint_that_gives_the_same_keys_again_is_left_in_peace() -> None:
    """ECS hands out the same keys until they are about to expire."""
    lender = Lender()
    end = lender.now + HOUR

    def fetch() -> container.Lent:
        lender.lend()
        return container.Lent(Keys("same", "secret", "token"), end)

    lender.pause = 0.0
    credentials = FromContainer(fetch, lender.clock)
    for _ in range(3600):
        assert credentials.keys().access_key == "same"
        lender.now += 1
    assert lender.count < 40


# ---- through transports ----------------------------------------------------------------------------------------------


def settings(url: str, credentials: Credentials) -> Settings:
    return Settings(endpoint=f"{url}/", region="us-east-1", credentials=credentials)


@SOURCES
def test_many_tasks(source: Callable[[Lender], Credentials]) -> None:
    lender = Lender()
    credentials = source(lender)
    with Scripted() as server:
        fast = open_fast_async(settings(server.url, credentials))

        async def main() -> None:
            await asyncio.gather(*(fast.call(READ) for _ in range(MANY)))
            assert lender.count == 1
            lender.now += HOUR - 9 * MINUTE
            lender.pause = 0.3
            await asyncio.gather(*(fast.call(READ) for _ in range(MANY)))
            assert lender.count == 2
            lender.now += HOUR - 9 * MINUTE
            lender.broken = True
            await asyncio.gather(*(fast.call(READ) for _ in range(MANY)))
            assert lender.count == 3
            lender.now += 10 * MINUTE
            told = await asyncio.gather(*(fast.call(READ) for _ in range(MANY)), return_exceptions=True)
            assert {type(each) for each in told} == {CredentialsMissing}
            await fast.close()

        asyncio.run(main())
        signed = [
            (header(request, "Authorization") or "").split("Credential=")[1].split("/")[0]
            for request in server.requests
        ]
        assert set(signed) == {"id 1", "id 2"}


def test_many_threads_whose_token_has_expired() -> None:
    lender = Lender()

    def judge(connection: socket.socket) -> None:
        is_old = b"Credential=id 1/" in server.request_of(connection)
        connection.sendall(refusal("ExpiredTokenException") if is_old else answer())

    with Scripted([judge] * 1000) as server:
        fast = open_fast(settings(server.url, of_container(lender)), retry=Retry(attempts=2, budget=0))
        fast.writer.credentials.keys()
        assert together(lambda: fast.call(READ)) == [b"{}"] * MANY
        assert lender.count == 2
        fast.close()


def test_keys_that_have_expired_already_are_told() -> None:
    with pytest.raises(CredentialsMissing, match="expired already"):
        of_container(Lender(lifetime=-1)).keys()
