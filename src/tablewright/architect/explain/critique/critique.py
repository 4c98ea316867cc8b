"""The design held against its own red flags: what passed, and what remains with the reason why it matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.architect.explain.advice import Check
from tablewright.architect.explain.critique.rule import Case, Rule
from tablewright.architect.explain.critique.rules import RULES

if TYPE_CHECKING:
    from tablewright.architect.cost.report import CostReport
    from tablewright.architect.heat.report import HeatReport
    from tablewright.architect.solution import Solution


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
