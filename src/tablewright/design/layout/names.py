"""Names that every design has: key fields, the field that says what an item is, and what a shard follows from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zlib import crc32

from tablewright.design.values.templates import DELIMITER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.spec.model import KeyStyle

SHARD_LABEL = "shard"
BUCKET_LABEL = "bucket"
COPY_LABEL = "copy"
TYPE_FIELD = "_type"
"""Every item says what it is, for those who read several types and for people."""
TYPE_FIELDS: Mapping[KeyStyle, str] = {"plain": TYPE_FIELD, "electrodb": "__edb_e__"}
VERSION_FIELD = "__edb_v__"
MODEL_VERSION = "1"


def shard_of(ids: Iterable[str], shards: int) -> str:
    """CRC-32 of the id's parts joined by the delimiter, modulo the number of shards: any language has it."""
    return str(crc32(DELIMITER.join(ids).encode()) % shards)


def fixed_attributes(style: KeyStyle, tag: str) -> dict[str, str]:
    """The attributes that are the same in every item of a type called `tag`."""
    version = {VERSION_FIELD: MODEL_VERSION} if style == "electrodb" else {}
    return {TYPE_FIELDS[style]: tag, **version}


def index_fields(index: str | None) -> tuple[str, str]:
    """The key fields of the table or an index; a local index has the table's partition key."""
    if index is None:
        return "pk", "sk"
    return ("pk", f"{index}sk") if index.startswith("lsi") else (f"{index}pk", f"{index}sk")


def word(text: str) -> str:
    """`orderItem` or `OrderItem` as `ORDER_ITEM`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).replace("-", "_").upper()


def subject(attribute: str) -> str:
    """What an attribute names: `orderId` is about ORDER."""
    return word(re.sub(r"(?<=.)_?(id|Id|ID)$", "", attribute)) or word(attribute)
