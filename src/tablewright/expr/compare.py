"""Plain values as DynamoDB sees them: what a path leads to, and how values compare.

Types come first (1 is neither True nor "1"), numbers compare by what they stand for, sets whatever their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.wire.numbers import to_decimal
from tablewright.wire.values import marshal, type_code

if TYPE_CHECKING:
    from collections.abc import Iterable

MISSING: Any = object()
"""What a path leads to when the item has nothing there; unlike None, which is a value."""

_PLAIN = frozenset({str, bytes, bool, int})
_ORDERED = frozenset({"S", "N", "B"})


def look_up(parts: Iterable[str | int], item: Any) -> Any:
    """The value at a path, or MISSING."""
    value = item
    for part in parts:
        # Most paths lead through maps, whose members are looked up without a call.
        value = value.get(part, MISSING) if value.__class__ is dict and part.__class__ is str else step(value, part)
        if value is MISSING:
            break
    return value


def step(value: Any, part: str | int) -> Any:
    """The member of a map or the element of a list, or MISSING."""
    if isinstance(part, str):
        return cast("dict[str, Any]", value).get(part, MISSING) if isinstance(value, dict) else MISSING
    if isinstance(value, list | tuple):
        elements = cast("list[Any]", value)
        return elements[part] if 0 <= part < len(elements) else MISSING
    return MISSING


def is_equal(left: Any, right: Any) -> bool:
    """1 and Decimal("1.0") are one number, 1 and True are not, nor are 1 and "1"."""
    if type(left) is type(right) and type(left) in _PLAIN:
        return bool(left == right)
    code = type_code(left)
    if code != type_code(right):
        return False
    if code == "N":
        return to_decimal(left) == to_decimal(right)
    # Typed JSON has one text for one value, sets sorted and numbers in canonical form.
    return marshal(left) == marshal(right)


def is_less(left: Any, right: Any) -> bool:
    """Text by its UTF-8 bytes (which is the order of code points), numbers by value, bytes unsigned; no other order."""
    code = type_code(left)
    if code not in _ORDERED or code != type_code(right):
        return False
    if code == "N":
        return to_decimal(left) < to_decimal(right)
    return bool(left < right)


def has_order(left: Any, right: Any) -> bool:
    """Whether one of the two can be the smaller."""
    code = type_code(left)
    return code in _ORDERED and code == type_code(right)


def contains(whole: Any, part: Any) -> bool:
    """A substring of text or bytes, a member of a set, an element of a list."""
    code = type_code(whole)
    if code in ("S", "B"):
        return type_code(part) == code and part in whole
    if code in ("L", "SS", "NS", "BS"):
        return any(is_equal(member, part) for member in whole)
    return False


def begins_with(whole: Any, start: Any) -> bool:
    """Only text starts with text, and bytes with bytes."""
    code = type_code(whole)
    return code in ("S", "B") and code == type_code(start) and bool(whole.startswith(start))


def size_of(value: Any) -> int | None:
    """Characters of text (in UTF-16 units, as in Java), bytes of binary, members of a collection; else nothing."""
    code = type_code(value)
    if code == "S":
        return len(value) if value.isascii() else len(value.encode("utf-16-le", "surrogatepass")) // 2
    return len(value) if code in ("B", "L", "M", "SS", "NS", "BS") else None
