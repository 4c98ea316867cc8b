"""One page of a table or index: rows in key order from one place on, until the limit or a megabyte is reached.

Rows are found by ranges of key bytes and taken from the cursor one by one, so that a page costs what it holds, however
large the table is and however far behind the page lies. They are checked before anything is done with them: all of them
at once, without a call for each, because as a rule all of them fit; only when one does not, it is looked for. What the
rows consist of is decided by `key_range.select_rows`.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec

from tablewright.engine.reads.key_range import select_rows
from tablewright.engine.reads.page_limit import PageLimit
from tablewright.engine.reads.source import Row
from tablewright.engine.store.checksums import damaged, entry_fits, item_name, partition_checksum
from tablewright.wire.limits import MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.reads.key_range import KeyRange
    from tablewright.engine.reads.source import Source
    from tablewright.engine.store.storage import Storage

FIRST_ROWS = 8
MOST_ROWS = 500
UNLIMITED_ROWS = 2**31

item_size: Callable[[Row], int] = itemgetter(1)
entry_size: Callable[[Row], int] = itemgetter(2)


class Page(msgspec.Struct, frozen=True):
    rows: list[Row]
    complete: bool
    """Whether the range ended before the page was full."""


def read_page(storage: Storage, source: Source, key_range: KeyRange, *, limit: int | None, whole_items: bool) -> Page:
    """The rows of a page; `whole_items` says that a megabyte is counted in items, not in entries of the index."""
    cursor = storage.connection.execute(*select_rows(source, key_range))
    rows: list[Row] = []
    size_of = item_size if whole_items else entry_size
    page_limit = PageLimit(source, None if whole_items else source.projected)
    left, several = limit or UNLIMITED_ROWS, FIRST_ROWS
    while left and not page_limit.is_full:
        several = min(several, left)
        some: list[Row] = cursor.fetchmany(several)
        _check_rows(storage, source, key_range, some)
        rows += page_limit.take(some)
        if len(some) < several and not page_limit.is_full:
            return Page(rows, complete=True)
        left -= several
        several = min(MOST_ROWS, 1 + MAX_PAGE_BYTES * several // (sum(map(size_of, some)) + 1))  # about a page
    cursor.close()
    return Page(rows, complete=False)


def _check_rows(storage: Storage, source: Source, key_range: KeyRange, rows: list[Row]) -> None:
    """Refuse a page on which an item or an entry is not what was written."""
    partition = key_range.fixed[0] if key_range.fixed else None
    check, look = (_all_fit, _find_damage) if source.index is None else (_all_entries_fit, _find_entry_damage)
    try:
        if check(rows, partition):
            return
    except TypeError:  # a column is of another type than it was written
        pass
    look(storage, source, rows, partition)


def _all_fit(rows: list[Row], partition: bytes | None) -> bool:
    if partition is None:
        for text, size, _, r, crc, h in rows:  # noqa: SIM110 - a generator costs as much as the checksums
            if crc32(text, crc32(r, crc32(h, len(h))) ^ size) != crc:
                return False
        return True
    start = partition_checksum(partition)
    for text, size, _, r, crc in rows:  # noqa: SIM110 - as above
        if crc32(text, crc32(r, start) ^ size) != crc:
            return False
    return True


def _all_entries_fit(rows: list[Row], partition: bytes | None) -> bool:
    start = None if partition is None else partition_checksum(partition)
    for text, size, entry_bytes, r, crc, h, gr, entry_crc, *gh in rows:
        key = crc32(r, crc32(h, len(h)))
        index_key = partition_checksum(*gh) if start is None else start
        if crc32(text, key ^ size) != crc or crc32(gr, key ^ index_key ^ entry_bytes) != entry_crc:
            return False
    return True


def _find_damage(storage: Storage, source: Source, rows: list[Row], partition: bytes | None) -> None:
    for text, size, _, r, crc, *h in rows:
        storage.check(source.table, h[0] if partition is None else partition, r, text, size, crc)


def _find_entry_damage(storage: Storage, source: Source, rows: list[Row], partition: bytes | None) -> None:
    table, index = source.table, source.index
    assert index is not None
    for text, size, entry_bytes, r, crc, h, gr, entry_crc, *gh in rows:
        place = (gh[0] if partition is None else partition, gr, h, r)
        if not entry_fits(table, place, entry_bytes, entry_crc):
            raise damaged(storage.path, f"the entry in index {index.name!r} of {item_name(table, h, r)}")
        storage.check(table, h, r, text, size, crc)
