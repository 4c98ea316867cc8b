"""GetItem: one item by its key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.capacity import add_consumed, consumed
from tablewright.engine.expressions import Expressions
from tablewright.engine.legacy import READ_PARAMETERS, check_one_style
from tablewright.engine.items import check_key
from tablewright.engine.reads.shown import check_no_path_into_keys, requested_paths, shower
from tablewright.engine.rows import table_key
from tablewright.engine.values import read_item
from tablewright.wire.capacity import read_rcu

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine
    from tablewright.engine.reads.shown import Paths

SHAPING = ("ProjectionExpression", "AttributesToGet", "ExpressionAttributeNames")


def get_item(engine: Engine, params: dict[str, Any]) -> dict[str, Any]:
    """An empty reply when there is no such item; the read is charged all the same."""
    key = read_item(params["Key"])
    paths = read_shape(params)
    storage = engine.storage
    with storage.reading():
        table = engine.table(params["TableName"])
        check_key(table, key)
        if paths is not None:
            check_no_path_into_keys(table, paths)
        row = storage.find(table, *table_key(table, key))
    reply: dict[str, Any] = {}
    if row is not None:
        reply["Item"] = msgspec.Raw(row.text) if paths is None else shower(paths)(row.text)
    if "ReturnConsumedCapacity" not in params:
        return reply
    units = read_rcu(0 if row is None else row.size, consistent=bool(params.get("ConsistentRead")))
    return add_consumed(reply, consumed(params, table, units))


def read_shape(params: dict[str, Any]) -> Paths:
    """What is wanted of the item."""
    if not any(name in params for name in SHAPING):
        return None
    check_one_style(params, READ_PARAMETERS)
    expressions = Expressions(params)
    paths = requested_paths(params, expressions)
    expressions.finish()
    return paths
