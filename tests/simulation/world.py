"""One world, made from one number: an engine, a true time, clients whose clocks are wrong, and a network with weather.

Everything that is left to chance is drawn from one `Random(seed)`: also the ids, tokens and pauses that the runtime
draws itself (`seeded` puts the same source under `os.urandom` and `random`). There is no thread and no wall clock.
"""

from __future__ import annotations

import os
import random
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.simulation import Clock, Instruments
from tablewright.errors import ConnectionFailed, ServiceError, TimedOut, service_error
from tablewright.runtime.requests.retry_safety import is_read
from tablewright.runtime.transports.retry import Failed
from tablewright.wire.call import Call, Reply
from tablewright.wire.document import read_reply, to_wire
from tests.simulation.tasks import Attempt, Client
from tests.simulation.trace import Trace
from tests.simulation.weather import CRASHES, Fate, Weather

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TIMEOUT_SECONDS = 2.0
LONGEST_STALL_SECONDS = 100.0
LONGEST_DELAY_SECONDS = 30.0


class Crash(Exception):
    """The client's process has ended."""


class World:
    """What clients share."""

    def __init__(
        self, rng: Random, weather: Weather, trace: Trace, *, skew_seconds: float, is_overtaken: bool = False
    ) -> None:
        self.rng, self.weather, self.trace = rng, weather, trace
        self.skew_seconds = skew_seconds
        self.is_overtaken = is_overtaken  # whether an attempt may arrive after its own repetition
        self.clock = Clock()
        self.began = self.clock.now
        instruments = Instruments(
            gsi_lag=weather.gsi_lag_seconds,
            stale_reads=weather.stale_seconds,
            conflicts=lambda _table, _key: self._strikes(self.weather.conflict),
            unprocessed=lambda _table, _member: self._strikes(self.weather.unprocessed),
        )
        self.engine = Engine(clock=self.clock, instruments=instruments)
        self.truth = tw.Database.embedded(engine=self.engine)
        self.late: list[Attempt] = []  # on their way to the engine, while nobody waits for them

    def _strikes(self, chance: float) -> bool:
        return chance > 0 and self.rng.random() < chance

    # ---- time --------------------------------------------------------------------------------------------------------

    def time_of(self, client: Client) -> datetime:
        """What the client's clock shows."""
        return EPOCH + timedelta(seconds=self.clock.now + client.offset_seconds)

    def wrong_clock(self) -> float:
        return self.rng.uniform(-self.skew_seconds, self.skew_seconds)

    def stall_seconds(self) -> float:
        """Mostly short, sometimes longer than any lease."""
        return LONGEST_STALL_SECONDS * self.rng.random() ** 3

    def catch_up(self) -> None:
        """From now on indexes and copies are where the table is."""
        history = self.engine.instruments and self.engine.instruments.history
        if history:
            history.gsi_lag = history.stale_reads = 0.0

    # ---- requests ----------------------------------------------------------------------------------------------------

    def deliver(self, attempt: Attempt, client: Client, fate: Fate | None) -> Reply:
        """One request meets its fate: the reply, `Failed`, or the end of the client."""
        if fate == "crash before":
            raise Crash
        if fate == "unsent":
            raise Failed(ConnectionFailed("the connection broke before the request was sent"), sent=False)
        if fate in ("vanished", "late"):
            self.late += [attempt] if fate == "late" else []
            raise Failed(TimedOut("no answer"), sent=True)
        if fate == "failed before":
            raise Failed(service_error("InternalServerError", "nothing was done"), status=500)
        if fate == "throttled":
            raise Failed(service_error("ThrottlingException", "too much, too fast"), status=400)
        reply = self._handled(attempt.call)
        if fate == "failed after":
            raise Failed(service_error("InternalServerError", "it was done all the same"), status=500)
        if fate == "unheard":
            raise Failed(TimedOut("no answer"), sent=True)
        if fate in CRASHES:
            raise Crash
        return reply

    def _handled(self, call: Call) -> Reply:
        try:
            return msgspec.json.encode(self.engine.handle(call.action, call.params))
        except ServiceError as error:
            raise Failed(error, status=400) from error

    # ---- what is really there ----------------------------------------------------------------------------------------

    def stored(self, table: str) -> list[dict[str, Any]]:
        """Everything a table holds, with plain values."""
        return list(self._pages(table))

    def _pages(self, table: str) -> Iterator[dict[str, Any]]:
        start: dict[str, Any] = {}
        while True:
            call = Call("Scan", {"TableName": table, "ConsistentRead": True, **start})
            reply = read_reply(self._handled(call))
            yield from reply["Items"]
            if "LastEvaluatedKey" not in reply:
                return
            start = to_wire({"ExclusiveStartKey": reply["LastEvaluatedKey"]})


def is_write(call: Call) -> bool:
    return not is_read(call)


@contextmanager
def seeded(rng: Random) -> Generator[None]:
    """Inside, everything that the runtime leaves to chance comes from this source."""
    before = random.getstate()
    random.seed(rng.getrandbits(64))
    try:
        with patch.object(os, "urandom", rng.randbytes):
            yield
    finally:
        random.setstate(before)
