"""The order in which DynamoDB lists names it kept in a hash set."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_BUCKETS = 16
_32_BITS = 0xFFFFFFFF


def java_order(names: Sequence[str]) -> list[str]:
    """By the buckets of their hashes, of which there are twice as many whenever three quarters are exceeded."""
    buckets = FIRST_BUCKETS
    while len(names) * 4 > buckets * 3:
        buckets *= 2
    return sorted(names, key=lambda name: _spread(_java_hash(name)) % buckets)


def _java_hash(text: str) -> int:
    units = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (value * 31 + (high << 8 | low)) & _32_BITS
    return value


def _spread(value: int) -> int:
    return value ^ (value >> 16)
