"""The shard of an item: a number that follows from other attributes, the same in every process and language.

The hash is the CRC-32 of the values' texts as they stand in keys, in UTF-8, joined by `#`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

from tablewright.errors import FieldFault, ValidationError
from tablewright.schema.keys import key_text, read_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.schema.features import Shards


def _by_hash(*values: Any) -> int:
    return crc32("#".join(map(key_text, values)).encode("utf-8", "surrogatepass"))


def _by_number(value: Any) -> int:
    """The number an attribute is, or begins with if it is text."""
    number = read_number(value) if isinstance(value, str) else value
    if number != number or number % 1:  # noqa: PLR0124 - NaN: the text begins with no number
        raise ValueError(f"{value!r} is no whole number")
    return int(number)


WAYS: dict[Any, Callable[..., int]] = {"hash": _by_hash, "modulo": _by_number}


def shard_of(shards: Shards, values: list[Any]) -> int:
    """The shard for the values of its sources."""
    way = WAYS.get(shards.by) or shards.by
    try:
        return int(way(*values)) % shards.count  # type: ignore[operator]
    except (TypeError, ValueError) as error:
        fault = FieldFault(shards.attribute, f"cannot be found from {', '.join(shards.of)}: {error}")
        raise ValidationError([fault]) from error


def any_shard(shards: Shards) -> int:
    import random  # few have such shards

    return random.randrange(shards.count)  # noqa: S311 - spreads load, keeps no secrets
