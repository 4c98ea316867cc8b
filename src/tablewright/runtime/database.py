"""Databases: something that operations can be run on, blocking or awaited. Both drive the same flows.

A database is a transport and who looks on. It holds no state of its own, so it may be shared by threads and processes
as far as its transport may.
"""

from __future__ import annotations

import sys
import time
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, Unpack, overload

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.tenant.guard import refuse_others
from tablewright.runtime.flow import adrive, drive
from tablewright.runtime.operations import bulk
from tablewright.runtime.operations.members import kept_by
from tablewright.runtime.operations.query import Page
from tablewright.runtime.options import read_options
from tablewright.runtime.tables import check_table, create_table, delete_table, wait_for_table
from tablewright.runtime.tables.settings import PATIENCE_SECONDS
from tablewright.runtime.transports.forks import not_pickled

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator
    from logging import Logger
    from pathlib import Path

    from tablewright.runtime.backoff import Retry
    from tablewright.runtime.blob_store import AsyncBlobStore, BlobStore
    from tablewright.runtime.features.blobs.exchange import Passing
    from tablewright.runtime.features.jobs.job import Job
    from tablewright.runtime.features.jobs.progress import Progress
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.flow import AsyncSend, Flow, Send
    from tablewright.runtime.items.item import StoredCollection
    from tablewright.runtime.observing.explain import Explained
    from tablewright.runtime.observing.observation import Observation
    from tablewright.runtime.observing.observe import Observer
    from tablewright.runtime.operations.bulk import Written
    from tablewright.runtime.operations.delete import Delete
    from tablewright.runtime.operations.gather import Gather
    from tablewright.runtime.operations.get import Get
    from tablewright.runtime.operations.put import Put
    from tablewright.runtime.requests.request import Operation
    from tablewright.runtime.tables.declared import AnyService
    from tablewright.runtime.tables.difference import Difference
    from tablewright.runtime.tables.settings import TableSettings
    from tablewright.runtime.transports import AsyncTransport, Transport
    from tablewright.runtime.transports.aws.opening import AwsSettings
    from tablewright.runtime.transports.embedded import Engine

R = TypeVar("R")
C = TypeVar("C", bound="StoredCollection")

DEBUG = 10
"""logging's level of this name."""


def _checked(transport: R, opener: str) -> R:
    """A client of boto3 is the first thing that people who know it give."""
    if callable(getattr(transport, "call", None)):
        return transport
    remedy = f"write tw.{opener}.aws(client=client) for a client of boto3, or tw.{opener}.embedded()"
    raise RequestError(f"{transport!r:.60} is no transport; {remedy}", code=1023)


class Database:
    """Runs operations on a transport: `db.run(operation)`, `for task in db.iter(query)`."""

    def __init__(
        self,
        transport: Transport,
        *,
        observe: Observer | Iterable[Observer] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        blobs: BlobStore | None = None,
    ) -> None:
        self.transport = _checked(transport, "Database")
        self.blobs = blobs
        self.observers = _observers_of(observe)
        self.sleep = sleep

    __reduce__ = not_pickled

    @classmethod
    def aws(
        cls,
        *,
        observe: Observer | Iterable[Observer] | None = None,
        blobs: BlobStore | None = None,
        **settings: Unpack[AwsSettings],
    ) -> Self:
        """DynamoDB in AWS, or wherever `endpoint_url` leads. Arguments are named, and defaults found, as in boto3.

        `client` is a boto3 client to send everything through, `session` a boto3 or botocore session to take settings
        from. Nothing is read or opened before the first call. `blobs` keeps large attributes, see `tw.S3Store`.
        """
        from tablewright.runtime.transports.aws.opening import open_transport

        return cls(open_transport(settings), observe=observe, blobs=blobs)

    @classmethod
    def embedded(
        cls,
        path: str | Path | None = None,
        *,
        engine: Engine | None = None,
        retry: Retry | None = None,
        observe: Observer | Iterable[Observer] | None = None,
        blobs: BlobStore | None = None,
    ) -> Self:
        """A DynamoDB in this process: in memory, in the file at `path`, or an engine you made yourself."""
        from tablewright.runtime.transports.embedded import Embedded, engine_at

        transport = Embedded(engine or engine_at(path), retry=retry)
        return cls(transport, observe=observe, sleep=transport.pause, blobs=blobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back connections and files. A closed database cannot be used again."""
        self.transport.close()

    def tenant(self, tenant: Tenant) -> TenantDatabase:
        """The same database for one tenant: it refuses every operation that is not wholly of that tenant."""
        return TenantDatabase(self, tenant)

    @overload
    def run(self, operation: Operation[R], *, explain: Literal[False] = False) -> R: ...
    @overload
    def run(self, operation: Operation[R], *, explain: Literal[True]) -> Explained[R]: ...
    def run(self, operation: Operation[R], *, explain: bool = False) -> R | Explained[R]:
        """Run one operation and give its result; with `explain`, also what running it took."""
        if not explain:
            return drive(flow_of(operation), self._send(operation), sleep=self.sleep, blobs=self.blobs)
        seen: list[Observation] = []
        passed: list[Passing] = []
        send = self._send(operation, seen.append)
        result = drive(flow_of(operation, passed), send, sleep=self.sleep, blobs=self.blobs)
        return _explained(operation, result, seen, passed)

    def _send(self, operation: Operation[Any], *others: Observer) -> Send:
        if not (self.observers or others or _calls_are_logged()):
            return self.transport.call
        from tablewright.runtime.observing.observe import observed

        return observed(self.transport, operation, (*self.observers, *others))

    @overload
    def iter(self, query: Gather[C]) -> Iterator[C]: ...
    @overload
    def iter(self, query: Operation[Page[R]]) -> Iterator[R]: ...
    def iter(self, query: Any) -> Iterator[Any]:
        """All items that answer a query or scan, each page read when it is needed; of a collection, the pages."""
        step = _first_page(query)
        while step is not None:
            page = self.run(step)
            step = _following(step, page)
            yield from _pieces(page)

    def iter_job(self, job: Job) -> Iterator[Progress]:
        """Do a job step by step, and tell how far it is after each; stopping is fine, going on later as well."""
        progress: Progress | None = None
        while progress is None or not progress.is_done:
            progress = self.run(job.next(progress))
            yield progress

    def write_all(self, writes: Iterable[Put[Any] | Delete[Any]], *, concurrent: int = 4) -> Written:
        """Write a stream of puts and deletes in the memory of a few batches; `Incomplete` tells where it stopped."""
        return bulk.write_all(self.run, writes, read_options({"concurrent": concurrent}))

    def get_all(self, gets: Iterable[Get[R]], *, concurrent: int = 4, **options: Any) -> Iterator[R | None]:
        """The items of a stream of gets, in its order, None for missing ones; read a few batches at a time."""
        return bulk.get_all(self.run, gets, read_options({**options, "concurrent": concurrent}))

    def create(
        self,
        service: AnyService,
        *,
        wait: bool = True,
        timeout_seconds: float = PATIENCE_SECONDS,
        **settings: Unpack[TableSettings],
    ) -> None:
        """Make the service's table with its indexes. One that is there as declared is fine; differences are told."""
        self.run(create_table(service, settings, wait=wait, timeout_seconds=timeout_seconds))

    def check(self, service: AnyService, **settings: Unpack[TableSettings]) -> list[Difference]:
        """What the table lacks, or has otherwise, of what the service (and these settings) declare; each in words."""
        return self.run(check_table(service, settings))

    def wait(self, service: AnyService, *, timeout_seconds: float = PATIENCE_SECONDS) -> None:
        """Return once the service's table and its indexes can be used."""
        self.run(wait_for_table(service, timeout_seconds))

    def delete_table(self, service: AnyService, *, timeout_seconds: float = PATIENCE_SECONDS) -> None:
        """Delete the service's table with everything in it, unless it is protected. None there is fine."""
        self.run(delete_table(service, timeout_seconds))


class AsyncDatabase:
    """As Database, awaited: `await db.run(operation)`, `async for task in db.iter(query)`."""

    def __init__(
        self,
        transport: AsyncTransport,
        *,
        observe: Observer | Iterable[Observer] | None = None,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        blobs: AsyncBlobStore | BlobStore | None = None,
    ) -> None:
        self.transport = _checked(transport, "AsyncDatabase")
        self.blobs = blobs
        self.observers = _observers_of(observe)
        self.sleep = sleep

    __reduce__ = not_pickled

    @classmethod
    def aws(
        cls,
        *,
        observe: Observer | Iterable[Observer] | None = None,
        blobs: AsyncBlobStore | BlobStore | None = None,
        **settings: Unpack[AwsSettings],
    ) -> Self:
        """DynamoDB in AWS, or wherever `endpoint_url` leads. Arguments are named, and defaults found, as in boto3.

        `client` is a boto3 client to send everything through, `session` a boto3 or botocore session to take settings
        from. Nothing is read or opened before the first call. `blobs` keeps large attributes, see `tw.S3Store`.
        """
        from tablewright.runtime.transports.aws.opening import open_async_transport

        return cls(open_async_transport(settings), observe=observe, blobs=blobs)

    @classmethod
    def embedded(
        cls,
        path: str | Path | None = None,
        *,
        engine: Engine | None = None,
        retry: Retry | None = None,
        observe: Observer | Iterable[Observer] | None = None,
        blobs: AsyncBlobStore | BlobStore | None = None,
    ) -> Self:
        """A DynamoDB in this process: in memory, in the file at `path`, or an engine you made yourself."""
        from tablewright.runtime.transports.embedded import AsyncEmbedded, engine_at

        transport = AsyncEmbedded(engine or engine_at(path), retry=retry)
        return cls(transport, observe=observe, sleep=transport.pause, blobs=blobs)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Give back connections and files. A closed database cannot be used again."""
        await self.transport.close()

    def tenant(self, tenant: Tenant) -> AsyncTenantDatabase:
        """The same database for one tenant: it refuses every operation that is not wholly of that tenant."""
        return AsyncTenantDatabase(self, tenant)

    @overload
    async def run(self, operation: Operation[R], *, explain: Literal[False] = False) -> R: ...
    @overload
    async def run(self, operation: Operation[R], *, explain: Literal[True]) -> Explained[R]: ...
    async def run(self, operation: Operation[R], *, explain: bool = False) -> R | Explained[R]:
        """Run one operation and give its result; with `explain`, also what running it took."""
        if not explain:
            return await adrive(flow_of(operation), self._send(operation), sleep=self.sleep, blobs=self.blobs)
        seen: list[Observation] = []
        passed: list[Passing] = []
        send = self._send(operation, seen.append)
        result = await adrive(flow_of(operation, passed), send, sleep=self.sleep, blobs=self.blobs)
        return _explained(operation, result, seen, passed)

    def _send(self, operation: Operation[Any], *others: Observer) -> AsyncSend:
        if not (self.observers or others or _calls_are_logged()):
            return self.transport.call
        from tablewright.runtime.observing.observe import aobserved

        return aobserved(self.transport, operation, (*self.observers, *others))

    @overload
    def iter(self, query: Gather[C]) -> AsyncIterator[C]: ...
    @overload
    def iter(self, query: Operation[Page[R]]) -> AsyncIterator[R]: ...
    async def iter(self, query: Any) -> AsyncIterator[Any]:
        """All items that answer a query or scan, each page read when it is needed; of a collection, the pages."""
        step = _first_page(query)
        while step is not None:
            page = await self.run(step)
            step = _following(step, page)
            for item in _pieces(page):
                yield item

    async def iter_job(self, job: Job) -> AsyncIterator[Progress]:
        """Do a job step by step, and tell how far it is after each; stopping is fine, going on later as well."""
        progress: Progress | None = None
        while progress is None or not progress.is_done:
            progress = await self.run(job.next(progress))
            yield progress

    async def write_all(
        self, writes: Iterable[Put[Any] | Delete[Any]] | AsyncIterable[Put[Any] | Delete[Any]], *, concurrent: int = 4
    ) -> Written:
        """Write a stream of puts and deletes in the memory of a few batches; `Incomplete` tells where it stopped."""
        return await bulk.awrite_all(self.run, writes, read_options({"concurrent": concurrent}))

    def get_all(
        self, gets: Iterable[Get[R]] | AsyncIterable[Get[R]], *, concurrent: int = 4, **options: Any
    ) -> AsyncIterator[R | None]:
        """The items of a stream of gets, in its order, None for missing ones; read a few batches at a time."""
        return bulk.aget_all(self.run, gets, read_options({**options, "concurrent": concurrent}))

    async def create(
        self,
        service: AnyService,
        *,
        wait: bool = True,
        timeout_seconds: float = PATIENCE_SECONDS,
        **settings: Unpack[TableSettings],
    ) -> None:
        """Make the service's table with its indexes. One that is there as declared is fine; differences are told."""
        await self.run(create_table(service, settings, wait=wait, timeout_seconds=timeout_seconds))

    async def check(self, service: AnyService, **settings: Unpack[TableSettings]) -> list[Difference]:
        """What the table lacks, or has otherwise, of what the service (and these settings) declare; each in words."""
        return await self.run(check_table(service, settings))

    async def wait(self, service: AnyService, *, timeout_seconds: float = PATIENCE_SECONDS) -> None:
        """Return once the service's table and its indexes can be used."""
        await self.run(wait_for_table(service, timeout_seconds))

    async def delete_table(self, service: AnyService, *, timeout_seconds: float = PATIENCE_SECONDS) -> None:
        """Delete the service's table with everything in it, unless it is protected. None there is fine."""
        await self.run(delete_table(service, timeout_seconds))


def flow_of(operation: Operation[R], passed: list[Passing] | None = None) -> Flow[R]:
    """The operation's flow; where it may meet large attributes, with what goes along (which joins `passed`)."""
    if not hasattr(operation, "flow"):
        remedy = "a check belongs into transact(...)" if hasattr(operation, "clause") else "give it an operation"
        raise RequestError(f"{type(operation).__name__} cannot be run on its own; {remedy}", code=5002)
    keeping = kept_by(operation)
    if not keeping:
        return operation.flow()
    from tablewright.runtime.features.blobs.exchange import Passing  # only for services that have large attributes

    passing = Passing(operation, keeping)
    if passed is not None:
        passed.append(passing)
    return passing.along(operation.flow())


# ---- seeing ----------------------------------------------------------------------------------------------------------


def _observers_of(observe: Observer | Iterable[Observer] | None) -> tuple[Observer, ...]:
    if observe is None:
        return ()
    from tablewright.runtime.observing.observe import check_observers

    return check_observers(observe)


def _calls_are_logged() -> bool:
    """Whether somebody wants to read of calls: nobody before logging is imported, which costs milliseconds."""
    return "logging" in sys.modules and _calls_logger().isEnabledFor(DEBUG)


@cache
def _calls_logger() -> Logger:
    import logging

    return logging.getLogger("tablewright.calls")


def _explained(operation: Operation[R], result: R, seen: list[Observation], passed: list[Passing]) -> Explained[R]:
    from tablewright.runtime.observing.explain import Explained
    from tablewright.runtime.operations.names import name_of

    return Explained(result, name_of(operation), tuple(seen), passed[0].saved if passed else None)


# ---- pages -----------------------------------------------------------------------------------------------------------


def _first_page(query: Any) -> Any:
    """A collection reads all its pages unless told otherwise; here it is."""
    return query.with_options(pages=1) if hasattr(query, "collect") else query


def _following(query: Any, page: Any) -> Any:
    """The query for the page behind this one, None when there is none."""
    if not isinstance(page, Page) and not hasattr(query, "collect"):
        raise RequestError(f"iter() goes through pages, and {type(query).__name__} gives none; use run()", code=5002)
    if page.cursor is None:
        return None
    if hasattr(query, "collect"):
        return query.with_options(cursor=page.cursor)
    options = msgspec.structs.replace(query.options, cursor=page.cursor)
    return msgspec.structs.replace(query, options=options)


def _pieces(page: Page[Any] | StoredCollection) -> Iterable[Any]:
    """What iteration hands out: items, or a page of a collection as it is."""
    return page.items if isinstance(page, Page) else (page,)


# ---- for one tenant --------------------------------------------------------------------------------------------------


class TenantDatabase(Database):
    """`db.tenant(app.tenant("w1"))`: the same database, which runs what one tenant may ask, and nothing else."""

    def __init__(self, database: Database, tenant: Tenant) -> None:
        super().__init__(database.transport, observe=database.observers, sleep=database.sleep, blobs=database.blobs)
        self.bound_to = tenant

    def _send(self, operation: Operation[Any], *others: Any) -> Send:
        refuse_others(self.bound_to, operation)
        return super()._send(operation, *others)


class AsyncTenantDatabase(AsyncDatabase):
    """As TenantDatabase, awaited."""

    def __init__(self, database: AsyncDatabase, tenant: Tenant) -> None:
        super().__init__(database.transport, observe=database.observers, sleep=database.sleep, blobs=database.blobs)
        self.bound_to = tenant

    def _send(self, operation: Operation[Any], *others: Any) -> AsyncSend:
        refuse_others(self.bound_to, operation)
        return super()._send(operation, *others)
