"""A design running on an engine of its own: its patterns called by name, as any program with `design.json` would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.errors import NotFound, WrongValue
from tablewright.design.steps.model import PAUSE
from tablewright.design.steps.reads import read_number, read_page
from tablewright.design.steps.writes import write
from tablewright.design.tables import definition
from tablewright.engine import Engine
from tablewright.errors import ConditionFailed, TransactionCancelled
from tablewright.wire.document import from_wire, to_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tablewright.design.model import Design, PatternDesign
    from tablewright.design.steps.model import Flow

Item: TypeAlias = dict[str, Any]
Outcome: TypeAlias = Literal[
    "written", "refused", "absent", "unfit"
]  # unfit: a value that keys of this style cannot hold
R = TypeVar("R")


class RunningDesign:
    """`do` writes, `ask` answers with (entity, item) pairs, `items` with items, `number` with a number."""

    def __init__(self, design: Design) -> None:
        self.design, self.compiled = design, compile_design(design)
        self.patterns: dict[str, PatternDesign] = {each.id: each for each in design.patterns}
        self.engine = Engine()
        for table in design.tables:
            self.engine.call("CreateTable", definition(table))

    def do(self, pattern: str, **inputs: Any) -> Outcome:
        (outcome,) = self.do_at_once([(pattern, inputs)], lambda waiting: waiting[0])
        return outcome

    def do_at_once(self, calls: Sequence[tuple[str, Item]], choose: Callable[[list[int]], int]) -> list[Outcome]:
        """Several writes, their requests mixed: `choose` says which of those that are not done goes on."""
        stored, writings = self.compiled.stored, self.compiled.writings
        flows = [write(stored, pattern, writings[pattern], inputs) for pattern, inputs in calls]
        replies: list[list[Item] | None] = [None for _ in calls]
        outcomes: dict[int, Outcome] = {}
        while len(outcomes) < len(calls):
            at = choose([number for number in range(len(calls)) if number not in outcomes])
            try:
                requests = next(flows[at]) if replies[at] is None else flows[at].send(replies[at] or [])
                replies[at] = [self._send(each.action, each.params) for each in requests]
            except StopIteration:
                outcomes[at] = "written"
            except NotFound:
                outcomes[at] = "absent"
            except WrongValue:
                outcomes[at] = "unfit"
            except (ConditionFailed, TransactionCancelled):
                outcomes[at] = "refused"
        return [outcomes[number] for number in range(len(calls))]

    def ask(self, pattern: str, *, page: int | None = None, **inputs: Any) -> list[tuple[str, Item]]:
        """The whole answer; with `page`, put together from pages of so many items."""
        stored, steps = self.compiled.stored, self.compiled.reads[pattern]
        found = self._drive(read_page(stored, steps, inputs, page))
        items = list(found.items)
        while page is not None and found.cursor is not None:
            found = self._drive(read_page(stored, steps, inputs, page, found.cursor))
            items += found.items
        return [(stored.entity_of(each), stored.visible(each)) for each in items]

    def items(self, pattern: str, **inputs: Any) -> list[Item]:
        return [item for _, item in self.ask(pattern, **inputs)]

    def number(self, pattern: str, **inputs: Any) -> Any:
        ((kind, attribute),) = self.patterns[pattern].aggregate.items()
        steps: Any = self.compiled.reads[pattern]
        how: Any = kind
        return self._drive(read_number(self.compiled.stored, steps, inputs, how, attribute))

    def _drive(self, flow: Flow[R]) -> R:
        try:
            requests = next(flow)
            while True:
                requests = flow.send([self._send(each.action, each.params) for each in requests])
        except StopIteration as done:
            answer: R = done.value
            return answer

    def _send(self, action: str, params: Item) -> Item:
        return {} if action == PAUSE else from_wire(self.engine.call(action, to_wire(params)))
