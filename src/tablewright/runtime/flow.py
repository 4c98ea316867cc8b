"""Operations without I/O: a flow yields effects and is sent replies; a driver carries the effects out.

The drivers are the only code that knows whether the world is synchronous. A failed call is thrown into the flow, so
that an operation can turn DynamoDB's no into its own answer.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeAlias, TypeVar

import msgspec

from tablewright.wire.call import Call, Reply

R = TypeVar("R")


class Together(msgspec.Struct, frozen=True):
    """Several calls that may run at the same time, `width` of them at once; the reply is the list of replies."""

    calls: tuple[Call, ...]
    width: int = 1


class Pause(msgspec.Struct, frozen=True):
    """Wait before going on."""

    seconds: float


Effect: TypeAlias = Call | Together | Pause
Flow: TypeAlias = Generator[Effect, Any, R]
Send: TypeAlias = Callable[[Call], Reply]
AsyncSend: TypeAlias = Callable[[Call], Awaitable[Reply]]


def drive(flow: Flow[R], send: Send, *, sleep: Callable[[float], None] = time.sleep) -> R:
    """Run a flow to its end with a blocking `send`."""
    try:
        effect = next(flow)
        while True:
            try:
                answer = carry_out(effect, send, sleep)
            except Exception as error:  # noqa: BLE001 - the flow decides what a failure means
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


async def adrive(flow: Flow[R], send: AsyncSend) -> R:
    """Run a flow to its end with a `send` that may have to be awaited."""
    try:
        effect = next(flow)
        while True:
            try:
                answer = await acarry_out(effect, send)
            except Exception as error:  # noqa: BLE001 - the flow decides what a failure means
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


async def acarry_out(effect: Effect, send: AsyncSend) -> Any:
    import asyncio  # whoever awaits this has paid for the import already

    match effect:
        case Call():
            return await send(effect)
        case Together(calls=calls):
            return await asyncio.gather(*(send(call) for call in calls))
        case Pause(seconds=seconds):
            return await asyncio.sleep(seconds)


def carry_out(effect: Effect, send: Send, sleep: Callable[[float], None]) -> Any:
    match effect:
        case Call():
            return send(effect)
        case Together(calls=calls):
            return [send(call) for call in calls]
        case Pause(seconds=seconds):
            return sleep(seconds)
