"""Values inside composed keys: text in an order-preserving escape, numbers of fixed width.

A value may hold the delimiter, or a character that sorts before it; then two different items could share a key, or a
range could end too early. Every character up to the escape sign itself is therefore written as that sign and another.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

ESCAPE = "$"  # sorts right behind the delimiter
SHIFT = 0x40
DIGITS = 20
DECIMALS = 6


def key_text(value: Any) -> str:
    """A value as it stands in a key: order of texts is order of values."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return number_text(value)
    return escaped(str(value))


def escaped(text: str) -> str:
    if all(character > ESCAPE for character in text):
        return text
    return "".join(character if character > ESCAPE else ESCAPE + chr(ord(character) + SHIFT) for character in text)


def number_text(value: float | Decimal) -> str:
    """Fixed width with the sign in front; negative numbers as what is left to the greatest, so that they sort."""
    scaled = int(Decimal(repr(value) if isinstance(value, float) else value).scaleb(DECIMALS))
    limit = 10 ** (DIGITS + DECIMALS)
    if abs(scaled) >= limit:
        raise ValueError(f"{value} is too large for a key of {DIGITS} digits")
    digits = scaled if scaled >= 0 else limit + scaled
    return f"{'1' if scaled >= 0 else '0'}{digits:0{DIGITS + DECIMALS}d}"
