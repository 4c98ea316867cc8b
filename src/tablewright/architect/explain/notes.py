"""The part of the advice that is about building and running a design, from the solution and its reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.explain.advice import Advice, Source
from tablewright.architect.explain.critique.critique import critique
from tablewright.architect.explain.naming import naming
from tablewright.architect.explain.operations.monitoring import monitoring
from tablewright.architect.explain.operations.savings import savings
from tablewright.architect.explain.operations.testing import how_to_test
from tablewright.architect.explain.tables import tables_note
from tablewright.architect.explain.upkeep.integrity import write_notes
from tablewright.architect.explain.upkeep.relationships import relationship_notes

if TYPE_CHECKING:
    from tablewright.architect.cost.report import CostReport
    from tablewright.architect.heat.report import HeatReport
    from tablewright.architect.solution import Solution


def notes(solution: Solution, cost: CostReport, heat: HeatReport) -> Advice:
    """Relationships, writes, monitoring, savings, testing, tables, critique and naming; the rest is empty."""
    found = Advice(
        relationships=relationship_notes(solution),
        writes=write_notes(solution, cost, heat),
        monitoring=monitoring(solution, cost, heat),
        savings=savings(solution, cost),
        testing=how_to_test(solution, cost, heat),
        tables=tables_note(solution, cost),
        critique=critique(solution, cost, heat),
        naming=naming(solution),
    )
    return with_sources(found)


def with_sources(advice: Advice) -> Advice:
    """The pages that notes and failed checks cite, each once, by title."""
    cited: set[Source] = set(advice.monitoring.sources)
    cited.update(page for note in advice.relationships for page in note.sources)
    cited.update(page for note in advice.writes for page in note.sources)
    cited.update(page for check in advice.critique if not check.passed for page in check.sources)
    return msgspec.structs.replace(advice, sources=tuple(sorted(cited)))
