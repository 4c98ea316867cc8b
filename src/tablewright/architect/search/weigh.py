"""How good a solution is, for comparing forms of one spec: the order of the search, over the whole bill.

The search weighs only what depends on its own choice; a rewrite also changes what the items themselves cost to write
and to store, so that the month on demand is taken here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.prices import prices_of
from tablewright.design.cost.report import month_of
from tablewright.design.cost.units.volumes import estimate

if TYPE_CHECKING:
    from tablewright.architect.search.forms import Weight
    from tablewright.architect.search.stages import Aim
    from tablewright.architect.solution import Solution

MICRO = 1e6


def weight_of(solution: Solution, aim: Aim) -> Weight:
    """Less is better, first things first."""
    layout = solution.layout
    usd = month_of(layout, prices_of(layout.spec), estimate(layout), free_tier=False).modes[0].usd_per_month
    cost, indexes = float(round(usd * MICRO)), float(len(solution.choice.slots))
    return {"cost": (cost, indexes), "gsis": (indexes, cost), "latency": (requests_of(solution), cost, indexes)}[aim]


def requests_of(solution: Solution) -> float:
    """Requests one after the other that all reads of a second wait for."""
    rates, asked = solution.facts.rates, solution.rewritten
    later = {part.pattern for parts in asked.reads.values() for part in parts if part.keys_from is not None}
    return sum(rates[each.id].avg for each in solution.spec.reads if each.id in later)
