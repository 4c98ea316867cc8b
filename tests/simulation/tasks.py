"""What the scheduler schedules: flows cut into steps that take effect at one moment each.

A task is a generator of `Attempt` (send one request once), `Pause` and `Fork` (others that run beside each other until
all are done). What lies between is the real thing: the operation's own flow, and the rules by which transports repeat
what failed.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.runtime.database import flow_of
from tablewright.runtime.flow import Pause, Together
from tablewright.runtime.transports.retry import Budget, Failed, Renew, Retry, recover, with_token
from tablewright.wire.call import Call, Reply

if TYPE_CHECKING:
    from tablewright.runtime.flow import Effect, Flow


@dataclass(frozen=True)
class Attempt:
    """Send a request once. One that is `late` left long ago: nobody waits for its answer, and nothing stops it."""

    call: Call
    is_late: bool = False


@dataclass(frozen=True)
class Fork:
    """Go on when all of these are done; `width` of them at once. The answer is a list of results or exceptions."""

    branches: Sequence[Steps]
    width: int


Steps: TypeAlias = "Generator[Attempt | Pause | Fork, Any, Any]"


@dataclass
class Client:
    """A process with a transport of its own; `offset_seconds` is how far its clock is ahead of the true time."""

    name: str
    retry: Retry
    offset_seconds: float = 0.0
    is_alive: bool = True
    budget: Budget = field(init=False)

    def __post_init__(self) -> None:
        self.budget = Budget(self.retry)


def operated(operation: Any, client: Client) -> Steps:
    """Run an operation to its end, as `Database.run` does."""
    return (yield from _driven(flow_of(operation), client))


def _driven(flow: Flow[Any], client: Client) -> Steps:
    """The flow's effects one after the other; a failure is thrown into it, as drivers do."""
    answer: Any = None
    error: Exception | None = None
    while True:
        try:
            effect = flow.send(answer) if error is None else flow.throw(error)
        except StopIteration as done:
            return done.value
        answer, error = None, None
        try:
            answer = yield from _carried_out(effect, client)
        except Exception as failure:  # noqa: BLE001 - the flow decides what a failure means
            error = failure


def _carried_out(effect: Effect, client: Client) -> Steps:
    match effect:
        case Call():
            return (yield from sent(effect, client))
        case Pause():
            return (yield effect)
        case Together(calls=calls, width=width):
            branches = [sent(call, client) for call in calls if isinstance(call, Call)]
            assert len(branches) == len(calls), "object storage is not simulated"
            return (yield Fork(branches, width))
        case _:
            raise AssertionError(f"{type(effect).__name__} is not simulated")


def sent(call: Call, client: Client) -> Steps:
    """What a transport does with a call: one attempt, and the real recovery from what goes wrong."""
    call = with_token(call)
    try:
        reply: Reply = yield Attempt(call)
    except Failed as failed:
        recovery = recover(call, failed, client.retry, client.budget)
    else:
        if client.budget.missing:
            client.budget.give_back()
        return reply
    outcome: Reply | Failed | None = None
    while True:
        try:
            step = recovery.send(outcome)
        except StopIteration as done:
            return done.value
        outcome = None
        match step:
            case Pause():
                yield step
            case Renew():
                raise AssertionError("nobody refused a signature")
            case _:
                outcome = yield from _again(call)


def _again(call: Call) -> Steps:
    try:
        return (yield Attempt(call))
    except Failed as failed:
        return failed
