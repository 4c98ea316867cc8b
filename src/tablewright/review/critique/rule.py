"""A red flag, and what it is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import msgspec

from tablewright.architect.solution import Solution
from tablewright.design.advice import Source
from tablewright.design.cost.predict import predict
from tablewright.design.cost.report import CostReport
from tablewright.design.cost.units.entries import Entry
from tablewright.design.cost.units.prediction import Prediction
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.heat.report import HeatReport
from tablewright.review.operations.traffic import written_as


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A design with its reports and the settings its table will have."""

    solution: Solution
    cost: CostReport
    heat: HeatReport
    predictions: Mapping[str, Prediction]  # by pattern as stored
    entries: tuple[Entry, ...]
    pitr: bool = True
    deletion_protection: bool = True

    @classmethod
    def of(cls, solution: Solution, cost: CostReport, heat: HeatReport, **settings: bool) -> Case:
        volumes = estimate(solution.layout)
        patterns = (*solution.spec.patterns, *solution.facts.implied)
        predictions = {each.id: predict(solution.layout, each.id, volumes) for each in patterns}
        return cls(
            solution=solution, cost=cost, heat=heat, predictions=predictions, entries=volumes.entries, **settings
        )

    def name(self, step: str) -> str:
        """The pattern of the spec that a stored one is part of."""
        return written_as(self.solution, step)


Finder: TypeAlias = Callable[[Case], Iterable[str]]


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """`finds` yields what remains, one sentence for each place; nothing when the design passes."""

    id: str
    check: str
    finds: Finder
    why: str
    sources: tuple[Source, ...] = ()
