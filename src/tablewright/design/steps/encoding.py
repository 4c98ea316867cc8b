"""Values inside keys, in two styles; the order of texts is the order of values.

plain       text with an order-preserving escape, numbers of fixed width
electrodb   text as it stands, numbers padded, below zero what is left to the greatest

What would be taken for another value, or sort as one, is refused; so is empty text, for
a key ends where an absent value would stand.
"""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Any

from .errors import WrongValue
from .model import KeyStyle

DELIMITER = "#"
ESCAPE = "$"  # sorts right behind the delimiter
SHIFT = 0x40
DECIMALS = 6
DIGITS = 26
PADDED_LENGTH = 16
LEAST = -130
EXACT = Context(prec=200)  # DynamoDB's numbers have 38 digits, 130 decimals at most


def key_text(value: Any, style: KeyStyle) -> str:
    """A value as it stands in a key."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        return _fixed(number) if style == "plain" else _padded(number)
    if not value:
        raise WrongValue("empty text in a key looks like no value at all")
    if style == "plain":
        return _escaped(str(value))
    if DELIMITER in str(value):
        raise WrongValue(f"{value!r} holds {DELIMITER}, where a key's next part begins")
    return str(value)


def _escaped(text: str) -> str:
    """No value looks like a delimiter: characters up to the escape become two."""
    return "".join(
        each if each > ESCAPE else ESCAPE + chr(ord(each) + SHIFT) for each in text
    )


def _fixed(number: Decimal) -> str:
    """A sign digit, then the number times a million; below zero what is left of it."""
    exact = number.scaleb(DECIMALS, EXACT)
    scaled = int(exact)
    limit = 10**DIGITS
    if abs(scaled) >= limit:
        raise WrongValue(f"{number} is too large for a key")
    if exact != scaled:
        raise WrongValue(
            f"{number} has more than {DECIMALS} decimals, too many for a key"
        )
    digits = scaled if scaled >= 0 else limit + scaled
    return f"{'1' if scaled >= 0 else '0'}{digits:0{DIGITS}d}"


def _padded(number: Decimal) -> str:
    """Zeros in front, decimals as they are; below zero what is left to the greatest."""
    limit = Decimal(10) ** PADDED_LENGTH
    if number.copy_abs() >= limit:  # abs would round
        raise WrongValue(f"{number} is too large for a key")
    if number and number.adjusted() < LEAST:
        raise WrongValue(f"{number} is too small for a key")
    shifted = number if number >= 0 else EXACT.add(limit, number)
    whole, _, decimals = format(shifted.copy_abs(), "f").partition(".")
    behind = decimals.rstrip("0")
    text = whole.rjust(PADDED_LENGTH, "0") + (f".{behind}" if behind else "")
    return text if number >= 0 else f"-{text}"
