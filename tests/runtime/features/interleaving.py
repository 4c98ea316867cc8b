"""Several flows on one engine, one request at a time, in an order that the test chooses, with failures in between.

    outcomes = interleave(db.transport.call, [operation, operation, ...], choose, faults=FAULTS)

`choose(n)` answers a number below n: from hypothesis (`choosing(data)`), or any other source. Every request of a flow
is one step (each call of a `Together`, too); between any two steps another flow may go on. A fault strikes instead of a
step:

    LOST      the request never arrives, and the flow is told so
    UNHEARD   the request is carried out, but its answer is lost, and the flow is told so
    CRASH     the process of the flow ends, before the request is sent
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from hypothesis import strategies as st

from tablewright.errors import ConnectionFailed, OutcomeUnknown
from tablewright.runtime.flow import Pause, Together
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow

Fault = Literal["LOST", "UNHEARD", "CRASH"]
Choose = Callable[[int], int]

FAULTS: tuple[Fault, ...] = ("LOST", "UNHEARD", "CRASH")
ONE_IN = 8
"""How often a fault strikes."""


@dataclass
class Outcome:
    """How a flow ended: with a value, with an error, or by a crash. `unheard` tells that an answer was lost."""

    value: Any = None
    error: Exception | None = None
    crashed: bool = False
    unheard: bool = False

    @property
    def is_done(self) -> bool:
        return self.error is None and not self.crashed

    @property
    def may_be_done(self) -> bool:
        """Whether it was done, or nobody can say."""
        return self.is_done or self.unheard


@dataclass
class Running:
    """A flow on its way: the calls it waits for, and the answers to them so far."""

    flow: Flow[Any]
    outcome: Outcome = field(default_factory=Outcome)
    waiting: list[Call] = field(default_factory=list[Call])
    answers: list[Any] = field(default_factory=list[Any])
    is_together: bool = False
    is_over: bool = False

    def go_on(self, resume: Callable[[], Any]) -> None:
        """Resume the flow up to its next effect; pauses take no time."""
        try:
            effect = resume()
            while isinstance(effect, Pause):
                effect = self.flow.send(None)
        except StopIteration as done:
            self.outcome.value, self.is_over = done.value, True
        except Exception as error:  # noqa: BLE001 - whatever it is, the test wants to see it
            self.outcome.error, self.is_over = error, True
        else:
            self.is_together = isinstance(effect, Together)
            self.waiting = list(effect.calls) if isinstance(effect, Together) else [effect]
            self.answers = []

    def step(self, send: Callable[[Call], Any], fault: Fault | None) -> None:
        """Carry out one call."""
        if fault == "CRASH":
            self.flow.close()
            self.outcome.crashed = self.is_over = True
            return
        self.answers.append(self._answer(send, self.waiting.pop(0), fault))
        if self.waiting:
            return
        answers = self.answers
        if self.is_together:
            self.go_on(lambda: self.flow.send(answers))
        elif isinstance(answers[0], Exception):
            self.go_on(lambda: self.flow.throw(answers[0]))
        else:
            self.go_on(lambda: self.flow.send(answers[0]))

    def _answer(self, send: Callable[[Call], Any], call: Call, fault: Fault | None) -> Any:
        if fault == "LOST":
            return ConnectionFailed("the connection broke before the request was sent")
        try:
            answer = send(call)
        except Exception as error:  # noqa: BLE001 - an answer like any other
            return error
        if fault == "UNHEARD":
            self.outcome.unheard = self.outcome.unheard or is_write(call)
            return OutcomeUnknown("the answer was lost")
        return answer


def is_write(call: Call) -> bool:
    return call.action not in ("GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems")


def interleave(
    send: Callable[[Call], Any],
    operations: Sequence[Any],
    choose: Choose,
    *,
    faults: Sequence[Fault] = (),
    one_in: int = ONE_IN,
) -> list[Outcome]:
    """Run all operations to their end, each request when its turn comes; how each ended, in order."""
    runs = [Running(operation.flow()) for operation in operations]
    for run in runs:
        run.go_on(lambda run=run: next(run.flow))
    while open_runs := [run for run in runs if not run.is_over]:
        run = open_runs[choose(len(open_runs))] if len(open_runs) > 1 else open_runs[0]
        strikes = bool(faults) and choose(one_in) == one_in - 1
        run.step(send, faults[choose(len(faults))] if strikes else None)
    return [run.outcome for run in runs]


def choosing(data: st.DataObject) -> Choose:
    """Choices that hypothesis makes, and can make again while it looks for a simpler failure."""
    return lambda below: data.draw(st.integers(0, below - 1))


def items_in(send: Callable[[Call], Any], table: str) -> list[dict[str, Any]]:
    """Everything a table holds, with plain values."""
    found: list[dict[str, Any]] = []
    start: dict[str, Any] = {}
    while True:
        raw = send(Call("Scan", {"TableName": table, "ConsistentRead": True, **start}))
        reply = read_reply(raw)
        found += reply["Items"]
        if "LastEvaluatedKey" not in reply:
            return found
        start = to_wire({"ExclusiveStartKey": reply["LastEvaluatedKey"]})
