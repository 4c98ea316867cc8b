"""Streams of writes and of gets: any number of them, in the memory of a few batches.

Operations are taken from the stream in windows of as many batches as may run at once. A window is finished before the
next is begun. So two writes of one item happen in their order, and a caller who is stopped knows where: what was taken
and not done is in the error, and what was not taken is still in the stream.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from tablewright.errors import Incomplete
from tablewright.runtime.operations.batches import (
    BatchWrite,
    GetMany,
    check_get,
    check_write,
    place_of_write,
    write_out,
)
from tablewright.runtime.operations.delete import Delete
from tablewright.runtime.operations.put import Put
from tablewright.runtime.options import Options, batches_at_once
from tablewright.runtime.requests.batch_retry import Place
from tablewright.wire.limits import MAX_BATCH_GET_ITEMS, MAX_BATCH_WRITE_ITEMS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.operations.get import Get
    from tablewright.runtime.requests.batch_retry import BatchProgress
    from tablewright.runtime.requests.request import Params

T = TypeVar("T")
E = TypeVar("E")

BatchMember: TypeAlias = Put[Any] | Delete[Any]


class Written(msgspec.Struct, frozen=True):
    """What a stream of writes took: how many were made, in how many requests, and how many had to be sent again."""

    writes: int = 0
    requests: int = 0
    resent: int = 0

    def and_then(self, writes: int, books: BatchProgress) -> Written:
        return Written(self.writes + writes, self.requests + books.requests, self.resent + books.resent)


class Window(msgspec.Struct, frozen=True):
    """A few batches of a stream, written at once."""

    writes: tuple[BatchMember, ...]
    options: Options
    waiting: tuple[BatchMember, ...] = ()  # taken from the stream already, but for the next window
    before: Written = Written()
    places: tuple[Place, ...] = ()  # of the writes

    def after(self, before: Written) -> Window:
        return msgspec.structs.replace(self, before=before)

    def params(self) -> list[Params]:
        return BatchWrite(self.writes, self.options).params()

    def flow(self) -> Flow[Written]:
        try:
            books = yield from write_out(self.writes, self.options, self.places)
        except Incomplete as error:
            error.done += self.before.writes
            error.undone += self.waiting
            raise
        except Exception as error:
            undone = self.writes + self.waiting
            done = self.before.writes
            message = f"a stream of writes stopped after {done}; the next {len(undone)} are in `undone`: {error}"
            raise Incomplete("UnprocessedItems", message, done=done, undone=undone) from error
        return self.before.and_then(len(self.writes), books)


class _Collecting:
    """Collects writes until a window is full, or until one would write an item of the window again."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.size = MAX_BATCH_WRITE_ITEMS * batches_at_once(options)
        self.held: dict[Place, BatchMember] = {}

    def add(self, write: BatchMember) -> Window | None:
        """Take one write; the answer is the window to be written now, if it is time for that."""
        check_write(write)
        place = place_of_write(write, self.options)
        if place in self.held:
            window = self.take(write)
            self.held[place] = write
            return window
        self.held[place] = write
        return self.take() if len(self.held) >= self.size else None

    def take(self, *waiting: BatchMember) -> Window:
        held, self.held = self.held, {}
        return Window(tuple(held.values()), self.options, waiting, places=tuple(held))


# ---- blocking --------------------------------------------------------------------------------------------------------


def _windows_of(writes: Iterable[BatchMember], options: Options) -> Iterator[Window]:
    """The stream in windows. When the stream fails, what came before is still written, and then it fails."""
    collecting = _Collecting(options)
    try:
        for write in writes:
            window = collecting.add(write)
            if window is not None:
                yield window
    except Exception:
        if collecting.held:
            yield collecting.take()
        raise
    if collecting.held:
        yield collecting.take()


def write_all(run: Callable[[Window], Written], writes: Iterable[BatchMember], options: Options) -> Written:
    written = Written()
    for window in _windows_of(writes, options):
        written = run(window.after(written))
    return written


def get_all(
    run: Callable[[GetMany[E]], list[E | None]], gets: Iterable[Get[E]], options: Options
) -> Iterator[E | None]:
    taken: list[Get[E]] = []
    for get in gets:
        check_get(get)
        taken.append(get)
        if len(taken) >= MAX_BATCH_GET_ITEMS * options.concurrent:
            yield from run(GetMany(tuple(taken), options))
            taken = []
    if taken:
        yield from run(GetMany(tuple(taken), options))


# ---- awaited ---------------------------------------------------------------------------------------------------------


async def _each_of(stream: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[T]:
    if isinstance(stream, AsyncIterable):
        async for each in stream:
            yield each
    else:
        for each in stream:
            yield each


async def _awindows_of(
    writes: Iterable[BatchMember] | AsyncIterable[BatchMember], options: Options
) -> AsyncIterator[Window]:
    """As windows_of."""
    collecting = _Collecting(options)
    try:
        async for write in _each_of(writes):
            window = collecting.add(write)
            if window is not None:
                yield window
    except Exception:
        if collecting.held:
            yield collecting.take()
        raise
    if collecting.held:
        yield collecting.take()


async def awrite_all(
    run: Callable[[Window], Awaitable[Written]],
    writes: Iterable[BatchMember] | AsyncIterable[BatchMember],
    options: Options,
) -> Written:
    written = Written()
    async for window in _awindows_of(writes, options):
        written = await run(window.after(written))
    return written


async def aget_all(
    run: Callable[[GetMany[E]], Awaitable[list[E | None]]],
    gets: Iterable[Get[E]] | AsyncIterable[Get[E]],
    options: Options,
) -> AsyncIterator[E | None]:
    taken: list[Get[E]] = []
    async for get in _each_of(gets):
        check_get(get)
        taken.append(get)
        if len(taken) >= MAX_BATCH_GET_ITEMS * options.concurrent:
            for item in await run(GetMany(tuple(taken), options)):
                yield item
            taken = []
    for item in await run(GetMany(tuple(taken), options)) if taken else ():
        yield item
