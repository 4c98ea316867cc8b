"""What is read: a table, or one of its indexes; and which values its keys can have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import invalid_parameters, not_valid, validation
from tablewright.engine.item_checks import NO_EMPTY_KEY, PARTITION_TOO_LONG, SORT_TOO_LONG
from tablewright.engine.store.rows import key_pair, table_key
from tablewright.engine.store.table import Index, Table
from tablewright.engine.tables.status import pending
from tablewright.wire.limits import MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES
from tablewright.wire.sizes import value_size_bytes
from tablewright.wire.values import type_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Keys

KINDS = {"S": "string", "B": "binary"}

Row = tuple[Any, ...]
"""A text, the size of the item, that of its entry in the index (for the table: of the item), and its sort key's bytes.

Behind them stands what it takes to check that (`pages`).
"""


class Source(msgspec.Struct, frozen=True):
    """What is read: a table, or one of its indexes."""

    table: Table
    index: Index | None = None

    @property
    def keys(self) -> Keys:
        return self.table.keys if self.index is None else self.index.keys

    @property
    def index_name(self) -> str | None:
        return None if self.index is None else self.index.name

    @property
    def projected(self) -> frozenset[str] | None:
        """The attributes that are there; None for all."""
        return None if self.index is None else self.index.projected(self.table.keys)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("h", "r") if self.index is None else ("e.gh", "e.gr", "e.h", "e.r")

    @property
    def key_names(self) -> tuple[str, ...]:
        """What a starting key consists of, the keys of the table first."""
        names = self.table.keys.names
        return names if self.index is None else tuple(dict.fromkeys((*names, *self.index.keys.names)))

    @property
    def has_one_item_each(self) -> bool:
        """Whether a partition is one item at most: that of a table without sort key."""
        return self.index is None and not self.keys.sk

    def position(self, item: Mapping[str, Any]) -> tuple[bytes, ...]:
        """Where an item stands in the order of the columns."""
        own = table_key(self.table, item)
        if self.index is None:
            return own
        pair = key_pair(self.index.keys, item)
        assert pair is not None
        return (*pair, *own)


def find_source(engine: EngineContext, params: Mapping[str, Any]) -> Source:
    """The table, or the index of it, that a request names."""
    table = engine.table(params["TableName"])
    name = params.get("IndexName")
    if name is None:
        return Source(table)
    index = table.index(name)
    if index is None:
        raise validation(f"The table does not have the specified index: {name}")
    if index.kind == "gsi" and params.get("ConsistentRead"):
        raise validation("Consistent reads are not supported on global secondary indexes")
    if pending(engine, table).get("indexes", {}).get(name) == "CREATING":
        raise validation(f"Cannot read from backfilling global secondary index: {name}")
    return Source(table, index)


def check_key_value(source: Source, name: str, value: Any, *, mismatch: str) -> None:
    """Refuse what this key attribute of the source cannot be; `mismatch` is the message for another type."""
    code = type_code(value)
    if code != source.table.types[name]:
        raise validation(mismatch)
    if code not in KINDS:
        return
    if not value:
        raise not_valid(f"{NO_EMPTY_KEY.format(KINDS[code])} Key: {name}")
    size = value_size_bytes(value)
    if name in source.keys.pk:
        if size > MAX_PARTITION_KEY_BYTES:
            raise invalid_parameters(PARTITION_TOO_LONG)
    elif size > MAX_SORT_KEY_BYTES:
        raise invalid_parameters(SORT_TOO_LONG)
