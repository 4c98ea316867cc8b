"""Values inside composed keys, in two styles.

plain       text in an order-preserving escape, numbers of fixed width: any value can stand in a key. A value may hold
            the delimiter, or a character that sorts before it; then two items could share a key, or a range could end
            too early. So every character up to the escape sign itself is written as that sign and another.
electrodb   text as it stands, numbers padded with zeros: what ElectroDB writes, which knows no escape. Of numbers below
            zero and decimals it has no form that sorts; ours goes on where its ends.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING, Any

from tablewright.design.layout.names import TYPE_FIELDS
from tablewright.design.model import Encoding
from tablewright.schema.escaped import escape
from tablewright.schema.ordered import EXACT, signed_text, written
from tablewright.schema.types import Digits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.spec.model import KeyStyle

DIGITS = 20
DECIMALS = 6
PADDED_LENGTH = 16
"""What JavaScript's numbers hold exactly has no more digits."""


def key_text(value: Any, style: KeyStyle = "plain") -> str:
    """A value as it stands in a key: order of texts is order of values."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return NUMBERS[style](value)
    return TEXTS[style](str(value))


def _number_text(value: float | Decimal) -> str:
    """Fixed width with the sign in front; what is finer than its decimals is left out."""
    exact = Decimal(repr(value) if isinstance(value, float) else value)
    return written(exact.quantize(Decimal(1).scaleb(-DECIMALS), ROUND_DOWN, EXACT), Digits(DIGITS, DECIMALS))


def _padded_text(value: float | Decimal) -> str:
    """As ElectroDB pads whole numbers from 0 on; the others in a form that sorts with them."""
    return signed_text(value, PADDED_LENGTH)


TEXTS: Mapping[KeyStyle, Callable[[str], str]] = {"plain": escape, "electrodb": str}
NUMBERS: Mapping[KeyStyle, Callable[[Any], str]] = {"plain": _number_text, "electrodb": _padded_text}

BUCKETS = "at:7 means the first 7 characters of the attribute at: its month, where it is an ISO 8601 time in UTC"

ENCODINGS: Mapping[KeyStyle, Encoding] = {
    "plain": Encoding(
        delimiter="#",
        text="every character up to U+0024 ($) is written as $ and the character 64 code points further on",
        numbers="a sign digit (1 for zero and above, 0 below), then 26 digits: the number times 1,000,000; below zero"
        " 10^26 is added to it",
        booleans="true or false",
        absent="the key ends where its first absent attribute would stand",
        shard="CRC-32 of the id's encoded values joined by #, modulo the number of shards",
        bucket=BUCKETS,
        type_field=TYPE_FIELDS["plain"],
    ),
    "electrodb": Encoding(
        delimiter="#",
        text="as it stands, in its own letter case: values in keys must not hold the delimiter, nor begin or end with"
        " a control character; text in front of another key part sorts right only without characters below #"
        " (space, ! and quotation mark)",
        numbers=f"padded with zeros in front to {PADDED_LENGTH} digits before the point, as ElectroDB pads whole"
        f" numbers from 0 on; decimals behind a point, without zeros at their end; below zero a minus, and the"
        f" number plus 10^{PADDED_LENGTH} in the same way",
        booleans="true or false",
        absent="the key ends where its first absent attribute would stand",
        shard="CRC-32 of the id's encoded values joined by #, modulo the number of shards",
        bucket=BUCKETS,
        type_field=TYPE_FIELDS["electrodb"],
    ),
}
