"""The state of a proof while it runs: the engine, the reference model beside it, and a tally for every pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.model import Design
from tablewright.design.steps.compile import Compiled
from tablewright.proof.data import ValueSource
from tablewright.proof.database import Database
from tablewright.proof.expected import StoredItems
from tablewright.proof.reference_model import StorageRules
from tablewright.spec.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_MESSAGE = 600


class _UnitTotals(msgspec.Struct):
    """Units of many runs, as they were billed and as they were predicted."""

    measured: float = 0.0
    predicted: float = 0.0

    def add(self, measured: Mapping[str, float], predicted: Mapping[str, float]) -> bool:
        """Whether the two agree to the unit, place by place."""
        self.measured += sum(measured.values())
        self.predicted += sum(predicted.values())
        return dict(measured) == {place: units for place, units in predicted.items() if units}


class PatternTally(msgspec.Struct, kw_only=True):
    """Runs, failures and units of one pattern."""

    pattern: str
    runs: int = 0
    measured: int = 0
    exact: bool = True
    rcu: _UnitTotals = msgspec.field(default_factory=_UnitTotals)
    wcu: _UnitTotals = msgspec.field(default_factory=_UnitTotals)
    wrong: list[str] = msgspec.field(default_factory=list[str])

    def fail(self, text: str) -> None:
        self.wrong.append(text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + " ...")

    def check_units(self, tolerance: float) -> None:
        """Fails where the units differ from the prediction by more than the tolerance."""
        for kind, each in (("read", self.rcu), ("write", self.wcu)):
            if abs(each.measured - each.predicted) > tolerance * max(each.measured, each.predicted):
                self.fail(f"{each.measured:g} {kind} units were billed, {each.predicted:g} predicted")


class ProofContext(msgspec.Struct, kw_only=True):
    """The engine, the application's instances, and the items that must be stored for them."""

    engine: Database
    design: Design
    compiled: Compiled
    facts: Facts
    values: ValueSource
    instances: dict[str, list[dict[str, Any]]]
    stored: StoredItems = msgspec.field(default_factory=dict[Any, Any])
    rules: StorageRules
    labels: dict[Any, str]  # by the value of the type field: the entity
    hidden: frozenset[str]  # fields that are not attributes of the application
    last_number: int = 1000  # of the instances made while the proof runs
    invariants: dict[str, int] = msgspec.field(default_factory=dict[str, int])

    def count_check(self, what: str) -> None:
        self.invariants[what] = self.invariants.get(what, 0) + 1

    def next_number(self) -> int:
        self.last_number += 1
        return self.last_number
