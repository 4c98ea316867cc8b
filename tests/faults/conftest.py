"""A served engine with a table, a proxy in front of it that does harm, and ways through that proxy."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tests.faults.proxy import FaultProxy
from tests.scenarios.museum import TABLE
from tests.scenarios.ways import LOGIN, Run, awaited, blocking

PATIENT = tw.Retry(attempts=6, base_seconds=0.005, cap_seconds=0.02, budget=None)
LONG_SECONDS = 10.0
HANGING_SECONDS = 120.0
SHORT_SECONDS = 0.75
"""For tests that wait for it; a busy machine may be as slow as that without any fault."""

WAYS: dict[str, Callable[..., AbstractContextManager[Run]]] = {
    "fast": lambda **settings: blocking(tw.Database.aws(**settings)),
    "fast async": lambda **settings: awaited(lambda: tw.AsyncDatabase.aws(**settings)),
}


@dataclass(frozen=True, slots=True)
class Troubled:
    """A way through the proxy, and one straight to the engine to see what is true."""

    run: Run
    proxy: FaultProxy
    truth: tw.Database


@contextmanager
def nothing_hangs(proxy: FaultProxy) -> Generator[None]:
    """Answers that were held back end when nobody should be waiting for them any more, and then the test has failed."""
    overdue = threading.Timer(HANGING_SECONDS, proxy.hang_up)
    overdue.start()
    try:
        yield
        assert overdue.is_alive(), "somebody waited far beyond the timeout"
    finally:
        overdue.cancel()
        overdue.join()


@pytest.fixture
def proxy_and_engine() -> Iterator[tuple[FaultProxy, Engine]]:
    with Engine() as engine, serve(engine) as server:
        engine.call("CreateTable", TABLE)
        with FaultProxy(server.port) as proxy, nothing_hangs(proxy):
            yield proxy, engine


@contextmanager
def through(
    way: str, proxy: FaultProxy, engine: Engine, timeout: float, retry: tw.Retry = PATIENT
) -> Generator[Troubled]:
    with WAYS[way](endpoint_url=proxy.url, retry=retry, timeout=timeout, **LOGIN) as run:
        yield Troubled(run, proxy, tw.Database.embedded(engine=engine))


@pytest.fixture(params=WAYS)
def troubled(request: pytest.FixtureRequest, proxy_and_engine: tuple[FaultProxy, Engine]) -> Iterator[Troubled]:
    with through(request.param, *proxy_and_engine, LONG_SECONDS) as made:
        yield made


@pytest.fixture(params=WAYS)
def hasty(request: pytest.FixtureRequest, proxy_and_engine: tuple[FaultProxy, Engine]) -> Iterator[Troubled]:
    """With so little time for an answer that a test can wait for its end."""
    with through(request.param, *proxy_and_engine, SHORT_SECONDS) as made:
        yield made
