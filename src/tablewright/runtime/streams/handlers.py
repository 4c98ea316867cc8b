"""Handlers of changes: who wants which, and the ways in which changes reach them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload
from weakref import WeakKeyDictionary, finalize

from tablewright.errors import RequestError
from tablewright.runtime.streams.batch import Batch, Handled
from tablewright.runtime.streams.changes.events import AnyEvent
from tablewright.runtime.streams.changes.owners import Owners
from tablewright.runtime.streams.changes.sources import deliveries, read, stream_records
from tablewright.runtime.streams.dispatch import events_of, handling
from tablewright.runtime.streams.following.checkpoints import Checkpoints
from tablewright.runtime.streams.registration import Registering, Registration, When, kind_of, name_of, places_of
from tablewright.runtime.streams.steps import atake, run_in, take

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tablewright.runtime.database import AsyncDatabase, Database
    from tablewright.runtime.service import Service
    from tablewright.runtime.streams.changes.differences import Place
    from tablewright.runtime.streams.changes.record import StreamRecord
    from tablewright.runtime.streams.changes.sources import Delivered
    from tablewright.runtime.streams.following.following import Following
    from tablewright.runtime.streams.seen import Seen
    from tablewright.runtime.streams.steps import Steps

A = TypeVar("A", bound=AnyEvent)
B = TypeVar("B", bound=AnyEvent)
C = TypeVar("C", bound=AnyEvent)
H = TypeVar("H", bound="Callable[[StreamRecord], Any]")

Start: TypeAlias = Literal["oldest", "latest"]


class Handlers:
    """Functions that are called when items of a service change.

    `seen` remembers what was handled, so that a record that comes again is not handled again; with it, a failure holds
    back its own item alone. `concurrent` is how many items are handled at once by handlers that are awaited.
    """

    def __init__(self, service: Service, *others: Service, seen: Seen | None = None, concurrent: int = 1) -> None:
        if concurrent < 1:
            raise RequestError(f"concurrent={concurrent}: give a whole number of at least 1", code=1010)
        self.owners = Owners((service, *others))
        self.seen = seen
        self.concurrent = concurrent
        self._registrations: list[Registration] = []
        self._unknown: Registration | None = None
        self._places: WeakKeyDictionary[Any, Checkpoints] = WeakKeyDictionary()
        self._event_loop: Any = None

    # ---- who wants what ------------------------------------------------------------------------------------------

    @overload
    def on(
        self, kind: type[A], /, *, when: When[A] | None = None, changed: Place | Sequence[Place] | None = None
    ) -> Registering[A]: ...
    @overload
    def on(self, kind: type[A], kind2: type[B], /, *, when: When[A | B] | None = None) -> Registering[A | B]: ...
    @overload
    def on(
        self, kind: type[A], kind2: type[B], kind3: type[C], /, *, when: When[A | B | C] | None = None
    ) -> Registering[A | B | C]: ...
    def on(self, *kinds: Any, when: Any = None, changed: Any = None) -> Registering[Any]:
        """Decorates a function, plain or async, that handles such changes: `@handlers.on(tw.Inserted[Order])`.

        `Event[Order]` is any change of an order. `changed` names attributes of which a modification must have changed
        one. `when` is a condition on the item (of a removal, on the item that is gone) or a function of the event.
        """
        if not kinds:
            raise RequestError("on() needs a kind of change, such as Inserted[Order]", code=2002)
        wanted = tuple(kind_of(kind, self.owners) for kind in kinds)
        places = () if changed is None else places_of(changed, wanted)

        def register(handler: Callable[[Any], Any]) -> None:
            name = self._name(handler)
            self._registrations.append(Registration(name, handler, wanted, places, when))

        return Registering(register)

    def unknown(self, handler: H) -> H:
        """Decorates a function that gets the records of items that no declared entity (or version) owns.

        Such records are passed over otherwise. Items that do not belong to the service at all always are.
        """
        self._unknown = Registration(self._name(handler), handler, ())
        return handler

    def _name(self, handler: Callable[[Any], Any]) -> str:
        """A function has one name, however often it is registered. Others may share it where nobody remembers."""
        name = name_of(handler)
        same = next((each.name for each in self._registrations if each.handler == handler), None)
        others = sum(name_of(each.handler) == name for each in self._registrations)
        if same is not None or not others:
            return same or name
        if self.seen is not None:
            raise RequestError(f"two handlers are called {name}, by which they are remembered; rename one", code=2002)
        return f"{name}~{others}"

    # ---- handling what was delivered -----------------------------------------------------------------------------

    def events(self, source: Delivered) -> Iterator[AnyEvent]:
        """The changes of the service's items as events, for whoever wants to go through them."""
        for record in stream_records(source):
            yield from events_of(*self.owners.of_record(record), record)

    def handle(self, source: Delivered) -> Handled:
        """Call the handlers for a Lambda event, a reply of GetRecords, or records; failures are in the answer."""
        batch = self._batch(source)
        for at in batch.order:
            if batch.may_run(at):
                with batch.noting(at):
                    take(self._work(batch, at))
        return batch.result()

    async def ahandle(self, source: Delivered) -> Handled:
        """As handle, awaited: changes of one item one after another, up to `concurrent` items at once."""
        import asyncio

        batch, free = self._batch(source), asyncio.Semaphore(self.concurrent)
        last: dict[str, asyncio.Task[None]] = {}

        async def one(at: int, before: asyncio.Task[None] | None) -> None:
            try:
                if before is not None:
                    await before
                if batch.may_run(at):
                    with batch.noting(at):
                        await atake(self._work(batch, at))
            finally:
                free.release()

        async with asyncio.TaskGroup() as tasks:
            for at in batch.order:
                await free.acquire()
                if batch.may_run(at):
                    item = batch.items[at]
                    last[item] = tasks.create_task(one(at, last.get(item)))
                else:
                    free.release()
        return batch.result()

    def _batch(self, source: Delivered) -> Batch:
        return Batch(deliveries(source), stops=self.seen is None)

    def _work(self, batch: Batch, at: int) -> Steps[None]:
        if not batch.is_repeated(at):
            yield from handling(read(batch.given[at]), self.owners, self._registrations, self._unknown, self.seen)

    def lambda_handler(self, event: Delivered, context: object = None) -> dict[str, list[dict[str, str]]]:  # noqa: ARG002
        """The function to name in Lambda, with ReportBatchItemFailures switched on: failures are logged and reported.

        Async handlers run on an event loop that is kept between invocations.
        """
        handled = run_in(self._loop(), self.ahandle(event)) if self.is_async else self.handle(event)
        _log_failures(handled)
        return handled.report()

    @property
    def is_async(self) -> bool:
        """Whether something here has to be awaited."""
        called = [each.handler for each in self._registrations]
        if self._unknown is not None:
            called.append(self._unknown.handler)
        return any(_is_coroutine(each) for each in called) or _is_awaited(self.seen)

    def _loop(self) -> Any:
        """One event loop for all invocations: the connections of a database live in one."""
        if self._event_loop is None:
            import asyncio

            self._event_loop = asyncio.new_event_loop()
            finalize(self, self._event_loop.close)
        return self._event_loop

    # ---- following a stream --------------------------------------------------------------------------------------

    def catch_up(
        self, db: Database, *, client: Any = None, start: Start = "oldest", checkpoints: Checkpoints | None = None
    ) -> int:
        """Handle what is in the table's stream and was not handled yet; a failure is raised. How many records it was.

        See `follow` for the arguments.
        """
        return take(self._following(db, client, start, checkpoints, handle=self.handle).catch_up())

    async def acatch_up(
        self, db: AsyncDatabase, *, client: Any = None, start: Start = "oldest", checkpoints: Checkpoints | None = None
    ) -> int:
        """As catch_up, awaited."""
        return await atake(self._following(db, client, start, checkpoints, handle=self.ahandle).catch_up())

    def follow(
        self,
        db: Database,
        *,
        stop: Callable[[], bool] | None = None,
        client: Any = None,
        start: Start = "oldest",
        checkpoints: Checkpoints | None = None,
        poll_seconds: float = 1.0,
        attempts: int = 3,
    ) -> None:
        """Handle changes as they come, until `stop()` says so, the stream ends, or a record failed `attempts` times.

        An embedded database has its streams at hand; AWS has them in another service: `client` is what
        `boto3.client("dynamodbstreams")` gives. `checkpoints` say where to go on; without them, where these handlers
        left off with this database. Only where nothing was ever read does `start` matter.
        """
        following = self._following(db, client, start, checkpoints, handle=self.handle)
        take(following.follow(stop, poll_seconds, attempts))

    async def afollow(
        self,
        db: AsyncDatabase,
        *,
        stop: Callable[[], bool] | None = None,
        client: Any = None,
        start: Start = "oldest",
        checkpoints: Checkpoints | None = None,
        poll_seconds: float = 1.0,
        attempts: int = 3,
    ) -> None:
        """As follow, awaited."""
        following = self._following(db, client, start, checkpoints, handle=self.ahandle)
        await atake(following.follow(stop, poll_seconds, attempts))

    def _following(
        self, db: Any, client: Any, start: Start, checkpoints: Checkpoints | None, *, handle: Callable[..., Any]
    ) -> Following:
        from tablewright.runtime.streams.following.following import Following, reader_of

        if start not in ("oldest", "latest"):
            raise RequestError(f'start={start!r}, but must be "oldest" or "latest"', code=1010)
        if checkpoints is None:
            checkpoints = self._places.setdefault(db, Checkpoints())
        return Following(self.owners.services[0], db, reader_of(db, client), handle, start, checkpoints)


def _is_coroutine(handler: Any) -> bool:
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004


def _is_awaited(seen: Seen | None) -> bool:
    database: Any = getattr(seen, "database", None)
    return seen is not None and (_is_coroutine(seen.recall) or _is_coroutine(getattr(database, "run", None)))


def _log_failures(handled: Handled) -> None:
    if not handled.failures:
        return
    import logging

    logger = logging.getLogger("tablewright.streams")
    for failure in handled.failures:
        logger.error("record %s failed and will come again", failure.sequence or "?", exc_info=failure.error)
