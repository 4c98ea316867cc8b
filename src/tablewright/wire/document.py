"""Whole requests and replies between their document form (plain Python values) and DynamoDB's typed JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from tablewright.wire.values import marshal_item, unmarshal, unmarshal_item

if TYPE_CHECKING:
    from tablewright.wire.call import Params, Reply

Convert: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

_decode: Callable[[bytes | msgspec.Raw], dict[str, Any]] = msgspec.json.Decoder(dict[str, Any]).decode

ITEM_MAPS = frozenset(
    {"Key", "Item", "ExpressionAttributeValues", "ExclusiveStartKey", "LastEvaluatedKey", "Attributes"}
)
ITEM_LISTS = frozenset({"Items", "Keys"})
BY_TABLE = frozenset({"RequestItems", "Responses", "UnprocessedKeys", "UnprocessedItems"})


class Ready(msgspec.Struct, frozen=True, gc=False):
    """An item that is in typed JSON already; in a request it stands for itself."""

    typed: dict[str, Any]


class Text(msgspec.Struct, frozen=True, gc=False):
    """An item that is the text of its typed JSON already: many weigh little this way, and none is written twice."""

    text: bytes

    def get(self, name: str) -> Any:
        """The plain value of an attribute; None when there is none."""
        typed = _decode(self.text).get(name)
        return None if typed is None else unmarshal(typed)

    def plain(self) -> dict[str, Any]:
        return unmarshal_item(_decode(self.text))


def to_wire(params: Params) -> Params:
    return _convert(params, marshal_item)


def from_wire(document: Params) -> Params:
    return _convert(document, unmarshal_item)


def read_reply(reply: Reply | msgspec.Raw) -> Params:
    """The text of a reply in document form."""
    return from_wire(_decode(reply))


def _convert(document: dict[str, Any], convert: Convert) -> dict[str, Any]:
    return {
        name: value if value.__class__ is str else _member(name, value, convert) for name, value in document.items()
    }


def _member(name: str, value: Any, convert: Convert) -> Any:
    if value.__class__ is Ready:
        return value.typed
    if name in ITEM_MAPS and isinstance(value, dict):
        return convert(cast("dict[str, Any]", value))
    if name in ITEM_LISTS and isinstance(value, list):
        return [convert(each) for each in cast("list[dict[str, Any]]", value)]
    if name in BY_TABLE and isinstance(value, dict):
        tables = cast("dict[str, Any]", value)
        return {table: _of_table(each, convert, name) for table, each in tables.items()}
    if isinstance(value, dict):
        return _convert(cast("dict[str, Any]", value), convert)
    if isinstance(value, list):
        return [_element(each, convert) for each in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def _element(value: Any, convert: Convert) -> Any:
    return _convert(cast("dict[str, Any]", value), convert) if isinstance(value, dict) else value


def _of_table(value: Any, convert: Convert, name: str) -> Any:
    """Under a table's name stand items (Responses), write requests, or keys with options."""
    if isinstance(value, list):
        elements = cast("list[dict[str, Any]]", value)
        return [convert(each) if name == "Responses" else _write_request(each, convert) for each in elements]
    return _element(value, convert)


def _write_request(request: dict[str, Any], convert: Convert) -> dict[str, Any]:
    item = request["PutRequest"].get("Item") if "PutRequest" in request else None
    if isinstance(item, Text):
        return {"PutRequest": {"Item": msgspec.Raw(item.text)}}
    return _convert(request, convert)
