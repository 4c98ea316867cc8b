"""Scalars: each row of `SCALARS` is a Python type with its stored form."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any
from uuid import UUID

from tablewright.runtime.types.codec import Codec, Convert, EncodingError
from tablewright.runtime.types.tree_path import PATH, TreePath
from tablewright.schema.types import BINARY, BOOLEAN, NUMBER, STRING


def checked(wanted: str, *accepted: type, but_not: tuple[type, ...] = ()) -> Convert:
    usual = accepted[0]

    def check(value: Any) -> Any:
        if value.__class__ is usual or (isinstance(value, accepted) and not isinstance(value, but_not)):
            return value
        raise EncodingError(f"must be {wanted}, not {type(value).__name__} {value!r:.60}")

    return check


def encode_datetime(value: Any) -> str:
    """UTC text of fixed width, as JavaScript's toISOString prints it, so that text order is time order."""
    if not isinstance(value, datetime):
        raise EncodingError(f"must be a datetime, not {type(value).__name__} {value!r:.60}")
    if value.tzinfo is None:
        raise EncodingError(f"is a datetime without time zone ({value}); use datetime.now(timezone.utc) or tw.now()")
    utc = value if value.tzinfo is UTC else to_utc(value)
    day = (utc.year, utc.month, utc.day)  # formatting by hand, because isoformat(timespec=...) takes half as long again
    clock = (utc.hour, utc.minute, utc.second, utc.microsecond // 1000)
    return "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ" % (*day, *clock)  # noqa: UP031 - an f-string takes twice as long


def to_utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise EncodingError(f"is outside of the years 1 to 9999 in UTC: {value}") from error


def _encode_date(value: Any) -> str:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise EncodingError(f"must be a date, not {type(value).__name__} {value!r:.60}")
    return value.isoformat()


def _text_codec(wanted: str, kind: type, write: Convert, read: Convert, width: int | None = None) -> Codec:
    check = checked(wanted, kind)
    return Codec(type=STRING, encode_quickly=lambda value: write(check(value)), decode_quickly=read, width=width)


def to_float(value: Any) -> float:
    return float(value)


def to_decimal(value: Any) -> Decimal:
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _finite(value: Any) -> Any:
    if value.is_finite() if isinstance(value, Decimal) else isinstance(value, int) or isfinite(value):
        return value
    raise EncodingError(f"must be a finite number, not {value!r}; DynamoDB has no others")


def _encode_float(value: Any) -> Any:
    if value.__class__ is float and isfinite(value):
        return value
    if isinstance(value, float | int) and not isinstance(value, bool):
        return _finite(value)
    raise EncodingError(f"must be a number, not {type(value).__name__} {value!r:.60}")


def _encode_decimal(value: Any) -> Any:
    """Decimals as they are; an int is as good. Floats are refused, since their digits are not what they seem."""
    if isinstance(value, Decimal | int) and not isinstance(value, bool):
        return _finite(value)
    raise EncodingError(f"must be a Decimal, not {type(value).__name__} {value!r:.60}")


def _encode_timedelta(value: Any) -> Decimal:
    """Seconds, exactly: a float would lose the microseconds of long times."""
    if not isinstance(value, timedelta):
        raise EncodingError(f"must be a timedelta, not {type(value).__name__} {value!r:.60}")
    return Decimal(value // MICROSECOND).scaleb(-6).normalize()


def _decode_timedelta(value: Any) -> timedelta:
    return timedelta(microseconds=int(to_decimal(value).scaleb(6)))


MICROSECOND = timedelta(microseconds=1)

SCALARS: dict[Any, Codec] = {
    str: Codec(type=STRING, encode_quickly=checked("text", str)),
    int: Codec(type=NUMBER, encode_quickly=checked("a whole number", int, but_not=(bool,)), decode_quickly=int),
    float: Codec(type=NUMBER, encode_quickly=_encode_float, decode_quickly=to_float),
    Decimal: Codec(type=NUMBER, encode_quickly=_encode_decimal, decode_quickly=to_decimal),
    bool: Codec(type=BOOLEAN, encode_quickly=checked("True or False", bool)),
    bytes: Codec(type=BINARY, encode_quickly=checked("bytes", bytes)),
    datetime: Codec(type=STRING, encode_quickly=encode_datetime, decode_quickly=datetime.fromisoformat, width=24),
    date: Codec(type=STRING, encode_quickly=_encode_date, decode_quickly=date.fromisoformat, width=10),
    time: _text_codec("a time", time, time.isoformat, time.fromisoformat),
    timedelta: Codec(type=NUMBER, encode_quickly=_encode_timedelta, decode_quickly=_decode_timedelta),
    UUID: _text_codec("a UUID", UUID, str, UUID, 36),
    TreePath: PATH,
}
