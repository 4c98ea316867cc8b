"""Buckets of time: what timestamps begin with, and all beginnings between two of them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BUCKET = "_bucket"
"""Stands in keys for the beginning of a timestamp, as a bucket `createdAt:7` says."""


def with_bucket(values: Mapping[str, Any], bucket: str | None) -> Mapping[str, Any]:
    """The same values and the bucket that follows from them, where there is one and its timestamp is known."""
    name, _, length = (bucket or "").partition(":")
    if not length or values.get(name) is None:
        return values
    return {**values, BUCKET: str(values[name])[: int(length)]}


def buckets_between(low: str, high: str, bucket: str) -> list[str]:
    """All buckets from the one to the other, in order of time: `2026-01`, `2026-02`, ..."""
    length = int(bucket.partition(":")[2])
    first, last = low[:length], high[:length]
    return [each for each in beginnings(first, last, length) if first <= each <= last]


def beginnings(first: str, last: str, length: int) -> Iterator[str]:
    """Those of whole years or days, of which `buckets_between` takes what lies between."""
    if length <= 7:
        for year in range(int(first[:4]), int(last[:4]) + 1):
            yield from [f"{year:04d}"] if length == 4 else [f"{year:04d}-{month:02d}" for month in range(1, 13)]
        return
    day = date.fromisoformat(first[:10])
    while day.isoformat() <= last[:10]:
        yield from [day.isoformat()] if length == 10 else [f"{day.isoformat()}T{hour:02d}" for hour in range(24)]
        day += timedelta(days=1)
