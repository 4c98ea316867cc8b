"""The access patterns of several tables: each as its table has it, and writes over several as one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.assembly.patterns import locating_request, read_step
from tablewright.architect.assembly.writes.along import with_companions
from tablewright.architect.assembly.writes.inputs import write_parameters
from tablewright.architect.assembly.writes.steps import write_steps
from tablewright.design.model import PatternDesign, Predicted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tablewright.architect.solution import Solution
    from tablewright.design.cost.report import CostReport
    from tablewright.design.model import Design, ItemType
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def merged_patterns(
    facts: Facts, parts: Sequence[Design], solutions: Sequence[Solution], cost: CostReport
) -> Iterator[PatternDesign]:
    """In the order of the spec; what is implied comes last."""
    items = tuple(item for part in parts for item in part.items)
    for pattern in (*facts.spec.patterns, *facts.implied):
        own = [each for part in parts for each in part.patterns if each.id == pattern.id]
        if len(own) == 1:
            yield own[0]
        else:
            yield crossing(facts, pattern, own[0], items, solutions, cost)


def crossing(
    facts: Facts,
    pattern: PatternSpec,
    own: PatternDesign,
    items: tuple[ItemType, ...],
    solutions: Sequence[Solution],
    cost: CostReport,
) -> PatternDesign:
    """A write over several tables, from the spec as a whole: no table alone knows all its parameters."""
    located = {
        entity: read_step(solution, locating_request(solution, pattern, entity))
        for solution in solutions
        for write, entity in solution.choice.located
        if write == pattern.id
    }
    steps = with_companions(facts, pattern, items, located, write_steps(facts, pattern, items, located))
    line = next(each for each in cost.patterns if each.pattern == pattern.id)
    return msgspec.structs.replace(
        own,
        entities=pattern.entities,
        parameters=tuple(write_parameters(facts, pattern)),
        reads=steps.reads,
        writes=steps.writes,
        transaction=steps.transaction,
        predicted=Predicted(
            requests=line.prediction.requests,
            items=line.prediction.items,
            rcu=line.prediction.rcu,
            wcu=line.prediction.wcu,
            usd_per_month=line.usd_per_month,
        ),
    )
