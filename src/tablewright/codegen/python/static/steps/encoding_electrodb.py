"""Values inside keys as ElectroDB writes them: text as it stands, numbers padded."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

LENGTH = 16
PLAIN_DIGITS = 21
"""JavaScript prints longer numbers with an exponent."""


def key_text(value: Any) -> str:
    """A value as it stands in a key; whole numbers from 0 on sort right."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return number_text(value).rjust(LENGTH, "0")
    return str(value)


def number_text(value: float | Decimal) -> str:
    """A number as JavaScript prints it."""
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number:
        return "0"
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    return ("-" if number < 0 else "") + placed(digits, number.adjusted() + 1)


def placed(digits: str, point: int) -> str:
    """Digits with the point behind so many of them."""
    if len(digits) <= point <= PLAIN_DIGITS:
        return digits.ljust(point, "0")
    if 0 < point <= PLAIN_DIGITS:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{mantissa}e{point - 1:+d}"
