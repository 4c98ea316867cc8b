"""DynamoDB's numbers: 38 significant digits, 1E-130 to 9.99E+125, and an error wherever rounding would be needed."""

from __future__ import annotations

import re
from decimal import Context, Decimal, Inexact, InvalidOperation
from typing import TypeAlias

from tablewright.wire.limits import MAX_NUMBER_DIGITS, MAX_NUMBER_EXPONENT, MIN_NUMBER_EXPONENT

Number: TypeAlias = int | float | Decimal

_OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
_UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
_TOO_LONG = f"Attempting to store more than {MAX_NUMBER_DIGITS} significant digits in a Number"
_NOT_A_NUMBER = "The parameter cannot be converted to a numeric value"

_EXACT = Context(prec=MAX_NUMBER_DIGITS, Emin=-999999, Emax=999999, traps=[Inexact, InvalidOperation])
_SHORT_INT = 10**MAX_NUMBER_DIGITS
_ADDABLE = _SHORT_INT // 10
_INT_LIMIT = 10 ** (MAX_NUMBER_EXPONENT + 1)
_PLAIN_FRACTION = re.compile(r"-?[0-9]{1,8}\.[0-9]{1,6}")
"""With so few digits the nearest float prints as the same number."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")


class NumberError(ValueError):
    """A number DynamoDB cannot hold; `reason` is what DynamoDB itself would say."""

    def __init__(self, reason: str, shown: str) -> None:
        super().__init__(f"{reason}: {shown}")
        self.reason = reason


def to_decimal(value: Number | str) -> Decimal:
    """The number a float stands for is the one it prints as: 0.1 is exactly one tenth."""
    return Decimal(repr(value)) if type(value) is float else Decimal(value)


def exact(value: Decimal) -> Decimal:
    """The number without trailing zeros, or an error when DynamoDB could not hold it."""
    if not value.is_finite():
        raise NumberError(_NOT_A_NUMBER, str(value))
    try:
        short = value.normalize(_EXACT)
    except (Inexact, InvalidOperation):
        raise NumberError(_TOO_LONG, _shown(value)) from None
    if not short:
        return Decimal(0)
    if short.adjusted() > MAX_NUMBER_EXPONENT:
        raise NumberError(_OVERFLOW, _shown(value))
    if short.adjusted() < MIN_NUMBER_EXPONENT:
        raise NumberError(_UNDERFLOW, _shown(value))
    return short


def _shown(value: Decimal) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:40]}... ({len(value.as_tuple().digits)} digits)"


def add(left: Number, right: Number) -> Number:
    """The exact sum, or an error where DynamoDB would have to round."""
    if type(left) is int and type(right) is int and -_ADDABLE < left < _ADDABLE and -_ADDABLE < right < _ADDABLE:
        return left + right
    return _summed(to_decimal(left), to_decimal(right))


def subtract(left: Number, right: Number) -> Number:
    """The exact difference, or an error where DynamoDB would have to round."""
    return _summed(to_decimal(left), to_decimal(right).copy_negate())


def _summed(left: Decimal, right: Decimal) -> Number:
    try:
        return from_decimal(exact(_EXACT.add(left, right)))
    except Inexact:  # DynamoDB calls this an overflow, however small the numbers are
        raise NumberError(_OVERFLOW, f"{_shown(left)} + {_shown(right)}") from None


def number_text(value: Number) -> str:
    """The text DynamoDB stores and returns: plain digits, no exponent, no needless zeros."""
    if value.__class__ is int and -_SHORT_INT < value < _SHORT_INT:
        return str(value)
    if value.__class__ is float and value:
        text = repr(value)
        if "e" not in text and "n" not in text:  # printed without exponent, and neither inf nor nan
            return text[:-2] if text[-2:] == ".0" else text
    if isinstance(value, int):
        if -_SHORT_INT < value < _SHORT_INT:
            return str(int(value))
        if not -_INT_LIMIT < value < _INT_LIMIT:
            raise NumberError(_OVERFLOW, f"an integer of {value.bit_length()} bits")
    return format(exact(to_decimal(float(value) if isinstance(value, float) else value)), "f")


def parse_number(text: str) -> Number:
    """A whole number as int, another as float where the float prints as the same number, else as Decimal."""
    if text.isdigit() and text.isascii() and len(text) <= MAX_NUMBER_DIGITS:
        return int(text)
    if _PLAIN_FRACTION.fullmatch(text):
        short = float(text)
        return int(short) if short.is_integer() else short
    if not _NUMBER.fullmatch(text):
        raise NumberError(_NOT_A_NUMBER, text)
    return from_decimal(exact(Decimal(text)))


def from_decimal(value: Decimal) -> Number:
    """The plainest Python number that holds this one exactly."""
    if value == value.to_integral_value():
        return int(value)
    nearest = float(value)
    return nearest if Decimal(repr(nearest)) == value else value


_JS_PLAIN_DIGITS = 21


def js_number_text(value: Number) -> str:
    """The text JavaScript prints for a number: 1.0 is "1", 1e21 is "1e+21", 1e-7 is "1e-7"."""
    if isinstance(value, int) and -(10**_JS_PLAIN_DIGITS) < value < 10**_JS_PLAIN_DIGITS:
        return str(int(value))
    number = to_decimal(value)
    if number.is_nan():
        return "NaN"
    sign = "-" if number < 0 else ""
    if number.is_infinite():
        return f"{sign}Infinity"
    return sign + _js_digits(number) if number else "0"


def _js_digits(number: Decimal) -> str:
    """ECMAScript's Number::toString: plain digits for exponents of -7 to 20, scientific beyond."""
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    point = number.adjusted() + 1
    if len(digits) <= point <= _JS_PLAIN_DIGITS:
        return digits.ljust(point, "0")
    if 0 < point <= _JS_PLAIN_DIGITS:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{mantissa}e{point - 1:+d}"
