"""The policy without any connection: a script of outcomes, a recovery, and what it did."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.errors import (
    BadAnswer,
    ConditionFailed,
    ConnectionFailed,
    OutcomeUnknown,
    RequestError,
    ServiceError,
    TablewrightError,
    TimedOut,
    service_error,
)
from tablewright.runtime.backoff import DEFAULT, KINDS, Retry
from tablewright.runtime.transports.retry import (
    RETRY_COST,
    THROTTLING_RETRY_COST,
    Budget,
    Failed,
    Renew,
    acarry_out,
    carry_out,
    kind_of,
    recover,
    with_token,
)
from tablewright.runtime.transports.trace import Trace
from tablewright.wire.call import Call

KEY = {"pk": {"S": "a"}}
GET = Call("GetItem", {"TableName": "things", "Key": KEY})
PUT = Call("PutItem", {"TableName": "things", "Item": KEY})
CREATE = Call("PutItem", {**PUT.params, "ConditionExpression": "attribute_not_exists(pk)"})
COUNT = Call(
    "UpdateItem",
    {
        "TableName": "things",
        "Key": KEY,
        "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    },
)
TRANSACT = with_token(Call("TransactWriteItems", {"TransactItems": [{"Put": PUT.params}]}))


def no(name: str, status: int = 400, **more: Any) -> Failed:
    return Failed(service_error(name, "said so"), status=status, **more)


def cancelled(*codes: str) -> Failed:
    reasons = [{"Code": code} for code in codes]
    return Failed(service_error("TransactionCanceledException", "", {"CancellationReasons": reasons}), status=400)


def lost() -> Failed:
    return Failed(TimedOut("no answer"))


def unsent() -> Failed:
    return Failed(ConnectionFailed("refused"), sent=False)


SERVER = "InternalServerError"


@dataclass
class Played:
    """A script: failures, then success for ever. Time passes in `waits` only."""

    call: Call
    failures: list[Failed]
    policy: Retry = DEFAULT
    random: float = 1.0
    waits: list[float] = field(default_factory=list[float])
    sent: list[bool] = field(default_factory=list[bool])
    renewals: list[float | None] = field(default_factory=list["float | None"])
    trace: Trace = field(default_factory=Trace)
    budget: Budget | None = None

    def send(self, fresh: bool) -> bytes:
        self.sent.append(fresh)
        if len(self.sent) < len(self.failures):
            raise self.failures[len(self.sent)]
        return b"{}"

    def renew(self, step: Renew) -> None:
        self.renewals.append(step.offset_seconds)

    def run(self) -> bytes:
        self.trace.attempts = 1
        self.budget = self.budget or Budget(self.policy)
        recovery = recover(
            self.call, self.failures[0], self.policy, self.budget, trace=self.trace, random=lambda: self.random
        )
        return carry_out(recovery, self.send, renew=self.renew, sleep=self.waits.append)


# ---- pauses ----------------------------------------------------------------------------------------------------------


def test_pauses_double_up_to_the_cap() -> None:
    played = Played(GET, [no("ThrottlingException")] * 6, Retry(base_seconds=0.1, cap_seconds=1.0))
    assert played.run() == b"{}"
    assert played.waits == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 300), st.floats(0, 10), st.floats(0, 60), st.floats(0, 1, exclude_max=True), st.floats(0, 1000))
def test_a_pause_is_within_the_policy(attempts: int, base: float, cap: float, chance: float, asked: float) -> None:
    policy = Retry(attempts=attempts, base_seconds=base, cap_seconds=cap, budget=None)
    failures = [no("ThrottlingException", retry_after_seconds=asked)] * (attempts - 1)
    if failures:
        played = Played(GET, failures, policy, random=chance)
        played.run()
        assert len(played.waits) == attempts - 1
        assert all(min(asked, cap) <= wait <= max(cap, 0) for wait in played.waits)


def test_the_server_may_ask_for_a_longer_pause() -> None:
    played = Played(GET, [no("ThrottlingException", retry_after_seconds=2.0)], Retry(base_seconds=0.1))
    played.run()
    assert played.waits == [2.0]


def test_an_old_connection_is_replaced_without_a_pause_and_without_paying() -> None:
    played = Played(PUT, [Failed(ConnectionFailed("closed"), pooled=True)], Retry(budget=0))
    assert played.run() == b"{}"
    assert (played.waits, played.sent) == ([], [True])


# ---- what is tried again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind in ("throttled", "conflict")])
def test_what_passes_is_tried_again_even_if_it_counts(name: str) -> None:
    played = Played(COUNT, [no(name)] * 3)
    assert played.run() == b"{}"
    assert played.sent == [False, False, False]


@pytest.mark.parametrize(
    ("failed", "kind"),
    [
        (no("ValidationException"), "final"),
        (no("LimitExceededException"), "final"),
        (no("Http429", 429), "throttled"),
        (no("Http507", 507), "lost"),
        (no("ServiceUnavailable", 503), "lost"),
        (lost(), "lost"),
        (unsent(), "unsent"),
        (Failed(BadAnswer("another checksum"), status=200), "lost"),
        (cancelled("None", "TransactionConflict"), "conflict"),
        (cancelled("ThrottlingError", "ProvisionedThroughputExceeded"), "conflict"),
        (cancelled("TransactionConflict", "ConditionalCheckFailed"), "final"),
        (cancelled("None", "None"), "final"),
        (cancelled(), "final"),
        (no("ExpiredTokenException"), "keys"),
        (no("RequestTimeTooSkewed", skew_seconds=-4000.0), "clock"),
        (no("InvalidSignatureException", skew_seconds=1.0), "final"),
        (no("InvalidSignatureException"), "final"),
    ],
)
def test_failures_have_kinds(failed: Failed, kind: str) -> None:
    assert kind_of(failed) == kind


def test_what_will_not_pass_is_raised_as_it_is() -> None:
    refused = no("ValidationException")
    with pytest.raises(ServiceError) as caught:
        Played(PUT, [refused]).run()
    assert caught.value is refused.error


def test_attempts_are_limited() -> None:
    played = Played(GET, [no("ThrottlingException")] * 9, Retry(attempts=3))
    with pytest.raises(ServiceError, match="ThrottlingException"):
        played.run()
    assert len(played.sent) == 2


def test_connection_trouble_asks_for_a_fresh_connection() -> None:
    played = Played(GET, [unsent(), lost(), no("ThrottlingException")])
    played.run()
    assert played.sent == [True, True, False]


def test_refused_signatures_are_amended_once_each_and_at_once() -> None:
    played = Played(
        PUT, [no("ExpiredToken"), no("RequestExpired", skew_seconds=600.0, offset_seconds=500.0)], Retry(budget=0)
    )
    played.run()
    assert (played.waits, played.renewals) == ([], [None, 500.0])
    with pytest.raises(ServiceError, match="ExpiredToken"):
        Played(PUT, [no("ExpiredToken")] * 2).run()


# ---- writes that may have been made ----------------------------------------------------------------------------------

IN_DOUBT = [lost(), no(SERVER, 500), no("Http502", 502), Failed(BadAnswer("cut"), status=200)]


@pytest.mark.parametrize("failed", IN_DOUBT)
def test_a_counter_is_never_sent_again_in_doubt(failed: Failed) -> None:
    played = Played(COUNT, [failed])
    with pytest.raises(OutcomeUnknown, match="UpdateItem was sent") as caught:
        played.run()
    assert played.sent == []
    assert caught.value.__cause__ is failed.error


@pytest.mark.parametrize("failed", IN_DOUBT)
@pytest.mark.parametrize("call", [GET, PUT, CREATE, TRANSACT])
def test_what_is_harmless_is_sent_again_in_doubt(failed: Failed, call: Call) -> None:
    assert Played(call, [failed] * 2).run() == b"{}"


def test_a_counter_that_never_left_is_sent_again() -> None:
    assert Played(COUNT, [unsent()] * 3).run() == b"{}"


def test_a_condition_that_fails_after_doubt_proves_nothing() -> None:
    with pytest.raises(OutcomeUnknown) as caught:
        Played(CREATE, [lost(), no("ConditionalCheckFailedException")]).run()
    assert isinstance(caught.value.__cause__, ConditionFailed)
    with pytest.raises(ConditionFailed):
        Played(CREATE, [unsent(), no("ConditionalCheckFailedException")]).run()


def test_doubt_outlasts_other_failures() -> None:
    with pytest.raises(OutcomeUnknown):
        Played(PUT, [lost(), no("ThrottlingException")], Retry(attempts=2)).run()


def test_with_a_token_a_no_is_a_no() -> None:
    with pytest.raises(ServiceError, match="TransactionCanceledException"):
        Played(TRANSACT, [lost(), cancelled("ConditionalCheckFailed")]).run()
    with pytest.raises(OutcomeUnknown):
        Played(TRANSACT, [lost(), lost()], Retry(attempts=2)).run()


def test_reads_are_never_in_doubt() -> None:
    with pytest.raises(TimedOut):
        Played(GET, [lost()] * 2, Retry(attempts=2)).run()


FAILURES = st.sampled_from(
    [no("ThrottlingException"), no(SERVER, 500), lost(), unsent(), no("ConditionalCheckFailedException")]
)


class Item:
    """Counts how often a write was carried out; what is `lost` may have been."""

    def __init__(self, failures: list[Failed], made: list[bool]) -> None:
        self.failures = failures
        self.made = made
        self.count = 0

    def attempt(self, number: int) -> bytes:
        if number >= len(self.failures):
            self.count += 1
            return b"{}"
        failed = self.failures[number]
        if kind_of(failed) == "lost" and self.made[number]:
            self.count += 1
        raise failed


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(FAILURES, st.booleans()), max_size=10))
def test_no_counter_counts_twice_and_success_means_once(script: list[tuple[Failed, bool]]) -> None:
    item = Item([failed for failed, _ in script], [made for _, made in script])
    attempts = iter(range(100))
    try:
        item.attempt(next(attempts))
    except Failed as failed:
        recovery = recover(COUNT, failed, Retry(budget=None), Budget(Retry()))
        try:
            carry_out(recovery, lambda _: item.attempt(next(attempts)), sleep=lambda _: None)
        except OutcomeUnknown:
            assert item.count <= 1
        except TablewrightError:
            assert item.count == 0
        else:
            assert item.count == 1
    else:
        assert item.count == 1


# ---- the budget ------------------------------------------------------------------------------------------------------


def test_retries_are_paid_for_and_success_gives_back() -> None:
    policy = Retry(budget=100)
    budget = Budget(policy)
    Played(GET, [lost(), lost(), no("ThrottlingException")], policy, budget=budget).run()
    assert budget.missing == 2 * RETRY_COST  # the last retry, after throttling, was given back
    budget.give_back()
    assert budget.missing == 2 * RETRY_COST - 1


def test_an_empty_budget_ends_a_call_at_once() -> None:
    policy = Retry(budget=2 * THROTTLING_RETRY_COST)
    played = Played(GET, [no("ThrottlingException")] * 5, policy)
    with pytest.raises(ServiceError, match="ThrottlingException"):
        played.run()
    assert len(played.sent) == 2


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 60), st.lists(st.integers(-20, 20)))
def test_a_budget_stays_within_its_size(size: int, changes: list[int]) -> None:
    budget = Budget(Retry(budget=size))
    for change in changes:
        if change > 0:
            before = budget.missing
            assert budget.take(change) == (before + change <= size)
        else:
            budget.give_back(-change)
        assert 0 <= budget.missing <= size


# ---- the rest --------------------------------------------------------------------------------------------------------


def test_a_trace_tells_all() -> None:
    played = Played(GET, [no("ThrottlingException"), lost()], Retry(base_seconds=1.0))
    played.run()
    assert played.trace == Trace(attempts=3, faults=["ThrottlingException", "TimedOut"], waited_seconds=3.0)


@settings(deadline=None, max_examples=50)
@given(st.lists(FAILURES, min_size=1, max_size=10), st.sampled_from([GET, PUT, COUNT, CREATE, TRANSACT]))
def test_awaiting_takes_the_same_steps(failures: list[Failed], call: Call) -> None:
    def outcome(run: Any) -> Any:
        try:
            return run()
        except TablewrightError as error:
            return str(error)

    blocking, awaited = Played(call, failures), Played(call, failures)

    async def send(fresh: bool) -> bytes:
        return awaited.send(fresh)

    async def sleep(seconds: float) -> None:
        awaited.waits.append(seconds)

    async def renew(step: Renew) -> None:
        awaited.renew(step)

    recovery = recover(call, failures[0], Retry(), Budget(Retry()), random=lambda: 1.0)
    told = outcome(lambda: asyncio.run(acarry_out(recovery, send, renew=renew, sleep=sleep)))
    assert told == outcome(blocking.run)
    assert (awaited.sent, awaited.waits) == (blocking.sent, blocking.waits)


@pytest.mark.parametrize(
    "wrong", [{"attempts": 0}, {"base_seconds": -1.0}, {"cap_seconds": float("inf")}, {"budget": -1}]
)
def test_policies_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RequestError, match=next(iter(wrong))):
        Retry(**wrong)


def test_transactions_get_a_token_of_their_own() -> None:
    plain = Call("TransactWriteItems", {"TransactItems": []})
    first, second = with_token(plain), with_token(plain)
    assert 1 <= len(first.params["ClientRequestToken"]) <= 36
    assert first.params["ClientRequestToken"] != second.params["ClientRequestToken"]
    assert with_token(first) is first
    assert with_token(PUT) is PUT
