"""Faults put into the runtime on purpose: what a simulation cannot catch, it does not check.

Each is a mistake that somebody could make, the scenario that must bring it to light, and the invariants of which one
must break. `python -m tests.simulation.faults` tells how many runs each took.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import msgspec

from tablewright.expr import nodes
from tablewright.runtime.features import edit, version
from tablewright.runtime.features.aggregates import recount
from tablewright.runtime.features.aggregates.children import children
from tablewright.runtime.features.companion import Clause
from tablewright.runtime.features.hierarchy import move
from tablewright.runtime.features.idempotency.once import Once
from tablewright.runtime.features.jobs.checkpoint import Checkpoint
from tablewright.runtime.features.member import Member
from tablewright.runtime.features.plan import Attempt
from tablewright.runtime.features.queues import lease
from tablewright.runtime.features.queues.claim import Claiming
from tablewright.runtime.requests import batch_retry, retry_safety
from tablewright.runtime.requests.request import call
from tablewright.runtime.transports import retry
from tablewright.wire.call import Call
from tests.simulation import tasks
from tests.simulation.scenario import Verdict, simulate
from tests.simulation.scenarios.registry import SCENARIOS

MOST_RUNS = 250
SINGLE = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}


@dataclass(frozen=True)
class Fault:
    """`breaks` are the invariants that tell of it."""

    what: str
    scenario: str
    breaks: frozenset[str]
    made: Callable[[], AbstractContextManager[Any]]


def caught(fault: Fault) -> tuple[int, Verdict | None]:
    """How many runs it took until an invariant broke that the fault concerns; None when none did."""
    with fault.made():
        for seed in range(MOST_RUNS):
            verdict = simulate(SCENARIOS[fault.scenario], seed)
            if verdict.broken & fault.breaks:
                return seed + 1, verdict
    return MOST_RUNS, None


def always(answer: Any) -> Callable[..., Any]:
    """A function that says the same to everything."""

    def answering(*_given: Any, **_named: Any) -> Any:
        return answer

    return answering


# ---- retries ---------------------------------------------------------------------------------------------------------


def everything_is_repeated() -> Any:
    return patch.object(retry_safety, "is_harmless", always(True))


@contextmanager
def transactions_lose_their_token() -> Generator[None]:
    def without_token(given: Call) -> Call:
        params = {name: value for name, value in given.params.items() if name != "ClientRequestToken"}
        return Call(given.action, params)

    with patch.object(tasks, "with_token", without_token), everything_is_repeated():
        yield


def doubt_is_forgotten() -> Any:
    def verdict(_call: Call, failed: retry.Failed, _kind: retry.Kind, *, in_doubt: bool) -> Exception:
        return failed.error

    return patch.object(retry, "verdict", verdict)


def what_was_sent_counts_as_unsent() -> Any:
    real = retry.kind_of

    def kind_of(failed: retry.Failed) -> retry.Kind:
        kind = real(failed)
        return "unsent" if kind == "lost" else kind

    return patch.object(retry, "kind_of", kind_of)


# ---- transactions ----------------------------------------------------------------------------------------------------


def companions_are_written_first() -> Any:
    """What goes along is sent by itself, before the item."""

    def send(self: Attempt, changes: Any, clauses: list[Clause]) -> Any:
        for clause in clauses:
            yield from call(SINGLE[clause.action], dict(clause.body))
        for member, change in zip(self.members, changes, strict=True):
            yield from call(SINGLE[member.action], member.held(change))

    return patch.object(Attempt, "send", send)


def companions_insist_on_nothing() -> Any:
    real = Attempt.send

    def send(self: Attempt, changes: Any, clauses: list[Clause]) -> Any:
        return real(self, changes, [_without_condition(clause) for clause in clauses])

    return patch.object(Attempt, "send", send)


def _without_condition(clause: Clause) -> Clause:
    kept = {name: value for name, value in clause.body.items() if name != "ConditionExpression"}
    if clause.action != "Update":
        kept = {name: value for name, value in kept.items() if not name.startswith("ExpressionAttribute")}
    return msgspec.structs.replace(clause, body=kept) if clause.action != "Update" else clause


def writes_rest_on_nothing() -> Any:
    return patch.object(Member, "rests_on", always(()))


def found_versions_stay() -> Any:
    def meet(self: Attempt, at: int, item: Any) -> None:
        numbered = self.members[at]
        real(self, at, item)
        self.members[at] = numbered

    real = Attempt.meet
    return patch.object(Attempt, "meet", meet)


def requests_are_not_recorded() -> Any:
    return patch.object(Once, "record", always([]))


# ---- locks and leases ------------------------------------------------------------------------------------------------


def edits_insist_on_nothing() -> Any:
    return patch.object(edit, "unchanged", always(()))


def versions_are_not_insisted_on() -> Any:
    return patch.object(version, "expected_version", always(None))


def claims_take_what_is_held() -> Any:
    def is_due(self: Claiming[Any], _moment: Any) -> nodes.Condition:
        return nodes.Function("attribute_exists", (self.name(self.lease.due),))

    return patch.object(Claiming, "is_due", is_due)


def anybody_finishes() -> Any:
    def is_held(claim: Any) -> nodes.Condition:
        return nodes.Function("attribute_exists", (nodes.Name((claim.layout.primary.pk.field,)),))

    return patch.object(lease, "_is_held", is_held)


# ---- batches and jobs ------------------------------------------------------------------------------------------------


def leftovers_are_dropped() -> Any:
    return patch.object(batch_retry, "LEFT_OVER", {"BatchGetItem": "Nothing", "BatchWriteItem": "Nothing"})


def the_unknown_is_called_undone() -> Any:
    return patch.object(batch_retry, "_is_refusal", always(True))


@contextmanager
def jobs_are_not_remembered() -> Generator[None]:
    def read(_self: Checkpoint) -> Any:
        yield from ()

    def save(_self: Checkpoint, _before: Any, _after: Any) -> Any:
        yield from ()
        return True

    with patch.object(Checkpoint, "read", read), patch.object(Checkpoint, "save", save):
        yield


def moves_are_made_in_pieces() -> Any:
    def transacted(writes: Any) -> Any:
        for write in writes:
            ((action, body),) = write.clause().items()
            if action in SINGLE:
                yield from call(SINGLE[action], dict(body))
        return 0.0

    return patch.object(move, "transacted", transacted)


def extremes_are_looked_for_in_an_index() -> Any:
    def at_any_price(*given: Any, exact: bool, **more: Any) -> Any:
        return children(*given, **more)

    return patch.object(recount, "children", at_any_price)


def fault(made: Callable[[], Any], scenario: str, *breaks: str) -> Fault:
    return Fault(f"{made.__name__} ({scenario})", scenario, frozenset(breaks), made)


FAULTS = [
    fault(everything_is_repeated, "counting", "nothing_twice"),
    fault(transactions_lose_their_token, "transfers", "receipts_add_up"),
    fault(doubt_is_forgotten, "editing", "no_ghosts"),
    fault(doubt_is_forgotten, "counting", "no_ghosts"),
    fault(what_was_sent_counts_as_unsent, "counting", "nothing_twice"),
    fault(companions_are_written_first, "registering", "sentinels_match_items", "unique_stays_unique"),
    fault(companions_are_written_first, "following", "second_items_match", "twins_match", "degrees_add_up"),
    fault(companions_are_written_first, "adding", "sums_are_right"),
    fault(companions_are_written_first, "ordering", "nothing_lost", "fair_weather"),
    fault(companions_insist_on_nothing, "registering", "unique_stays_unique"),
    fault(writes_rest_on_nothing, "registering", "sentinels_match_items", "unique_stays_unique"),
    fault(writes_rest_on_nothing, "adding", "sums_are_right"),
    fault(writes_rest_on_nothing, "following", "second_items_match", "twins_match", "degrees_add_up"),
    fault(found_versions_stay, "remembering", "versions_never_skip"),
    fault(requests_are_not_recorded, "ordering", "nothing_twice", "everybody_hears_the_same"),
    fault(edits_insist_on_nothing, "editing", "nothing_lost"),
    fault(versions_are_not_insisted_on, "editing", "nothing_lost", "versions_never_skip"),
    fault(claims_take_what_is_held, "working", "one_worker_at_a_time"),
    fault(anybody_finishes, "working", "only_holders_finish"),
    fault(leftovers_are_dropped, "loading", "what_is_done_is_there"),
    fault(the_unknown_is_called_undone, "loading", "what_is_undone_is_not_there"),
    fault(jobs_are_not_remembered, "clearing", "no_orphans"),
    fault(moves_are_made_in_pieces, "moving", "everything_is_in_one_place", "nobody_hangs_in_the_air"),
    fault(extremes_are_looked_for_in_an_index, "adding", "extremes_are_right_or_lost"),
]


def main() -> int:
    missed = 0
    for each in FAULTS:
        runs, verdict = caught(each)
        missed += verdict is None
        told = "NOT CAUGHT" if verdict is None else ", ".join(sorted(verdict.broken & each.breaks))
        print(f"{each.what:<55} {runs:>4} runs  {told}")
    print(f"{len(FAULTS) - missed} of {len(FAULTS)} caught")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
