"""Sending while somebody looks on: the same replies come back, and observers are told of every call after it.

To know what a call costs it must be asked to tell. That is done here, and taken out of the reply again, so that
operations see the replies they would see unobserved.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.observing.observation import READS, WRITES, Consumed, Observation, tables_in
from tablewright.runtime.observing.reply_stats import counted, parts_of, read_capacity
from tablewright.runtime.operations.names import name_of
from tablewright.runtime.transports.trace import Trace
from tablewright.wire.call import Call, Reply

if TYPE_CHECKING:
    from tablewright.runtime.flow import AsyncSend, Send
    from tablewright.runtime.transports import AsyncTransport, Transport

Observer: TypeAlias = Callable[[Observation], Any]

log = logging.getLogger("tablewright")
calls = logging.getLogger("tablewright.calls")

METERED = READS | WRITES
ASKED = "ReturnConsumedCapacity"


def check_observers(observe: Observer | Iterable[Observer] | None) -> tuple[Observer, ...]:
    """One or several functions that take an observation."""
    observers = () if observe is None else (observe,) if callable(observe) else tuple(observe)
    for each in observers:
        if not callable(each):
            raise RequestError(f"observe={each!r:.40}: an observer is a function that takes an Observation", code=1021)
    return observers


def observed(transport: Transport, operation: Any, observers: tuple[Observer, ...]) -> Send:
    name = name_of(operation)

    def send(call: Call) -> Reply:
        sight = _Sight(name, call, metered=bool(observers))
        try:
            reply = transport.call(sight.call, sight.trace)
        except BaseException as error:  # who breaks off with Ctrl-C has made a call, too
            _tell(observers, sight.failed(error))
            raise
        return sight.answered(reply, observers)

    return send


def aobserved(transport: AsyncTransport, operation: Any, observers: tuple[Observer, ...]) -> AsyncSend:
    name = name_of(operation)

    async def send(call: Call) -> Reply:
        sight = _Sight(name, call, metered=bool(observers))
        try:
            reply = await transport.call(sight.call, sight.trace)
        except BaseException as error:  # cancellations, too
            _tell(observers, sight.failed(error))
            raise
        return sight.answered(reply, observers)

    return send


def _tell(observers: tuple[Observer, ...], seen: Observation) -> None:
    calls.debug("%s", seen)
    for observer in observers:
        try:
            observer(seen)
        except Exception:  # an observer must not break what it observes
            log.exception("an observer failed on %s", seen)


class _Sight:
    """One call while it is under way."""

    __slots__ = ("asked", "call", "name", "started", "trace")

    def __init__(self, name: str, call: Call, *, metered: bool) -> None:
        self.name = name
        self.asked = metered and call.action in METERED and ASKED not in call.params
        self.call = Call(call.action, {**call.params, ASKED: "INDEXES"}, call.once) if self.asked else call
        self.trace = Trace()
        self.started = time.perf_counter()

    def answered(self, reply: Reply, observers: tuple[Observer, ...]) -> Reply:
        """Tell of the call; the reply as it would have been."""
        took = time.perf_counter() - self.started
        try:
            parts = parts_of(reply) if self.call.action in METERED else {}
            consumed = parts.pop("ConsumedCapacity", None) if self.asked else parts.get("ConsumedCapacity")
            read, returned = counted(self.call.action, parts)
            capacity = read_capacity(consumed)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # whoever reads it will say what is wrong
            _tell(observers, self.observation(took, None))
            return reply
        _tell(observers, self.observation(took, None, capacity, read, returned))
        return reply if consumed is None or not self.asked else msgspec.json.encode(parts)

    def failed(self, error: BaseException) -> Observation:
        return self.observation(time.perf_counter() - self.started, error)

    def observation(
        self,
        took: float,
        error: BaseException | None,
        capacity: tuple[Consumed, ...] = (),
        read: int | None = None,
        returned: int | None = None,
    ) -> Observation:
        params = self.call.params
        return Observation(
            name=self.name,
            action=self.call.action,
            tables=tables_in(params),
            index=params.get("IndexName"),
            call=self.call,
            duration_seconds=took,
            attempts=max(self.trace.attempts, 1),
            faults=tuple(self.trace.faults),
            waited_seconds=self.trace.waited_seconds,
            capacity=capacity,
            items_read=read,
            items_returned=returned,
            error=error,
        )
