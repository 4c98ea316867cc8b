"""The part of the advice that comes from solving again: one call, one ground for all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.explain.alternatives import alternatives
from tablewright.architect.explain.decisions import NOT_TRIED, decisions
from tablewright.architect.explain.evolution import evolution
from tablewright.architect.explain.forms import other_forms
from tablewright.architect.explain.patterns import pattern_prices, why_not_fewer, without_patterns
from tablewright.architect.explain.questions.questions import questions
from tablewright.architect.explain.resolve import ground
from tablewright.design.advice import Advice
from tablewright.design.wording import tally

if TYPE_CHECKING:
    from tablewright.architect.assembly.solution import Solution
    from tablewright.architect.explain.resolve import Baseline, Settle
    from tablewright.architect.search.stages import Aim


def explain_choices(
    solution: Solution, *, aim: Aim | None = None, max_gsis: int | None = None, settle: Settle | None = None
) -> Advice:
    """Decisions, prices of patterns, alternatives, questions and evolution; `aim` and `max_gsis` as they were asked."""
    start = ground(solution, aim=aim, max_gsis=max_gsis, settle=settle)
    forms, without = tuple(other_forms(start)), without_patterns(start)
    found = Advice(
        decisions=decisions(solution, start=start, forms=forms),
        pattern_prices=pattern_prices(start, without),
        why_not_fewer=why_not_fewer(start),
        alternatives=alternatives(start, forms=forms, without=without),
        questions=questions(start),
        evolution=evolution(start),
    )
    left = sum(each.alternative == NOT_TRIED for each in found.decisions)
    return msgspec.structs.replace(found, capped=capped(start, left)) if left else found


def capped(start: Baseline, left: int) -> str:
    return (
        f"This spec is large: of decisions, prices of patterns, alternatives, questions and new patterns, the first"
        f" {start.allowed} of each were solved for, in the order of the spec. {tally(left, 'decision')} went without."
    )
