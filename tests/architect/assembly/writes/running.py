"""Designs that run on the engine: what tests of writes are made with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.designer import design
from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.proof.database import Outcome, create_tables, run_reads, run_write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import PatternDesign

Item = dict[str, Any]


class Running:
    """A design with its tables; patterns are run by their ids."""

    def __init__(self, spec: Item, **more: Any) -> None:
        self.design = design({"name": "shop", **spec}, **more)
        self.compiled = compile_design(self.design)
        self.engine = Engine()
        create_tables(self.engine, self.design)

    def outcome(self, pattern: str, *, between: Callable[[], None] | None = None, **inputs: Any) -> Outcome:
        return run_write(self.engine, self.compiled, pattern, inputs, between=between)

    def write(self, pattern: str, *, between: Callable[[], None] | None = None, **inputs: Any) -> str:
        return self.outcome(pattern, between=between, **inputs).result

    def read(self, pattern: str, **inputs: Any) -> list[Item]:
        stored = self.compiled.stored
        return [stored.visible(each) for each in run_reads(self.engine, self.compiled, pattern, inputs).items]

    def pattern(self, pattern: str) -> PatternDesign:
        return next(each for each in self.design.patterns if each.id == pattern)
