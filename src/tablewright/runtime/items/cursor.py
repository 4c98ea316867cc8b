"""Cursors: the last evaluated key as text that can be handed around, byte for byte as ElectroDB writes it."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.errors import RequestError
from tablewright.wire.values import js_number_text

if TYPE_CHECKING:
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options
    from tablewright.schema.keys import PatternKeys

_decode = msgspec.json.Decoder().decode


def write_cursor(key: dict[str, Any]) -> str:
    """base64url without padding over compact JSON in the key's own order."""
    return urlsafe_b64encode(_json(key).encode()).rstrip(b"=").decode()


def _json(value: Any) -> str:
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        return "{" + ",".join(f"{_json(name)}:{_json(member)}" for name, member in members) + "}"
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return js_number_text(value)
    return msgspec.json.encode(value).decode()


def read_cursor(cursor: Any, *, code: int = 2008) -> dict[str, Any]:
    """The key in a cursor; `code` is what ElectroDB calls a bad one where it was given."""
    if not isinstance(cursor, str):
        raise RequestError(f"a cursor is text from an earlier page, not {cursor!r:.40}", code=code)
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        key = _decode(urlsafe_b64decode(padded.encode()))
    except ValueError as error:
        raise RequestError(f"this is no cursor of ours: {cursor!r:.40}", code=code) from error
    if not isinstance(key, dict):
        raise RequestError(f"this is no cursor of ours: {cursor!r:.40}", code=code)
    return cast("dict[str, Any]", key)


def start_key(layout: Layout, keys: PatternKeys | None, options: Options) -> dict[str, Any] | None:
    """The ExclusiveStartKey of a cursor, trimmed to the keys of table and index."""
    if options.cursor is None:
        return None
    cursor: Any = options.cursor
    if options.data == "raw" and isinstance(cursor, dict):
        return cast("dict[str, Any]", cursor)
    key = read_cursor(cursor, code=2008 if layout.strict else 4001)
    allowed = key_fields(layout, keys)
    return {field: key[field] for field in allowed if field in key}


def key_fields(layout: Layout, keys: PatternKeys | None) -> list[str]:
    """The fields DynamoDB wants in a start key: the index's, then the table's."""
    sides = [layout.primary.pk, layout.primary.sk]
    fields: list[str] = []
    if keys is not None:
        if keys.pattern.kind == "composite":
            fields += [layout.attributes[name].field for name in keys.pattern.composites]
        else:
            sides = [keys.pk, keys.sk, *sides]
    fields += [side.field for side in sides if side is not None]
    return list(dict.fromkeys(fields))
