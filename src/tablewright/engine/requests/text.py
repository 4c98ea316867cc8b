"""Text that is none: half a character, which JSON's escapes and Python can write but nothing can store, and odd names.

Callers in the same process can send what no client of a server can. A request that fits is asked at the speed of its
encoding; the place is looked for when it is known that there is one, or that the request is odd anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import serialization
from tablewright.wire.limits import MAX_NESTING

if TYPE_CHECKING:
    from tablewright.errors import ServiceError

DEEPEST = 6 * MAX_NESTING
"""Of JSON, in which a value is two levels: far below those that are refused for their depth."""
SHOWN_LETTERS = 10
"""Around what is wrong with a text."""
SHOWN_PLACE = 200

encode = msgspec.json.Encoder().encode


def check_text(params: dict[str, Any]) -> None:
    """Refuse half characters in a request that fits otherwise."""
    try:
        encode(params)
    except (ValueError, TypeError, OverflowError, RecursionError):  # also what is too deep to be looked at before
        find_bad_text(params)


def find_bad_text(given: Any) -> None:
    """Refuse text that cannot be stored, and names that are no text, with their place."""
    waiting: list[tuple[str, Any, int]] = [("", given, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        if isinstance(value, str):
            _check(value, place)
        elif isinstance(value, dict) and depth < DEEPEST:
            named: dict[Any, Any] = value  # pyright: ignore[reportUnknownVariableType]
            _check_names(named, place)
            waiting += [(f"{place}.{name}" if place else name, each, depth + 1) for name, each in named.items()]
        elif isinstance(value, list) and depth < DEEPEST:
            members: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
            waiting += [(f"{place}[{at}]", each, depth + 1) for at, each in enumerate(members)]


def _check_names(named: dict[Any, Any], place: str) -> None:
    for name in named:
        if not isinstance(name, str):
            raise serialization(f"names are text, but one{_where(place)} is of type {type(name).__name__}")
        _check(name, place)


def _check(text: str, place: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _half(text, place, error.start) from error


def _half(text: str, place: str, at: int) -> ServiceError:
    shown = _printable(text[max(at - SHOWN_LETTERS, 0) : at + SHOWN_LETTERS])
    return serialization(
        f"the text '{shown}'{_where(place)} has half a character, a lone surrogate, which cannot be stored;"
        " leave it out or replace it"
    )


def _where(place: str) -> str:
    return f" at '{_printable(place[-SHOWN_PLACE:])}'" if place else ""


def _printable(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode()
