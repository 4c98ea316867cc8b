"""GetItem: one item by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.capacity import add_consumed_capacity, consumed_capacity
from tablewright.engine.expressions import Expressions
from tablewright.engine.item_checks import check_key, check_no_path_into_keys
from tablewright.engine.reads.projection import (
    check_attributes_to_get,
    projector,
    read_paths,
)
from tablewright.engine.store.rows import table_key
from tablewright.engine.store.values import read_item
from tablewright.wire.capacity import read_rcu

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.reads.projection import Paths

SHAPING = ("ProjectionExpression", "AttributesToGet", "ExpressionAttributeNames")


def get_item(engine: EngineContext, params: dict[str, Any]) -> dict[str, Any]:
    """An empty reply when there is no such item; the read is charged all the same."""
    key = read_item(params["Key"], engine.wording)
    paths = read_shape(params)
    storage = engine.storage
    with storage.reading():
        table = engine.table(params["TableName"])
        check_key(table, key)
        if paths is not None:
            check_no_path_into_keys(table, paths)
        h, r = table_key(table, key)
        engine.admit(table, None, h, "read")
        row = storage.find(table, h, r)
    reply: dict[str, Any] = {}
    if row is not None:
        reply["Item"] = msgspec.Raw(row.text) if paths is None else projector(paths)(row.text)
    if engine.instruments is None and "ReturnConsumedCapacity" not in params:
        return reply
    size, found = (0, 0) if row is None else (row.size, 1)
    units = read_rcu(size, consistent=bool(params.get("ConsistentRead")))
    engine.charge(table, None, h, "read", units, read=found, kept=found, size=size)
    return add_consumed_capacity(reply, consumed_capacity(params, table, units))


def read_shape(params: dict[str, Any]) -> Paths:
    """What is wanted of the item."""
    if not any(name in params for name in SHAPING):
        return None
    check_attributes_to_get(params)
    expressions = Expressions(params)
    paths = read_paths(params, expressions)
    expressions.finish()
    return paths
