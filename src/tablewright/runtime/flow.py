"""Operations without I/O: a flow yields effects and is sent replies; a driver carries the effects out.

The drivers are the only code that knows whether the world is synchronous. A failed call is thrown into the flow, so
that an operation can turn DynamoDB's no into its own answer.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from tablewright.wire.call import Call, Reply

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

R = TypeVar("R")


class Together(msgspec.Struct, frozen=True):
    """Several calls that may run at the same time, `width` of them at once.

    The answer is a list with the reply to each call, or the exception in its place: one failure must not hide what
    became of the others.
    """

    calls: tuple[Call, ...]
    width: int = 1


class Pause(msgspec.Struct, frozen=True):
    """Wait before going on."""

    seconds: float


Effect: TypeAlias = Call | Together | Pause
Outcome: TypeAlias = Reply | Exception
Flow: TypeAlias = Generator[Effect, Any, R]
Send: TypeAlias = Callable[[Call], Reply]
AsyncSend: TypeAlias = Callable[[Call], Awaitable[Reply]]
AsyncSleep: TypeAlias = Callable[[float], Awaitable[None]]


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


async def adrive(flow: Flow[R], send: AsyncSend, *, sleep: AsyncSleep | None = None) -> R:
    """Run a flow to its end with a `send` that may have to be awaited."""
    try:
        effect = next(flow)
        while True:
            try:
                answer = await acarry_out(effect, send, sleep)
            except Exception as error:  # noqa: BLE001 - the flow decides what a failure means
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


async def acarry_out(effect: Effect, send: AsyncSend, sleep: AsyncSleep | None = None) -> Any:
    import asyncio  # whoever awaits this has paid for the import already

    match effect:
        case Call():
            return await send(effect)
        case Together(calls=calls, width=width):
            free = asyncio.Semaphore(width)
            return await asyncio.gather(*(aoutcome(send, call, free) for call in calls))
        case Pause(seconds=seconds):
            return await (sleep or asyncio.sleep)(seconds)


async def aoutcome(send: AsyncSend, call: Call, free: AbstractAsyncContextManager[Any]) -> Outcome:
    async with free:
        try:
            return await send(call)
        except Exception as error:  # noqa: BLE001 - an outcome like any other
            return error


def carry_out(effect: Effect, send: Send, sleep: Callable[[float], None]) -> Any:
    match effect:
        case Call():
            return send(effect)
        case Together(calls=calls, width=width):
            return outcomes(calls, width, send)
        case Pause(seconds=seconds):
            return sleep(seconds)


def outcomes(calls: tuple[Call, ...], width: int, send: Send) -> list[Outcome]:
    """Send the calls from as many threads as are allowed and needed; context variables are the caller's."""
    threads = min(width, len(calls))
    if threads <= 1:
        return [outcome(send, call) for call in calls]
    from contextvars import copy_context

    from tablewright.runtime.crews import crew_of  # only for those who want several calls at once

    with crew_of(threads) as crew:
        # A context can be entered by one thread at a time, so that each call gets a copy (which is cheap).
        running = [crew.submit(copy_context().run, outcome, send, call) for call in calls]
        return [each.result() for each in running]


def outcome(send: Send, call: Call) -> Outcome:
    try:
        return send(call)
    except Exception as error:  # noqa: BLE001 - an outcome like any other
        return error
