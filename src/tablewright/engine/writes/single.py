"""Writes of single items: PutItem, UpdateItem, DeleteItem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.capacity import add_consumed_capacity, consumed_capacity
from tablewright.engine.faults import condition_failed
from tablewright.engine.item_checks import check_updated_size
from tablewright.engine.requests.envelope import ONLY_OLD, is_older_reading, word_fault
from tablewright.engine.store import rows
from tablewright.engine.store.item import plain_of
from tablewright.engine.store.values import TOO_DEEP, decode
from tablewright.engine.writes.actions import Action, Change, Kind, read_action
from tablewright.engine.writes.collections import collection_metrics
from tablewright.errors import ServiceError
from tablewright.expr.nodes import Value
from tablewright.wire.capacity import write_wcu
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.item import StoredItem
    from tablewright.engine.store.rows import Written
    from tablewright.engine.store.table import Table
    from tablewright.engine.store.values import Words

Params = dict[str, Any]


def put_item(engine: EngineContext, params: Params) -> Params:
    return write(engine, params, _read("PutItem", params, engine.wording))


def delete_item(engine: EngineContext, params: Params) -> Params:
    return write(engine, params, _read("DeleteItem", params, engine.wording))


def update_item(engine: EngineContext, params: Params) -> Params:
    return write(engine, params, _read("UpdateItem", params, engine.wording))


def _read(kind: Kind, params: Params, words: Words) -> Action:
    """The write, as far as the request alone describes it."""
    try:
        return read_action(kind, params, words)
    except ServiceError as fault:
        if not fault.service_message.startswith((TOO_DEEP, ONLY_OLD)) or not is_older_reading(params):
            raise word_fault(kind, words, fault) from None
        if fault.service_message == ONLY_OLD:
            raise
        return read_action(kind, params, "older")


def write(engine: EngineContext, params: Params, action: Action) -> Params:
    """Try the action on its item. A condition that fails is charged, and told after the transaction is over."""
    with engine.storage.writing():
        table = engine.table(params["TableName"])
        action.check(table)
        if isinstance(action, Change):
            check_updated_size(action.charge_bytes())
        h, r = rows.table_key(table, action.given)
        engine.admit(table, None, h, "write")
        engine.check_not_held(table, action.given)
        old = rows.find_at(engine.storage, table, h, r)
        new: Params | None = None
        written = None
        if action.condition is None or not action.refuses(plain_of(old)):
            new = action.result(table, old)
            written = rows.write(engine, table, old, new, action.size, (h, r), action.text)
        metrics = collection_metrics(engine.storage, table, action.given, params)
    if written is None:
        raise _refusal(engine, table, h, action, old)
    units = write_wcu(written.before_bytes, written.after_bytes)
    engine.charge(table, None, h, "write", units, size=max(written.before_bytes, written.after_bytes))
    reply = _return_values(action, old, new, written)
    if metrics is not None:
        reply["ItemCollectionMetrics"] = metrics
    if "ReturnConsumedCapacity" in params:
        add_consumed_capacity(reply, consumed_capacity(params, table, units, written.index_wcu))
    return reply


def _refusal(engine: EngineContext, table: Table, h: bytes, action: Action, old: StoredItem | None) -> ServiceError:
    """The failed condition, which costs as much as the write it prevented."""
    size = old.size if old is not None else 0
    engine.charge(table, None, h, "write", write_wcu(size, 0), size=size)
    return condition_failed(decode(old.text) if old is not None and action.tells_old else None)


def _return_values(action: Action, old: StoredItem | None, new: Params | None, written: Written) -> Params:
    """What the caller asked to see of the item before or after."""
    if action.returns == "NONE":
        return {}
    if action.returns == "ALL_OLD":
        return {} if old is None else {"Attributes": msgspec.Raw(old.text)}
    if action.returns == "ALL_NEW":
        return {} if new is None else {"Attributes": _shown(action, new, written)}
    shown = action.updated(new if action.returns == "UPDATED_NEW" else plain_of(old))
    return {"Attributes": marshal_item(shown)} if shown else {}


def _shown(action: Action, new: Params, written: Written) -> Any:
    """The item as it is stored, unless a map was given that differs from the old one in the order of its members."""
    if written.text is None or action.update is None:
        return marshal_item(new)
    for each in action.update.set:
        value = each.value.value if isinstance(each.value, Value) else None
        if (value is None or isinstance(value, dict | list)) and each.path.parts[0] not in written.changed:
            return marshal_item(new)
    return msgspec.Raw(written.text)
