"""Patterns of a design run on a database, with the units they take by place.

The steps are sent as `design.steps` says; here is what only a proof does with them: another writer between the reads
and the writes, actions that join every transaction, and an outcome instead of an error. An outcome is `written`,
`refused` (a condition did not hold) or `absent` (nothing was found to write to).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from tablewright.design.steps.errors import NotFound, WrongValue
from tablewright.design.steps.model import PAUSE, REFUSED
from tablewright.design.steps.reads import read_page
from tablewright.design.steps.writes import write
from tablewright.design.tables import definition
from tablewright.errors import ConditionFailed, ServiceError, TransactionCancelled
from tablewright.proof.application.state import exact_sum
from tablewright.proof.values import WRITTEN_AT, WRITTEN_MOMENT
from tablewright.wire.document import from_wire, to_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tablewright.design.model import Design, PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import Flow, Request

R = TypeVar("R")
Item: TypeAlias = dict[str, Any]
Units: TypeAlias = Mapping[str, float]
READS = frozenset({"GetItem", "Query", "BatchGetItem"})
MOST_PAGES = 400
USED_BEFORE = "IdempotentParameterMismatchException"
"""The answer to a token that was used with other values: what the reads found has changed since, so that it is done."""
MANY = frozenset({"BatchGetItem", "TransactWriteItems"})
"""Operations whose reply lists the units of several tables."""


class Database(Protocol):
    """Anything that takes requests as DynamoDB does."""

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]: ...


def create_tables(engine: Database, design: Design) -> None:
    """With the stream that the design asks for, where something is kept by it."""
    followed = {each.table for each in design.items if each.kind == "trailing"}
    followed |= {step.table for each in design.patterns for kept in each.followed for step in kept.writes}
    for table in design.tables:
        stream = {"StreamEnabled": True, "StreamViewType": table.stream}
        has_stream = table.name in followed and table.stream is not None
        engine.call("CreateTable", {**definition(table), **({"StreamSpecification": stream} if has_stream else {})})


class _Answer(msgspec.Struct, frozen=True):
    """Items in order, and the read units they took by place."""

    items: list[Item]
    rcu: Units


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a run, and the units it took by place."""

    result: Literal["written", "refused", "absent"]
    rcu: Units
    wcu: Units


def run_reads(
    engine: Database, compiled: Compiled, pattern: str, inputs: Mapping[str, Any], now: int = WRITTEN_AT
) -> _Answer:
    """All items that answer a pattern at a moment."""
    run = _Run(engine)
    items = run.drive(read_page(compiled.stored, compiled.reads[pattern], inputs, now=now)).items
    return _Answer(items, add_units(run.rcu))


def run_pages(engine: Database, compiled: Compiled, pattern: str, inputs: Mapping[str, Any], size: int) -> list[Item]:
    """The same, asked so many at a time until the cursor says that this is the end."""
    run = _Run(engine)
    items: list[Item] = []
    cursor: str | None = None
    for _ in range(MOST_PAGES):
        page = run.drive(read_page(compiled.stored, compiled.reads[pattern], inputs, size, cursor, WRITTEN_AT))
        items += page.items
        cursor = page.cursor
        if cursor is None:
            return items
    raise RuntimeError(f"the cursor never ends: {len(items)} items on {MOST_PAGES} pages")


def aggregate_of(pattern: PatternDesign, items: list[Item]) -> Any:
    """The number that the design makes of the items it found; of none it is 0, or None for max and min."""
    ((kind, attr),) = pattern.aggregate.items()
    values = [item[attr] for item in items if item.get(attr) is not None]
    match kind:
        case "count":
            return len(items)
        case "sum":
            return exact_sum(values)
        case "total":
            return values[0] if values else 0
        case _:
            return (max(values) if kind == "max" else min(values)) if values else None


def run_write(
    engine: Database,
    compiled: Compiled,
    pattern: str,
    inputs: Mapping[str, Any],
    *,
    between: Callable[[], None] | None = None,
    after: int = 0,
    also: tuple[Item, ...] = (),
    wait: Callable[[float], object] | None = None,
) -> Outcome:
    """`between` happens after the reads and so many writes, as another writer would; `also` joins transactions;
    `wait` lets time pass.
    """
    run = _Run(engine, between, also, wait, after)
    result: Literal["written", "refused", "absent"] = "written"
    try:
        run.drive(write(compiled.stored, pattern, compiled.writings[pattern], inputs, WRITTEN_MOMENT))
        run.send_actions()
    except NotFound:
        run.run_other_writer()
        result = "absent"
    except (ConditionFailed, TransactionCancelled, WrongValue):
        result = "refused"
    except ServiceError as error:
        if error.name != USED_BEFORE:
            raise
    return Outcome(result, add_units(run.rcu), add_units(run.wcu))


def run_flow(engine: Database, flow: Flow[None], most: int | None = None) -> list[Units]:
    """Work that is no pattern: the write units of its requests, of which it gets no further than so many."""
    run = _Run(engine)
    try:
        requests = next(flow)
        while most is None or most > 0:
            most = None if most is None else most - 1
            requests = flow.send([run.send(each) for each in requests])
    except StopIteration:
        pass
    return run.wcu


class _Run:
    """One run of a pattern: its requests are sent one after the other."""

    def __init__(
        self,
        engine: Database,
        between: Callable[[], None] | None = None,
        also: tuple[Item, ...] = (),
        wait: Callable[[float], object] | None = None,
        after: int = 0,
    ) -> None:
        self.engine, self.between, self.also, self.wait = engine, between, also, wait
        self.writes_left = after
        self.rcu: list[Units] = []
        self.wcu: list[Units] = []
        self.is_transacted = False

    def drive(self, flow: Flow[R]) -> R:
        try:
            requests = next(flow)
            while True:
                requests = flow.send([self.send(each) for each in requests])
        except StopIteration as done:
            found: R = done.value
            return found

    def send(self, request: Request) -> dict[str, Any]:
        if request.action == PAUSE:
            if self.wait is not None:
                self.wait(request.params["seconds"])
            return {}
        if request.action not in READS:
            if not self.writes_left:
                self.run_other_writer()
            self.writes_left = max(0, self.writes_left - 1)
        try:
            reply = self.call(request.action, to_wire(self.with_actions(request)))
        except (ConditionFailed, TransactionCancelled):
            if not request.may_fail:
                raise
            return REFUSED
        return from_wire(reply)

    def with_actions(self, request: Request) -> dict[str, Any]:
        if request.action != "TransactWriteItems" or request.may_fail:
            return request.params
        return {**request.params, "TransactItems": [*request.params["TransactItems"], *self.also]}

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        reply = self.engine.call(action, {**params, "ReturnConsumedCapacity": "INDEXES"})
        used = reply.pop("ConsumedCapacity")
        parts: list[dict[str, Any]] = used if action in MANY else [used]
        (self.rcu if action in READS else self.wcu).extend(map(units_by_place, parts))
        self.is_transacted |= action == "TransactWriteItems"
        return reply

    def send_actions(self) -> None:
        """Sends the additional actions by themselves, where there was no transaction."""
        if self.also and not self.is_transacted:
            self.call("TransactWriteItems", to_wire({"TransactItems": list(self.also)}))

    def run_other_writer(self) -> None:
        between, self.between = self.between, None
        if between is not None:
            between()


def add_units(spent: Iterable[Units]) -> dict[str, float]:
    found: dict[str, float] = {}
    for each in spent:
        for place, units in each.items():
            found[place] = found.get(place, 0.0) + units
    return found


def units_by_place(used: Mapping[str, Any]) -> dict[str, float]:
    """ConsumedCapacity with INDEXES, as units of the table and of every index."""
    found = {"table": float(used.get("Table", {}).get("CapacityUnits", 0.0))}
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        found.update({name: float(each["CapacityUnits"]) for name, each in used.get(kind, {}).items()})
    return {place: units for place, units in found.items() if units}
