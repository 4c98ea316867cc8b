"""Values of a given size, each told apart from others by a number."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
EARLIEST = "0001-01-01T00:00:00.000Z"
MAP_BYTES, LIST_BYTES = 5, 4
"""What a map of one entry with a name of one letter, and a list of one member, take besides the text in it."""


def sized_value(kind: str, size: int, number: int) -> Any:
    """A value of a type; sizes are those that DynamoDB counts."""
    return _MAKERS[kind](size, number)


def sized_text(size: int, number: int) -> str:
    """Zeros and the number, with 36 digits; longer than it should be where the number does not fit."""
    text = ""
    while number:
        number, at = divmod(number, len(DIGITS))
        text = DIGITS[at] + text
    return text.rjust(max(1, size), "0")


def _sized_number(size: int, number: int) -> int:
    """Two digits a byte; the last is no zero, which would not count."""
    digits = max(1, 2 * (size - 1))
    return 10 ** (digits - 1) + number * 10 + 1 if digits > 1 else number % 9 + 1


_MAKERS: Mapping[str, Callable[[int, int], Any]] = {
    "string": sized_text,
    "any": sized_text,
    "number": _sized_number,
    "boolean": lambda _size, number: bool(number % 2),
    "binary": lambda size, number: sized_text(size, number).encode(),
    "map": lambda size, number: {"v": sized_text(size - MAP_BYTES, number)},
    "list": lambda size, number: [sized_text(size - LIST_BYTES, number)],
    "set": lambda size, number: {sized_text(size, number)},
}


def time_text(seconds: float, size: int, letters: int | None = None) -> str:
    """A moment as text of so many characters; `letters` of it tell, the others are the same in all."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    whole = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
    shown = whole if letters is None else whole[:letters] + EARLIEST[letters:]
    return shown[:size].ljust(size, "0")
