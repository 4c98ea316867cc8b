"""The part of the advice that is about building and running a design, from the solution and its reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.advice import Advice, Source
from tablewright.review.critique.critique import critique
from tablewright.review.naming import naming
from tablewright.review.operations.monitoring import monitoring
from tablewright.review.operations.savings import savings
from tablewright.review.operations.testing import how_to_test
from tablewright.review.tables import tables_note
from tablewright.review.upkeep.integrity import write_notes
from tablewright.review.upkeep.relationships import relationship_notes

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.report import HeatReport


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
