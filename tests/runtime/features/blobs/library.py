"""A service with large attributes, stores that remember, and databases that die at a chosen step."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import tablewright as tw
from tablewright import Attr, attr

library = tw.Service("library", table=tw.Table("library"))


class Document(tw.Entity, service=library, name="document"):
    """Small facts in the item, the content wherever it fits."""

    shelf: Attr[str]
    number: Attr[str]
    title: Attr[str] = attr(default="")
    content: Attr[bytes | None] = attr(default=None, offload=600, compress="zlib")
    text: Attr[str | None] = attr(default=None, offload=600)
    facts: Attr[dict[str, Any] | None] = attr(default=None, offload=2000, compress="zlib", field="f")

    @tw.primary
    def key(self, shelf: str, *, number: str) -> None:
        """One document."""

    @tw.index("gsi1")
    def by_title(self, title: str) -> None:
        """Documents by title."""


class Comment(tw.Entity, service=library, name="comment"):
    """Another entity, whose attribute of the same name is stored as it is."""

    id: Attr[str]
    content: Attr[bytes]

    @tw.primary
    def key(self, id: str) -> None:  # noqa: A002
        """One comment."""


class MemoryStore:
    """Blobs in a dict."""

    def __init__(self) -> None:
        self.blobs: dict[str, bytes] = {}
        self.times: dict[str, float] = {}

    def put(self, key: str, data: bytes, /) -> None:
        self.blobs[key] = data
        self.times[key] = time.time() - 1

    def get(self, key: str, /) -> bytes | None:
        return self.blobs.get(key)

    def delete(self, key: str, /) -> None:
        self.blobs.pop(key, None)

    def list(self, prefix: str, /) -> Iterator[tw.StoredBlob]:
        for key, data in sorted(self.blobs.items()):
            if key.startswith(prefix):
                yield tw.StoredBlob(key, len(data), self.times[key])


class AsyncMemoryStore:
    """The same, awaited."""

    def __init__(self, inner: MemoryStore) -> None:
        self.inner = inner

    async def put(self, key: str, data: bytes, /) -> None:
        await asyncio.sleep(0)
        self.inner.put(key, data)

    async def get(self, key: str, /) -> bytes | None:
        await asyncio.sleep(0)
        return self.inner.get(key)

    async def delete(self, key: str, /) -> None:
        await asyncio.sleep(0)
        self.inner.delete(key)

    async def list(self, prefix: str, /) -> list[tw.StoredBlob]:
        await asyncio.sleep(0)
        return list(self.inner.list(prefix))


class CrashedError(BaseException):
    """The process is gone: nobody catches this."""


class Fuse:
    """Counts the steps that leave the process, and burns through at the chosen one, before or after it."""

    def __init__(
        self, step: int | None = None, *, after: bool = False, error: Callable[[], BaseException] = CrashedError
    ) -> None:
        self.steps = itertools.count()
        self.error = error
        self.step = step
        self.after = after
        self.taken = 0

    def carry(self, action: Any, *given: Any) -> Any:
        now = next(self.steps)
        self.taken = now + 1
        if now == self.step and not self.after:
            raise self.error()
        answer = action(*given)
        if now == self.step:
            raise self.error()
        return answer


class FusedTransport:
    def __init__(self, inner: Any, fuse: Fuse) -> None:
        self.inner = inner
        self.fuse = fuse

    def call(self, call: Any, trace: Any = None, /) -> bytes:
        return self.fuse.carry(self.inner.call, call, trace)

    def close(self) -> None:
        self.inner.close()


class FusedStore:
    def __init__(self, inner: MemoryStore, fuse: Fuse) -> None:
        self.inner = inner
        self.fuse = fuse

    def put(self, key: str, data: bytes, /) -> None:
        self.fuse.carry(self.inner.put, key, data)

    def get(self, key: str, /) -> bytes | None:
        return self.fuse.carry(self.inner.get, key)

    def delete(self, key: str, /) -> None:
        self.fuse.carry(self.inner.delete, key)

    def list(self, prefix: str, /) -> list[tw.StoredBlob]:
        return self.fuse.carry(lambda: list(self.inner.list(prefix)))


def fused(database: tw.Database, store: MemoryStore, fuse: Fuse) -> tw.Database:
    """The same database, as a process that will crash has it."""
    return tw.Database(FusedTransport(database.transport, fuse), sleep=database.sleep, blobs=FusedStore(store, fuse))


def noise(size: int, seed: int = 0) -> bytes:
    """Bytes that do not compress."""
    import random

    return random.Random(seed).randbytes(size)
