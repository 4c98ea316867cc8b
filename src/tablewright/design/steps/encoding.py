"""Values inside keys, in two styles; the order of texts is the order of values.

plain       text with an order-preserving escape, numbers of fixed width
electrodb   text as it stands, numbers padded: whole ones from 0 on sort right

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
PLAIN_DIGITS = 21
"""JavaScript prints longer numbers with an exponent."""
EXACT = Context(prec=100)  # DynamoDB's numbers have 38 digits


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
    """As JavaScript prints it."""
    if number < 0 or number != int(number) or number >= 10**PADDED_LENGTH:
        raise WrongValue(
            f"{number} would sort wrong: keys of this style hold whole"
            f" numbers from 0 on, of up to {PADDED_LENGTH} digits"
        )
    if not number:
        return "0".rjust(PADDED_LENGTH, "0")
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    text = ("-" if number < 0 else "") + _placed(digits, number.adjusted() + 1)
    return text.rjust(PADDED_LENGTH, "0")


def _placed(digits: str, point: int) -> str:
    """Digits with the point behind so many of them."""
    if len(digits) <= point <= PLAIN_DIGITS:
        return digits.ljust(point, "0")
    if 0 < point <= PLAIN_DIGITS:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{mantissa}e{point - 1:+d}"
