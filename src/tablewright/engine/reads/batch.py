"""BatchGetItem: up to a hundred items of any tables by their keys; what is too much comes back as keys.

Too much is more than 16 MB in all, or more than 1 MB of one partition, which a table is here; DynamoDB lets that
megabyte be exceeded by as much as an item may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.capacity import consumed_capacity
from tablewright.engine.faults import validation
from tablewright.engine.item_checks import check_key, check_no_path_into_keys
from tablewright.engine.reads.get import read_shape
from tablewright.engine.reads.projection import Paths, projector
from tablewright.engine.store.rows import table_key
from tablewright.engine.store.values import read_item
from tablewright.errors import Throttled
from tablewright.wire.capacity import read_rcu
from tablewright.wire.limits import MAX_BATCH_BYTES, MAX_BATCH_GET_ITEMS, MAX_ITEM_BYTES, MAX_PAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Table
    from tablewright.engine.store.values import Words

Plain = dict[str, Any]

MAX_PARTITION_BYTES = MAX_PAGE_BYTES + MAX_ITEM_BYTES


class _Asked(msgspec.Struct):
    """What is asked of one table, and what came of it."""

    name: str
    request: Plain
    keys: list[Plain]
    paths: Paths
    found: list[Any] = []
    left: list[Plain] = []
    units: float = 0.0
    refusal: Exception | None = None  # why keys were left, when the table had no room for them


def batch_get_item(engine: EngineContext, params: Plain) -> Plain:
    """All checks come first: a fault anywhere refuses the whole batch."""
    batch = _read_batch(params["RequestItems"], engine.wording)
    room = MAX_BATCH_BYTES
    with engine.storage.reading():
        tables = [engine.table(asked.name) for asked in batch]
        for asked, table in zip(batch, tables, strict=True):
            _check_asked(asked, table)
        for asked, table in zip(batch, tables, strict=True):
            room = _read_asked(engine, asked, table, room)
    _check_something_done(batch)
    reply: Plain = {
        "Responses": {asked.name: asked.found for asked in batch},
        "UnprocessedKeys": {asked.name: _unprocessed(asked) for asked in batch if asked.left},
    }
    told = [consumed_capacity(params, table, asked.units) for asked, table in zip(batch, tables, strict=True)]
    if told[0] is not None:
        reply["ConsumedCapacity"] = told
    return reply


def _read_batch(requests: Mapping[str, Plain], words: Words) -> list[_Asked]:
    """What can be read without the tables."""
    _check_one_style(requests)
    batch: list[_Asked] = []
    count = 0
    for name, request in requests.items():
        paths = read_shape(request)
        keys = [read_item(key, words) for key in request["Keys"]]
        _check_distinct(keys)
        count += len(keys)
        if count > MAX_BATCH_GET_ITEMS:
            raise validation("Too many items requested for the BatchGetItem call")
        batch.append(_Asked(name, request, keys, paths))
    return batch


def _check_one_style(requests: Mapping[str, Plain]) -> None:
    """Expressions and AttributesToGet do not mix, not even in different tables."""
    expressions, legacy = (
        any(request.get(name) is not None for request in requests.values())
        for name in ("ProjectionExpression", "AttributesToGet")
    )
    if expressions and legacy:
        both = "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"
        raise validation(f"Can not use both expression and non-expression parameters in the same request: {both}")


def _check_distinct(keys: list[Plain]) -> None:
    seen: set[Any] = set()
    for key in keys:
        mark = repr(sorted(key.items()))
        if mark in seen:
            raise validation("Provided list of item keys contains duplicates")
        seen.add(mark)


def _check_asked(asked: _Asked, table: Table) -> None:
    for key in asked.keys:
        check_key(table, key)
    check_no_path_into_keys(table, asked.paths or ())


def _read_asked(engine: EngineContext, asked: _Asked, table: Table, room: int) -> int:
    """Look up the keys of one table; the answer is the room that is left."""
    consistent = bool(asked.request.get("ConsistentRead"))
    show = projector(asked.paths)
    left = most = min(room, MAX_PARTITION_BYTES)
    for typed, key in zip(asked.request["Keys"], asked.keys, strict=True):
        h, r = table_key(table, key)
        row = None
        try:
            if left:
                engine.admit(table, None, h, "read")
                row = engine.storage.find(table, h, r)
        except Throttled as refusal:
            asked.refusal = refusal
            asked.left.append(typed)
            continue
        size = 0 if row is None else row.size
        if size > left or not left:
            asked.left.append(typed)
            continue
        left -= size
        units = read_rcu(size, consistent=consistent)
        asked.units += units
        engine.charge(table, None, h, "read", units, read=row is not None, kept=row is not None, size=size)
        if row is not None:
            asked.found.append(show(row.text))
    return room - (most - left)


def _check_something_done(batch: list[_Asked]) -> None:
    """A batch of which nothing could be read is throttled as a whole."""
    refusal = next((asked.refusal for asked in batch if asked.refusal is not None), None)
    if refusal is not None and not any(asked.units for asked in batch):
        raise refusal


def _unprocessed(asked: _Asked) -> Plain:
    """The same request for the keys that are left."""
    return {**asked.request, "Keys": asked.left}
