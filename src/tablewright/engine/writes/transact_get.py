"""TransactGetItems: several items as they were at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.capacity import Bill
from tablewright.engine.expressions import Expressions
from tablewright.engine.faults import cancelled, validation
from tablewright.engine.item_checks import (
    check_key_lengths,
    check_key_schema,
    check_no_empty_key,
    check_no_path_into_keys,
)
from tablewright.engine.store import rows
from tablewright.engine.store.values import from_text, read_item
from tablewright.errors import ServiceError
from tablewright.expr.evaluate import project
from tablewright.wire.capacity import read_rcu
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Table
    from tablewright.expr.nodes import Name

Params = dict[str, Any]
Paths = tuple["Name", ...] | None

SAME_ITEM = "Transaction request cannot include multiple operations on one item"


def transact_get_items(engine: EngineContext, params: Params) -> Params:
    """An empty response for an item that is not there; it is charged all the same."""
    gets = [_read_get(member) for member in params["TransactItems"]]
    bill, responses = Bill("read"), list[Params]()
    with engine.storage.reading():
        tables = [engine.table(name) for name, _, _ in gets]
        places = _find_places(tables, gets)
        _admit(engine, tables, places, [key for _, key, _ in gets])
        for table, (h, r), (_, _, paths) in zip(tables, places, gets, strict=True):
            row = engine.storage.find(table, h, r)
            size = 0 if row is None else row.size
            units = read_rcu(size, transactional=True)
            engine.charge(
                table, None, h, "read", units, read=int(row is not None), kept=int(row is not None), size=size
            )
            bill.add(table, units)
            responses.append({} if row is None else {"Item": _project(row.text, paths)})
    return bill.add_to({"Responses": responses}, params)


def _read_get(member: Params) -> tuple[str, Params, Paths]:
    """The table's name, the key and what is wanted of the item."""
    get = member.get("Get")
    if get is None:
        raise validation("Invalid Request: TransactGetRequest should contain Get request")
    paths: Paths = None
    if "ProjectionExpression" in get or "ExpressionAttributeNames" in get:
        if get.get("ProjectionExpression") is None:
            raise validation("ExpressionAttributeNames can only be specified when using expressions")
        expressions = Expressions(get, "older")
        paths = expressions.projection()
        expressions.finish()
    return get["TableName"], read_item(get["Key"], "older"), paths


def _find_places(tables: list[Table], gets: list[tuple[str, Params, Paths]]) -> list[tuple[bytes, bytes]]:
    """The key bytes of every item; a key or a projection that does not fit its table cancels the transaction."""
    for table, (_, key, _) in zip(tables, gets, strict=True):
        check_no_empty_key(table, key)
    for at, (table, (_, key, paths)) in enumerate(zip(tables, gets, strict=True)):
        try:
            check_key_schema(table, key)
            check_key_lengths(table.keys, key)
            check_no_path_into_keys(table, paths or ())
        except ServiceError as fault:
            reason = {"Code": "ValidationError", "Message": fault.service_message}
            raise cancelled([reason if each == at else {"Code": "None"} for each in range(len(gets))]) from None
    places = [rows.table_key(table, key) for table, (_, key, _) in zip(tables, gets, strict=True)]
    if len({(table.id, *place) for table, place in zip(tables, places, strict=True)}) < len(places):
        raise validation(SAME_ITEM)
    return places


def _admit(engine: EngineContext, tables: list[Table], places: list[tuple[bytes, bytes]], keys: list[Params]) -> None:
    """Every item must have room to be read, and not be busy with another transaction."""
    reasons: list[Params] = []
    for table, (h, _), key in zip(tables, places, keys, strict=True):
        try:
            engine.admit(table, None, h, "read")
            engine.check_not_held(table, key)
            reasons.append({"Code": "None"})
        except ServiceError as fault:
            code = "ThrottlingError" if fault.name == "ThrottlingException" else fault.name.removesuffix("Exception")
            reasons.append({"Code": code, "Message": fault.service_message})
    if any(reason["Code"] != "None" for reason in reasons):
        raise cancelled(reasons)


def _project(text: bytes, paths: Paths) -> Any:
    return msgspec.Raw(text) if paths is None else marshal_item(project(paths, from_text(text)))
