"""Object storage as flows know it: what can be asked of a store, and how a driver asks it.

A store must have stored what `put` was given, for good, when it returns: the item that refers to it is written next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from tablewright.errors import BlobError, RequestError, TablewrightError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Blob(msgspec.Struct, frozen=True):
    """Something to do with the database's object storage: put, get or delete what `key` names, or list a prefix."""

    op: Literal["put", "get", "delete", "list"]
    key: str
    data: bytes = b""


class StoredBlob(msgspec.Struct, frozen=True):
    """A blob as a store lists it; `written_at` is in seconds since 1970, by the store's own clock."""

    key: str
    size_bytes: int
    written_at: float


class BlobStore(Protocol):
    """Where large values are kept. Methods block; an `AsyncDatabase` calls them in threads."""

    def put(self, key: str, data: bytes, /) -> None:
        """Store the bytes, in place of whatever has the key."""
        ...

    def get(self, key: str, /) -> bytes | None:
        """The bytes; None when there are none."""
        ...

    def delete(self, key: str, /) -> None:
        """Delete them. None there is fine."""
        ...

    def list(self, prefix: str, /) -> Iterable[StoredBlob]:
        """Every blob whose key begins with this."""
        ...


class AsyncBlobStore(Protocol):
    """The same for an `AsyncDatabase`, awaited."""

    async def put(self, key: str, data: bytes, /) -> None:
        """Store the bytes, in place of whatever has the key."""
        ...

    async def get(self, key: str, /) -> bytes | None:
        """The bytes; None when there are none."""
        ...

    async def delete(self, key: str, /) -> None:
        """Delete them. None there is fine."""
        ...

    async def list(self, prefix: str, /) -> Iterable[StoredBlob]:
        """Every blob whose key begins with this."""
        ...


# ---- blob effects carried out ----------------------------------------------------------------------------------------


def kept(blob: Blob, store: BlobStore | None) -> Any:
    found = _there(store)
    try:
        return _perform(blob, found)
    except TablewrightError:
        raise
    except Exception as error:
        raise _failure(blob, error) from error


async def akept(blob: Blob, store: AsyncBlobStore | BlobStore | None) -> Any:
    """The same, awaited; a store whose methods block works in threads."""
    import asyncio
    import inspect

    found = _there(store)
    try:
        if inspect.iscoroutinefunction(found.put):
            answer = await _perform(blob, found)
            return list(answer) if blob.op == "list" else answer
        return await asyncio.to_thread(_perform, blob, found)
    except TablewrightError:
        raise
    except Exception as error:
        raise _failure(blob, error) from error


def _perform(blob: Blob, store: Any) -> Any:
    match blob.op:
        case "put":
            return store.put(blob.key, blob.data)
        case "get":
            return store.get(blob.key)
        case "delete":
            return store.delete(blob.key)
        case "list":
            found = store.list(blob.key)
            return found if hasattr(found, "__await__") else list(found)


def _there(store: Any) -> Any:
    if store is None:
        raise RequestError(
            "a large value is kept outside the table, and this database has no object storage; give it one: "
            "Database.aws(..., blobs=tw.S3Store(bucket)) or Database.embedded(..., blobs=tw.FolderStore(path))",
            code=1001,
        )
    return store


def _failure(blob: Blob, error: Exception) -> BlobError:
    return BlobError(f"the object storage could not {blob.op} {blob.key!r}: {error}", key=blob.key)
