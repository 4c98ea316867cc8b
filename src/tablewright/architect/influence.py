"""What the bill rests on: the same design priced with a tenth and with ten times of every number that was assumed.

Nothing is searched again: keys, forms and shards stay, and only the facts change. So it tells how much of a bill is
guessed, not what would be designed with other numbers; that is what questions are for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.plans.forms import rewrite
from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.report import month_of
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.influence import moved_usd
from tablewright.design.layout.forms import facts_of
from tablewright.design.multi_table.parts import part_of
from tablewright.spec.facts import assume

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.architect.assembly.solution import Solution
    from tablewright.spec.model import Spec
    from tablewright.spec.quantities import Assumption, Taken

TENTH, TEN_TIMES = 0.1, 10.0
SHARES = (".presence", ".selectivity", ".range", ".overlaps", ".failures")
"""Ends of places whose numbers are shares: of these there is at most the whole."""


def with_influence(spec: Spec, solutions: Sequence[Solution], assumed: Iterable[Assumption]) -> tuple[Assumption, ...]:
    """What was assumed, with the bills at a tenth and at ten times of it, the most influential first.

    `spec` is the whole one, `solutions` has one for each table. What is no number keeps its place behind the others.
    """
    found = [_priced(spec, solutions, each) if each.value else each for each in assumed]
    now = bill_with(spec, solutions, {})
    return tuple(sorted(found, key=lambda each: -moved_usd(each, now)))


def _priced(spec: Spec, solutions: Sequence[Solution], each: Assumption) -> Assumption:
    assert each.value is not None
    most = 1.0 if each.place.endswith(SHARES) else float("inf")
    return msgspec.structs.replace(
        each,
        usd_at_tenth=bill_with(spec, solutions, {each.place: each.value * TENTH}),
        usd_at_ten_times=bill_with(spec, solutions, {each.place: min(most, each.value * TEN_TIMES)}),
    )


def bill_with(spec: Spec, solutions: Sequence[Solution], taken: Taken) -> float:
    """A month on demand with other values for what was assumed."""
    if len(solutions) == 1:
        return _bill_of(solutions[0], solutions[0].origin, taken)
    facts = assume(spec, taken)
    return sum(_bill_of(each, part_of(facts, tuple(each.origin.entities)), taken) for each in solutions)


def _bill_of(solution: Solution, spec: Spec, taken: Taken) -> float:
    steps = {
        f"access_patterns.{step}.rate": taken[place]
        for pattern in solution.rewritten.reads
        if (place := f"access_patterns.{pattern}.rate") in taken
        for step in solution.stored_ids(pattern)
    }
    form = rewrite(assume(spec, {**taken, **steps}), solution.rewrites)
    layout = msgspec.structs.replace(solution.layout, form=form, facts=facts_of(form))
    return month_of(layout, prices_of(layout.spec), estimate(layout), free_tier=False).modes[0].usd_per_month
