"""INSERT, UPDATE and DELETE as writes of one item: done by themselves, or as members of a transaction.

An INSERT must not find an item, an UPDATE must find one, a DELETE may find none whatever else it asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import invalid_parameters, validation
from tablewright.engine.item_checks import check_size
from tablewright.engine.partiql.bind.branches import equality, put_name_first
from tablewright.engine.partiql.bind.statements import Insert, Modify
from tablewright.engine.partiql.faults import NO_KEY, WRONG_KEY_TYPE, duplicate_item, without_expression
from tablewright.engine.store.table import Table
from tablewright.engine.store.values import read_item
from tablewright.engine.writes.actions import Action, Change, Put
from tablewright.engine.writes.single import write
from tablewright.errors import ServiceError
from tablewright.expr.compare import is_equal
from tablewright.expr.nodes import And, Condition, Function, Name, Or, Update, all_of
from tablewright.expr.render import Placeholders, render_condition, render_update
from tablewright.wire.sizes import item_size_bytes
from tablewright.wire.values import marshal, marshal_item, type_code

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.partiql.bind.statements import Select

Params = dict[str, Any]

RETURNS = {
    "all_old": "ALL_OLD",
    "all_new": "ALL_NEW",
    "modified_old": "UPDATED_OLD",
    "modified_new": "UPDATED_NEW",
}


class Intent(msgspec.Struct, frozen=True):
    """What to do (`Put`, `Update`, `Delete` or `ConditionCheck`) with the item, or to the one with the key, `given`."""

    kind: str
    table: Table
    given: Params
    condition: Condition | None = None
    update: Update | None = None


class NoKeyError(Exception):
    """The WHERE does not name one item; `reason` is what is told of a single statement."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _FlatChange(Change):
    """An update whose size is that of the item afterwards; the other kind counts what the request writes."""

    def charge_bytes(self) -> int:
        return 0


ACTIONS: dict[str, type[Action]] = {"Put": Put, "Update": _FlatChange, "Delete": Action}


def run_write(engine: EngineContext, statement: Insert | Modify, params: Params) -> Params:
    """One write; the reply has its capacity and what RETURNING asked for."""
    try:
        intent = to_intent(statement)
    except NoKeyError as error:
        raise validation(error.reason) from None
    if isinstance(statement, Insert):
        _check_inserted_key(statement)
    returning = statement.returning if isinstance(statement, Modify) else None
    asked = {**params, "ReturnValues": "NONE" if returning is None else RETURNS[returning]}
    try:
        reply = write(engine, {**asked, "TableName": intent.table.name}, _to_action(intent, asked))
    except ServiceError as error:
        raise _reword(error, statement) from None
    attributes = reply.pop("Attributes", None)
    return {"Items": [attributes] if attributes else [], **reply}


def _to_action(intent: Intent, asked: Params) -> Action:
    action = ACTIONS[intent.kind](asked)
    action.given, action.condition, action.update = intent.given, intent.condition, intent.update
    if intent.kind == "Put":
        action.given = read_item(marshal_item(intent.given), "older")
        action.size = item_size_bytes(action.given)
        check_size(action.size)
    return action


def _reword(error: ServiceError, statement: Insert | Modify) -> ServiceError:
    """The error in the words of statements."""
    if isinstance(statement, Insert) and error.name == "ConditionalCheckFailedException":
        return duplicate_item()
    return without_expression(error)


def _check_inserted_key(statement: Insert) -> None:
    table = statement.access.table
    for name in table.keys.names:
        if name not in statement.item:
            raise invalid_parameters(f"Missing the key {name} in the item")
        if type_code(statement.item[name]) != table.types[name]:
            raise validation(WRONG_KEY_TYPE.format(name))


def to_intent(statement: Insert | Modify) -> Intent:
    """What a statement is to do; raises `NoKeyError` when it does not name exactly one item."""
    table = statement.access.table
    there = Function("attribute_exists", (Name((table.keys.pk[0],)),))
    absent = Function("attribute_not_exists", there.args)
    if isinstance(statement, Insert):
        return Intent("Put", table, statement.item, absent)
    key, rest = _split_where(statement.where, table)
    if statement.update is None:
        return Intent("Delete", table, key, None if rest is None else Or((absent, rest)))
    return Intent("Update", table, key, all_of(there, rest), statement.update)


def to_check(select: Select) -> Intent | None:
    """EXISTS() as a check; None when it does not read one item under a condition."""
    table = select.access.table
    try:
        key, rest = _split_where(select.where, table, first_value=True)
    except NoKeyError:
        return None
    return None if rest is None else Intent("ConditionCheck", table, key, rest)


def to_member(intent: Intent) -> Params:
    """The parameters of a member of a transaction."""
    placeholders = Placeholders()
    params: Params = {
        "TableName": intent.table.name,
        "Item" if intent.kind == "Put" else "Key": marshal_item(intent.given),
    }
    if intent.update is not None:
        params["UpdateExpression"] = render_update(intent.update, placeholders)
    if intent.condition is not None:
        params["ConditionExpression"] = render_condition(intent.condition, placeholders)
    if placeholders.names:
        params["ExpressionAttributeNames"] = placeholders.names
    if placeholders.values:
        params["ExpressionAttributeValues"] = {name: marshal(value) for name, value in placeholders.values.items()}
    return params


def _split_where(
    where: Condition | None, table: Table, *, first_value: bool = False
) -> tuple[Params, Condition | None]:
    """The key a WHERE names, and what else it says; of two values for one attribute, `first_value` takes the first."""
    key: Params = {}
    rest: list[Condition] = []
    parts = () if where is None else where.parts if isinstance(where, And) else (where,)
    for part in (put_name_first(each) for each in parts):
        name = next((each for each in table.keys.names if equality(part, each) is not None), None)
        value: Any = None if name is None else equality(part, name)
        if name is None or (first_value and name in key and not is_equal(key[name], value.value)):
            rest.append(part)
        elif name in key and not is_equal(key[name], value.value):
            only = "Only single item Update/Insert/Delete are supported"
            raise NoKeyError(f"Multiple conditions on same key {name}. {only}")
        else:
            key[name] = value.value
    _check_key(key, table)
    return key, all_of(*rest)


def _check_key(key: Params, table: Table) -> None:
    if len(key) < len(table.keys.names):
        raise NoKeyError(NO_KEY)
    for name, value in key.items():
        if type_code(value) != table.types[name]:
            raise NoKeyError(WRONG_KEY_TYPE.format(name))
