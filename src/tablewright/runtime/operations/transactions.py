"""Transactions: writes that happen together or not at all, and reads of one moment.

What DynamoDB would refuse as a whole (too many members, too much data, two members for one item) is refused before
anything is sent, with the member's name. A transaction that DynamoDB cancels raises with a reason for every member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, overload

import msgspec

from tablewright.errors import CancellationReason, RequestError, TransactionCancelled
from tablewright.runtime.clock import new_id
from tablewright.runtime.operations.delete import as_sent
from tablewright.runtime.operations.get import Get
from tablewright.runtime.operations.members import item_bytes, numbered, place_in, refuse_doubles
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call, read_met
from tablewright.wire.call import Call
from tablewright.wire.document import to_wire
from tablewright.wire.limits import KB, MAX_TRANSACTION_ACTIONS, MAX_TRANSACTION_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout

A = TypeVar("A")
B = TypeVar("B")
D = TypeVar("D")
F = TypeVar("F")
R = TypeVar("R")

MAX_TOKEN_LENGTH = 36


class _Answers(msgspec.Struct):
    """The reply to a transaction of gets: each member's answer is the text of what a get alone is answered."""

    Responses: list[msgspec.Raw] = []


answers_in: Callable[[bytes], _Answers] = msgspec.json.Decoder(_Answers).decode


class Write(Protocol):
    """An operation that may stand in a write transaction."""

    @property
    def layout(self) -> Layout: ...

    @property
    def options(self) -> Options: ...

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        ...


class TransactWrite(Tunable, msgspec.Struct, frozen=True):
    """Puts, updates, deletes and checks, all or nothing, as ElectroDB's users have it: with the bare reply."""

    writes: tuple[Write, ...]
    options: Options = DEFAULT

    method = "transact_write"

    def params(self) -> Params:
        params: Params = {"TransactItems": [write.clause() for write in self.writes]}
        if self.options.token is not None:
            params["ClientRequestToken"] = self.options.token
        return {**params, **self.options.params} if self.options.params else params

    def flow(self) -> Flow[Params]:
        """The bare reply; a cancelled transaction raises."""
        plan = next((write.layout.plan for write in self.writes if write.layout.plan is not None), None)
        if plan is not None:
            yield from plan.run_together(self.writes, self.options)
            return {}
        request = self.params()
        if not self.writes:
            return {}
        return (yield from call("TransactWriteItems", request))


class TransactGet(Tunable, msgspec.Struct, frozen=True):
    """Several gets that see the same moment."""

    gets: tuple[Get[Any], ...]
    options: Options = DEFAULT

    method = "transact_get"

    def params(self) -> Params:
        params: Params = {"TransactItems": [get.read_clause() for get in self.gets]}
        return {**params, **self.options.params} if self.options.params else params

    def flow(self) -> Flow[Params]:
        """The bare reply with its responses in order."""
        request = self.params()
        if not self.gets:
            return {}
        return (yield from call("TransactGetItems", request))


class Transaction(Tunable, msgspec.Struct, frozen=True):
    """`tw.transact(...)`: all of the writes, or none."""

    writes: tuple[Write, ...]
    options: Options = DEFAULT

    def token(self, token: str) -> Transaction:
        """Make it safe to run twice, also by another process: DynamoDB remembers the token for ten minutes."""
        if not 1 <= len(token) <= MAX_TOKEN_LENGTH:
            raise RequestError(f"a token has 1 to {MAX_TOKEN_LENGTH} characters, not {len(token)}", code=1010)
        return self.with_options(token=token)

    def params(self) -> Params:
        """The members as they will be sent. Sending adds a token, and asks for the items that conditions fail on.

        Where keys fold letter case, it also adds to checks that the item is spelled as it was asked for. What the
        features of entities write along is shown as far as it does not follow from what is stored.
        """
        params = TransactWrite(self.writes, self.options).params()
        plan = next((write.layout.plan for write in self.writes if write.layout.plan is not None), None)
        if plan is not None:
            params["TransactItems"] += plan.along(self.writes) or []
        return params

    def request(self) -> Params:
        """The request as it is sent: safe to send again, because it has a token."""
        params = TransactWrite(tuple(as_sent(write) for write in self.writes), self.options).params()
        bodies = [body for clause in params["TransactItems"] for body in clause.values()]
        check_bodies(self.writes, bodies)
        for body in bodies:
            if "ConditionExpression" in body:
                body.setdefault("ReturnValuesOnConditionCheckFailure", "ALL_OLD")
        params.setdefault("ClientRequestToken", new_id())
        return params

    def flow(self) -> Flow[None]:
        if not self.writes:
            return
        plan = next((write.layout.plan for write in self.writes if write.layout.plan is not None), None)
        if plan is not None:
            yield from plan.run_together(self.writes, self.options)
            return
        try:
            yield from call("TransactWriteItems", self.request())
        except TransactionCancelled as error:
            raise explained(error, self.writes) from error.__cause__


class Snapshot(Tunable, msgspec.Struct, Generic[R], frozen=True):
    """`tw.transact_get(...)`: several items as they are at one moment, in order, None for missing ones."""

    gets: tuple[Get[Any], ...]
    options: Options = DEFAULT

    def params(self) -> Params:
        return TransactGet(self.gets, self.options).params()

    def flow(self) -> Flow[R]:
        if not self.gets:
            return cast("R", ())
        request = self.params()
        check_bodies(self.gets, [clause["Get"] for clause in request["TransactItems"]])
        try:
            reply = yield Call("TransactGetItems", to_wire(request))
        except TransactionCancelled as error:
            raise explained(error, self.gets) from error.__cause__
        answers = answers_in(reply).Responses
        return cast("R", tuple(get.answer(answer) for get, answer in zip(self.gets, answers, strict=False)))


def transact(*writes: Write) -> Transaction:
    """Puts, updates, deletes and checks that happen together or not at all."""
    check_count(len(writes))
    for write in writes:
        if not hasattr(write, "clause"):
            raise RequestError(f"{type(write).__name__} cannot stand in a write transaction", code=5002)
        if write.options.response not in ("default", "none", "all_old"):
            wanted = write.options.response
            raise RequestError(
                f"a transaction returns no {wanted}; all_old gives the item when a condition fails", code=1010
            )
    return Transaction(writes)


@overload
def transact_get(first: Get[A], /) -> Snapshot[tuple[A | None]]: ...
@overload
def transact_get(first: Get[A], second: Get[B], /) -> Snapshot[tuple[A | None, B | None]]: ...
@overload
def transact_get(first: Get[A], second: Get[B], third: Get[D], /) -> Snapshot[tuple[A | None, B | None, D | None]]: ...
@overload
def transact_get(
    first: Get[A], second: Get[B], third: Get[D], fourth: Get[F], /
) -> Snapshot[tuple[A | None, B | None, D | None, F | None]]: ...
@overload
def transact_get(*gets: Get[A]) -> Snapshot[tuple[A | None, ...]]: ...
def transact_get(*gets: Get[Any]) -> Snapshot[Any]:
    """Several items as they are at one moment."""
    check_count(len(gets))
    for get in gets:
        if not isinstance(get, Get):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
            raise RequestError(f"{type(get).__name__} cannot stand in a transaction of gets", code=5002)
    return Snapshot(gets)


# ---- before it is sent -----------------------------------------------------------------------------------------------


def check_count(count: int) -> None:
    if count > MAX_TRANSACTION_ACTIONS:
        raise RequestError(
            f"a transaction has at most {MAX_TRANSACTION_ACTIONS} members, not {count}; split it", code=2002
        )


def check_bodies(members: Sequence[Any], bodies: Sequence[Params]) -> None:
    """Sizes and doubles, which only the requests themselves can tell."""
    given: list[Params] = [body["Item"] if "Item" in body else body["Key"] for body in bodies]
    places = [
        place_in(body["TableName"], key, member) for body, key, member in zip(bodies, given, members, strict=True)
    ]
    refuse_doubles(members, places, "a transaction")
    sizes = [item_bytes(item, at, members) for at, item in enumerate(given)]
    if sum(sizes) > MAX_TRANSACTION_BYTES:
        largest = numbered(sizes.index(max(sizes)), members)
        raise RequestError(
            f"a transaction holds at most {MAX_TRANSACTION_BYTES // KB} KB, not {sum(sizes) // KB}; split it "
            f"(the largest is {largest} with {max(sizes) // KB} KB)",
            code=2002,
        )


# ---- after it was cancelled ------------------------------------------------------------------------------------------


def explained(error: TransactionCancelled, members: Sequence[Any]) -> TransactionCancelled:
    """The same error with reasons tied to the members, and the first that failed in its message."""
    error.reasons = _reasons_of(members, error)
    failed = [at for at, reason in enumerate(error.reasons) if reason.code != "None"]
    if failed:
        reason = error.reasons[failed[0]]
        why = f"{reason.code} ({reason.message})" if reason.message else reason.code
        more = f"; {len(failed) - 1} more failed: see reasons" if len(failed) > 1 else ""
        error.message = f"{error.name}: {numbered(failed[0], members)}: {why}{more}"
    return error


def _reasons_of(members: Sequence[Any], error: TransactionCancelled) -> tuple[CancellationReason, ...]:
    """DynamoDB's reasons, with items as their entities know them."""
    reasons: list[CancellationReason] = []
    for member, reason in zip(members, error.details.get("CancellationReasons", ()), strict=False):
        item = read_met(member.layout, reason.get("Item"))
        reasons.append(CancellationReason(reason.get("Code", "None"), reason.get("Message"), item, member))
    return tuple(reasons)
