"""Times to live: a moment or a span of time in, the second from which on DynamoDB may delete the item stored.

DynamoDB counts seconds. Milliseconds, which JavaScript and Java count, would be a time some fifty thousand years ahead,
and the item would never go; so numbers that can only be that are refused.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from tablewright.errors import SchemaError
from tablewright.runtime.clock import now
from tablewright.runtime.types.codec import Codec, EncodingError
from tablewright.runtime.types.scalars import SCALARS, to_utc
from tablewright.schema.types import NUMBER

MOST_SECONDS = 100_000_000_000
"""The year 5138. A larger number counts milliseconds."""

MILLISECONDS = "counts milliseconds, and DynamoDB expires items by seconds; divide it by 1000, or give a datetime"


def _expiry_of(value: Any) -> int:
    """The second from which on the item may go: of a moment, or so long from now."""
    if isinstance(value, timedelta):
        value = now().replace(microsecond=0) + value  # as everything else counts that follows a design
    if not isinstance(value, datetime):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        hint = (
            "; write datetime.fromtimestamp(seconds, timezone.utc), and divide milliseconds by 1000" if number else ""
        )
        raise EncodingError(f"must be a datetime or timedelta, not {type(value).__name__} {value!r:.60}{hint}")
    if value.tzinfo is None:
        raise EncodingError(f"is a datetime without time zone ({value}); use datetime.now(timezone.utc) or tw.now()")
    return ceil(to_utc(value).timestamp())


def _seconds_of(value: Any) -> int:
    if isinstance(value, datetime | timedelta):
        return _expiry_of(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise EncodingError(f"must be a whole number of seconds, not {type(value).__name__} {value!r:.60}")
    if value > MOST_SECONDS:
        raise EncodingError(f"is {value}, which {MILLISECONDS}")
    return value


def _moment_of(seconds: Any) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


AS_MOMENT = Codec(type=NUMBER, encode_quickly=_expiry_of, decode_quickly=_moment_of)
AS_SECONDS = Codec(type=NUMBER, encode_quickly=_seconds_of, decode_quickly=int)
BY_ANNOTATION = ((SCALARS[datetime], AS_MOMENT), (SCALARS[int], AS_SECONDS))


def ttl_codec(declared: Codec, where: str) -> Codec:
    """The codec of an attribute that says when an item expires, in place of its annotation's own."""
    for usual, expiring in BY_ANNOTATION:
        if declared.encode_quickly is usual.encode_quickly:
            return expiring
    raise SchemaError(f"{where}: ttl needs Attr[datetime | None] or Attr[int | None], and stores seconds", code=1008)
