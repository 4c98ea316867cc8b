"""Writes with companions: one transaction, right under concurrency.

    1. read the old items that companions need, consistently
    2. work out the new ones, by the very expressions that will be sent
    3. send the members and the companions' clauses, on condition that what was rested on still holds
    4. if only that failed, take the item DynamoDB met (or read again) and go on with 2, a bounded number of times

The caller's own failing condition is the caller's `ConditionFailed` (a `Conflict` when it is the version), a failing
companion raises its own error. A write that concerns no companion is sent alone, as ever.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, cast

import msgspec

from tablewright.errors import ConditionFailed, Conflict, RequestError, TransactionCancelled
from tablewright.runtime.clock import new_id
from tablewright.runtime.features.companion import Clause, Companion, Renumber
from tablewright.runtime.features.member import Member, member_of
from tablewright.runtime.features.version import counted, counting, insisted
from tablewright.runtime.flow import Pause, Together
from tablewright.runtime.items.hooks import Settled
from tablewright.runtime.operations.members import in_words
from tablewright.runtime.options import DEFAULT
from tablewright.runtime.requests.batch_retry import place_of
from tablewright.runtime.requests.request import Params, call, read_item
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tablewright.expr.nodes import Action, Condition
    from tablewright.runtime.features.companion import Change, Item
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.options import Options
    from tablewright.runtime.requests.batch_retry import Place

ATTEMPTS = 16
PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.01, 1.0
READS_AT_ONCE = 8
FAILED = "ConditionalCheckFailed"
SINGLE = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}


class Plan(msgspec.Struct, frozen=True):
    """What is to be done when an entity is written: count versions in the attribute `lock`, write companions along."""

    lock: str | None = None
    companions: tuple[Companion, ...] = ()

    def insisted(self, write: Any) -> Condition | None:
        return insisted(write)

    def counted(self, values: dict[str, Any], *, only_new: bool) -> dict[str, Any]:
        return counted(self.lock, values, only_new=only_new)

    def counting(self, write: Any) -> list[Action]:
        return counting(write.layout)

    def along(self, writes: Sequence[Any]) -> list[Params] | None:
        return _written_along(writes)

    def run(self, write: Any) -> Flow[Settled]:
        (settled,) = yield from Attempt([member_of(write)]).run()
        return settled

    def run_together(self, writes: Sequence[Any], options: Options) -> Flow[None]:
        attempt = Attempt([member_of(write) for write in writes], token=options.token, in_transaction=True)
        _refuse_token(attempt, options)
        yield from attempt.run()


def _written_along(writes: Sequence[Any]) -> list[Params] | None:
    """What the features of entities add to these writes, in one transaction; None where they concern no feature.

    What is stored is not known here: what follows from it, and that it still holds when it is sent, is left out.
    """
    attempt = Attempt([member_of(write) for write in writes])
    if not any(member.concerned for member in attempt.members):
        return None
    try:
        changes = [member.change(None) for member in attempt.members]
    except RequestError:  # an update that fits only what is stored
        return []
    return [{each.action: each.body} for each in attempt.clauses(changes)]


class Attempt:
    """Some writes on their way into one transaction: their members, and what is known of the old items.

    `besides` makes further clauses of the finished changes, whose failure counts before that of any member.
    """

    def __init__(
        self,
        members: list[Member],
        *,
        token: str | None = None,
        in_transaction: bool = False,
        besides: Callable[[Sequence[Settled]], list[Clause]] | None = None,
    ) -> None:
        self.members = members
        self.given = tuple(members)  # as they were before any was given another version
        self.token = token
        self.in_transaction = in_transaction
        self.besides = besides
        self.known: dict[int, Item | None] = {
            at: None for at, member in enumerate(members) if not member.needs_old or member.is_new
        }
        self.left_out: set[Place] = set()
        self.taken: list[Renumber] = []
        self.instead: dict[Place, Clause] = {}  # by place: what is sent now that the item there is known

    def run(self) -> Flow[list[Settled]]:
        """Try until it is done, or cannot be; the answers are those that single writes would have had."""
        for count in range(ATTEMPTS):
            yield from between(count)
            yield from self.renumber()
            yield from self.read()
            changes = [member.change(self.known[at]) for at, member in enumerate(self.members)]
            clauses = self.clauses(changes)
            if not clauses and not self.in_transaction and self.besides is None:
                reply = yield from self.send_alone(changes[0])
                if reply is not None:
                    return [Settled(reply, self.members[0].body)]
                continue
            settled = [member.settled(change) for member, change in zip(self.members, changes, strict=True)]
            first = [] if self.besides is None else self.besides(settled)
            try:
                yield from self.send(changes, [*first, *clauses])
            except TransactionCancelled as error:
                self.judge(error, first, clauses)
            else:
                for clause in clauses:
                    if clause.after is not None:
                        yield from clause.after()
                return settled
        words = ", ".join(in_words(member.write) for member in self.members)
        raise Conflict("ConditionalCheckFailedException", f"{words}: others kept changing the same items; try later")

    def read(self) -> Flow[None]:
        """Read the old items that are needed and not known."""
        wanted = [at for at in range(len(self.members)) if at not in self.known]
        calls = tuple(Call("GetItem", to_wire(self.members[at].get())) for at in wanted)
        if not calls:
            return
        outcomes: list[Any] = (
            [(yield calls[0])] if len(calls) == 1 else (yield Together(calls, min(len(calls), READS_AT_ONCE)))
        )
        for at, outcome in zip(wanted, outcomes, strict=True):
            if isinstance(outcome, Exception):
                raise outcome
            self.known[at] = read_reply(outcome).get("Item")

    def renumber(self) -> Flow[None]:
        """Give members another version than the one that was taken."""
        while self.taken:
            verdict = self.taken.pop()
            number = yield from verdict.find()
            for at, member in enumerate(self.members):
                if member.key == verdict.key and member.body["TableName"] == verdict.table:
                    self.members[at] = member.numbered(number, self.known.get(at))

    def clauses(self, changes: list[Change]) -> list[Clause]:
        """What the companions write along, each asked once for all that concerns it."""
        concerned: dict[int, tuple[Companion, list[Change]]] = {}
        for member, change in zip(self.members, changes, strict=True):
            for companion in member.concerned:
                concerned.setdefault(id(companion), (companion, []))[1].append(change)
        found = [clause for companion, mine in concerned.values() for clause in companion.clauses(mine)]
        placed = [(_place_of_clause(clause), clause) for clause in found]
        return [self.instead.get(place, clause) for place, clause in placed if place not in self.left_out]

    # ---- sending -------------------------------------------------------------------------------------------------

    def send_alone(self, change: Change) -> Flow[Params | None]:
        """A single write as a request of its own; None when what it rests on has changed."""
        member = self.members[0]
        try:
            return (yield from call(SINGLE[member.action], member.alone(change)))
        except ConditionFailed as error:
            met = error.details.get("Item")
            if member.refuses(met):
                raise _own_failure(member, met) from error
            self.meet(0, met)
            return None

    def send(self, changes: list[Change], clauses: list[Clause]) -> Flow[None]:
        from tablewright.runtime.operations.transactions import check_bodies, check_count

        held = [member.held(change) for member, change in zip(self.members, changes, strict=True)]
        members = [{member.action: body} for member, body in zip(self.members, held, strict=True)]
        along = [{clause.action: _showing_what_it_met(clause.body)} for clause in clauses]
        check_count(len(members) + len(along))
        writes = [member.write for member in self.members]
        check_bodies([*writes, *clauses], [*held, *(clause.body for clause in clauses)])
        token = self.token or new_id()
        yield from call("TransactWriteItems", {"TransactItems": [*members, *along], "ClientRequestToken": token})

    # ---- when it was cancelled -----------------------------------------------------------------------------------

    def judge(self, error: TransactionCancelled, first: list[Clause], clauses: list[Clause]) -> None:
        """Note what must be read again or left out; raise what trying again cannot mend."""
        reasons = cast("Sequence[Params]", error.details.get("CancellationReasons", ()))
        if all(_code_of(reason) == "None" for reason in reasons):  # nothing tells what to do about it
            raise error
        own, further = reasons[: len(self.members)], reasons[len(self.members) :]
        self.judge_clauses(error, first, further)
        self.judge_members(error, own)
        stale = [at for at, reason in enumerate(own) if _code_of(reason) == FAILED]
        for at in stale:
            self.meet(at, own[at].get("Item"))
        if not stale:  # else a clause may have failed because of what has changed
            self.judge_clauses(error, clauses, further[len(first) :])

    def judge_members(self, error: TransactionCancelled, reasons: Sequence[Params]) -> None:
        """A member fails by its own condition, or by something that is no condition at all."""
        from tablewright.runtime.operations.transactions import explained

        for member, reason in zip(self.members, reasons, strict=False):
            code, met = _code_of(reason), reason.get("Item")
            if code == "None" or (code == FAILED and not member.refuses(met)):
                continue
            if self.in_transaction or code != FAILED:
                raise explained(error, [each.write for each in self.members]) from error.__cause__
            raise _own_failure(member, met) from error

    def judge_clauses(self, error: TransactionCancelled, clauses: list[Clause], reasons: Sequence[Params]) -> None:
        for clause, reason in zip(clauses, reasons, strict=False):
            code = _code_of(reason)
            if code == "None":
                continue
            verdict = clause.failed(_plain(reason.get("Item"))) if code == FAILED else error
            if isinstance(verdict, Exception):
                raise verdict from (None if verdict is error else error)
            if verdict == "leave out":
                self.left_out.add(_place_of_clause(clause))
            elif isinstance(verdict, Renumber):
                self.taken.append(verdict)
            elif isinstance(verdict, Clause):
                self.instead[_place_of_clause(clause)] = verdict
            else:
                self.forget()

    def meet(self, at: int, item: Any) -> None:
        """The condition failed on this item, which is the old one now; a version that was found for another is void."""
        self.instead.clear()
        self.members[at] = self.given[at]
        if self.members[at].needs_old:
            self.known[at] = _plain(item)

    def forget(self) -> None:
        """Read everything again."""
        self.instead.clear()
        self.members = list(self.given)
        for at, member in enumerate(self.members):
            if member.needs_old and not member.is_new:
                self.known.pop(at, None)


# ---- pieces ----------------------------------------------------------------------------------------------------------


def between(count: int) -> Flow[None]:
    """Wait before trying again, at random and longer each time; the second try comes at once."""
    if count > 1:
        longest = min(PAUSE_SECONDS * 2**count, LONGEST_PAUSE_SECONDS)
        yield Pause(random.uniform(0, longest))  # noqa: S311 - no secret


def _code_of(reason: Params) -> str:
    return str(reason.get("Code", "None"))


def _plain(item: Any) -> Item | None:
    return unmarshal_item(item) if item else None


def _showing_what_it_met(body: Params) -> Params:
    return {**body, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if "ConditionExpression" in body else body


def _place_of_clause(clause: Clause) -> Place:
    body = clause.body
    return place_of(body["TableName"], body["Item"] if "Item" in body else body["Key"], clause.layout.table_fields)


def _own_failure(member: Member, met: Any) -> ConditionFailed:
    """The caller's condition did not hold, or the version has moved on."""
    layout = member.layout
    item = unmarshal_item(met) if met else None
    kind = Conflict if member.lock_is_broken(item) else ConditionFailed
    words = f"{in_words(member.write)}: {member.why(item)}"
    failure = kind("ConditionalCheckFailedException", words, details={"Item": met} if met else None)
    failure.item = read_item(layout, item, DEFAULT, ignore=layout.ignore_ownership)
    return failure


def _refuse_token(attempt: Attempt, options: Options) -> None:
    """A token promises the same request again, which is not what comes of reading again."""
    reading = [member for member in attempt.members if member.needs_old and not member.is_new]
    if options.token is not None and reading:
        what = in_words(reading[0].write)
        remedy = "use tw.once(transact(...), request_id) instead"
        raise RequestError(f"{what} reads before it writes, so that no token can stand for it; {remedy}", code=2002)
