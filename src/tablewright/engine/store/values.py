"""Attribute values as clients send them, read and checked in DynamoDB's words.

The engine works on plain Python values (`wire.values`) and keeps items as canonical DynamoDB JSON text. The service has
two layers of such checks: the current one reads PutItem, UpdateItem, DeleteItem, GetItem, BatchGetItem and Query, the
older one BatchWriteItem, transactions and Scan. They differ in the exponents they can read, in how deep the values of
expressions may go, and in their words. Some clients know the older words only, so the current layer can be `classic`:
it judges as it does, and says it as it once did.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

import msgspec

from tablewright.engine.faults import invalid_parameters, serialization, validation
from tablewright.engine.store.numerals import read_number
from tablewright.errors import ServiceError
from tablewright.wire.limits import MAX_NAME_BYTES, MAX_NESTING
from tablewright.wire.sizes import name_size_bytes
from tablewright.wire.values import marshal, marshal_item, number_text, unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Words: TypeAlias = Literal["current", "classic"]
Wording: TypeAlias = Literal["current", "classic", "older"]
Kind = TypeVar("Kind")

NESTING = "Nesting Levels have exceeded supported limits"
TOO_DEEP = f"{NESTING}: Attributes in the item have nested levels beyond supported limit"
EMPTY_NAME = "Empty attribute name"
DUPLICATES = "Input collection"
SAME_NUMBERS = f"{DUPLICATES} contains duplicates"
INSIDE = MAX_NESTING - 1  # an attribute is the first of the levels

encode = msgspec.json.encode
decode = msgspec.json.decode


class Reading:
    """What is known while values are read: by whom, in whose words, and whether they were in canonical form so far."""

    __slots__ = ("canonical", "current", "odd", "older")

    def __init__(self, wording: Wording = "current") -> None:
        self.older = wording == "older"
        self.current = wording == "current"
        self.canonical = True
        self.odd: list[str] = []  # the attributes that were not


def read_item(item: Mapping[str, Any], wording: Wording = "current") -> dict[str, Any]:
    """Every attribute of an item or key as a plain value."""
    return read_attributes(item, Reading(wording))


def read_attributes(item: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    if "" in item:
        raise validation(EMPTY_NAME)
    try:
        plain = {name: _read_attribute(name, value, reading) for name, value in item.items()}
    except ServiceError as fault:
        if fault.service_message == EMPTY_NAME and depth_of(item) > INSIDE:  # of the two, depth is told
            raise validation(TOO_DEEP) from None
        raise
    for name in item:
        check_name(name)
    return plain


def _read_attribute(name: str, value: Any, reading: Reading) -> Any:
    plain = _read(value, INSIDE, reading)
    if not reading.canonical:
        reading.canonical = True
        reading.odd.append(name)
    return plain


def canonical_text(item: Mapping[str, Any], plain: Mapping[str, Any], reading: Reading) -> bytes:
    """The text of an item that was read, as it is stored."""
    if not reading.odd:
        return encode(item)
    return encode({**item, **{name: marshal(plain[name]) for name in reading.odd}})


def check_name(name: str) -> None:
    """Names may be long, but not that long."""
    if len(name) * 4 > MAX_NAME_BYTES and name_size_bytes(name) > MAX_NAME_BYTES:
        raise validation(f"Attribute name is too large, must be less than {MAX_NAME_BYTES + 1} bytes")


def read_value(value: Any, levels: int = INSIDE, wording: Wording = "current") -> Any:
    """One attribute value as a plain value; `levels` is how deep lists and maps may still go."""
    return _read(value, levels, Reading(wording))


def _read(value: Any, levels: int, reading: Reading) -> Any:
    if value.__class__ is dict and len(value) == 1:
        for code, inner in value.items():
            if code == "S" and inner.__class__ is str:  # most values are texts
                return inner
            reader = READERS.get(code)
            if reader is not None and inner is not None:
                return reader(inner, levels, reading)
    return _read_odd_value(value, levels, reading)


def _read_odd_value(value: Any, levels: int, reading: Reading) -> Any:
    """A value without a type, or with several: whatever is wrong with one of them is told first."""
    reading.canonical = False
    typed = cast("dict[str, Any]", _typed(value, dict))
    known = [code for code in typed if code in READERS and typed[code] is not None]
    if not known:
        raise validation("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
    plain = [READERS[code](typed[code], levels, reading) for code in known]
    if len(known) > 1:
        wanted = "must contain exactly one of the supported datatypes"
        raise validation(f"Supplied AttributeValue has more than one datatypes set, {wanted}")
    return plain[0]


def _typed(value: Any, kind: type[Kind]) -> Kind:
    if not isinstance(value, kind):
        raise serialization("Unexpected value type in payload")
    return value


def _text(value: Any, _levels: int, _reading: Reading) -> str:
    return _typed(value, str)


def _number(value: Any, _levels: int, reading: Reading) -> Any:
    number = read_number(_typed(value, str), older=reading.older, current=reading.current)
    if reading.canonical and number_text(number) != value:
        reading.canonical = False
    return number


def _binary(value: Any, _levels: int, _reading: Reading) -> bytes:
    try:
        return b64decode(_typed(value, str), validate=True)
    except Base64Error:
        raise serialization("Base64 encoded length is expected a multiple of 4 bytes but found: 1") from None


def _boolean(value: Any, _levels: int, _reading: Reading) -> bool:
    return _typed(value, bool)


def _null(value: Any, _levels: int, _reading: Reading) -> None:
    if _typed(value, bool) is not True:
        raise invalid_parameters("Null attribute value types must have the value of true")


def _set(
    read: Callable[[Any, int, Reading], Any], empty: str, duplicates: Callable[[list[Any], Reading], ServiceError]
) -> Callable[[Any, int, Reading], set[Any]]:
    def read_set(values: Any, levels: int, reading: Reading) -> set[Any]:
        if not _typed(values, list):
            raise invalid_parameters(empty)
        reading.canonical = False  # nobody looks at the order of the members here
        members = [read(each, levels, reading) for each in values]
        distinct = set(members)
        if len(distinct) < len(members):
            raise duplicates(values, reading)
        return distinct

    return read_set


def _duplicate_texts(values: list[str], reading: Reading) -> ServiceError:
    shown = ", ".join(f'"{each}"' for each in _met(values, str.encode)) if reading.current else ", ".join(values)
    return invalid_parameters(f"{DUPLICATES} [{shown}] contains duplicates.")


def _duplicate_bytes(values: list[str], reading: Reading) -> ServiceError:
    shown = ",".join(f'"{each}"' for each in _met(values, b64decode)) if reading.current else ", ".join(values)
    return invalid_parameters(f"{DUPLICATES} [{shown}]of type BS contains duplicates.")


def _duplicate_numbers(_values: list[str], reading: Reading) -> ServiceError:
    return invalid_parameters(f"{DUPLICATES} contains duplicates.") if reading.current else validation(SAME_NUMBERS)


def _met(values: list[str], order: Callable[[str], bytes]) -> list[str]:
    """Members as the current layer lists them: sorted up to the first that repeats, which is next, then as sent."""
    seen: set[str] = set()
    for place, each in enumerate(values):
        if each in seen:
            return [*sorted(values[:place], key=order), *values[place:]]
        seen.add(each)
    return values


def _deeper(levels: int) -> int:
    if levels <= 0:
        raise validation(TOO_DEEP)
    return levels - 1


def _list(values: Any, levels: int, reading: Reading) -> list[Any]:
    inside = _deeper(levels)
    if values.__class__ is not list:
        _typed(values, list)
    return [_read(each, inside, reading) for each in values]


def _map(values: Any, levels: int, reading: Reading) -> dict[str, Any]:
    inside = _deeper(levels)
    if values.__class__ is not dict:
        _typed(values, dict)
    if "" in values:
        raise validation(EMPTY_NAME)
    return {name: _read(each, inside, reading) for name, each in values.items()}


READERS: dict[str, Callable[[Any, int, Reading], Any]] = {
    "S": _text,
    "N": _number,
    "B": _binary,
    "SS": _set(_text, "An string set  may not be empty", _duplicate_texts),
    "NS": _set(_number, "An number set  may not be empty", _duplicate_numbers),
    "BS": _set(_binary, "Binary sets should not be empty", _duplicate_bytes),
    "M": _map,
    "L": _list,
    "NULL": _null,
    "BOOL": _boolean,
}


def depth_of(values: Mapping[str, Any]) -> int:
    """How many lists and maps lie inside each other at most, in attributes as they were sent."""
    level, depth = list(values.values()), 0
    while True:
        held = [value for each in level for value in _held(each)]
        if not held:
            return depth
        level = [inner for each in held for inner in each]
        depth += 1


def _held(typed: Any) -> list[list[Any]]:
    """The values inside a list or map that was sent, as the one member of a list."""
    found: list[list[Any]] = []
    if isinstance(typed, dict):
        for held in (cast("dict[str, Any]", typed).get(code) for code in ("L", "M")):
            if isinstance(held, list):
                found.append([*held])  # pyright: ignore[reportUnknownArgumentType]
            elif isinstance(held, dict):
                found.append([*cast("dict[str, Any]", held).values()])
    return found


def to_text(item: Mapping[str, Any]) -> bytes:
    """An item as it is stored: DynamoDB JSON."""
    return encode(marshal_item(item))


def from_text(text: bytes) -> dict[str, Any]:
    """A stored item as plain values."""
    return unmarshal_item(decode(text))
