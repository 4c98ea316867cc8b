"""BatchWriteItem: puts and deletes by themselves, in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine import item_checks
from tablewright.engine.capacity import Bill
from tablewright.engine.faults import validation
from tablewright.engine.item_checks import check_size
from tablewright.engine.store import rows
from tablewright.engine.store.values import Reading, canonical_text, read_attributes, read_item
from tablewright.engine.writes.actions import Action, Put
from tablewright.engine.writes.collections import collection_metrics
from tablewright.errors import ServiceError, Throttled
from tablewright.wire.capacity import write_wcu
from tablewright.wire.limits import MAX_BATCH_WRITE_ITEMS
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Table

Params = dict[str, Any]

NOT_ONE = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"


def batch_write_item(engine: EngineContext, params: Params) -> Params:
    """Every request by itself; those the table has no room for come back as unprocessed."""
    asked: dict[str, list[Params]] = params["RequestItems"]
    actions = {name: [_read_request(each) for each in requests] for name, requests in asked.items()}
    if sum(map(len, actions.values())) > MAX_BATCH_WRITE_ITEMS:
        raise validation("Too many items requested for the BatchWriteItem call")
    bill, metrics = Bill(), dict[str, list[Params]]()
    left: dict[str, list[Params]] = {}
    refused: ServiceError | None = None
    with engine.storage.writing():
        checked = [_check_requests(engine.table(name), name, each) for name, each in actions.items()]
        for table, name, requests in checked:
            for action, request in zip(requests, asked[name], strict=True):
                try:
                    _write_one(engine, table, action, bill)
                except Throttled as throttled:
                    refused = throttled
                    left.setdefault(name, []).append(request)
                    continue
                found = collection_metrics(engine.storage, table, action.given, params)
                if found is not None and found not in metrics.setdefault(name, []):
                    metrics[name].append(found)
    if refused is not None and not bill:
        raise refused
    reply: Params = {"UnprocessedItems": left}
    if metrics:
        reply["ItemCollectionMetrics"] = metrics
    return bill.add_to(reply, params)


def _read_request(request: Params) -> Action:
    """A put or a delete, read in the older layer."""
    put: Params | None = request.get("PutRequest")
    delete: Params | None = request.get("DeleteRequest")
    if put is None and delete is not None:
        action = Action({})
        action.given = read_item(delete["Key"], "older")
    elif put is not None and delete is None:
        action = Put({})
        reading = Reading("older")
        action.given = read_attributes(put["Item"], reading)
        action.text = canonical_text(put["Item"], action.given, reading)
        action.size = item_size_bytes(action.given)
        check_size(action.size)
    else:
        raise validation(NOT_ONE)
    return action


def _check_requests(table: Table, name: str, actions: list[Action]) -> tuple[Table, str, list[Action]]:
    """All requests for one table: their keys fit it, and no item is written twice."""
    for action in actions:
        if isinstance(action, Put):
            item_checks.check_key_of_item(table, action.given)
        action.check(table)
    if len({rows.table_key(table, action.given) for action in actions}) < len(actions):
        raise validation("Provided list of item keys contains duplicates")
    return table, name, actions


def _write_one(engine: EngineContext, table: Table, action: Action, bill: Bill) -> None:
    h, r = rows.table_key(table, action.given)
    engine.admit(table, None, h, "write")
    old = rows.find_at(engine.storage, table, h, r)
    written = rows.write(engine, table, old, action.result(table, None), action.size, (h, r), action.text)
    units = write_wcu(written.before_bytes, written.after_bytes)
    engine.charge(table, None, h, "write", units, size=max(written.before_bytes, written.after_bytes))
    bill.add(table, units, written.index_wcu)
