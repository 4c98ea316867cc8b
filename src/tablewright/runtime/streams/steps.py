"""Work that is the same whether it blocks or is awaited: a generator yields functions to call, and is sent the answers.

It is a flow whose effects are functions. Who takes the steps decides: `take` needs every answer at once, `atake` awaits
those that have to be awaited. What is not asynchronous blocks the event loop there, as it does anywhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from tablewright.errors import RequestError
from tablewright.runtime.flow import adrive, drive

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from tablewright.runtime.flow import Flow

R = TypeVar("R")

Steps: TypeAlias = Generator[Callable[[], Any], Any, R]


def take(steps: Steps[R]) -> R:
    flow: Flow[R] = cast("Any", steps)
    return drive(flow, _at_once)


async def atake(steps: Steps[R]) -> R:
    flow: Flow[R] = cast("Any", steps)
    return await adrive(flow, _awaited)


async def _awaited(step: Any) -> Any:
    answer: Any = step()
    if isinstance(answer, Awaitable):
        answer = await answer  # pyright: ignore[reportUnknownVariableType]
    return answer  # pyright: ignore[reportUnknownVariableType]


def _at_once(step: Any) -> Any:
    answer: Any = step()
    if not isinstance(answer, Awaitable):
        return answer
    _forget(answer)  # pyright: ignore[reportUnknownArgumentType]
    raise RequestError(
        "a handler or the database has to be awaited here; use ahandle, acatch_up or afollow (lambda_handler does)",
        code=2002,
    )


def _forget(waiting: Any) -> None:
    """Close a coroutine that nobody will await, which would be complained about."""
    close: Callable[[], None] | None = getattr(waiting, "close", None)
    if close is not None:
        close()


def run_in(loop: Any, waiting: Coroutine[Any, Any, R]) -> R:
    """Run from blocking code, in an event loop that is kept."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return loop.run_until_complete(waiting)  # type: ignore[no-any-return]
    waiting.close()
    raise RequestError("there is an event loop here already; await handlers.ahandle(event) instead", code=2002)
