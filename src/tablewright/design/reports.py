"""The bill and the heat of a design, at any traffic: from the design alone, whether it was just made or read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.report import table_cost
from tablewright.design.derive import facts_in, layouts_of
from tablewright.design.heat.report import table_heat
from tablewright.design.heat.scenarios import with_heat
from tablewright.design.multi_table.cost import merged_cost
from tablewright.design.multi_table.heat import merged_heat
from tablewright.design.read import round_report
from tablewright.errors import DesignError

if TYPE_CHECKING:
    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.report import HeatReport
    from tablewright.design.layout.layout import Layout
    from tablewright.design.model import Design

MOST_TRAFFIC = 1_000_000


def cost_report(design: Design, *, traffic: float = 1.0) -> CostReport:
    """The bill with so many times the requests, the keys and the data as they are.

    Several tables are added up as each of them shows its bill, which is rounded.
    """
    prices = design.cost.prices  # of the design: a price file may be gone, or say something else by now
    layouts = _busier_layouts(design, traffic)
    reports = {table: with_heat(table_cost(each, prices=prices), each) for table, each in layouts.items()}
    if len(reports) == 1:
        return next(iter(reports.values()))
    return merged_cost(facts_in(design), {table: round_report(each) for table, each in reports.items()})


def heat_report(design: Design, *, traffic: float = 1.0) -> HeatReport:
    """Hot partitions and sizes with so many times the requests."""
    reports = {table: table_heat(each) for table, each in _busier_layouts(design, traffic).items()}
    if len(reports) == 1:
        return next(iter(reports.values()))
    return merged_heat({table: round_report(each) for table, each in reports.items()})


def _busier_layouts(design: Design, traffic: float) -> dict[str, Layout]:
    if not 0 < traffic <= MOST_TRAFFIC:
        raise DesignError(f"a traffic of {traffic:g} times the requests: give a number above 0, up to {MOST_TRAFFIC:,}")
    return {table: each.busier(traffic) for table, each in layouts_of(design).items()}
