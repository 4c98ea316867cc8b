"""A task that is cancelled takes its connection along: nobody else gets its answer."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

import pytest
from botocore.config import Config

import tablewright as tw
from tablewright.engine import Engine
from tests.faults.conftest import PATIENT
from tests.faults.proxy import Fault, FaultProxy, quiet, script
from tests.scenarios.museum import Exhibit, exhibit
from tests.scenarios.ways import LOGIN

NUMBERS = range(30)


def get(number: int) -> Any:
    return Exhibit.key("Uffizi", number=number).get()


async def seen_by(database: tw.AsyncDatabase) -> list[int]:
    return [item.number for item in await asyncio.gather(*(database.run(get(number)) for number in NUMBERS))]


def connected(proxy: FaultProxy) -> tw.AsyncDatabase:
    return tw.AsyncDatabase.aws(endpoint_url=proxy.url, retry=PATIENT, timeout=5, **LOGIN)


def filled(engine: Engine) -> None:
    tw.Database.embedded(engine=engine).run(tw.batch_write(*(exhibit(number).put() for number in NUMBERS)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cancelled_at_any_moment(proxy_and_engine: tuple[FaultProxy, Engine], seed: int) -> None:
    proxy, engine = proxy_and_engine
    filled(engine)
    chance = random.Random(seed)

    async def trouble() -> None:
        async with connected(proxy) as database:
            tasks: list[asyncio.Task[Any]] = []
            for at in range(150):
                tasks.append(asyncio.create_task(database.run(get(at % len(NUMBERS)))))
                await asyncio.sleep(chance.choice([0, 0, 0.0005, 0.002]))
                chance.choice(tasks).cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            for at, result in enumerate(results):
                assert isinstance(result, asyncio.CancelledError) or result.number == at % len(NUMBERS)
            assert any(isinstance(result, asyncio.CancelledError) for result in results)
            assert await seen_by(database) == list(NUMBERS)

    asyncio.run(trouble())


def test_a_second_attempt_is_not_kept_waiting_by_idle_connections(proxy_and_engine: tuple[FaultProxy, Engine]) -> None:
    """Only one connection may be open; while the first call pauses, another opens it and leaves it idle."""
    proxy, engine = proxy_and_engine
    filled(engine)
    retry = tw.Retry(attempts=10, base_seconds=0.1, cap_seconds=0.1)
    proxy.plan = script(*[Fault.DROP_BEFORE] * 3)

    async def trouble() -> None:
        config = Config(max_pool_connections=1)
        async with tw.AsyncDatabase.aws(endpoint_url=proxy.url, retry=retry, config=config, **LOGIN) as database:
            async with asyncio.timeout(20):
                assert await seen_by(database) == list(NUMBERS)

    asyncio.run(trouble())


def test_an_event_loop_that_stands_still_is_no_server_that_does_not_answer(
    proxy_and_engine: tuple[FaultProxy, Engine],
) -> None:
    """As when thousands of tasks begin at once: the connection is there before anybody can look."""
    proxy, engine = proxy_and_engine
    filled(engine)
    once = tw.Retry(attempts=1)

    async def trouble() -> None:
        async with tw.AsyncDatabase.aws(endpoint_url=proxy.url, retry=once, timeout=(0.2, 10), **LOGIN) as database:
            task = asyncio.create_task(database.run(get(1)))
            await asyncio.sleep(0)
            time.sleep(0.5)  # noqa: ASYNC251 - the point
            assert (await task).number == 1

    asyncio.run(trouble())


def test_a_deadline_of_the_caller_ends_the_wait(proxy_and_engine: tuple[FaultProxy, Engine]) -> None:
    proxy, engine = proxy_and_engine
    filled(engine)

    async def trouble() -> None:
        async with connected(proxy) as database:
            assert await seen_by(database) == list(NUMBERS)
            proxy.plan = lambda _: Fault.SLOW_AFTER
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await asyncio.gather(*(database.run(get(number)) for number in NUMBERS))
            proxy.plan = quiet
            assert await seen_by(database) == list(NUMBERS)

    asyncio.run(trouble())
