"""How large DynamoDB takes values and items to be, in bytes.

Names and text count in UTF-8; true, false and null take one; lists and maps take three and one for every member. Sets
are the sum of their members. A number takes a byte, one more for every two digits in front of the point and one for
every two behind it (zeros at either end do not count), and one for a minus: 15 takes two, 1.5 takes three.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from tablewright.wire.numbers import Number, exact, to_decimal
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_CONTAINER_BYTES = 3
_MEMBER_BYTES = 1
_MISSING: Any = object()


def item_size_bytes(item: Mapping[str, Any]) -> int:
    """The size of an item, or of a key, of plain values: what the 400 KB and the capacity units are counted on."""
    total = 0
    for name, value in item.items():
        total += len(name) if name.isascii() else name_size_bytes(name)
        measure = _SCALARS.get(value.__class__)
        total += value_size_bytes(value) if measure is None else measure(value)
    return total


def resized_bytes(size: int, old: Mapping[str, Any], new: Mapping[str, Any], names: Iterable[str]) -> int:
    """The size of an item that had this one until these attributes changed."""
    for name in names:
        before, after = old.get(name, _MISSING), new.get(name, _MISSING)
        if before is after or (before.__class__ is str and before == after):  # updates often write what is there
            continue
        if before is not _MISSING:
            size -= name_size_bytes(name) + value_size_bytes(before)
        if after is not _MISSING:
            size += name_size_bytes(name) + value_size_bytes(after)
    return size


def name_size_bytes(name: str) -> int:
    """Attribute names count in every item they appear in."""
    return len(name) if name.isascii() else len(name.encode("utf-8", "surrogatepass"))


def value_size_bytes(value: Any) -> int:
    """The size of a plain value with all that is inside it."""
    measure = _SCALARS.get(value.__class__)
    if measure is not None:
        return measure(value)
    total = 0
    waiting: list[Any] = [value]
    while waiting:
        current = waiting.pop()
        if current.__class__ is str and current.isascii():
            total += len(current)
            continue
        measure = _SCALARS.get(current.__class__)
        if measure is not None:
            total += measure(current)
            continue
        code = _CONTAINERS.get(current.__class__) or type_code(current)
        if code == "M":
            total += _CONTAINER_BYTES + _MEMBER_BYTES * len(current) + sum(map(name_size_bytes, current))
            waiting.extend(current.values())
        elif code in _COLLECTIONS:
            total += _CONTAINER_BYTES + _MEMBER_BYTES * len(current) if code == "L" else 0
            waiting.extend(current)
        else:  # a subclass of a scalar
            total += _BY_CODE[code](current)
    return total


_CONTAINERS: dict[type, str] = {dict: "M", list: "L", tuple: "L"}
_COLLECTIONS = frozenset({"L", "SS", "NS", "BS"})


def number_size_bytes(value: Number) -> int:
    """1 for zero, 20 for 38 digits of a whole number; one more for a minus, and for digits around the point."""
    if isinstance(value, int):
        if not value:
            return 1
        if 0 < value < 100:
            return 2
        return (len(str(abs(int(value))).rstrip("0")) + 1) // 2 + 1 + (value < 0)
    if isinstance(value, float) and 1e-3 < abs(value) < 1e15:  # printed without an exponent
        whole, _, fraction = repr(abs(float(value))).partition(".")
        if fraction != "0":
            in_front = 0 if whole == "0" else (len(whole) + 1) // 2
            behind = len(fraction if in_front else fraction.lstrip("0"))
            return in_front + (behind + 1) // 2 + 1 + (value < 0)
    number = exact(to_decimal(value))
    sign, digits, exponent = number.as_tuple()
    if not number:
        return 1
    behind = -cast("int", exponent)
    if behind <= 0:
        return (len(digits) + 1) // 2 + 1 + sign
    in_front = max(len(digits) - behind, 0)
    return (in_front + 1) // 2 + (len(digits) - in_front + 1) // 2 + 1 + sign


def _one(_value: object) -> int:
    return 1


_SCALARS: dict[type, Callable[[Any], int]] = {
    str: name_size_bytes,
    bytes: len,
    bool: _one,
    type(None): _one,
    int: number_size_bytes,
    float: number_size_bytes,
    Decimal: number_size_bytes,
}
_BY_CODE: dict[str, Callable[[Any], int]] = {
    "S": name_size_bytes,
    "B": len,
    "N": number_size_bytes,
    "BOOL": _one,
    "NULL": _one,
}
