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
    return _number_key_bytes(value)


def _number_key_bytes(value: Number) -> bytes:
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


# ---- and back, for people --------------------------------------------------------------------------------------------


def shown_key(key: object, type_code: str) -> str:
    """A key's bytes as the value they stand for; bytes that stand for none as they are."""
    if not isinstance(key, bytes):
        return repr(key)
    if type_code == "S":
        return repr(key.decode("utf-8", "backslashreplace"))
    number = _number_of(key) if type_code == "N" else None
    return f"0x{key.hex()}" if number is None else f"{number:f}"


def _number_of(key: bytes) -> Decimal | None:
    sign, magnitude = key[:1], key[1:]
    if key == _ZERO:
        return Decimal(0)
    if sign == _NEGATIVE and magnitude.endswith(b"\xff"):
        magnitude = magnitude[:-1].translate(_TURNED)
    elif sign != _POSITIVE:
        return None
    if len(magnitude) < 2 or max(magnitude[1:]) > 99:
        return None
    digits = tuple(int(each) for byte in magnitude[1:] for each in f"{byte:02}")
    exponent = magnitude[0] + MIN_NUMBER_EXPONENT - len(digits) + 1
    return exact(Decimal((int(sign == _NEGATIVE), digits, exponent)))
