"""The megabyte of a page, counted as DynamoDB counts it: in the bytes its storage takes, not in those it charges for.

In storage, an attribute's name is one byte and every value has a length in front. An item is cut into pieces of three
kilobytes, each of which repeats the sort key and adds 18 bytes. Most pages are far from full: what an item can take at
most follows from the length of its text, and only when that might be too much is it looked into.
"""

from __future__ import annotations

from base64 import b64decode
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from tablewright.engine.store.values import decode
from tablewright.wire.limits import MAX_PAGE_BYTES
from tablewright.wire.numbers import parse_number
from tablewright.wire.sizes import name_size_bytes, number_size_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.engine.reads.source import Row, Source

row_text: Callable[[Row], bytes] = itemgetter(0)
row_sort_key: Callable[[Row], bytes] = itemgetter(3)

PIECE_BYTES = 3072
PIECE_OVERHEAD_BYTES = 18


def most_stored_bytes(text_bytes: int, count: int = 1, sort_bytes: int = 0) -> int:
    """What so many items can take in storage at most, by the length of their texts and of the longest sort key."""
    pieces = count + text_bytes // PIECE_BYTES
    return 2 * count + text_bytes + pieces * (PIECE_OVERHEAD_BYTES + sort_bytes)


def stored_bytes(item: Mapping[str, Any], sort_key: str | None) -> int:
    """What an item in DynamoDB JSON takes in storage."""
    size = sum([1 + _stored_value_bytes(typed) for name, typed in item.items() if name != sort_key])
    repeated = _plain_bytes(item[sort_key]) if sort_key is not None and sort_key in item else 0
    return 2 + size + (1 + (1 + size) // PIECE_BYTES) * (PIECE_OVERHEAD_BYTES + repeated)


def _stored_value_bytes(typed: Mapping[str, Any]) -> int:
    total, waiting = 0, [typed]
    while waiting:
        ((code, value),) = waiting.pop().items()
        if code == "L":
            total += 3 + len(value)
            waiting += value
        elif code == "M":
            total += 3 + 2 * len(value)
            waiting += value.values()
        else:
            total += SCALARS[code](value)
    return total


def _plain_bytes(typed: Mapping[str, Any]) -> int:
    ((code, value),) = typed.items()
    return PLAIN[code](value)


def _text_bytes(text: str) -> int:
    size = name_size_bytes(text)
    return size + (1 if size < 128 else 2 if size < 16_384 else 3)


def _number_bytes(text: str) -> int:
    return number_size_bytes(parse_number(text))


PLAIN: dict[str, Callable[[Any], int]] = {
    "S": name_size_bytes,
    "N": _number_bytes,
    "B": lambda value: len(b64decode(value)),
}


def _set_bytes(member_bytes: Callable[[Any], int]) -> Callable[[Any], int]:
    return lambda members: 1 + sum([1 + member_bytes(each) for each in members])


SCALARS: dict[str, Callable[[Any], int]] = {
    "S": _text_bytes,
    "N": lambda value: 1 + _number_bytes(value),
    "B": lambda value: 1 + PLAIN["B"](value),
    "BOOL": lambda _: 1,
    "NULL": lambda _: 0,
    **{f"{code}S": _set_bytes(member_bytes) for code, member_bytes in PLAIN.items()},
}


class PageLimit:
    """What is left of a page; rows are taken until it is full."""

    def __init__(self, source: Source, visible: frozenset[str] | None) -> None:
        self.is_full = False
        self._sort_key = source.table.keys.sk[0] if source.table.keys.sk else None
        self._visible = visible
        self._used = 0
        self._most = 0
        self._unmeasured: list[Row] = []

    def take(self, rows: list[Row]) -> list[Row]:
        """The rows that there is room for; the last one may be too large for it."""
        if not rows:
            return rows
        texts = sum(map(len, map(row_text, rows)))
        most = self._most + most_stored_bytes(texts, len(rows), max(map(len, map(row_sort_key, rows))))
        if most < MAX_PAGE_BYTES:
            self._most = most
            self._unmeasured += rows
            return rows
        self._used += sum(map(self._measure, self._unmeasured))
        self._unmeasured = []
        for count, row in enumerate(rows, 1):
            self._used += self._measure(row)
            if self._used >= MAX_PAGE_BYTES:
                self.is_full = True
                return rows[:count]
        self._most = self._used
        return rows

    def _measure(self, row: Row) -> int:
        item, visible = decode(row[0]), self._visible
        if visible is not None:
            item = {name: value for name, value in item.items() if name in visible}
        return stored_bytes(item, self._sort_key)
