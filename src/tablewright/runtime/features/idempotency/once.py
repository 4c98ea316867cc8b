"""Idempotent writes: `tw.once(operation, request_id)` happens once, however often it is asked for.

The write and a record of the request are one transaction. Who asks again finds the record and gets the first answer,
read from it; nothing is written then. What failed leaves no record, so that it can be tried again.

    pk  __request__#app#4f2a...      service and request id
    sk  __request__
    digest (what was asked), answer (the first result), expires (epoch seconds, for the table's time to live)

A record is good for as long as it is kept: an expired one that DynamoDB has not deleted yet does not count.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.render import Placeholders, render_condition
from tablewright.runtime.clock import now
from tablewright.runtime.features.companion import Clause, companion_identity, companion_key
from tablewright.runtime.features.idempotency.digest import digest_of
from tablewright.runtime.features.member import member_of
from tablewright.runtime.features.plan import Attempt
from tablewright.runtime.operations.delete import Check, Delete, read_written
from tablewright.runtime.operations.put import Put
from tablewright.runtime.operations.transactions import Transaction
from tablewright.runtime.operations.update import Update
from tablewright.runtime.operations.upsert import Upsert
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.runtime.features.companion import Item, Verdict
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.hooks import Settled
    from tablewright.runtime.requests.request import Operation, Params

R = TypeVar("R")

MARK = "__request__"
DAY = timedelta(days=1)
LONGEST_ID = 500


class Once(Tunable, msgspec.Struct, Generic[R], frozen=True):
    """A write, or a transaction, that happens once for a request id; the answer is always the first one."""

    operation: Any
    request_id: str
    keep_seconds: int
    digest: str
    options: Options = DEFAULT

    @property
    def writes(self) -> tuple[Any, ...]:
        return tuple(self.operation.writes) if isinstance(self.operation, Transaction) else (self.operation,)

    def params(self) -> Any:
        """The write itself, to which sending adds the record."""
        return self.operation.params()

    def flow(self) -> Flow[R]:
        is_transaction = isinstance(self.operation, Transaction)
        members = [member_of(write, answering=not is_transaction) for write in self.writes]
        attempt = Attempt(members, in_transaction=is_transaction, besides=self.record)
        try:
            settled = yield from attempt.run()
        except _Replayed as replay:
            return self.replayed(replay.record)
        return None if is_transaction else _answer(self.operation, _stored_answer(settled))  # type: ignore[return-value]

    def record(self, settled: Sequence[Settled]) -> list[Clause]:
        """The clause that records the request, unless it was recorded before."""
        layout = self.writes[0].layout
        seconds = int(now().timestamp())
        is_transaction = isinstance(self.operation, Transaction)
        key = companion_key(layout, f"{MARK}#{layout.entity.service}#{self.request_id}", MARK)
        item: Params = {
            **key,
            "digest": self.digest,
            "answer": {} if is_transaction else _stored_answer(settled),
            _expiry_field(layout): seconds + self.keep_seconds,
            **companion_identity(layout, "request"),
        }
        table = table_of(layout, self.writes[0].options)
        body = {"TableName": table, "Item": item, **_unless_recorded(next(iter(key)), _expiry_field(layout), seconds)}
        return [Clause(layout, "once", "Put", body, _recorded)]

    def replayed(self, record: Item) -> R:
        if record["digest"] != self.digest:
            raise RequestError(
                f"the request id {self.request_id!r} was used for something else; a new request needs a new id",
                code=2002,
            )
        is_transaction = isinstance(self.operation, Transaction)
        return None if is_transaction else _answer(self.operation, record["answer"])  # type: ignore[return-value]


class _Replayed(Exception):
    """The request was made before, and this is its record."""

    def __init__(self, record: Item) -> None:
        self.record = record


def once(
    operation: Operation[R], request_id: str, *, keep: timedelta = DAY, same: str | bytes | None = None
) -> Once[R]:
    """Run a write or a transaction at most once for a request id, for as long as its record is kept.

    Asking again gives the first answer; asking something else under the same id is refused. What counts as the same is
    worked out from the operation, but for values that defaults make up afresh; or you say it with `same` (the request's
    body, say).
    """
    given: Any = operation
    members: tuple[Any, ...] = given.writes if isinstance(given, Transaction) else (given,)
    kinds = (Put, Update, Upsert, Delete, Check) if isinstance(given, Transaction) else (Put, Update, Upsert, Delete)
    if not members or not all(isinstance(each, kinds) for each in members):
        what = type(operation).__name__
        raise RequestError(f"once() takes one write or a transaction of writes, not {what}", code=5002)
    if not request_id or len(request_id.encode()) > LONGEST_ID:
        raise RequestError(f"a request id has 1 to {LONGEST_ID} bytes", code=2002)
    if keep < timedelta(seconds=1):
        raise RequestError(f"a record is kept for a second at least, not {keep}", code=2002)
    digest = digest_of(members) if same is None else hashlib.sha256(_as_bytes(same)).hexdigest()
    return Once(operation, request_id, int(keep.total_seconds()), digest)


def _as_bytes(same: str | bytes) -> bytes:
    if not isinstance(same, str | bytes):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
        raise RequestError(
            f"same is text or bytes, such as the body of a request, not {type(same).__name__}", code=1010
        )
    return same.encode() if isinstance(same, str) else same


def _expiry_field(layout: Any) -> str:
    """The field of the entity's own time to live, which is the table's; `expires` without one."""
    declared = layout.entity.features.ttl
    return "expires" if declared is None else str(layout.attributes[declared.attribute].field)


def _unless_recorded(key_field: str, expiry: str, now: int) -> Params:
    placeholders = Placeholders()
    missing = nodes.Function("attribute_not_exists", (nodes.Name((key_field,)),))
    expired = nodes.Compare("<=", nodes.Name((expiry,)), nodes.Value(now))
    text = render_condition(nodes.Or((missing, expired)), placeholders)
    return {
        "ConditionExpression": text,
        "ExpressionAttributeNames": placeholders.names,
        "ExpressionAttributeValues": placeholders.values,
    }


def _recorded(item: Item | None) -> Verdict:
    return "again" if item is None else _Replayed(item)


# ---- answers ---------------------------------------------------------------------------------------------------------


def _stored_answer(settled: Sequence[Settled]) -> Params:
    """All that the answer to a single write is made of."""
    (only,) = settled
    return {"reply": only.reply, **({"item": only.body["Item"]} if "Item" in only.body else {})}


def _answer(operation: Any, stored: Params) -> Any:
    if isinstance(operation, Put):
        return operation.read(stored["reply"], stored["item"])
    composites = getattr(operation, "composites", {})
    return read_written(operation.layout, composites, stored["reply"], operation.options)
