"""The rows of a page, checked before anything is done with them.

All of them are checked at once, without a call for each, because as a rule all of them fit; only when one does not, it
is looked for. What the rows consist of is decided by `stretch.selected`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from tablewright.engine.store.checksums import damaged, entry_fits, item_name, partition_checksum

if TYPE_CHECKING:
    from tablewright.engine.reads.key_range import Stretch
    from tablewright.engine.reads.pages import Row, Source
    from tablewright.engine.store.storage import Storage


def check_rows(storage: Storage, source: Source, stretch: Stretch, rows: list[Row]) -> None:
    """Refuse a page on which an item or an entry is not what was written."""
    partition = stretch.fixed[0] if stretch.fixed else None
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
