"""How many items there will be: what is added every month, what grows by a share, what expires.

    said            growth_per_month items are added every month
    month_growth    everything, traffic as well, grows by this share every month
    otherwise       the puts of the spec less its deletes, where their rates are said; else nothing is added

With an expiry the count moves in a straight line to its steady state, what is added in one lifetime: items that are
there now leave one by one, as old as they are. What grows by a share does so with its expiry too. Expired items linger
for up to two days.
"""

from __future__ import annotations

from math import pow  # noqa: A004 - of floats, always a float
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.prices import SECONDS_PER_MONTH
from tablewright.design.serving.writes import operation_on, written_together
from tablewright.spec.quantities import Assumption
from tablewright.spec.volumes import lifetime_months

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


class _Growth(msgspec.Struct, frozen=True, kw_only=True):
    """How the number of an entity's items moves."""

    entity: str
    count_now: float
    added_per_month: float = 0.0
    share_per_month: float = 0.0
    lifetime_months: float | None = None
    source: str  # in words, for the list of assumptions
    is_assumed: bool = False

    @property
    def steady_count(self) -> float | None:
        """What it comes to when as much expires as is added; None when nothing expires."""
        if self.lifetime_months is None or self.share_per_month:
            return None
        return self.added_per_month * self.lifetime_months


def growth_of(facts: Facts, entity: str, *, traffic: float = 1.0) -> _Growth:
    """`traffic` times the requests add as many times the items."""
    spec, count = facts.spec.entities[entity], facts.counts[entity]
    lifetime = lifetime_months(facts, entity)
    added, source, assumed = _additions(facts, entity)
    share = facts.spec.month_growth if spec.growth_per_month is None else None
    if added is None and lifetime is not None and not share:
        added, source, assumed = count / lifetime, "as many as expire", True
    return _Growth(
        entity=entity,
        count_now=count,
        added_per_month=(added or 0.0) * traffic,
        share_per_month=share or 0.0,
        lifetime_months=lifetime,
        source=source,
        is_assumed=assumed,
    )


def _additions(facts: Facts, entity: str) -> tuple[float | None, str, bool]:
    """Items added every month (None when nothing tells), where that is from, and whether it is a guess."""
    spec = facts.spec.entities[entity]
    if spec.growth_per_month is not None:
        return spec.growth_per_month, "growth_per_month", False
    if facts.spec.month_growth is not None:
        return None, f"{facts.spec.month_growth:.1%} every month (month_growth)", False
    writes = [each for each in facts.spec.writes if entity in each.entities and each.rate is not None]
    if not any(operation_on(facts, each, entity) == "put" for each in writes):
        return None, "nothing is added", True
    net = sum(_net_rate(facts, each, entity) for each in writes)
    return max(0.0, net) * SECONDS_PER_MONTH, "puts less deletes", True


def _net_rate(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    sign = {"put": 1.0, "delete": -1.0}.get(operation_on(facts, pattern, entity), 0.0)
    return sign * facts.rates[pattern.id].avg * written_together(facts, pattern, entity)


def count_after(growth: _Growth, months: float) -> float:
    if growth.lifetime_months is not None and not growth.share_per_month:
        old = max(0.0, 1.0 - months / growth.lifetime_months)
        return growth.count_now * old + growth.added_per_month * min(months, growth.lifetime_months)
    return growth.count_now * pow(1.0 + growth.share_per_month, months) + growth.added_per_month * months


def counts_after(facts: Facts, months: float, *, traffic: float = 1.0) -> dict[str, float]:
    return {name: count_after(growth_of(facts, name, traffic=traffic), months) for name in facts.spec.entities}


def traffic_after(facts: Facts, months: float) -> float:
    """By how much traffic is more then: it grows only with month_growth."""
    return pow(1.0 + (facts.spec.month_growth or 0.0), months)


def growth_assumptions(facts: Facts) -> list[Assumption]:
    found = [growth_of(facts, name) for name in facts.spec.entities]
    return [
        Assumption(f"entities.{each.entity}.growth_per_month", f"{each.added_per_month:,.0f} items ({each.source})")
        for each in found
        if each.is_assumed
    ]
