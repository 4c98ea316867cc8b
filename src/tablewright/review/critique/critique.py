"""The design held against its own red flags: what passed, and what remains with the reason why it matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.advice import Check
from tablewright.review.critique.rule import Case, Rule
from tablewright.review.critique.rules import RULES

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.report import HeatReport


def critique(solution: Solution, cost: CostReport, heat: HeatReport) -> tuple[Check, ...]:
    """Every rule, in the order of the ids."""
    case = Case.of(solution, cost, heat, pitr=solution.spec.billing.pitr)
    return tuple(checked(rule, case) for rule in RULES)


def checked(rule: Rule, case: Case) -> Check:
    remains = "; ".join(rule.finds(case))
    return Check(
        id=rule.id,
        check=rule.check,
        passed=not remains,
        remains=f"{remains}." if remains else "",
        why=rule.why,
        sources=rule.sources,
    )
