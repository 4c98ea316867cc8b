"""Capacity units from sizes: 4 KB steps for reads, 1 KB steps for writes, doubled in transactions.

Sizes are in bytes (`sizes.py`). Read units come in halves, which a float holds exactly. Even a read that finds
nothing and a write that changes nothing cost one step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.wire.limits import READ_UNIT_BYTES, WRITE_UNIT_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_rcu(size_bytes: int, *, consistent: bool = False, transactional: bool = False) -> float:
    """One item of a GetItem, or all items that a page of a Query or Scan read, before the filter."""
    return _steps(size_bytes, READ_UNIT_BYTES) * (2.0 if transactional else 1.0 if consistent else 0.5)


def batch_read_rcu(sizes_bytes: Iterable[int], *, consistent: bool = False, transactional: bool = False) -> float:
    """BatchGetItem and TransactGetItems round up every item by itself; 0 bytes for one that was not found."""
    return sum(read_rcu(size, consistent=consistent, transactional=transactional) for size in sizes_bytes)


def write_wcu(before_bytes: int, after_bytes: int, *, transactional: bool = False) -> float:
    """A put, update or delete, by the larger of the two images (0 for none); a failed condition costs the same."""
    return _steps(max(before_bytes, after_bytes), WRITE_UNIT_BYTES) * (2.0 if transactional else 1.0)


def index_write_wcu(
    before_bytes: int | None,
    after_bytes: int | None,
    *,
    key_changed: bool = False,
    view_changed: bool = True,
    transactional: bool = False,
) -> float:
    """What a write costs in one index, by the size of the item's entry there (None when it has none).

    A changed index key moves the entry: one write to delete, one to insert. An entry whose projected attributes are
    all as before costs nothing.
    """
    factor = 2.0 if transactional else 1.0
    if before_bytes is None or after_bytes is None:
        entry = after_bytes if before_bytes is None else before_bytes
        return 0.0 if entry is None else _steps(entry, WRITE_UNIT_BYTES) * factor
    if key_changed:
        return (_steps(before_bytes, WRITE_UNIT_BYTES) + _steps(after_bytes, WRITE_UNIT_BYTES)) * factor
    return write_wcu(before_bytes, after_bytes, transactional=transactional) if view_changed else 0.0


def _steps(size_bytes: int, step_bytes: int) -> int:
    return max(1, -(-size_bytes // step_bytes))
