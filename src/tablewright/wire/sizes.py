"""How large DynamoDB takes values and items to be, in bytes.

Names and text count in UTF-8; a number takes a byte, one more for every two significant digits, and one for a minus;
true, false and null take one; lists and maps take three and one for every member. Sets are the sum of their members.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.wire.numbers import Number, exact, to_decimal
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Mapping

_CONTAINER_BYTES = 3
_MEMBER_BYTES = 1


def item_size_bytes(item: Mapping[str, Any]) -> int:
    """The size of an item, or of a key, of plain values: what the 400 KB and the capacity units are counted on."""
    return sum(name_size_bytes(name) + value_size_bytes(value) for name, value in item.items())


def name_size_bytes(name: str) -> int:
    """Attribute names count in every item they appear in."""
    return len(name) if name.isascii() else len(name.encode("utf-8", "surrogatepass"))


def value_size_bytes(value: Any) -> int:
    """The size of a plain value with all that is inside it."""
    total, waiting = 0, [value]
    while waiting:
        current: Any = waiting.pop()
        code = type_code(current)
        if code in _CONTAINERS:
            total += _CONTAINER_BYTES + _MEMBER_BYTES * len(current)
        if code == "M":
            fields = cast("dict[str, Any]", current)
            total += sum(name_size_bytes(name) for name in fields)
            waiting.extend(fields.values())
        elif code in _COLLECTIONS:
            waiting.extend(current)
        else:
            total += _scalar_size_bytes(code, current)
    return total


_CONTAINERS = frozenset({"L", "M"})
_COLLECTIONS = frozenset({"L", "SS", "NS", "BS"})


def _scalar_size_bytes(code: str, value: Any) -> int:
    if code == "S":
        return name_size_bytes(value)
    if code == "B":
        return len(value)
    return number_size_bytes(value) if code == "N" else 1


def number_size_bytes(value: Number) -> int:
    """1 for zero, 20 for 38 digits, 21 when they are negative; zeros at either end do not count."""
    number = exact(to_decimal(value))
    digits = len(number.as_tuple().digits) if number else 0
    return (digits + 1) // 2 + 1 + (number < 0)
