"""Buckets of time: what timestamps begin with, and all beginnings between two of them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tablewright.design.values.templates import BUCKET
from tablewright.spec.written import Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.schema.features import Period

PERIODS: Mapping[int, Period] = {4: "year", 7: "month", 10: "day", 13: "hour"}
"""By how many characters of a timestamp tell it: those that partitions are divided by."""
PACKS: Mapping[int, str] = {7: "month", 10: "day", 13: "hour", 15: "ten minutes", 16: "minute"}
"""The same of the periods that packed items are of."""
LENGTHS = tuple(sorted({*PERIODS, *PACKS}))


class Bucket(Written):
    """The beginning of a timestamp, so many characters of it: `createdAt:7` is its month."""

    __slots__ = ("attribute", "length")
    grammar: ClassVar[str] = (
        "An attribute with an ISO 8601 time, a colon, and how many of its first characters count: 4, 7, 10 or 13,"
        " and of packed items also 15 or 16."
    )
    attribute: str
    length: int

    def __init__(self, attribute: str, length: int) -> None:
        self.attribute, self.length = attribute, length

    @classmethod
    def parse(cls, text: str) -> Self:
        attribute, _, length = text.rpartition(":")
        if not attribute or length not in map(str, LENGTHS):
            raise ValueError(
                f"{text!a} is no bucket; `createdAt:7` is: an attribute, and 4, 7, 10, 13, 15 or 16 characters of it"
            )
        return cls(attribute, int(length))

    def __str__(self) -> str:
        return f"{self.attribute}:{self.length}"

    @property
    def period(self) -> str:
        return PERIODS[self.length] if self.length in PERIODS else PACKS[self.length]

    def of(self, values: Mapping[str, Any]) -> str | None:
        """The bucket that these values are in; None where the timestamp is not known."""
        value = values.get(self.attribute)
        return None if value is None else str(value)[: self.length]


def with_bucket(values: Mapping[str, Any], bucket: Bucket | None) -> Mapping[str, Any]:
    """The same values and the bucket that follows from them, where there is one and its timestamp is known."""
    found = bucket.of(values) if bucket else None
    return values if found is None else {**values, BUCKET: found}


def buckets_between(low: str, high: str, length: int) -> list[str]:
    """All buckets from the one to the other, in order of time: `2026-01`, `2026-02`, ..."""
    first, last = low[:length], high[:length]
    return [each for each in _beginnings(first, last, length) if first <= each <= last]


def _beginnings(first: str, last: str, length: int) -> Iterator[str]:
    """Those of whole years or days, of which `buckets_between` takes what lies between."""
    if length <= 7:
        for year in range(int(first[:4]), int(last[:4]) + 1):
            yield from [f"{year:04d}"] if length == 4 else [f"{year:04d}-{month:02d}" for month in range(1, 13)]
        return
    day = date.fromisoformat(first[:10])
    while day.isoformat() <= last[:10]:
        yield from [day.isoformat()] if length == 10 else [f"{day.isoformat()}T{hour:02d}" for hour in range(24)]
        day += timedelta(days=1)
