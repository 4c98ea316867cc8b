"""TransactWriteItems: all of it or nothing, with a reason for every member when it is nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablewright.engine.capacity import Bill
from tablewright.engine.faults import cancelled, validation
from tablewright.engine.store import rows
from tablewright.engine.store.collections import FULL
from tablewright.engine.store.item import plain_of
from tablewright.engine.store.tokens import add_token, drop_tokens, find_token
from tablewright.engine.store.values import decode, encode
from tablewright.engine.writes.actions import Action, Check, read_action
from tablewright.engine.writes.collections import collection_metrics
from tablewright.errors import ServiceError, Throttled, service_error
from tablewright.wire.capacity import read_rcu, write_wcu
from tablewright.wire.limits import MAX_TRANSACTION_BYTES, TRANSACTION_TOKEN_SECONDS
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.item import StoredItem
    from tablewright.engine.store.table import Table

Params = dict[str, Any]

KINDS = {"Put": "PutItem", "Delete": "DeleteItem", "Update": "UpdateItem", "ConditionCheck": "ConditionCheck"}
NO_ACTION = "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
TWO_ACTIONS = "TransactItems can only contain one of Check, Put, Update or Delete"
SAME_ITEM = "Transaction request cannot include multiple operations on one item"
TOO_MUCH = f"Transaction payload size cannot exceed {MAX_TRANSACTION_BYTES} bytes"
MISMATCH = (
    "DynamoDB rejected the request because you retried a request with a different payload but with an idempotent "
    "token that was already used."
)
NO_REASON: Params = {"Code": "None"}
THROTTLES = {"ThrottlingException": "ThrottlingError"}
REASONS = {"TransactionConflictException": "TransactionConflict", f"{FULL}Exception": FULL}


@dataclass(slots=True)
class _Member:
    """One action of a transaction with the table, the place and the item it meets."""

    action: Action
    table: Table
    h: bytes = b""
    r: bytes = b""
    old: StoredItem | None = None
    new: Params | None = None


def transact_write_items(engine: EngineContext, params: Params) -> Params:
    actions = [_read_member(each) for each in params["TransactItems"]]
    if sum(item_size_bytes(action.given) for _, action in actions) > MAX_TRANSACTION_BYTES:
        raise validation(TOO_MUCH)
    with engine.storage.writing():
        replayed = _past_reply(engine, params)
        if replayed is not None:
            return replayed
        members = [_Member(action, engine.table(name)) for name, action in actions]
        reasons = _check_members(members) or _try_members(engine, members)
        if reasons is None:
            reply = _write_members(engine, params, members)
            _remember(engine, params, _read_costs(members))
            return reply
    raise cancelled(reasons)


# ---- before anything is looked at ------------------------------------------------------------------------------------


def _read_member(member: Params) -> tuple[str, Action]:
    """The table's name and the action; what is wrong here is wrong with the whole request."""
    given = [kind for kind in KINDS if member.get(kind) is not None]
    if not given:
        raise validation(NO_ACTION)
    if len(given) > 1:
        raise validation(TWO_ACTIONS)
    request = member[given[0]]
    return request["TableName"], read_action(KINDS[given[0]], request, "older")


def _check_members(members: list[_Member]) -> list[Params] | None:
    """What the tables' keys tell: the first fault is the reason of all, but empty keys and doubles are told at once."""
    for member in members:
        member.action.check_no_empty_keys(member.table)
    for at, member in enumerate(members):
        try:
            member.action.check_schema(member.table)
            member.action.check_rest(member.table)
        except ServiceError as fault:
            return _reasons_for({at: _failed(fault)}, len(members))
        member.h, member.r = rows.table_key(member.table, member.action.given)
    if len({(member.table.id, member.h, member.r) for member in members}) < len(members):
        raise validation(SAME_ITEM)
    return None


# ---- on the items ----------------------------------------------------------------------------------------------------


def _try_members(engine: EngineContext, members: list[_Member]) -> list[Params] | None:
    """Find every item and judge every condition and update; None when nothing stands in the way."""
    found: dict[int, Params] = {}
    for at, member in enumerate(members):
        try:
            reason = _try_member(engine, member)
        except ServiceError as fault:
            reason = _failed(fault)
        if reason is not None:
            found[at] = reason
    if found:
        _charge_members(engine, members)
        return _reasons_for(found, len(members))
    return None


def _try_member(engine: EngineContext, member: _Member) -> Params | None:
    table, action = member.table, member.action
    engine.admit(table, None, member.h, "write")
    engine.check_not_held(table, action.given)
    old = member.old = rows.find_at(engine.storage, table, member.h, member.r)
    if action.condition is not None and action.refuses(plain_of(old)):
        reason: Params = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
        return reason if old is None or not action.tells_old else {**reason, "Item": decode(old.text)}
    member.new = action.result(table, old)
    if engine.instruments is not None and not isinstance(action, Check):
        engine.admit_entries(table, plain_of(old), member.new)
    return None


def _failed(fault: ServiceError) -> Params:
    """The reason that tells of a fault."""
    if isinstance(fault, Throttled):
        code = THROTTLES.get(fault.name, fault.name.removesuffix("Exception"))
        return {"Code": code, "Message": fault.service_message}
    if fault.name in REASONS:
        return {"Code": REASONS[fault.name], "Message": fault.service_message}
    return {"Code": "ValidationError", "Message": fault.service_message}


def _reasons_for(found: dict[int, Params], count: int) -> list[Params]:
    return [found.get(at, NO_REASON) for at in range(count)]


# ---- writing ---------------------------------------------------------------------------------------------------------


def _write_members(engine: EngineContext, params: Params, members: list[_Member]) -> Params:
    bill = Bill("write")
    metrics: dict[str, list[Params]] = {}
    for at, member in enumerate(members):
        try:
            indexes = _write_member(engine, member)
        except ServiceError as fault:
            if fault.name not in REASONS:
                raise
            raise cancelled(_reasons_for({at: _failed(fault)}, len(members))) from None
        bill.add(member.table, _units_of(member), indexes)
    _charge_members(engine, members)
    for member in members:
        found = collection_metrics(engine.storage, member.table, member.action.given, params)
        if found is not None and found not in metrics.setdefault(member.table.name, []):
            metrics[member.table.name].append(found)
    reply: Params = {"ItemCollectionMetrics": metrics} if metrics else {}
    return bill.add_to(reply, params)


def _write_member(engine: EngineContext, member: _Member) -> dict[str, float]:
    """Do what was tried; the answer is what it cost in the indexes."""
    if isinstance(member.action, Check):
        return {}
    place = member.h, member.r
    written = rows.write(engine, member.table, member.old, member.new, member.action.size, place, member.action.text)
    return {name: 2 * wcu for name, wcu in written.index_wcu.items()}


def _units_of(member: _Member) -> float:
    return write_wcu(_before_bytes(member), _after_bytes(member), transactional=True)


def _before_bytes(member: _Member) -> int:
    return 0 if member.old is None else member.old.size


def _after_bytes(member: _Member) -> int:
    if member.new is None or isinstance(member.action, Check):
        return 0
    return member.action.size or item_size_bytes(member.new)


def _charge_members(engine: EngineContext, members: Iterable[_Member]) -> None:
    if engine.instruments is None:
        return
    for member in members:
        size = max(_before_bytes(member), _after_bytes(member))
        engine.charge(member.table, None, member.h, "write", _units_of(member), size=size)


def _read_costs(members: Iterable[_Member]) -> dict[str, float]:
    """What it costs to find out that the transaction was made before: the items are read."""
    costs: dict[str, float] = {}
    for member in members:
        size = _after_bytes(member) or _before_bytes(member)
        costs[member.table.name] = costs.get(member.table.name, 0.0) + read_rcu(size, transactional=True)
    return costs


# ---- ClientRequestToken: a transaction sent twice within ten minutes is made once ------------------------------------


def _past_reply(engine: EngineContext, params: Params) -> Params | None:
    """The reply of a transaction that was made before; None when it is new."""
    token = params.get("ClientRequestToken")
    if token is None:
        return None
    connection = engine.storage.connection
    drop_tokens(connection, engine.clock() - TRANSACTION_TOKEN_SECONDS)
    found = find_token(connection, token)
    if found is None:
        return None
    request, reply = found
    if decode(request) != params["TransactItems"]:
        raise service_error("IdempotentParameterMismatchException", MISMATCH)
    bill = Bill("read")
    for name, rcu in decode(reply).items():
        if name in engine.storage.tables:
            bill.add(engine.table(name), rcu)
    return bill.add_to({}, params)


def _remember(engine: EngineContext, params: Params, read_rcu: dict[str, float]) -> None:
    """Keep a transaction that was made, with what it will cost to recognise it."""
    token = params.get("ClientRequestToken")
    if token is not None:
        request, reply = encode(params["TransactItems"]), encode(read_rcu)
        add_token(engine.storage.connection, token, engine.clock(), request, reply)
