"""A folder as object storage. `transports/aws/s3.py` has S3; anything with the methods of a `BlobStore` is one."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tablewright.errors import BlobError
from tablewright.runtime.blob_store import StoredBlob

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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
