"""Key values as bytes that sort as DynamoDB sorts: the order of the bytes is the order of the values.

Text is its UTF-8, binary is itself. A number is a sign byte, a byte for the exponent and two digits a byte, without
trailing zeros, so that equal numbers have equal bytes; for negative numbers all of that is turned over, and closed by
a byte above all others because there the longer number is the smaller.
"""

from __future__ import annotations

from decimal import Decimal

from tablewright.wire.limits import MAX_NUMBER_DIGITS, MIN_NUMBER_EXPONENT
from tablewright.wire.numbers import Number, exact, to_decimal

_NEGATIVE, _ZERO, _POSITIVE = b"\x01", b"\x02", b"\x03"
_TURNED = bytes(range(255, -1, -1))
_SHORT = 10**MAX_NUMBER_DIGITS


def key_bytes(value: object) -> bytes:
    """The bytes of a partition or sort key value. Values of different types are not comparable this way."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise TypeError(f"a key value is a str, a number or bytes, not {type(value).__name__}")
    return number_key_bytes(value)


def number_key_bytes(value: Number) -> bytes:
    """At most 22 bytes."""
    if type(value) is int and -_SHORT < value < _SHORT:  # as a Decimal would be, but quicker
        whole = str(abs(value))
        digits, exponent = whole.rstrip("0"), len(whole) - 1
    else:
        number = exact(to_decimal(value))
        digits, exponent = "".join(map(str, number.as_tuple().digits)), number.adjusted()
    if not value:
        return _ZERO
    if len(digits) % 2:
        digits += "0"
    magnitude = bytes((exponent - MIN_NUMBER_EXPONENT, *[int(digits[at : at + 2]) for at in range(0, len(digits), 2)]))
    return _POSITIVE + magnitude if value > 0 else _NEGATIVE + magnitude.translate(_TURNED) + b"\xff"
