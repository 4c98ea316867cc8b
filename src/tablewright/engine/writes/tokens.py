"""ClientRequestToken: a transaction sent twice within ten minutes is made once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.engine.capacity import Bill
from tablewright.engine.store.tokens import add_token, drop_tokens, find_token
from tablewright.engine.store.values import decode, encode
from tablewright.errors import service_error
from tablewright.wire.limits import TRANSACTION_TOKEN_SECONDS

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

Params = dict[str, Any]

MISMATCH = (
    "DynamoDB rejected the request because you retried a request with a different payload but with an idempotent "
    "token that was already used."
)


def past_reply(engine: Engine, params: Params) -> Params | None:
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


def remember(engine: Engine, params: Params, read_rcu: dict[str, float]) -> None:
    """Keep a transaction that was made, with what it will cost to recognise it."""
    token = params.get("ClientRequestToken")
    if token is not None:
        request, reply = encode(params["TransactItems"]), encode(read_rcu)
        add_token(engine.storage.connection, token, engine.clock(), request, reply)
