"""Values inside keys: text with an order-preserving escape, numbers of fixed width."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

ESCAPE = "$"
SHIFT = 0x40
DECIMALS = 6
DIGITS = 26


def key_text(value: Any) -> str:
    """A value as it stands in a key; the order of texts is the order of values."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return number_text(value)
    return escaped(str(value))


def escaped(text: str) -> str:
    """No value looks like a delimiter: characters up to the escape become two."""
    return "".join(
        each if each > ESCAPE else ESCAPE + chr(ord(each) + SHIFT) for each in text
    )


def number_text(value: float | Decimal) -> str:
    """A sign digit, then the number times a million; below zero what is left of it."""
    exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    scaled = int(exact.scaleb(DECIMALS))
    limit = 10**DIGITS
    if abs(scaled) >= limit:
        raise ValueError(f"{value} is too large for a key")
    digits = scaled if scaled >= 0 else limit + scaled
    return f"{'1' if scaled >= 0 else '0'}{digits:0{DIGITS}d}"
