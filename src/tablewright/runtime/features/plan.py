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

from tablewright.errors import ConditionFailed, Conflict, RequestError, TransactionCancelled
from tablewright.runtime.declare.fresh import new_id
from tablewright.runtime.features.companion import Change, Clause
from tablewright.runtime.features.member import Member, Settled, member_of
from tablewright.runtime.flow import Pause, Together
from tablewright.runtime.requests.request import Params, call, read_item
from tablewright.runtime.requests.rounds import place_of
from tablewright.runtime.together.members import in_words
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire
from tablewright.wire.values import unmarshal_item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.runtime.features.companion import Companion, Item
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.options import Options
    from tablewright.runtime.requests.rounds import Place

ATTEMPTS = 16
PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.01, 1.0
READS_AT_ONCE = 8
FAILED = "ConditionalCheckFailed"
SINGLE = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}


def planned(write: Any) -> Flow[Settled]:
    """Run one write of an entity with a plan."""
    attempt = Attempt([member_of(write)])
    for count in range(ATTEMPTS):
        yield from between(count)
        yield from attempt.read()
        changes = attempt.changes()
        clauses = attempt.clauses(changes)
        member = attempt.members[0]
        try:
            if clauses:
                yield from attempt.send(changes, clauses)
                return member.settled(changes[0])
            reply = yield from call(SINGLE[member.action], member.alone(changes[0]))
        except ConditionFailed as error:
            met = error.details.get("Item")
            if member.refuses(met):
                raise own_failure(member, error, met) from error.__cause__
            attempt.met(0, met)
        except TransactionCancelled as error:
            attempt.judge(error, clauses)
        else:
            return Settled(reply, member.body)
    raise gave_up(attempt)


def planned_together(writes: Sequence[Any], options: Options) -> Flow[None]:
    """Run a transaction some of whose writes are of entities with a plan."""
    from tablewright.runtime.together.transactions import explained

    attempt = Attempt([member_of(write) for write in writes])
    attempt.token = options.token
    refuse_token(attempt, options)
    for count in range(ATTEMPTS):
        yield from between(count)
        yield from attempt.read()
        changes = attempt.changes()
        clauses = attempt.clauses(changes)
        try:
            yield from attempt.send(changes, clauses)
        except TransactionCancelled as error:
            if attempt.is_refused(error):
                raise explained(error, writes) from error.__cause__
            attempt.judge(error, clauses)
        else:
            return
    raise gave_up(attempt)


class Attempt:
    """Some writes on their way into one transaction: their members, and what is known of the old items."""

    def __init__(self, members: list[Member]) -> None:
        self.members = members
        self.known: dict[int, Item | None] = {
            at: None for at, member in enumerate(members) if not member.needs_old or member.is_new
        }
        self.left_out: set[Place] = set()
        self.token: str | None = None

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

    def changes(self) -> list[Change]:
        return [member.change(self.known[at]) for at, member in enumerate(self.members)]

    def clauses(self, changes: list[Change]) -> list[Clause]:
        """What the companions write along, each asked once for all that concerns it."""
        concerned: dict[int, tuple[Companion, list[Change]]] = {}
        for member, change in zip(self.members, changes, strict=True):
            for companion in member.concerned:
                concerned.setdefault(id(companion), (companion, []))[1].append(change)
        found = [clause for companion, mine in concerned.values() for clause in companion.clauses(mine)]
        return [clause for clause in found if place_of_clause(clause) not in self.left_out]

    def send(self, changes: list[Change], clauses: list[Clause]) -> Flow[None]:
        from tablewright.runtime.together.transactions import check_bodies, check_count

        members = [{each.action: each.held(change)} for each, change in zip(self.members, changes, strict=True)]
        bodies: list[Params] = [body for member in members for body in member.values()]
        along = [{clause.action: showing_what_it_met(clause.body)} for clause in clauses]
        check_count(len(members) + len(along))
        writes = [each.write for each in self.members]
        check_bodies([*writes, *clauses], [*bodies, *(clause.body for clause in clauses)])
        token = self.token or new_id()
        yield from call("TransactWriteItems", {"TransactItems": [*members, *along], "ClientRequestToken": token})

    # ---- when it was cancelled -----------------------------------------------------------------------------------

    def is_refused(self, error: TransactionCancelled) -> bool:
        """Whether some member failed by its own condition, or by anything that trying again does not mend."""
        return any(
            member.refuses(reason.get("Item")) if code_of(reason) == FAILED else code_of(reason) != "None"
            for member, reason in zip(self.members, reasons_of(error), strict=False)
        )

    def judge(self, error: TransactionCancelled, clauses: list[Clause]) -> None:
        """Note what must be read again or left out; raise what cannot be mended."""
        reasons = reasons_of(error)
        for at, (member, reason) in enumerate(zip(self.members, reasons, strict=False)):
            if code_of(reason) == FAILED and member.refuses(reason.get("Item")):
                raise own_failure(member, error, reason.get("Item")) from error
            if code_of(reason) not in (FAILED, "None"):
                raise error
        stale = [at for at, _ in enumerate(self.members) if code_of(reasons[at]) == FAILED]
        for at in stale:
            self.met(at, reasons[at].get("Item"))
        if not stale:
            self.judge_clauses(error, clauses, reasons[len(self.members) :])

    def judge_clauses(self, error: TransactionCancelled, clauses: list[Clause], reasons: Sequence[Params]) -> None:
        for clause, reason in zip(clauses, reasons, strict=False):
            code = code_of(reason)
            if code == "None":
                continue
            verdict = clause.failed(plain(reason.get("Item"))) if code == FAILED else error
            if isinstance(verdict, Exception):
                raise verdict from error
            if verdict == "leave out":
                self.left_out.add(place_of_clause(clause))
            else:
                self.forget()

    def met(self, at: int, item: Any) -> None:
        """The condition failed on this item, which is the old one now."""
        if self.members[at].needs_old:
            self.known[at] = plain(item)

    def forget(self) -> None:
        """Read everything again."""
        for at, member in enumerate(self.members):
            if member.needs_old:
                self.known.pop(at, None)


# ---- pieces ----------------------------------------------------------------------------------------------------------


def between(count: int) -> Flow[None]:
    """Wait before trying again, at random and longer each time; the second try comes at once."""
    if count > 1:
        longest = min(PAUSE_SECONDS * 2**count, LONGEST_PAUSE_SECONDS)
        yield Pause(random.uniform(0, longest))  # noqa: S311 - no secret


def reasons_of(error: TransactionCancelled) -> Sequence[Params]:
    return cast("Sequence[Params]", error.details.get("CancellationReasons", ()))


def code_of(reason: Params) -> str:
    return str(reason.get("Code", "None"))


def plain(item: Any) -> Item | None:
    return unmarshal_item(item) if item else None


def showing_what_it_met(body: Params) -> Params:
    return {**body, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"} if "ConditionExpression" in body else body


def place_of_clause(clause: Clause) -> Place:
    body = clause.body
    return place_of(body["TableName"], body["Item"] if "Item" in body else body["Key"], clause.layout.table_fields)


def own_failure(member: Member, error: Exception, met: Any) -> ConditionFailed:
    """The caller's condition did not hold, or the version has moved on."""
    layout = member.write.layout
    item = plain(met)
    kind = Conflict if member.lock_is_broken(item) else ConditionFailed
    details = getattr(error, "details", {}) if isinstance(error, ConditionFailed) else {"Item": met} if met else {}
    failure = kind("ConditionalCheckFailedException", f"{in_words(member.write)}: {member.why(item)}", details=details)
    failure.item = read_item(layout, dict(item) if item else None, member.reading, ignore=layout.ignore_ownership)
    return failure


def refuse_token(attempt: Attempt, options: Options) -> None:
    """A token promises the same request again, which is not what comes of reading again."""
    reading = [member for member in attempt.members if member.needs_old and not member.is_new]
    if options.token is not None and reading:
        what = in_words(reading[0].write)
        raise RequestError(
            f"{what} reads before it writes, so that no token can stand for it; use tw.once(...) instead", code=2002
        )


def gave_up(attempt: Attempt) -> Conflict:
    words = ", ".join(in_words(member.write) for member in attempt.members if member.concerned)
    return Conflict("ConditionalCheckFailedException", f"{words}: others kept changing the same items; try again later")
