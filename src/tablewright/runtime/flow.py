"""Operations without I/O: a flow yields effects and is sent replies; a driver carries the effects out.

The drivers are the only code that knows whether the world is synchronous. A failed call is thrown into the flow, so
that an operation can turn DynamoDB's no into its own answer.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import msgspec

from tablewright.errors import BadAnswer, FieldFault, TablewrightError, ValidationError
from tablewright.runtime.blob_store import Blob, akept, kept
from tablewright.wire.call import Call, Reply
from tablewright.wire.values import UnstorableValueError

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from tablewright.runtime.blob_store import AsyncBlobStore, BlobStore

R = TypeVar("R")


class Together(msgspec.Struct, frozen=True):
    """Several calls (or blobs) that may run at the same time, `width` of them at once.

    The answer is a list with the reply to each call, or the exception in its place: one failure must not hide what
    became of the others.
    """

    calls: tuple[Call | Blob, ...]
    width: int = 1


class Pause(msgspec.Struct, frozen=True):
    """Wait before going on."""

    seconds: float


Effect: TypeAlias = Call | Together | Pause | Blob
Outcome: TypeAlias = Reply | Exception
Flow: TypeAlias = Generator[Effect, Any, R]
Send: TypeAlias = Callable[[Call], Reply]
AsyncSend: TypeAlias = Callable[[Call], Awaitable[Reply]]
AsyncSleep: TypeAlias = Callable[[float], Awaitable[None]]


def drive(
    flow: Flow[R], send: Send, *, sleep: Callable[[float], None] = time.sleep, blobs: BlobStore | None = None
) -> R:
    """Run a flow to its end with a blocking `send`, and a store where it deals with blobs."""
    answer: Any = None
    effect: Any = None
    try:
        effect = next(flow)
        while True:
            try:
                # Nearly all effects are single calls, which are spared a function.
                answer = send(effect) if type(effect) is Call else carry_out(effect, send, sleep, blobs)
            except Exception as error:  # noqa: BLE001 - the flow decides what a failure means
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    except Exception as error:
        _explain(effect, answer, error)
        raise


async def adrive(
    flow: Flow[R],
    send: AsyncSend,
    *,
    sleep: AsyncSleep | None = None,
    blobs: AsyncBlobStore | BlobStore | None = None,
) -> R:
    """Run a flow to its end with a `send` that may have to be awaited."""
    answer: Any = None
    effect: Any = None
    try:
        effect = next(flow)
        while True:
            try:
                answer = await (send(effect) if type(effect) is Call else _acarry_out(effect, send, sleep, blobs))
            except Exception as error:  # noqa: BLE001 - the flow decides what a failure means
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    except Exception as error:
        _explain(effect, answer, error)
        raise


def _explain(effect: Any, answer: Any, error: Exception) -> None:
    """Raise what an error really means, where that is known: text that cannot be stored, or a bad answer."""
    half = error.__cause__ if isinstance(error, TablewrightError) else error  # the engine has it for a cause
    if isinstance(half, UnicodeEncodeError) and isinstance(effect, Call | Together):
        raise _unstorable_text(effect, half) from error
    if isinstance(error, UnstorableValueError) or not isinstance(error, TablewrightError):
        _refuse_bad_answer(answer, error)


def _unstorable_text(effect: Any, error: UnicodeEncodeError) -> ValidationError:
    """Half a surrogate pair got as far as the wire: which value of the request has it. Good requests pay nothing."""
    calls = effect.calls if isinstance(effect, Together) else (effect,)
    places = (place for call in calls if isinstance(call, Call) for place in _places_of(call.params, _is_bad_text))
    place = next(places, "the request")
    return ValidationError([FieldFault(place, f"{UNSTORABLE_TEXT} ({error.object[error.start]!a})")])


UNSTORABLE_TEXT = "half a surrogate pair is no text that can be stored; repair it, or store bytes"


def _is_bad_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _places_of(value: Any, is_meant: Callable[[str], bool], place: str = "") -> Iterator[str]:
    """Attributes, or placeholders of an expression by the names they stand beside, whose texts are meant."""
    if isinstance(value, str) and is_meant(value):
        yield place or "the request"
    elif isinstance(value, dict):
        for name, each in cast("dict[str, Any]", value).items():
            known = name in PARTS_OF_A_REQUEST or name in TYPE_CODES
            inside = place if known else f"{place}.{name}" if place else str(name)
            yield from _places_of(each, is_meant, ascii(inside)[1:-1])
    elif isinstance(value, list):
        for each in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _places_of(each, is_meant, place)


TYPE_CODES = frozenset({"S", "N", "B", "SS", "NS", "BS", "L", "M"})
PARTS_OF_A_REQUEST = frozenset(
    {"Item", "Key", "ExpressionAttributeValues", "ExclusiveStartKey", "RequestItems", "PutRequest", "DeleteRequest"}
    | {"Keys", "TransactItems", "Put", "Update", "Delete", "ConditionCheck", "Get"}
)


def _refuse_bad_answer(answer: Any, error: Exception) -> None:
    """Something went wrong with an answer: if it is not one of DynamoDB's, that is what is to be told."""
    from tablewright.wire.answers import answer_fault  # only failures pay for the import

    answers = cast("list[object]", answer) if isinstance(answer, list) else [answer]
    for each in answers:
        fault = answer_fault(each) if isinstance(each, bytes) else None
        if fault is not None:
            raise BadAnswer(
                f"the answer cannot be DynamoDB's: {fault}; something in between may have sent it"
            ) from error


async def _acarry_out(
    effect: Effect,
    send: AsyncSend,
    sleep: AsyncSleep | None = None,
    blobs: AsyncBlobStore | BlobStore | None = None,
) -> Any:
    import asyncio  # whoever awaits this has paid for the import already

    match effect:
        case Call():
            return await send(effect)
        case Together(calls=calls, width=width):
            free = asyncio.Semaphore(width)
            return await asyncio.gather(*(_aoutcome(call, send, blobs, free) for call in calls))
        case Pause(seconds=seconds):
            return await (sleep or asyncio.sleep)(seconds)
        case Blob():
            return await akept(effect, blobs)
        case _:  # whoever sends knows what it is
            return await send(effect)


async def _aoutcome(
    call: Call | Blob,
    send: AsyncSend,
    blobs: AsyncBlobStore | BlobStore | None,
    free: AbstractAsyncContextManager[Any],
) -> Any:
    async with free:
        try:
            return await (send(call) if isinstance(call, Call) else _acarry_out(call, send, None, blobs))
        except Exception as error:  # noqa: BLE001 - an outcome like any other
            return error


def carry_out(effect: Effect, send: Send, sleep: Callable[[float], None], blobs: BlobStore | None = None) -> Any:
    match effect:
        case Call():
            return send(effect)
        case Together(calls=calls, width=width):
            return _outcomes(calls, width, send, blobs)
        case Pause(seconds=seconds):
            return sleep(seconds)
        case Blob():
            return kept(effect, blobs)
        case _:  # whoever sends knows what it is
            return send(effect)


def _outcomes(calls: tuple[Call | Blob, ...], width: int, send: Send, blobs: BlobStore | None = None) -> list[Outcome]:
    """Send the calls from as many threads as are allowed and needed; context variables are the caller's."""
    threads = min(width, len(calls))
    if threads <= 1:
        return [_outcome(call, send, blobs) for call in calls]
    from contextvars import copy_context

    from tablewright.runtime.threads import crew_of  # only for those who want several calls at once

    with crew_of(threads) as crew:
        # A context can be entered by one thread at a time, so that each call gets a copy (which is cheap).
        running = [crew.submit(copy_context().run, _outcome, call, send, blobs) for call in calls]
        return [each.result() for each in running]


def _outcome(call: Call | Blob, send: Send, blobs: BlobStore | None) -> Any:
    try:
        return send(call) if isinstance(call, Call) else carry_out(call, send, time.sleep, blobs)
    except Exception as error:  # noqa: BLE001 - an outcome like any other
        return error
