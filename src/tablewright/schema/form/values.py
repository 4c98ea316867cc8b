"""Values and functions inside schemas: constants of all DynamoDB types, functions by name, regular expressions.

JSON has no sets, binaries or exact numbers, so these are written `{"$set": [...]}`, `{"$binary": base64}` and
`{"$number": "1.20"}`; a map with a name that begins with `$` is written `{"$map": {...}}`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from tablewright.schema.form.kinds import Kind, Reading, Writing
from tablewright.schema.functions import name_function, regex, revive
from tablewright.schema.types import Constant, Pattern

FUNCTION_SCHEMA = {"$ref": "#/$defs/function"}
REGEX_SCHEMA = {"$ref": "#/$defs/regex"}


def _encode(value: Any) -> Any:
    """A constant as JSON holds it."""
    if isinstance(value, Mapping):
        mapping = {str(name): _encode(each) for name, each in cast("Mapping[str, Any]", value).items()}
        return {"$map": mapping} if any(name.startswith("$") for name in mapping) else mapping
    if isinstance(value, (list, tuple)):
        return [_encode(each) for each in cast("Sequence[Any]", value)]
    if isinstance(value, (set, frozenset)):
        return {"$set": sorted(map(_encode, cast("set[Any]", value)), key=repr)}
    if isinstance(value, Decimal):
        return {"$number": str(value)}
    return {"$binary": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _decode(value: Any, at: Reading) -> Any:
    """The constant that JSON holds."""
    if isinstance(value, list):
        return [_decode(each, at.at(place)) for place, each in enumerate(cast("Sequence[Any]", value))]
    if not isinstance(value, Mapping):
        return value
    mapping = cast("Mapping[str, Any]", value)
    special = next((name for name in mapping if name.startswith("$")), None)
    if special is None:
        return {name: _decode(each, at / name) for name, each in mapping.items()}
    if special not in SPECIAL or len(mapping) > 1:
        at.refuse(f"{special!r} means nothing here. Known: $fn, {', '.join(SPECIAL)}; wrap a plain map in $map.")
    try:
        return SPECIAL[special](mapping[special], at)
    except (TypeError, ValueError, InvalidOperation, binascii.Error) as error:
        at.refuse(f"{mapping[special]!r} cannot be read as {special} ({error}).")


SPECIAL: dict[str, Callable[[Any, Reading], Any]] = {
    "$set": lambda value, at: {_decode(each, at) for each in value},
    "$number": lambda value, _: Decimal(value),
    "$binary": lambda value, _: base64.b64decode(value, validate=True),
    "$map": lambda value, at: {name: _decode(each, at / name) for name, each in value.items()},
}


def _is_function(value: Any) -> bool:
    return callable(value) or (isinstance(value, Mapping) and "$fn" in value)


def read_function(value: Any, at: Reading) -> Callable[..., Any]:
    if not _is_function(value):
        at.refuse(f'{value!r} is no function. Write {{"$fn": name}} and pass the function by that name.')
    function: Callable[..., Any] = revive(value, at.functions, at.place)
    return function


def write_function(value: Callable[..., Any], to: Writing) -> Any:
    return name_function(value, to.functions)


def _read_default(value: Any, at: Reading) -> Constant | Callable[[], Any]:
    return read_function(value, at) if _is_function(value) else Constant(_decode(value, at))


def _write_default(value: Any, to: Writing) -> Any:
    return _encode(value.value) if isinstance(value, Constant) else write_function(value, to)


def _read_test(value: Any, at: Reading) -> Any:
    if isinstance(value, Mapping) and "$regex" in value:
        return regex(cast("Mapping[str, Any]", value)["$regex"], at.place)
    if isinstance(value, re.Pattern):
        return regex(cast("re.Pattern[str]", value), at.place)
    return value if isinstance(value, Pattern) else read_function(value, at)


def _write_test(value: Any, to: Writing) -> Any:
    return {"$regex": value.source} if isinstance(value, Pattern) else write_function(value, to)


FUNCTION = Kind(read_function, FUNCTION_SCHEMA, write_function)
TEST = Kind(_read_test, {"anyOf": [FUNCTION_SCHEMA, REGEX_SCHEMA]}, _write_test)
DEFAULT = Kind(_read_default, {}, _write_default)
