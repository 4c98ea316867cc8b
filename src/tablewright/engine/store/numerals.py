"""Numbers as clients write them: read exactly, or refused in DynamoDB's words.

An exponent is read in full before the limits apply, and zero is judged by the exponent it is written with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.engine.faults import validation
from tablewright.wire.limits import MAX_NUMBER_DIGITS, MAX_NUMBER_EXPONENT, MIN_NUMBER_EXPONENT
from tablewright.wire.numbers import Number, NumberError, parse_number

if TYPE_CHECKING:
    from tablewright.errors import ServiceError

NOT_NUMERIC = "The parameter cannot be converted to a numeric value"
OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
TOO_LONG = f"Attempting to store more than {MAX_NUMBER_DIGITS} significant digits in a Number"
NUMBER_FAULTS = (NOT_NUMERIC, OVERFLOW, UNDERFLOW, TOO_LONG)

_NUMERAL = re.compile(r"[+-]?([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", re.ASCII)
_INT = 2**31
_LONG = 2**63


def read_number(text: str, *, older: bool = False, current: bool = False) -> Number:
    """The number a text stands for; `older` is the layer that counts exponents in 32 bits, `current` chooses words."""
    try:
        number = parse_number(text)
    except NumberError:
        if not text and current:
            raise validation(f"{NOT_NUMERIC}: ") from None
        raise _refused(text, older=older) from None
    if not number and ("e" in text or "E" in text):
        problem = _range_problem(_leading_exponent(text))
        if problem:
            raise validation(problem)
    return number


def _refused(text: str, *, older: bool) -> ServiceError:
    """Why a text is not a number that DynamoDB holds."""
    match = _NUMERAL.fullmatch(text)
    exponent = int(match[3] or 0) if match and len(match[3] or "") < 25 else _LONG
    if match is None or not (match[1] or match[2]) or not -(_INT if older else _LONG) <= exponent < _LONG:
        return _not_numeric(text)
    if older and not -_INT < exponent < _INT:
        return _not_numeric(text)
    leading = _leading_exponent(text)
    if older:
        leading = (leading + 1 + _INT) % (2 * _INT) - _INT - 1  # the sum wraps around
    return validation(_range_problem(leading) or TOO_LONG)


def _not_numeric(text: str) -> ServiceError:
    return validation(f"{NOT_NUMERIC}: {text}" if text else NOT_NUMERIC)


def _range_problem(leading: int) -> str:
    if leading > MAX_NUMBER_EXPONENT:
        return OVERFLOW
    return UNDERFLOW if leading < MIN_NUMBER_EXPONENT else ""


def _leading_exponent(text: str) -> int:
    """The power of ten of the first digit that counts."""
    match = _NUMERAL.fullmatch(text)
    assert match is not None
    whole, fraction, exponent = match[1], match[2] or "", int(match[3] or 0)
    digits = (whole + fraction).lstrip("0") or "0"
    return exponent - len(fraction) + len(digits) - 1
