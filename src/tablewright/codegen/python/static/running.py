"""Steps as operations of Tablewright: `db.run(...)` sends them, blocking or awaited."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import tablewright as tw
from tablewright.runtime.flow import Effect, Pause, Together
from tablewright.wire.call import Call
from tablewright.wire.document import read_reply, to_wire

from .keeping import KEEP
from .steps.model import (
    PAUSE,
    REFUSED,
    Flow,
    Inputs,
    Item,
    Read,
    Request,
    Stored,
    Writing,
)
from .steps.reads import Number, parsed, read_number, read_page
from .steps.writes import write

R = TypeVar("R")
USED_TOKEN = "IdempotentParameterMismatchException"


@dataclass(frozen=True, slots=True)
class Steps(Generic[R]):
    """A flow of requests that a database can run."""

    start: Callable[[], Flow[R]]

    def params(self) -> list[dict[str, Any]]:
        """The first requests, with plain values; what follows depends on replies."""
        try:
            return [each.params for each in next(self.start())]
        except StopIteration:
            return []

    def flow(self) -> Generator[Effect, Any, R]:
        flow = self.start()
        try:
            requests = next(flow)
            while True:
                requests = flow.send((yield from sent(requests)))
        except StopIteration as done:
            answer: R = done.value
            return answer


def sent(requests: tuple[Request, ...]) -> Generator[Effect, Any, list[dict[str, Any]]]:
    if requests[0].action == PAUSE:
        yield Pause(requests[0].params["seconds"])
        return [{}]
    calls = tuple(Call(each.action, to_wire(each.params)) for each in requests)
    if len(calls) == 1:
        outcomes: list[Any] = [(yield from _tried(requests[0], calls[0]))]
    else:
        outcomes = yield Together(calls, len(calls))
    return [
        _reply(request, outcome)
        for request, outcome in zip(requests, outcomes, strict=True)
    ]


def _tried(request: Request, call: Call) -> Generator[Effect, Any, Any]:
    try:
        return (yield call)
    except (tw.ConditionFailed, tw.TransactionCancelled) as refusal:
        if not request.may_fail:
            raise
        return refusal
    except tw.ServiceError as error:
        if "ClientRequestToken" not in request.params or error.name != USED_TOKEN:
            raise
        return b"{}"  # what the reads found has changed since: it is done


def _reply(request: Request, outcome: Any) -> dict[str, Any]:
    if not isinstance(outcome, Exception):
        return read_reply(outcome)
    is_refusal = isinstance(outcome, (tw.ConditionFailed, tw.TransactionCancelled))
    if request.may_fail and is_refusal:
        return REFUSED
    raise outcome


# ---- answers -------------------------------------------------------------------------


def find_page(
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    kinds: Mapping[str, Callable[[Item], R | None]],
    limit: int | None = None,
    after: str | None = None,
) -> Steps[tw.Page[R]]:
    """The items that answer a question; `kinds` says what those of an entity become."""

    def start() -> Flow[tw.Page[R]]:
        found = yield from read_page(stored, steps, inputs, limit, after)
        items = [read for item in found.items if (read := parsed(stored, kinds, item))]
        return tw.Page(items, found.cursor)

    return Steps(start)


def find_first(
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    kinds: Mapping[str, Callable[[Item], R | None]],
) -> Steps[R | None]:
    """The one item that answers a question, if there is one."""

    def start() -> Flow[R | None]:
        found = yield from read_page(stored, steps, inputs, 1)
        return parsed(stored, kinds, found.items[0]) if found.items else None

    return Steps(start)


def find_number(
    stored: Stored,
    steps: tuple[Read, ...],
    inputs: Inputs,
    what: Number,
    attribute: str = "",
) -> Steps[Any]:
    return Steps(lambda: read_number(stored, steps, inputs, what, attribute))


def do_writing(
    stored: Stored, what: str, pattern: Writing, inputs: Mapping[str, Any]
) -> Steps[None]:
    """Nothing is done where it raises ConditionFailed, NotFound or the like."""
    given = {name: each for name, each in inputs.items() if each is not KEEP}
    return Steps(lambda: write(stored, what, pattern, given))
