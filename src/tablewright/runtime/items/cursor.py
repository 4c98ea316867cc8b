"""Cursors: the last evaluated key as text that can be handed around, byte for byte as ElectroDB writes it.

Such a cursor says nothing of the query it came from but the key itself. That is enough for the typed style to refuse it
elsewhere: it must have the fields of this index, lie in this partition, and within the range of this query's sort keys.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.wire.numbers import number_text, to_decimal
from tablewright.wire.values import js_number_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options
    from tablewright.schema.keys import PatternKeys

Places: TypeAlias = dict[int, dict[str, Any]]  # by segment of a scan: the key to go on from
Asked: TypeAlias = "tuple[str, Mapping[str, str], Mapping[str, Any]]"

MAX_CHARACTERS = 256 * 1024
"""The keys of a table and an index take 6 KB, and more when every character of them is escaped; this is ample."""
MANY_PLACES = 1024  # a cursor of a scan in more segments is written out of short keys
SEGMENT_DIGITS = 10

_decode = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode


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


def read_cursor(cursor: Any, *, code: int = 2008, most: int = MAX_CHARACTERS) -> dict[str, Any]:
    """The key in a cursor; `code` is what ElectroDB calls a bad one where it was given, `most` how long it may be."""
    if not isinstance(cursor, str):
        raise RequestError(f"a cursor is text from an earlier page, not {cursor!r:.40}", code=code)
    if len(cursor) > most:
        raise RequestError(f"this is no cursor of ours: {len(cursor)} characters long", code=code)
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        key = _decode(urlsafe_b64decode(padded.encode()))
        return {field: _number(value) for field, value in key.items()}
    except (ValueError, ArithmeticError, msgspec.DecodeError, RecursionError) as error:
        raise RequestError(f"this is no cursor of ours: {cursor[:40]!r:.40}", code=code) from error


def _number(value: Any) -> Any:
    """A float where that is the same number: a cursor must come back to the very key it was written for."""
    if isinstance(value, dict):
        return {name: _number(each) for name, each in cast("dict[str, Any]", value).items()}
    if not isinstance(value, Decimal):
        return value
    return float(value) if to_decimal(float(value)) == value else value


def start_key(
    layout: Layout, keys: PatternKeys | None, options: Options, asked: Asked | None = None
) -> dict[str, Any] | None:
    """The ExclusiveStartKey of a cursor, trimmed to the keys of table and index.

    `asked` is the key condition it has to satisfy, as text with names and values.
    """
    if options.cursor is None:
        return None
    cursor: Any = options.cursor
    if options.data == "raw" and isinstance(cursor, dict):
        return cast("dict[str, Any]", cursor)
    key = read_cursor(cursor, code=2008 if layout.strict else 4001)
    allowed = key_fields(layout, keys)
    if layout.strict:
        what = "scan" if asked is None else (keys or layout.primary).pattern.name
        refuse_foreign(key, allowed, asked, f"{layout.name}.{what}")
    found = {field: key[field] for field in allowed if field in key}
    if not all(map(is_key_value, found.values())):
        raise RequestError(f"this is no cursor of ours: {cursor!r:.40}", code=4001)
    return found


# ---- cursors of other queries ----------------------------------------------------------------------------------------


def refuse_foreign(key: dict[str, Any], fields: list[str], asked: Asked | None, where: str) -> None:
    """DynamoDB stops at items that answer the key condition (filters come later), so other keys are not from here."""
    if set(key) != set(fields):
        told = f"{', '.join(key):.200}"
        raise foreign(where, f"it has the fields {told}, and a page here ends with {', '.join(fields)}")
    odd = next((field for field in fields if not is_key_value(key[field])), None)
    if odd is not None:
        raise foreign(where, f"its {odd} is a {type(key[odd]).__name__}, which no key can be")
    if asked is None:
        return
    from tablewright.expr.evaluate import evaluate  # only for those who go on
    from tablewright.expr.parse import parse_condition

    text, names, values = asked
    condition = parse_condition(text, names, {name: _exact(value) for name, value in values.items()})
    exact = {field: _exact(value) for field, value in key.items()}
    for part in condition.parts if isinstance(condition, nodes.And) else (condition,):
        if not evaluate(part, exact):
            raise foreign(where, _difference(part, key))


def is_key_value(value: Any) -> bool:
    """Whether a key can be that: a text that is not empty, or a number."""
    if isinstance(value, str):
        return bool(value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return False
    try:
        number_text(value)
    except (ValueError, ArithmeticError):
        return False
    return True


def _difference(part: nodes.Condition, key: dict[str, Any]) -> str:
    """What of a key condition a key does not satisfy."""
    match part:
        case nodes.Compare("=", nodes.Name((str(field),)), nodes.Value(wanted)):
            return f"its {field} is {key[field]!r:.80}, and here it is {wanted!r:.80}"
        case nodes.Compare(_, nodes.Name((str(field),))) | nodes.Between(nodes.Name((str(field),))):
            return f"its {field}, {key[field]!r:.80}, is outside of the range asked for"
        case nodes.Function(_, (nodes.Name((str(field),)), nodes.Value(start))):
            return f"its {field}, {key[field]!r:.80}, does not begin with {start!r:.80}"
        case _:
            return "its key is not among those asked for"


def _exact(value: Any) -> Any:
    return to_decimal(value) if isinstance(value, float) else value


def foreign(where: str, why: str) -> RequestError:
    remedy = "a cursor goes on with the query it came from: same access pattern, partition and range"
    return RequestError(f"this cursor is not of {where} as asked here: {why}; {remedy}", code=2008)


# ---- cursors of parallel scans ---------------------------------------------------------------------------------------


def write_segments(places: Places, segments: int) -> str:
    """Where each segment that has more goes on."""
    return write_cursor({"segments": segments, "at": {str(segment): key for segment, key in places.items()}})


def read_segments(cursor: Any, segments: int, fields: list[str], where: str) -> Places:
    held = read_cursor(cursor, most=min(segments, MANY_PLACES) * MAX_CHARACTERS)
    if set(held) != {"segments", "at"} or not isinstance(held["at"], dict):
        raise foreign(where, "it is not of a parallel scan")
    if held["segments"] != segments:
        raise foreign(where, f"it is of a scan in {held['segments']!r:.20} segments, not {segments}")
    places = cast("dict[str, Any]", held["at"])
    for segment, key in places.items():
        if not _is_segment(segment, segments) or not isinstance(key, dict):
            raise foreign(where, f"it has a place in segment {segment!r:.20}, of which there is none")
        refuse_foreign(cast("dict[str, Any]", key), fields, None, where)
    return {int(segment): key for segment, key in places.items()}


def _is_segment(text: str, segments: int) -> bool:
    return len(text) < SEGMENT_DIGITS and text.isascii() and text.isdigit() and int(text) < segments


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
