"""Numbers inside text keys: texts whose order is the order of the numbers, or a refusal.

DynamoDB orders a text key by its bytes, where "10" comes before "9". Three forms put numbers in order:

padding     zeros in front, as ElectroDB writes it: whole numbers from 0 on, up to the length. A `signed` one goes on
            behind a point where there are decimals, and below zero with a minus and what is left to the greatest
            number; what ElectroDB can order is written as it does
digits      a sign digit, then so many digits before and behind the point; below zero the digits are what is left to the
            greatest number. It takes negative numbers and decimals, and is what the architect's plain keys hold

A number that does not fit its form is refused, since its key would stand in the wrong place.
"""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import FieldFault, ValidationError
from tablewright.schema.escaped import Escaped
from tablewright.schema.types import NUMBER, STRING, Digits, Enum, Padding
from tablewright.wire.numbers import to_decimal
from tablewright.wire.values import js_number_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.schema.model import Entity
    from tablewright.schema.types import Attribute, Type
    from tablewright.wire.numbers import Number

_SIGNED = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)
LEAST = -130
"""The exponent of the smallest number there is."""
EXACT = Context(prec=200)  # more than DynamoDB's 38 digits, shifted by any number of decimals


class Ordered(msgspec.Struct, frozen=True):
    """How the numbers of an attribute stand in keys; `name` is what the caller calls it."""

    name: str
    form: Padding | Digits
    signed: bool = False

    def text(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise self.refused(f"must be a number, not {type(value).__name__} {value!r:.60}")
        try:
            if isinstance(self.form, Digits):
                return written(value, self.form)
            return signed_text(value, self.form.length) if self.signed else _padded(value, self.form)
        except ValueError as error:
            raise self.refused(str(error)) from error

    def refused(self, reason: str) -> ValidationError:
        return ValidationError([FieldFault(self.name, reason)])


def _padded(value: Number, padding: Padding) -> str:
    text = js_number_text(value)
    if not text.isdigit():
        shown = f'padding=({padding.length}, "0")'
        kind = "is negative" if text.startswith("-") else "is no whole number"
        raise ValueError(
            f"{kind} ({value}), and {shown} orders whole numbers from 0 on; declare digits=(12, 2) instead"
        )
    if len(text) > padding.length:
        raise ValueError(
            f"has {len(text)} digits ({value}), more than its padding of {padding.length}: its key would sort wrongly; "
            "use a longer padding from the start, because it changes all keys"
        )
    return text.rjust(padding.length, "0")


def signed_text(value: Number, length: int) -> str:
    """So many digits before the point, and decimals as they are; the point sorts behind what ends a value in keys."""
    exact = to_decimal(value)
    limit = Decimal(10) ** length
    if exact.copy_abs() >= limit:  # abs would round
        raise ValueError(f"has more than the {length} digits before the point that its keys hold: {value}")
    if exact and exact.adjusted() < LEAST:
        raise ValueError(f"is closer to zero than any number of DynamoDB: {value}")
    shifted = exact if exact >= 0 else EXACT.add(limit, exact)
    whole, _, decimals = format(shifted.copy_abs(), "f").partition(".")
    behind = decimals.rstrip("0")
    return ("" if exact >= 0 else "-") + whole.rjust(length, "0") + (f".{behind}" if behind else "")


def read_signed(text: str, length: int) -> int | float | Decimal:
    """The number in a key; NaN when it is none."""
    digits = text.removeprefix("-")
    if _SIGNED.fullmatch(digits) is None:
        return math.nan
    number = Decimal(digits) if digits == text else EXACT.subtract(Decimal(digits), Decimal(10) ** length)
    return int(number) if number == number.to_integral_value() else number


def written(value: Number, digits: Digits) -> str:
    """Fixed width with the sign in front; negative numbers as what is left to the greatest, so that they sort."""
    scaled = EXACT.scaleb(to_decimal(value), digits.decimals)
    whole = int(scaled)
    width = digits.whole + digits.decimals
    if whole != scaled:
        raise ValueError(
            f"has more than the {digits.decimals} decimals of its digits=({digits.whole}, {digits.decimals}): {value}"
        )
    if abs(whole) >= 10**width:
        raise ValueError(f"has more than the {digits.whole} digits before the point that its keys hold: {value}")
    return f"{'1' if whole >= 0 else '0'}{whole % 10**width:0{width}d}"


def read_digits(text: str, digits: Digits) -> int | float | Decimal:
    """The number in a key; NaN when it is none, which no number is equal to."""
    width = digits.whole + digits.decimals
    if len(text) != width + 1 or not (text.isascii() and text.isdigit()):
        return math.nan
    number = EXACT.scaleb(Decimal(int(text[1:]) - (0 if text[0] == "1" else 10**width)), -digits.decimals)
    return int(number) if number == number.to_integral_value() else number


# ---- which attributes are in order --------------------------------------------------------------------------------


def is_numeric(kind: Type) -> bool:
    """Whether values are numbers, or constants among which there are some."""
    return kind == NUMBER or (isinstance(kind, Enum) and any(not isinstance(each, str) for each in kind.choices))


def is_text(kind: Type) -> bool:
    return kind == STRING or (isinstance(kind, Enum) and not is_numeric(kind))


def _orders(padding: Padding) -> bool:
    """Whether what is padded so sorts: blanks would sort before the separators of a key."""
    return padding.char == "0" and padding.length > 0


def form_of(attribute: Attribute, called: str | None = None) -> Ordered | None:
    """The form that keeps an attribute's numbers in order, if it declares one."""
    form = attribute.digits or attribute.padding
    if form is None or not is_numeric(attribute.type) or (isinstance(form, Padding) and not _orders(form)):
        return None
    return Ordered(called or attribute.name, form, attribute.signed)


def forms_in(entity: Entity, said: Mapping[str, str]) -> dict[str, Ordered]:
    """By name: how numbers stand in keys, where they are to be in order; `said` is what the caller calls them."""
    found = ((each.name, form_of(each, said.get(each.name))) for each in entity.attributes)
    return {name: form for name, form in found if form is not None}


def disorder(kind: Type, form: Any) -> str | None:
    """Why the texts of such an attribute are not in the order of its values, with the remedy; None: they are."""
    if isinstance(form, Ordered | Escaped):
        return None
    if form is not None:
        what = "is padded to sort as a number" if is_text(kind) else "is padded in a way that does not sort"
        return f'{what}, but is none; make it an int with padding=(length, "0"), or drop the padding'
    if is_numeric(kind) and not _are_alike(kind):
        return (
            "is a number inside a text key, which sorts as text (10 before 9); declare digits=(12, 2), or "
            'padding=(12, "0") for whole numbers from 0 on, or make it the whole sort key (sk="{...}"), which '
            "DynamoDB orders as numbers"
        )
    return None


def _are_alike(kind: Type) -> bool:
    """Constants that sort the same as numbers and as texts: each of one length, none below zero."""
    if not isinstance(kind, Enum) or any(isinstance(each, str) for each in kind.choices):
        return False
    texts = [js_number_text(each) for each in kind.choices]  # type: ignore[arg-type]
    return all(each.isdigit() for each in texts) and len({*map(len, texts)}) == 1
