"""What an answer of DynamoDB looks like, as far as everybody relies on it.

Answers are read at full speed and without looking twice. Only when something is odd are they looked at here, to find
out whose fault it is: an answer that is not of this form is not DynamoDB's.
"""

from __future__ import annotations

import re
from base64 import b64decode
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.wire.limits import MAX_NESTING

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?")
NUMBER_CHARACTERS = 200


def answer_fault(text: bytes | msgspec.Raw) -> str | None:
    """What is wrong with the text of an answer; None if nothing is."""
    try:
        content: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return f"it is not JSON ({error})"
    except RecursionError:
        return "its JSON is nested deeper than anything DynamoDB stores"
    return members_fault(content)


def item_fault(text: bytes | msgspec.Raw) -> str | None:
    """The same of an item's text."""
    try:
        content: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "an item in it is not JSON, or is nested too deep"
    return None if _is_item(content) else "an item in it has values that are not typed as DynamoDB types them"


def members_fault(content: Any) -> str | None:
    """What is wrong with the members of an answer, or of the details of a refusal."""
    if not isinstance(content, dict):
        return "it is JSON, but no object"
    members = cast("dict[str, Any]", content)
    for name, fits in MEMBERS.items():
        if members.get(name) is not None and not fits(members[name]):
            return f"its {name} is not what DynamoDB sends under that name"
    return None


def _is_item(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _is_typed(each, MAX_NESTING) for each in cast("dict[str, Any]", value).values()
    )


def _is_typed(value: Any, levels: int) -> bool:
    """Whether this is a value such as `{"N": "5"}`."""
    if not isinstance(value, dict) or len(cast("dict[str, Any]", value)) != 1 or levels < 0:
        return False
    ((code, content),) = cast("dict[str, Any]", value).items()
    if code == "L":
        return isinstance(content, list) and all(_is_typed(each, levels - 1) for each in cast("list[object]", content))
    if code == "M":
        members = cast("dict[str, Any]", content)
        return isinstance(content, dict) and all(_is_typed(each, levels - 1) for each in members.values())
    return code in SCALARS and SCALARS[code](content)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= NUMBER_CHARACTERS and NUMBER.fullmatch(value) is not None


def _is_base64(value: Any) -> bool:
    try:
        b64decode(value, validate=True)
    except (ValueError, TypeError):
        return False
    return True


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(fits(each) for each in cast("list[object]", value))


def _record_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(fits(each) for each in cast("dict[str, Any]", value).values())


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_member(value: Any) -> bool:
    """An answer, or the reason of a failure, to one member of several."""
    if not isinstance(value, dict):
        return False
    member = cast("dict[str, Any]", value)
    texts = (member.get("Code"), member.get("Message"), member.get("TableName"))
    item = member.get("Item")
    return all(text is None or isinstance(text, str) for text in texts) and (item is None or _is_item(item))


SCALARS: dict[str, Callable[[Any], bool]] = {
    "S": _is_text,
    "N": _is_number,
    "B": _is_base64,
    "BOOL": lambda value: isinstance(value, bool),
    "NULL": lambda value: isinstance(value, bool),
    "SS": _list_of(_is_text),
    "NS": _list_of(_is_number),
    "BS": _list_of(_is_base64),
}
MEMBERS: dict[str, Callable[[Any], bool]] = {
    "Item": _is_item,
    "Items": _list_of(_is_item),
    "Attributes": _is_item,
    "LastEvaluatedKey": _is_item,
    "Responses": lambda value: _list_of(_is_member)(value) or _record_of(_list_of(_is_item))(value),
    "UnprocessedKeys": _record_of(_is_object),
    "UnprocessedItems": _record_of(_list_of(_is_object)),
    "CancellationReasons": _list_of(_is_member),
    "Count": _is_count,
    "ScannedCount": _is_count,
    "NextToken": _is_text,
    "Table": _is_object,
    "TableDescription": _is_object,
    "ConsumedCapacity": lambda value: _is_object(value) or _list_of(_is_object)(value),
}
