"""Object storage: bytes by key. A folder is one; `transports/aws/s3.py` has S3; anything with these methods is one.

A store must have stored what `put` was given, for good, when it returns: the item that refers to it is written next.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablewright.errors import BlobError, RequestError, TablewrightError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tablewright.runtime.flow import Blob


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


PART = ".part"
"""A file that is being written. What a crash leaves of it is listed like a blob, and swept like one."""


class FolderStore:
    """Blobs as files in a folder, for one machine: development, tests, and the embedded database."""

    def __init__(self, path: str | Path) -> None:
        from pathlib import Path  # whoever has a folder has paid for it

        self.root = Path(path)

    def __repr__(self) -> str:
        return f"FolderStore({str(self.root)!r})"

    def put(self, key: str, data: bytes, /) -> None:
        place = self._place(key)
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_name(place.name + PART)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
        _sync_folder(place.parent)

    def get(self, key: str, /) -> bytes | None:
        try:
            return self._place(key).read_bytes()
        except FileNotFoundError:
            return None

    def delete(self, key: str, /) -> None:
        self._place(key).unlink(missing_ok=True)

    def list(self, prefix: str, /) -> Iterator[StoredBlob]:
        start = self._place(prefix) if prefix.strip("/") else self.root
        for folder, _, names in os.walk(start if start.is_dir() else start.parent):
            for name in sorted(names):
                path = self.root.joinpath(folder, name)
                key = path.relative_to(self.root).as_posix()
                if key.startswith(prefix):
                    with suppress(FileNotFoundError):  # deleted meanwhile
                        found = path.stat()
                        yield StoredBlob(key, found.st_size, found.st_mtime)

    def _place(self, key: str) -> Path:
        """The file of a key, which must not lead out of the folder: keys come from items, which others may write."""
        parts = key.rstrip("/").split("/")
        if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            raise BlobError(f"{key!r} is no key of a blob", key=key)
        return self.root.joinpath(*parts)


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder last, where the system can be asked for that."""
    if os.name != "posix":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


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
