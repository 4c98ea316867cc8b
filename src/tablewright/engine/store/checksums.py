"""Checksums: what is read from the file is what was written to it, or the damage is reported and nothing is returned.

An item's covers its key, its text and its size; an index entry's covers both keys and the size. An item that is read
through an index is checked against the key in the entry, so that an entry cannot lead to another item. Rows from before
there were checksums have none, and are taken as they are in tables from that time.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tablewright.engine.store.keys import HASH_BYTES
from tablewright.errors import TablewrightError
from tablewright.wire.keys import shown_key

if TYPE_CHECKING:
    from tablewright.engine.store.table import Table

EntryKey = tuple[bytes, bytes, bytes, bytes]


def partition_checksum(h: bytes) -> int:
    """The part that all items of a partition share; the length tells where the sort key begins."""
    return crc32(h, len(h))


def item_checksum(h: bytes, r: bytes, text: bytes, size: int) -> int:
    return crc32(text, crc32(r, partition_checksum(h)) ^ size)


def entry_checksum(key: EntryKey, size: int) -> int:
    """Not of the row: where that leads is known by the key of the item there."""
    gh, gr, h, r = key
    return crc32(gr, crc32(r, partition_checksum(h)) ^ partition_checksum(gh) ^ size)


def fits(table: Table, h: bytes, r: bytes, text: bytes, size: int, checksum: int | None) -> bool:
    """Whether an item is as it was written; damage can also make a column one of another type."""
    try:
        return checksum == item_checksum(h, r, text, size) or (checksum is None and not table.sealed)
    except TypeError:
        return False


def entry_fits(table: Table, key: EntryKey, size: int, checksum: int | None) -> bool:
    try:
        return checksum == entry_checksum(key, size) or (checksum is None and not table.sealed)
    except TypeError:
        return False


def text_checksum(text: bytes, *beside: Any) -> int:
    """Of a description or a stream record, and the columns beside it."""
    return crc32(text, crc32(repr(beside).encode()))


def text_fits(checksum: int | None, text: bytes, *beside: Any) -> bool:
    try:
        return checksum == text_checksum(text, *beside)
    except TypeError:
        return False


# ---- what is said of damage ------------------------------------------------------------------------------------------


def damaged(path: str | None, what: str) -> TablewrightError:
    where = "the database in memory" if path is None else str(Path(path).absolute())
    return TablewrightError(
        f"{where}: {what} is damaged: it is not what was written, so it is not given out. Use a copy of the file;"
        " `tablewright engine check` tells everything that is damaged"
    )


def item_name(table: Table, h: Any, r: Any) -> str:
    """The item in words, by the key its row is found at."""
    names = table.keys.names
    plain = (h[HASH_BYTES:] if isinstance(h, bytes) else h, r)
    parts = [f"{name} {shown_key(value, table.types[name])}" for name, value in zip(names, plain, strict=False)]
    return f"the item of table {table.name!r} with {', '.join(parts)}"
