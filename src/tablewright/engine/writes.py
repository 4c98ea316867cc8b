"""Writes of single items: PutItem, UpdateItem, DeleteItem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine import rows
from tablewright.engine.actions import Action, read_delete, read_put, read_update
from tablewright.engine.capacity import add_consumed, consumed
from tablewright.wire.capacity import write_wcu
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.engine.engine import Engine

Params = dict[str, Any]


def put_item(engine: Engine, params: Params) -> Params:
    return write(engine, params, read_put(params))


def delete_item(engine: Engine, params: Params) -> Params:
    return write(engine, params, read_delete(params))


def update_item(engine: Engine, params: Params) -> Params:
    return write(engine, params, read_update(params))


def write(engine: Engine, params: Params, action: Action) -> Params:
    with engine.storage.writing():
        table = engine.table(params["TableName"])
        action.check(table)
        old = rows.find(engine, table, action.key(table))
        new = action.outcome(table, None if old is None else old.item)
        written = rows.write(engine, table, old, new)
    reply: Params = {}
    shown = action.returned(None if old is None else old.item, new)
    if shown:
        reply["Attributes"] = marshal_item(shown)
    units = write_wcu(written.before_bytes, written.after_bytes)
    return add_consumed(reply, consumed(params, table, units, written.index_wcu))


HANDLERS: dict[str, Callable[[Engine, Params], Params]] = {
    "PutItem": put_item,
    "DeleteItem": delete_item,
    "UpdateItem": update_item,
}
