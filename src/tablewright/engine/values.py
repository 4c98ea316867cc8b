"""Attribute values as clients send them, read and checked in DynamoDB's words.

The engine works on plain Python values (`wire.values`) and keeps items as canonical DynamoDB JSON text.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec

from tablewright.engine.faults import invalid_parameters, serialization, validation
from tablewright.wire.limits import MAX_NESTING
from tablewright.wire.numbers import NumberError, parse_number
from tablewright.wire.values import marshal_item, unmarshal_item

TYPES = ("S", "N", "B", "SS", "NS", "BS", "M", "L", "NULL", "BOOL")

encode = msgspec.json.encode
decode = msgspec.json.decode


def read_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Every attribute of an item or key as a plain value."""
    return {name: read_value(value) for name, value in item.items()}


def read_value(value: Any, levels: int = MAX_NESTING) -> Any:
    """One attribute value as a plain value."""
    if not isinstance(value, dict):
        raise serialization("Unexpected value type in payload")
    typed = cast("dict[str, Any]", value)
    known = [code for code in typed if code in TYPES]
    if not known:
        raise validation("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
    if len(known) > 1:
        wanted = "must contain exactly one of the supported datatypes"
        raise validation(f"Supplied AttributeValue has more than one datatypes set, {wanted}")
    return READERS[known[0]](typed[known[0]], levels)


def _text(value: Any, _levels: int) -> str:
    return _typed(value, str)


def _typed(value: Any, kind: type[Any]) -> Any:
    if not isinstance(value, kind):
        raise serialization("Unexpected value type in payload")
    return value


def _number(value: Any, _levels: int) -> Any:
    try:
        return parse_number(_typed(value, str))
    except NumberError as error:
        raise validation(error.reason) from None


def _binary(value: Any, _levels: int) -> bytes:
    try:
        return b64decode(_typed(value, str), validate=True)
    except Base64Error:
        raise serialization("Base64 encoded length is expected a multiple of 4 bytes but found: 1") from None


def _boolean(value: Any, _levels: int) -> bool:
    return _typed(value, bool)


def _null(value: Any, _levels: int) -> None:
    if _typed(value, bool) is not True:
        raise invalid_parameters("Null attribute value types must have the value of true")


def _set(read: Callable[[Any, int], Any], kind: str) -> Callable[[Any, int], Any]:
    def read_set(values: Any, levels: int) -> Any:
        members = [read(each, levels) for each in _typed(values, list)]
        if not members:
            raise invalid_parameters(f"An {kind} set  may not be empty")
        distinct = frozenset(members)
        if len(distinct) < len(members):
            shown = ", ".join(str(each) for each in values)
            raise invalid_parameters(f"Input collection [{shown}] contains duplicates.")
        return set(distinct)

    return read_set


def _deeper(levels: int) -> int:
    if levels <= 0:
        raise validation("Nesting Levels have exceeded supported limits")
    return levels - 1


def _list(values: Any, levels: int) -> list[Any]:
    inside = _deeper(levels)
    return [read_value(each, inside) for each in _typed(values, list)]


def _map(values: Any, levels: int) -> dict[str, Any]:
    inside = _deeper(levels)
    return {name: read_value(each, inside) for name, each in _typed(values, dict).items()}


READERS: dict[str, Callable[[Any, int], Any]] = {
    "S": _text,
    "N": _number,
    "B": _binary,
    "SS": _set(_text, "string"),
    "NS": _set(_number, "number"),
    "BS": _set(_binary, "binary"),
    "M": _map,
    "L": _list,
    "NULL": _null,
    "BOOL": _boolean,
}


def to_text(item: Mapping[str, Any]) -> bytes:
    """An item as it is stored: DynamoDB JSON."""
    return encode(marshal_item(item))


def from_text(text: bytes) -> dict[str, Any]:
    """A stored item as plain values."""
    return unmarshal_item(decode(text))
