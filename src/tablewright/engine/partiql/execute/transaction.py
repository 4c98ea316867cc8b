"""ExecuteTransaction: up to 100 statements, all or nothing, as TransactGetItems or TransactWriteItems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tablewright.engine.faults import cancelled, validation
from tablewright.engine.partiql.bind.literals import read_parameters
from tablewright.engine.partiql.bind.statements import Insert, Parsed, Select, Statement, bind_statement, parse, resolve
from tablewright.engine.partiql.execute.batch import project_item
from tablewright.engine.partiql.execute.select import single_key
from tablewright.engine.partiql.execute.writes import Intent, NoKeyError, to_check, to_intent, to_member
from tablewright.engine.partiql.faults import DUPLICATE, WRONG_KEY_TYPE, without_expression
from tablewright.engine.partiql.syntax import tree as trees
from tablewright.engine.writes.transact_get import transact_get_items
from tablewright.engine.writes.transact_write import transact_write_items
from tablewright.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tablewright.engine.context import EngineContext

Params = dict[str, Any]
Done = TypeVar("Done")

API = "ExecuteTransaction"
MIXED = f"{API} API does not support both read and write operations in the same request."
NOT_THE_KEY = {"Code": "ValidationError", "Message": "The provided key element does not match the schema"}
PASSED_ON = ("ReturnConsumedCapacity", "ClientRequestToken")


class _Step(msgspec.Struct, frozen=True):
    """A statement with what it is to do, or with the reason why there is none."""

    statement: Statement | None
    intent: Intent | None = None
    reason: Params = msgspec.field(default_factory=lambda: {"Code": "None"})


def execute_transaction(engine: EngineContext, params: Params) -> Params:
    members: list[Params] = params["TransactStatements"]
    given = [read_parameters(each.get("Parameters")) for each in members]
    parsed = _run_each(range(len(members)), lambda n: parse(members[n]["Statement"], given[n]))
    if len({each.reads for each in parsed}) > 1:
        raise validation(MIXED)
    steps = _run_each(range(len(parsed)), lambda n: _prepare(engine, parsed[n]))
    if any(step.intent is None for step in steps):
        raise cancelled([step.reason for step in steps])
    asked = {name: params[name] for name in PASSED_ON if name in params}
    if parsed[0].reads:
        return _read(engine, steps, {name: value for name, value in asked.items() if name != "ClientRequestToken"})
    return _write(engine, steps, members, asked)


def _run_each(numbers: Iterable[int], step: Callable[[int], Done]) -> list[Done]:
    """Do it for every statement, and say of an error which of them it was in."""
    done: list[Done] = []
    for number in numbers:
        try:
            done.append(step(number))
        except ServiceError as error:
            if error.name != "ValidationException":
                raise
            raise validation(f"Validation failed in TransactStatements[{number}]: {error.service_message}") from None
    return done


def _prepare(engine: EngineContext, parsed: Parsed) -> _Step:
    try:
        access = resolve(engine, parsed)
    except ServiceError as error:
        if error.name != "ResourceNotFoundException":
            raise
        return _Step(None, reason={"Code": "ResourceNotFound", "Message": error.service_message})
    if len(parsed.names) > 1:
        check = "EXISTS reads a table, not one of its indexes"
        raise validation(check if parsed.exists else "Reads on indices are not supported within transactions.")
    if isinstance(parsed.statement, trees.Update | trees.Delete) and parsed.statement.returning is not None:
        raise validation(f"RETURNING clause is not supported in {API}.")
    statement = bind_statement(parsed, access)
    if isinstance(statement, Select):
        return _Step(statement, _check_of(statement)) if parsed.exists else _get_of(statement)
    try:
        return _Step(statement, to_intent(statement))
    except NoKeyError:
        return _Step(statement, reason=NOT_THE_KEY)


def _get_of(select: Select) -> _Step:
    try:
        key = single_key(select, API)
    except ServiceError as error:
        if error.service_message.startswith(WRONG_KEY_TYPE.format("")):
            return _Step(select, reason=NOT_THE_KEY)
        raise
    return _Step(select, Intent("Get", select.access.table, key))


def _check_of(select: Select) -> Intent:
    intent = to_check(select)
    if intent is None:
        raise validation("EXISTS() must contain a single item read with additional condition")
    return intent


def _read(engine: EngineContext, steps: Sequence[_Step], asked: Params) -> Params:
    reply = transact_get_items(engine, {"TransactItems": _items_of(steps), **asked})
    responses = [
        {"Item": project_item(response["Item"], step.statement)} if "Item" in response else {}
        for response, step in zip(reply["Responses"], steps, strict=True)
        if isinstance(step.statement, Select)
    ]
    return {**reply, "Responses": responses}


def _write(engine: EngineContext, steps: Sequence[_Step], members: Sequence[Params], asked: Params) -> Params:
    items = _items_of(steps)
    name = "ReturnValuesOnConditionCheckFailure"
    for item, member in zip(items, members, strict=True):
        for request in item.values():
            request.update({name: member[name]} if name in member else {})
    try:
        reply = transact_write_items(engine, {"TransactItems": items, **asked})
    except ServiceError as error:
        raise _reword(error, steps) from None
    return {"Responses": [], **reply}


def _items_of(steps: Sequence[_Step]) -> list[Params]:
    return [{step.intent.kind: to_member(step.intent)} for step in steps if step.intent is not None]


def _reword(error: ServiceError, steps: Sequence[_Step]) -> ServiceError:
    """A cancellation in the words of statements: an item in the way of an INSERT is a duplicate."""
    reasons: list[Params] = error.details.get("CancellationReasons", [])
    if not reasons:
        return without_expression(error)
    failed = "ConditionalCheckFailed"
    return cancelled(
        [
            {**reason, "Code": "DuplicateItem", "Message": DUPLICATE}
            if reason["Code"] == failed and isinstance(step.statement, Insert)
            else reason
            for reason, step in zip(reasons, steps, strict=True)
        ]
    )
