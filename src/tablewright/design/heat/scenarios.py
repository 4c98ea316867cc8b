"""Where the keys of a design end: what is too hot for them at the traffic of each scenario of its bill.

A price at a hundred times the traffic says nothing if one partition would have to serve a third of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.growth import traffic_after
from tablewright.design.heat.report import table_heat

if TYPE_CHECKING:
    from tablewright.design.cost.report import CostReport
    from tablewright.design.heat.report import HeatReport
    from tablewright.design.layout.layout import Layout

DIGITS = 6
"""Growth multiplies; two factors that differ by less are the same."""


def with_heat(cost: CostReport, layout: Layout) -> CostReport:
    """The bill, its scenarios with what would be too hot; data and keys stay as designed."""

    @cache
    def too_hot(traffic: float) -> tuple[str, ...]:
        return _too_hot(table_heat(layout.busier(traffic)))

    return msgspec.structs.replace(
        cost,
        scenarios=tuple(
            msgspec.structs.replace(
                each, too_hot=too_hot(round(each.traffic * traffic_after(layout.facts, each.months), DIGITS))
            )
            for each in cost.scenarios
        ),
    )


def _too_hot(report: HeatReport) -> tuple[str, ...]:
    hot = [each for each in report.findings if each.severity == "error" and each.kind.startswith("hot-")]
    return tuple(f"{each.place}: {each.what}" for each in hot)
