"""How good a layout is, for comparing forms of one spec: the order of the search, over the whole bill.

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
    from tablewright.design.layout.layout import Layout

MICRO = 1e6


def weight_of(layout: Layout, aim: Aim) -> Weight:
    """Less is better, first things first."""
    usd = month_of(layout, prices_of(layout.spec), estimate(layout), free_tier=False).modes[0].usd_per_month
    cost, indexes = float(round(usd * MICRO)), float(layout.gsis)
    return {"cost": (cost, indexes), "gsis": (indexes, cost), "latency": (requests_of(layout), cost, indexes)}[aim]


def requests_of(layout: Layout) -> float:
    """Requests one after the other that all reads of a second wait for."""
    parts = (part for parts in layout.form.reads.values() for part in parts)
    later = {part.pattern for part in parts if part.keys_from is not None}
    return sum(layout.facts.rates[each.id].avg for each in layout.spec.reads if each.id in later)
