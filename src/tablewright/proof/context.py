"""The state of a proof while it runs: the engine, the application beside it, and a tally for every pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.model import Design, PatternDesign
from tablewright.design.steps.compile import Compiled, compile_design
from tablewright.engine import Engine
from tablewright.proof.application.state import Applied, Call, RefusedError, State
from tablewright.proof.application.writes import apply
from tablewright.proof.data import ValueSource
from tablewright.proof.database import create_tables, run_write
from tablewright.proof.expected import StoredItems
from tablewright.proof.following import LONGEST, Follower, followers_of
from tablewright.proof.items import Key, hidden_names, labels_of
from tablewright.proof.parameters import parameters_of
from tablewright.spec.facts import Facts
from tablewright.spec.model import PatternSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.proof.application.state import Item, Named
    from tablewright.proof.database import Outcome

MAX_MESSAGE = 600


class _UnitTotals(msgspec.Struct):
    """Units of many runs, as they were billed and as they were predicted."""

    measured: float = 0.0
    predicted: float = 0.0

    def add(self, measured: Mapping[str, float], predicted: Mapping[str, float]) -> str:
        """How the two differ, place by place; empty where they do not."""
        self.measured += sum(measured.values())
        self.predicted += sum(predicted.values())
        return ", ".join(
            f"{measured.get(place, 0):g} units of {place} were billed, {predicted.get(place, 0):g} predicted"
            for place in sorted({*measured, *predicted})
            if measured.get(place, 0) != predicted.get(place, 0)
        )


class PatternTally(msgspec.Struct, kw_only=True):
    """Runs, failures and units of one pattern."""

    pattern: str
    runs: int = 0
    measured: int = 0
    exact: bool = True
    rcu: _UnitTotals = msgspec.field(default_factory=_UnitTotals)
    wcu: _UnitTotals = msgspec.field(default_factory=_UnitTotals)
    wrong: list[str] = msgspec.field(default_factory=list[str])
    log: list[str] = msgspec.field(default_factory=list[str])  # of all patterns, in the order of time

    def fail(self, text: str) -> None:
        shown = text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + " ..."
        self.wrong.append(shown)
        self.log.append(f"{self.pattern}: {shown}")

    def compare_units(self, kind: str, measured: Mapping[str, float], predicted: Mapping[str, float]) -> None:
        """A bill that is not the predicted one is a fault: of the steps, or of what the design says they cost."""
        wrong = (self.rcu if kind == "read" else self.wcu).add(measured, predicted)
        if wrong:
            self.exact = False
            self.fail(f"{kind}: {wrong}")


class Subject(msgspec.Struct, frozen=True):
    """A pattern as it was designed, and as it was meant."""

    design: PatternDesign
    meant: PatternSpec


class ProofContext(msgspec.Struct, kw_only=True):
    """The engine, the application's state, and the items that must be stored for it."""

    engine: Engine
    design: Design
    compiled: Compiled
    facts: Facts
    values: ValueSource
    state: State
    stored: StoredItems = msgspec.field(default_factory=dict[Any, Any])
    subjects: dict[str, Subject]
    tallies: dict[str, PatternTally]
    labels: dict[Any, str]  # by the value of the type field: the entity
    hidden: frozenset[str]  # fields that are not attributes of the application
    log: list[str]  # everything that was wrong, in the order of time
    followers: list[Follower]  # of tables whose streams something is kept by
    last_number: int = 1000  # of the items made while the proof runs
    invariants: dict[str, int] = msgspec.field(default_factory=dict[str, int])

    @property
    def reads(self) -> list[Subject]:
        return [each for each in self.subjects.values() if each.meant.is_read]

    @property
    def writes(self) -> list[Subject]:
        return [each for each in self.subjects.values() if not each.meant.is_read]

    def count_check(self, what: str) -> None:
        self.invariants[what] = self.invariants.get(what, 0) + 1

    def next_number(self) -> int:
        self.last_number += 1
        return self.last_number

    def parameters(self, subject: Subject, call: Call) -> dict[str, Any]:
        return parameters_of(self.facts, subject.design, subject.meant, call)

    def try_write(self, subject: Subject, call: Call, state: State | None = None) -> Applied | None:
        """What the application does; None where it refuses."""
        try:
            return apply(self.facts, subject.meant, state or self.state, call)
        except RefusedError:
            return None

    def run_write(self, subject: Subject, call: Call, *, follow: bool = True, **options: Any) -> Outcome:
        """What the design does, and then what follows its streams, unless that is for later."""
        inputs = self.parameters(subject, call)
        outcome = run_write(self.engine, self.compiled, subject.design.id, inputs, **options)
        if follow:
            self.follow_streams()
        return outcome

    def follow_streams(self, longest: int = LONGEST) -> None:
        """In batches of up to so many records."""
        for each in self.followers:
            each.catch_up(longest)

    def skip_streams(self) -> None:
        """What was just stored by hand changes no number: that was stored as it must be, too."""
        for each in self.followers:
            each.skip()

    @property
    def marks(self) -> set[Key]:
        """What followers note of the records they have seen, which is no item of the design."""
        return {key for each in self.followers for key in each.marks}

    def identify(self, item: Item) -> Named:
        """The entity of a stored item, and what the application knows of it."""
        entity = self.labels.get(item.get(self.design.encoding.type_field), "?")
        return entity, {name: value for name, value in item.items() if name not in self.hidden}


def open_context(design: Design, engine: Engine, values: ValueSource, state: State) -> ProofContext:
    """The design's tables, empty, and the application's state beside them."""
    create_tables(engine, design)
    facts, log = values.facts, list[str]()
    compiled = compile_design(design)
    meant = {each.id: each for each in (*facts.spec.patterns, *facts.implied)}
    return ProofContext(
        engine=engine,
        design=design,
        compiled=compiled,
        followers=list(followers_of(engine, compiled, values.chance)),
        facts=facts,
        values=values,
        state=state,
        log=log,
        subjects={each.id: Subject(each, meant[each.id]) for each in design.patterns},
        tallies={each.id: PatternTally(pattern=each.id, log=log) for each in design.patterns},
        labels=labels_of(design),
        hidden=hidden_names(design),
    )
