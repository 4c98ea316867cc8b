"""The writes in a request: taken apart, and put together again with other bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.wire.call import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

Params: TypeAlias = dict[str, Any]
Kind: TypeAlias = Literal["put", "update", "delete", "check"]

SINGLE: dict[str, Kind] = {"PutItem": "put", "UpdateItem": "update", "DeleteItem": "delete"}
MEMBERS: dict[str, Kind] = {"Put": "put", "Update": "update", "Delete": "delete", "ConditionCheck": "check"}
BATCHED: dict[str, Kind] = {"PutRequest": "put", "DeleteRequest": "delete"}
WRITES = frozenset({*SINGLE, "TransactWriteItems", "BatchWriteItem"})


class Part(msgspec.Struct, frozen=True):
    """One write: `body` holds an Item or a Key and expressions, in typed JSON."""

    kind: Kind
    table: str
    body: Params

    @property
    def held(self) -> Params:
        """The item, or the key."""
        body: Params = self.body["Item"] if "Item" in self.body else self.body["Key"]
        return body


def parts_of(call: Call) -> list[Part]:
    params = call.params
    if call.action in SINGLE:
        return [Part(SINGLE[call.action], params["TableName"], params)]
    if call.action == "TransactWriteItems":
        members = [next(iter(member.items())) for member in params["TransactItems"]]
        return [Part(MEMBERS[word], body["TableName"], body) for word, body in members]
    return [
        Part(BATCHED[word], table, body)
        for table, requests in params["RequestItems"].items()
        for request in requests
        for word, body in request.items()
    ]


def with_bodies(call: Call, bodies: Sequence[Params], *, once: bool) -> Call:
    """The call with these bodies in place of its own."""
    if call.action in SINGLE:
        return Call(call.action, bodies[0], once)
    left = iter(bodies)
    if call.action == "TransactWriteItems":
        members = [{word: next(left) for word in member} for member in call.params["TransactItems"]]
        return Call(call.action, {**call.params, "TransactItems": members}, call.once)
    tables = {
        table: [{word: next(left) for word in request} for request in requests]
        for table, requests in call.params["RequestItems"].items()
    }
    return Call(call.action, {**call.params, "RequestItems": tables}, once)
