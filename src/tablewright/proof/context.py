"""What a proof works on while it runs: the engine, the objects beside it, and the tallies of every pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.model import Design
from tablewright.design.steps.compile import Compiled
from tablewright.proof.data import Source
from tablewright.proof.database import Database
from tablewright.proof.expected import Shelf
from tablewright.proof.reference_model import Rules
from tablewright.spec.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_SAID = 600


class Sum(msgspec.Struct):
    """Units of many runs, as they were billed and as they were predicted."""

    measured: float = 0.0
    predicted: float = 0.0

    def add(self, measured: Mapping[str, float], predicted: Mapping[str, float]) -> bool:
        """Whether the two agree to the unit, place by place."""
        self.measured += sum(measured.values())
        self.predicted += sum(predicted.values())
        return dict(measured) == {place: units for place, units in predicted.items() if units}


class Tally(msgspec.Struct, kw_only=True):
    """How a pattern is doing."""

    pattern: str
    runs: int = 0
    measured: int = 0
    exact: bool = True
    rcu: Sum = msgspec.field(default_factory=Sum)
    wcu: Sum = msgspec.field(default_factory=Sum)
    wrong: list[str] = msgspec.field(default_factory=list[str])

    def fail(self, text: str) -> None:
        self.wrong.append(text if len(text) <= MOST_SAID else text[:MOST_SAID] + " ...")

    def settle(self, tolerance: float) -> None:
        """Units that are further from the prediction than the tolerance are wrong as well."""
        for kind, each in (("read", self.rcu), ("write", self.wcu)):
            if abs(each.measured - each.predicted) > tolerance * max(each.measured, each.predicted):
                self.fail(f"{each.measured:g} {kind} units were billed, {each.predicted:g} predicted")


class Scene(msgspec.Struct, kw_only=True):
    """The engine, and the application's objects with the items they must be stored as."""

    engine: Database
    design: Design
    compiled: Compiled
    facts: Facts
    values: Source
    things: dict[str, list[dict[str, Any]]]
    shelf: Shelf = msgspec.field(default_factory=dict[Any, Any])
    rules: Rules
    labels: dict[Any, str]  # by what an item says it is: its entity
    hidden: frozenset[str]  # fields that are no attributes of the application
    made: int = 1000  # numbers of new things
    invariants: dict[str, int] = msgspec.field(default_factory=dict[str, int])

    def held(self, what: str) -> None:
        self.invariants[what] = self.invariants.get(what, 0) + 1

    def number(self) -> int:
        self.made += 1
        return self.made
