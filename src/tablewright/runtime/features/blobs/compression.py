"""How bytes are made smaller: zlib everywhere, zstd where Python (3.14) or the `zstandard` package has it."""

from __future__ import annotations

import zlib
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tablewright.errors import BlobError, RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = "plain"
ZLIB_LEVEL = 6
ZSTD_LEVEL = 3


def compress(coding: str, data: bytes) -> bytes:
    return CODINGS[coding][0](data)


def expand(coding: str, data: bytes, size_bytes: int) -> bytes:
    """The bytes as they were; they must be as many as was noted, whatever the data says of itself."""
    if coding == PLAIN:
        return data
    if coding not in CODINGS:
        raise BlobError(f"a stored value is packed as {coding!r}, which this version cannot read; update tablewright")
    try:
        expanded = CODINGS[coding][1](data, size_bytes)
    except RequestError:
        raise
    except Exception as error:  # every library has errors of its own for damaged data
        raise BlobError(f"a stored value is damaged: it cannot be unpacked by {coding} ({error})") from error
    if len(expanded) != size_bytes:
        raise BlobError(f"a stored value is damaged: {len(expanded)} bytes where {size_bytes} were written")
    return expanded


def _zlib_compress(data: bytes) -> bytes:
    return zlib.compress(data, ZLIB_LEVEL)


def _zlib_expand(data: bytes, size_bytes: int) -> bytes:
    return zlib.decompressobj().decompress(data, size_bytes + 1)


def _zstd_compress(data: bytes) -> bytes:
    module, is_standard = _zstd_module()
    packed: bytes = (
        module.compress(data, ZSTD_LEVEL) if is_standard else module.ZstdCompressor(ZSTD_LEVEL).compress(data)
    )
    return packed


def _zstd_expand(data: bytes, size_bytes: int) -> bytes:
    module, is_standard = _zstd_module()
    reader = module.ZstdDecompressor()
    if is_standard:
        expanded: bytes = reader.decompress(data, size_bytes + 1)
    else:
        expanded = reader.stream_reader(data).read(size_bytes + 1)
    return expanded


def _zstd_module() -> tuple[Any, bool]:
    """The module that knows zstd, and whether it is Python's own."""
    for name, is_standard in (("compression.zstd", True), ("zstandard", False)):
        try:
            return import_module(name), is_standard
        except ImportError:
            continue
    raise RequestError(
        'compress="zstd" needs Python 3.14 or the package zstandard (pip install zstandard); or use "zlib"', code=5002
    )


CODINGS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes, int], bytes]]] = {
    "zlib": (_zlib_compress, _zlib_expand),
    "zstd": (_zstd_compress, _zstd_expand),
}
