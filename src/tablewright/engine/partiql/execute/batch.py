"""BatchExecuteStatement: up to 25 statements, each for itself, all of them reads or all of them writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import validation
from tablewright.engine.partiql.bind.literals import read_parameters
from tablewright.engine.partiql.bind.statements import Parsed, Select, Statement, bind_statement, parse, resolve
from tablewright.engine.partiql.execute.capacity import sum_by_table
from tablewright.engine.partiql.execute.select import columns_of, single_key
from tablewright.engine.partiql.execute.statement import ONLY_IN_TRANSACTIONS
from tablewright.engine.partiql.execute.writes import run_write
from tablewright.engine.replies import decode_reply
from tablewright.errors import ServiceError
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext

Params = dict[str, Any]

API = "BatchExecuteStatement"
CODES = {"ValidationException": "ValidationError", "ThrottlingException": "ThrottlingError"}


class _Member(msgspec.Struct, frozen=True):
    """A statement of the batch, or why it could not be read."""

    params: Params
    parsed: Parsed | None = None
    error: ServiceError | None = None


def batch_execute_statement(engine: EngineContext, params: Params) -> Params:
    members = [_read_member(each) for each in params["Statements"]]
    if len({member.parsed.reads for member in members if member.parsed is not None}) > 1:
        raise validation("A batch of statements either reads or writes; send the SELECTs by themselves")
    mode = params.get("ReturnConsumedCapacity", "NONE")
    replies = [_run_member(engine, member, mode) for member in members]
    reply: Params = {"Responses": [response for response, _ in replies]}
    if mode in ("TOTAL", "INDEXES"):
        reply["ConsumedCapacity"] = sum_by_table([done for _, done in replies])
    return reply


def _read_member(params: Params) -> _Member:
    try:
        parsed = parse(params["Statement"], read_parameters(params.get("Parameters")))
        if parsed.exists:
            raise validation(ONLY_IN_TRANSACTIONS)
    except ServiceError as error:
        return _Member(params, error=error)
    return _Member(params, parsed)


def _run_member(engine: EngineContext, member: _Member, mode: str) -> tuple[Params, Params]:
    """The response to one statement, and the reply of the request it came to."""
    if member.parsed is None:
        return _refusal(member.error), {}
    try:
        access = resolve(engine, member.parsed)
        statement = bind_statement(member.parsed, access)
        key = single_key(statement, API) if isinstance(statement, Select) else None
    except ServiceError as error:
        return _refusal(error), {}
    table = access.table.name
    try:
        reply = _run(engine, statement, key, {**member.params, "ReturnConsumedCapacity": mode})
    except ServiceError as error:
        return {**_refusal(error), "TableName": table}, {}
    items = reply["Items"]
    return ({"TableName": table, "Item": items[0]} if items else {"TableName": table}), reply


def _run(engine: EngineContext, statement: Statement, key: Params | None, params: Params) -> Params:
    if not isinstance(statement, Select):
        return run_write(engine, statement, {"ReturnConsumedCapacity": params["ReturnConsumedCapacity"]})
    asked: Params = {name: params[name] for name in ("ConsistentRead", "ReturnConsumedCapacity") if name in params}
    named = {"TableName": statement.access.table.name, "Key": marshal_item(key or {})}
    reply = engine.perform("GetItem", {**named, **asked})
    item = reply.pop("Item", None)
    return {"Items": [] if item is None else [project_item(item, statement)], **reply}


def project_item(item: Any, select: Select) -> Any:
    """An item with the columns a SELECT asks for."""
    return item if select.columns is None else columns_of(unmarshal_item(decode_reply(item)), select.columns)


def _refusal(error: ServiceError | None) -> Params:
    assert error is not None
    code = CODES.get(error.name, error.name.removesuffix("Exception"))
    return {"Error": {"Code": code, "Message": error.service_message}}
