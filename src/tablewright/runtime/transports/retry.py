"""When a call that failed is sent again: the policy, its budget, and what happens between two attempts.

Nothing here does input or output. `recover` is told how the first attempt failed, yields the steps a transport has to
take (`Pause`, `Renew`, `Again`), is sent the outcome of every further attempt, and returns the reply or raises. A call
that succeeds at once never comes here.

**What is tried again.** Throttling, answers of 5xx, broken connections, timeouts, answers that arrived damaged,
conflicts with other transactions (`TransactionConflictException`, `TransactionInProgressException`), and transactions
that were cancelled by nothing but conflicts and throttling. The pauses double from `base_seconds` to `cap_seconds`,
each then shortened at random, down to nothing ("full jitter"), so that clients which failed together do not come back
together; a `Retry-After` of the server is the least pause, as far as the cap allows. Expired keys and a wrong clock are
put right once each, without a pause. `LimitExceededException` is not tried again (botocore does): the limits on table
operations clear in minutes.

**The budget** is the token bucket of botocore's standard mode: `budget` tokens for all calls of one transport. A retry
takes 14, after throttling 5; a call that succeeds after retries gives back what its last retry took, any other success
gives back 1. When the bucket is empty, calls fail at once instead of piling onto a service that is down.

**When a write may be sent again.** A request that never left, or that DynamoDB refused, may always be repeated. When it
was sent and no answer came, or the answer was a 5xx, DynamoDB may have made the write; AWS says so of
InternalServerError. It is then repeated only if that is harmless, which `requests/retry_safety.py` decides: reads,
transactions (which always carry a token), writes that leave the same item and give the same answer when they are made
twice, and writes whose own condition forbids the second. A counter is not repeated. botocore repeats everything; this
rule is stricter on purpose. After such an attempt only a success is taken for an answer: a condition that fails the
second time may fail because the first was made, so the caller gets `OutcomeUnknown` and not `ConditionFailed`.

What remains: an unconditional put or delete that is repeated can undo what somebody else wrote in between. Whoever
writes without a condition has chosen that the last one wins; a condition or a transaction prevents it.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.errors import OutcomeUnknown, ServiceError, TransactionCancelled
from tablewright.runtime.backoff import KINDS, Kind, Retry, system_random
from tablewright.runtime.flow import Pause
from tablewright.runtime.transports.forks import ForkedLock
from tablewright.wire.call import Call

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from tablewright.errors import TablewrightError
    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Reply

RETRY_COST = 14
THROTTLING_RETRY_COST = 5


class Budget:
    """The tokens of one transport, shared by its threads. `missing` is 0 while nothing fails."""

    __slots__ = ("_lock", "missing", "size")

    def __init__(self, policy: Retry) -> None:
        self.size = policy.budget
        self.missing = 0
        self._lock = ForkedLock()

    def take(self, tokens: int) -> bool:
        """Whether a retry can be paid for; it is, then."""
        if self.size is None:
            return True
        with self._lock:
            if self.missing + tokens > self.size:
                return False
            self.missing += tokens
            return True

    def give_back(self, tokens: int = 1) -> None:
        """What a success returns. Ask `missing` first: it costs less."""
        with self._lock:
            self.missing = max(0, self.missing - tokens)


TAKES_TOKEN = frozenset({"TransactWriteItems", "ExecuteTransaction"})


def with_token(call: Call) -> Call:
    """The call with a token of its own, if it can have one and has none: it may then be repeated."""
    if call.action not in TAKES_TOKEN or "ClientRequestToken" in call.params:
        return call
    return Call(call.action, {**call.params, "ClientRequestToken": os.urandom(16).hex()})


class Failed(Exception):
    """One attempt that brought no good reply; `error` is what the caller sees if it was the last.

    `status` is that of HTTP if an answer came. `sent` is False only when it is certain that the request never left.
    `skew_seconds` is how far ahead the server's clock was of the time the request was signed with, `offset_seconds` how
    far it is ahead of ours as it comes, `access_key` the id of the keys that signed.
    `pooled`: the connection had been used before and broke without an answer; it may simply have been old. Errors that
    no further attempt can mend (a bad certificate, no credentials) are raised as they are, not wrapped in this.
    """

    def __init__(
        self,
        error: TablewrightError,
        *,
        status: int = 0,
        sent: bool = True,
        pooled: bool = False,
        retry_after_seconds: float | None = None,
        skew_seconds: float | None = None,
        offset_seconds: float | None = None,
        access_key: str | None = None,
    ) -> None:
        super().__init__(error)
        self.error = error
        self.status = status
        self.sent = sent
        self.pooled = pooled
        self.retry_after_seconds = retry_after_seconds
        self.skew_seconds = skew_seconds
        self.offset_seconds = offset_seconds
        self.access_key = access_key

    @property
    def name(self) -> str:
        """DynamoDB's name of the error, or the kind of trouble on the way."""
        return self.error.name if isinstance(self.error, ServiceError) else type(self.error).__name__


# ---- what a transport is asked to do ---------------------------------------------------------------------------------


class _Again(msgspec.Struct, frozen=True):
    """Send the call once more, on a new connection if it is to be `fresh`: others of the pool may have died too."""

    fresh: bool


class Renew(msgspec.Struct, frozen=True):
    """Fetch new keys in place of those with the id `access_key`, or set the clock that signs: the server's is
    `offset_seconds` ahead of ours.
    """

    access_key: str | None = None
    offset_seconds: float | None = None


Step: TypeAlias = Pause | _Again | Renew
Recovery: TypeAlias = "Generator[Step, Reply | Failed | None, Reply]"


def carry_out(
    recovery: Recovery,
    send: Callable[[bool], Reply],
    *,
    renew: Callable[[Renew], Any] = lambda _: None,
    sleep: Callable[[float], Any] = time.sleep,
) -> Reply:
    """Take the steps of a recovery; `send(fresh)` makes one attempt and raises `Failed`."""
    outcome: Reply | Failed | None = None
    try:
        while True:
            step = recovery.send(outcome)
            outcome = None
            match step:
                case _Again(fresh=fresh):
                    try:
                        outcome = send(fresh)
                    except Failed as failed:
                        outcome = failed
                case Pause(seconds=seconds):
                    sleep(seconds)
                case Renew():
                    renew(step)
    except StopIteration as done:
        reply: Reply = done.value
        return reply


async def acarry_out(
    recovery: Recovery,
    send: Callable[[bool], Awaitable[Reply]],
    *,
    renew: Callable[[Renew], Awaitable[Any]],
    sleep: Callable[[float], Awaitable[Any]],
) -> Reply:
    """The same for whoever awaits."""
    outcome: Reply | Failed | None = None
    try:
        while True:
            step = recovery.send(outcome)
            outcome = None
            match step:
                case _Again(fresh=fresh):
                    try:
                        outcome = await send(fresh)
                    except Failed as failed:
                        outcome = failed
                case Pause(seconds=seconds):
                    await sleep(seconds)
                case Renew():
                    await renew(step)
    except StopIteration as done:
        reply: Reply = done.value
        return reply


# ---- what went wrong -------------------------------------------------------------------------------------------------

PASSING_REASONS = frozenset({"None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
REPAIRS: frozenset[Kind] = frozenset({"keys", "clock"})
SKEW_SECONDS = 30.0
"""A clock this far off is to blame for a refused signature; DynamoDB itself allows five minutes."""


def kind_of(failed: Failed) -> Kind:
    """`lost`: it may have been carried out. `final`: it never will be. All others: it was not, but may be."""
    error = failed.error
    if not isinstance(error, ServiceError):
        return "lost" if failed.sent else "unsent"
    if isinstance(error, TransactionCancelled):
        return "conflict" if _passes(error) else "final"
    by_status: Kind = "throttled" if failed.status == 429 else "lost" if failed.status >= 500 else "final"
    kind = KINDS.get(error.name, by_status)
    if kind == "clock" and abs(failed.skew_seconds or 0.0) < SKEW_SECONDS:
        return "final"  # the clock is right, so the keys must be wrong
    return kind


def _passes(cancelled: TransactionCancelled) -> bool:
    """Whether a transaction was cancelled by what passes by itself, and by nothing else."""
    codes = {str(reason.get("Code", "None")) for reason in cancelled.details.get("CancellationReasons") or ()}
    return bool(codes - {"None"}) and codes <= PASSING_REASONS


# ---- what is done about it -------------------------------------------------------------------------------------------


def recover(
    call: Call,
    failed: Failed,
    policy: Retry,
    budget: Budget,
    *,
    trace: Trace | None = None,
    random: Callable[[], float] | None = None,
) -> Recovery:
    """From the first failure of a call to its reply, or to the error that its caller gets."""
    from tablewright.runtime.requests.retry_safety import is_harmless, is_read

    random = random or system_random()
    attempt, paid, in_doubt = 1, 1, False
    repaired: set[Kind] = set()
    while True:
        kind = kind_of(failed)
        if trace is not None:
            trace.faults.append(failed.name)
        in_doubt = in_doubt or (kind == "lost" and not is_read(call))
        if attempt >= policy.attempts or kind == "final" or kind in repaired or (in_doubt and not is_harmless(call)):
            raise verdict(call, failed, kind, in_doubt=in_doubt)
        if kind in REPAIRS:
            repaired.add(kind)
            yield Renew(failed.access_key, failed.offset_seconds if kind == "clock" else None)
        elif not (failed.pooled and attempt == 1):  # that an old connection breaks is nobody's failure
            paid = THROTTLING_RETRY_COST if kind == "throttled" else RETRY_COST
            if not budget.take(paid):
                raise verdict(call, failed, kind, in_doubt=in_doubt)
            yield _pause(policy, attempt, failed, random(), trace)
        attempt += 1
        if trace is not None:
            trace.attempts += 1
        outcome = yield _Again(fresh=kind in ("lost", "unsent"))
        assert outcome is not None
        if not isinstance(outcome, Failed):
            budget.give_back(paid)
            return outcome
        failed = outcome


def _pause(policy: Retry, attempt: int, failed: Failed, chance: float, trace: Trace | None) -> Pause:
    asked = min(failed.retry_after_seconds or 0.0, policy.cap_seconds)
    seconds = max(chance * policy.longest_pause(attempt), asked)
    if trace is not None:
        trace.waited_seconds += seconds
    return Pause(seconds)


def verdict(call: Call, failed: Failed, kind: Kind, *, in_doubt: bool) -> TablewrightError:
    """The last failure itself, unless the write may have been made in spite of it."""
    error = failed.error
    if not in_doubt or (kind == "final" and "ClientRequestToken" in call.params):
        return error  # with a token, DynamoDB would have answered with the success of an earlier attempt
    unknown = OutcomeUnknown(
        f"{call.action} was sent, and nobody knows whether it was carried out; the last attempt ended with "
        f"{error.message!r}. Read the item to find out. A write that breaks its own condition, or a transaction, "
        "can be repeated without doubt"
    )
    unknown.__cause__ = error
    return unknown
