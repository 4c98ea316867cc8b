"""Predictions: what a design says that a pattern takes is what follows from its keys, indexes and steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.reports import cost_report
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from tablewright.proof.context import ProofContext

TOLERANCE = 0.01
"""Of reports that are added up, each is rounded."""


def check_predictions(context: ProofContext) -> None:
    try:
        lines = {each.pattern: each.prediction for each in cost_report(context.design).patterns}
    except DesignError:
        return  # keys that no search would choose: nothing is known of what they take
    for pattern in context.design.patterns:
        right = lines.get(pattern.id)
        if right is None:
            continue
        context.count_check("what the design says it takes follows from its steps")
        for said, meant, kind in (
            (pattern.predicted.rcu, right.rcu, "RCU"),
            (pattern.predicted.wcu, right.wcu, "WCU"),
        ):
            if abs(said - meant) > TOLERANCE * max(said, meant, 1.0):
                context.tallies[pattern.id].fail(f"the design says {said:g} {kind}, but its steps take {meant:g}")
        if pattern.consistency == "eventual" and pattern.kind != "write" and _is_needlessly_strong(context, pattern.id):
            context.tallies[pattern.id].fail("reads consistently, at twice the price, though nobody asked for it")


def _is_needlessly_strong(context: ProofContext, pattern: str) -> bool:
    steps = context.subjects[pattern].design.reads
    return context.subjects[pattern].meant.consistency == "eventual" and any(each.consistent for each in steps)
