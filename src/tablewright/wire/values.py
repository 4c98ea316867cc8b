"""Plain Python values and DynamoDB's typed JSON, exactly, in both directions.

str <-> S, int | float | Decimal <-> N, bool <-> BOOL, None <-> NULL, bytes <-> B (base64 text), list (or tuple) <-> L,
dict <-> M, sets <-> SS, NS, BS. Numbers keep all of DynamoDB's 38 digits: what would be rounded is refused. A value
that cannot be stored raises `UnstorableValueError`, which names the place inside the item.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tablewright.errors import FieldFault, ValidationError
from tablewright.wire.limits import MAX_NESTING
from tablewright.wire.numbers import Number, js_number_text, number_text, parse_number, to_decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = [
    "Number",
    "Typed",
    "UnstorableValueError",
    "js_number_text",
    "marshal",
    "marshal_item",
    "number_text",
    "parse_number",
    "type_code",
    "unmarshal",
    "unmarshal_item",
]

Typed: TypeAlias = dict[str, Any]
"""A value in DynamoDB's typed JSON, such as `{"S": "open"}`."""


class UnstorableValueError(ValidationError, ValueError):
    """A value DynamoDB cannot hold; `path` leads to it from the item, such as `dims.notes[2]`."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__([FieldFault(path, reason)] if path else [], message="" if path else reason)
        self.reason = reason
        self.path = path

    def inside(self, place: str | int) -> UnstorableValueError:
        """The same fault seen from the value around it."""
        step = f"[{place}]" if isinstance(place, int) else place
        joint = "" if not self.path or self.path.startswith("[") else "."
        return UnstorableValueError(self.reason, f"{step}{joint}{self.path}")


def marshal(value: Any, levels: int = MAX_NESTING) -> Typed:
    """`marshal({"a": 1})` is `{"M": {"a": {"N": "1"}}}`; `levels` is how deep it may be nested."""
    return _marshal(value, levels)


def marshal_item(item: Mapping[str, Any]) -> dict[str, Typed]:
    """Every attribute of an item, or of a key, in typed JSON."""
    return _marshal_fields(item, MAX_NESTING)


def unmarshal(typed: Mapping[str, Any]) -> Any:
    """The inverse of `marshal`: whole numbers as int, others as float where that is exact, else as Decimal."""
    return _unmarshal(typed, MAX_NESTING)


def unmarshal_item(item: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Every attribute of an item as a plain value."""
    return _unmarshal_fields(item, MAX_NESTING)


def type_code(value: object) -> str:
    """DynamoDB's name for the type of a plain value: S, N, B, BOOL, NULL, L, M, SS, NS or BS."""
    kind = type(value)
    code = _CODES.get(kind) or next((_CODES[base] for base in kind.__mro__ if base in _CODES), None)
    if code is not None:
        return code
    if isinstance(value, (set, frozenset)):
        members = cast("frozenset[Any]", value)
        return _SET_CODES.get(type_code(next(iter(members))), "SS") if members else "SS"
    raise _foreign(kind)


def _foreign(kind: type) -> UnstorableValueError:
    kinds = "str, int, float, Decimal, bool, None, bytes, list, tuple, dict, set or frozenset"
    return UnstorableValueError(f"{kind.__name__} is not a type DynamoDB stores; convert it to {kinds}")


def _marshal(value: object, levels: int) -> Typed:
    kind = type(value)
    marshaller = _MARSHALLERS.get(kind) or _marshaller_of_base(kind)
    return marshaller(value, levels)


def _marshaller_of_base(kind: type) -> Callable[[Any, int], Typed]:
    for base in kind.__mro__:
        if base in _MARSHALLERS:
            return _MARSHALLERS[base]
    raise _foreign(kind)


def _marshal_number(value: Number, _levels: int) -> Typed:
    try:
        return {"N": number_text(value)}
    except ValueError as fault:
        raise UnstorableValueError(str(fault)) from None


def _marshal_bytes(value: bytes | bytearray | memoryview, _levels: int) -> Typed:
    return {"B": b64encode(value).decode("ascii")}


def _deeper(levels: int) -> int:
    if levels <= 0:
        raise UnstorableValueError(f"lists and maps are nested deeper than {MAX_NESTING} levels; store a flatter value")
    return levels - 1


def _marshal_list(values: Iterable[Any], levels: int) -> Typed:
    left = _deeper(levels)
    members: list[Typed] = []
    for value in values:
        try:
            members.append(_marshal(value, left))
        except UnstorableValueError as fault:
            raise fault.inside(len(members)) from None
    return {"L": members}


def _marshal_map(fields: Mapping[str, Any], levels: int) -> Typed:
    return {"M": _marshal_fields(fields, _deeper(levels))}


def _marshal_fields(fields: Mapping[Any, Any], levels: int) -> dict[str, Typed]:
    typed: dict[str, Typed] = {}
    for name, value in fields.items():
        if value.__class__ is str and name.__class__ is str:  # most values are texts
            typed[name] = {"S": value}
            continue
        if not isinstance(name, str):
            raise UnstorableValueError(f"the name {name!r} is not a str; DynamoDB's maps are keyed by text")
        try:
            typed[name] = _marshal(value, levels)
        except UnstorableValueError as fault:
            raise fault.inside(name) from None
    return typed


_SET_CODES: dict[str, str] = {"S": "SS", "N": "NS", "B": "BS"}

_CODES: dict[type, str] = {
    str: "S",
    bool: "BOOL",
    int: "N",
    float: "N",
    Decimal: "N",
    type(None): "NULL",
    bytes: "B",
    bytearray: "B",
    memoryview: "B",
    list: "L",
    tuple: "L",
    dict: "M",
}


def _marshal_set(members: frozenset[Any], _levels: int) -> Typed:
    if not members:
        raise UnstorableValueError("a set may not be empty; leave the attribute out or remove it")
    typed = [_marshal_member(member) for member in members]
    code = next(iter(typed[0]))
    if any(code not in member for member in typed):
        raise UnstorableValueError("a set holds only str, only numbers or only bytes, not a mixture")
    # Sorted, so that one value has one text; a dict, because 0.1 and Decimal("0.1") are one number to DynamoDB.
    texts = dict.fromkeys(member[code] for member in typed)
    return {_SET_CODES[code]: sorted(texts, key=to_decimal if code == "N" else None)}


def _marshal_member(member: object) -> Typed:
    typed = _marshal(member, 0)
    if typed.keys().isdisjoint(_SET_CODES):
        raise UnstorableValueError(f"a set cannot hold {type(member).__name__}; its members are str, numbers or bytes")
    return typed


_MARSHALLERS: dict[type, Callable[[Any, int], Typed]] = {
    str: lambda value, _: {"S": str(value)},
    bool: lambda value, _: {"BOOL": value},
    int: _marshal_number,
    float: _marshal_number,
    Decimal: _marshal_number,
    type(None): lambda _value, _: {"NULL": True},
    bytes: _marshal_bytes,
    bytearray: _marshal_bytes,
    memoryview: _marshal_bytes,
    list: _marshal_list,
    tuple: _marshal_list,
    dict: _marshal_map,
    set: _marshal_set,
    frozenset: _marshal_set,
}


def _bytes_of(text: str | bytes) -> bytes:
    # botocore has already undone the base64; the JSON protocol has not.
    return b64decode(text, validate=True) if isinstance(text, str) else bytes(text)


def _unmarshal(typed: Mapping[str, Any], levels: int) -> Any:
    if len(typed) != 1:
        raise UnstorableValueError(f"a typed value has exactly one type, this one has {sorted(typed) or 'none'}")
    ((code, value),) = typed.items()
    if code == "S":  # most values are texts, and many of the others numbers
        return value
    if code == "N":
        return parse_number(value)
    unmarshaller = _UNMARSHALLERS.get(code)
    if unmarshaller is None:
        raise UnstorableValueError(f"{code!r} is not one of DynamoDB's types {', '.join(_UNMARSHALLERS)}")
    return unmarshaller(value, levels)


def _unmarshal_list(members: Iterable[Mapping[str, Any]], levels: int) -> list[Any]:
    left = _deeper(levels)
    return [_unmarshal(member, left) for member in members]


def _unmarshal_map(fields: Mapping[str, Mapping[str, Any]], levels: int) -> dict[str, Any]:
    return _unmarshal_fields(fields, _deeper(levels))


def _unmarshal_fields(fields: Mapping[str, Mapping[str, Any]], levels: int) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, typed in fields.items():
        if "S" in typed and len(typed) == 1:  # most values are texts
            plain[name] = typed["S"]
        else:
            plain[name] = _unmarshal(typed, levels)
    return plain


_UNMARSHALLERS: dict[str, Callable[[Any, int], Any]] = {
    "S": lambda value, _: value,
    "N": lambda value, _: parse_number(value),
    "BOOL": lambda value, _: bool(value),
    "NULL": lambda _value, _: None,
    "B": lambda value, _: _bytes_of(value),
    "L": _unmarshal_list,
    "M": _unmarshal_map,
    "SS": lambda value, _: set(value),
    "NS": lambda value, _: {parse_number(text) for text in value},
    "BS": lambda value, _: {_bytes_of(text) for text in value},
}
