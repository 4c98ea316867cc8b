"""DynamoDB JSON, one item to a line: `{"Item": {...}}` as the service exports it, or the bare item; gzip or not.

Lines of an incremental export (`Keys` with `NewImage`, or without it for a deletion) are read as well.
"""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.engine.transfer.records import Record, Source, TransferError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from tablewright.engine.transfer.records import Typed

TYPE_CODES = frozenset({"S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL"})
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP_MAGIC = b"\x1f\x8b"
MAX_LINE_BYTES = 16 * 1024 * 1024

decode = msgspec.json.decode


class Lines(Source):
    """The items of one or several files."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.paths = list(paths)
        self.total_bytes = sum(size_of(path) for path in self.paths)

    def records(self) -> Iterator[Record]:
        before = 0
        for path in self.paths:
            with open_file(path) as (raw, content):
                for place, line in _numbered(path, content):
                    self.done_bytes = before + raw.tell()
                    yield _read_record(place, line)
            before += size_of(path)
        self.done_bytes = self.total_bytes


@contextmanager
def open_file(path: Path) -> Generator[tuple[BinaryIO, BinaryIO]]:
    """The file as it lies there, and its content, unpacked if need be."""
    try:
        with path.open("rb") as raw:
            packed = raw.peek(2)[:2] == GZIP_MAGIC
            content = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if packed else cast("BinaryIO", raw)
            yield raw, io.BufferedReader(cast("io.RawIOBase", content)) if packed else content
    except (OSError, EOFError, zlib.error) as error:
        raise TransferError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise TransferError(f"{path}: {error.strerror or error}") from error


def _numbered(path: Path, content: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Lines with their places, empty ones left out."""
    number = 0
    while line := content.readline(MAX_LINE_BYTES + 1):
        number += 1
        place = f"{path}:{number}"
        if len(line) > MAX_LINE_BYTES:
            raise TransferError(f"{place}: the line is longer than 16 MiB, so it cannot be one item")
        line = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        if line and not line.isspace():
            yield place, line


def _read_record(place: str, line: bytes) -> Record:
    try:
        found = decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise TransferError(f"{place}: this is not JSON ({error}); one item of DynamoDB JSON to a line") from error
    if not isinstance(found, dict):
        raise TransferError(f'{place}: an object is needed, such as {{"Item": {{"id": {{"S": "1"}}}}}}')
    written = cast("Typed", found)
    if _is_item(written.get("Keys")):
        return _read_change(place, written)
    if set(written) == {"Item"} and _is_item(written["Item"]):
        return Record(place, item=written["Item"])
    if not _is_item(written):
        wanted = 'each attribute is an object of one type, such as {"S": "text"}'
        raise TransferError(f"{place}: this is not DynamoDB JSON; {wanted}")
    return Record(place, item=written)


def _read_change(place: str, written: Typed) -> Record:
    """A line of an incremental export."""
    if _is_item(written.get("NewImage")):
        return Record(place, item=written["NewImage"])
    return Record(place, key=written["Keys"])


def _is_item(value: Any) -> bool:
    """Whether every member is a typed value: one member, named by a type."""
    if not isinstance(value, dict):
        return False
    members = cast("dict[str, Any]", value).values()
    return all(isinstance(each, dict) and len(each) == 1 and not each.keys() - TYPE_CODES for each in members)  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
