"""The time in an item, for SQLite: an index on it finds what has expired without looking at anything else.

SQLite finds most attributes in JSON by itself. Where a name has characters that its paths do not take, it asks us;
every connection knows the function, for each write to such a table keeps the index.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from sqlite3 import Connection

FUNCTION = "tablewright_time"

is_plain = re.compile(r"[^\x00-\x1f\x7f\\'\"]+").fullmatch
decode = msgspec.json.Decoder(dict[str, dict[str, msgspec.Raw]]).decode


def time_in(attribute: str) -> str:
    """The SQL for the number in this attribute of an item; it is in a string of JSON, in a blob."""
    if is_plain(attribute):
        return f"""cast(json_extract(cast(item as text), '$."{attribute}".N') as real)"""
    return f"{FUNCTION}(item, x'{attribute.encode().hex()}')"


def add_functions(connection: Connection) -> None:
    connection.create_function(FUNCTION, 2, _time_of, deterministic=True)


def _time_of(text: bytes, attribute: bytes) -> float | None:
    """None where there is no number; what is damaged is told by those who read it."""
    try:
        number = decode(text).get(attribute.decode(), {}).get("N")
        return None if number is None else float(msgspec.json.decode(number, type=str))
    except (msgspec.DecodeError, ValueError, TypeError):
        return None
