"""Keys as bytes, the way rows and index entries are found: a hash in front of the partition key, sort keys in order.

The hash spreads partitions over the key space as DynamoDB does, so that a scan meets them in no obvious order and
segments are ranges of it. Several attributes in one key are closed by a byte each, so that a prefix of them is a prefix
of the bytes.
"""

from __future__ import annotations

from hashlib import md5
from typing import TYPE_CHECKING, Any

from tablewright.wire.keys import key_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HASH_BYTES = 6


def partition_bytes(values: Sequence[Any]) -> bytes:
    """The bytes of a whole partition key."""
    plain = key_bytes(values[0]) if len(values) == 1 else joined_bytes(values)
    return md5(plain, usedforsecurity=False).digest()[:HASH_BYTES] + plain


def sort_bytes(values: Sequence[Any], *, of: int) -> bytes:
    """The bytes of the first sort attributes of a key that has `of` of them; empty when it has none."""
    if not values:
        return b""
    return key_bytes(values[0]) if of == 1 else joined_bytes(values)


def joined_bytes(values: Sequence[Any]) -> bytes:
    """Several values so that their order is the order of the bytes: zeros are marked, and a zero ends each value."""
    return b"".join(key_bytes(value).replace(b"\0", b"\0\xff") + b"\0\0" for value in values)


def after_prefix(prefix: bytes) -> bytes | None:
    """The first bytes that do not begin with this prefix; None when nothing is behind it."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes((stem[-1] + 1,)) if stem else None


def pick(item: Mapping[str, Any], names: Sequence[str]) -> list[Any] | None:
    """The values of these attributes, None when one of them is missing."""
    values = [item[name] for name in names if name in item]
    return values if len(values) == len(names) else None
