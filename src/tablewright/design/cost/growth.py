"""How many items there will be: what is added every month, what grows by a share, what expires.

    growth_per_month   so many items are added every month
    growth: 5%         what is there grows by this share every month, on top of what the months before added
    month_growth       the same for every entity that says nothing of its own, and for all traffic
    otherwise          the puts of the spec less its deletes, where their rates are said, without those that are
                       refused; else nothing is added. There are never more items than ids that can occur: where each
                       part of an id names another entity or has a known number of values, later puts replace items

With an expiry the count moves in a straight line to its steady state, what is added in one lifetime: items that are
there now leave one by one, as old as they are. What grows by a share does so with its expiry too. Expired items linger
for up to two days. So many times the traffic adds as many times the items that would be added otherwise.
"""

from __future__ import annotations

from math import pow, prod  # noqa: A004 - of floats, always a float
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.cost.prices import SECONDS_PER_MONTH
from tablewright.design.serving.writes import failure_share, operation_on, written_together
from tablewright.spec.quantities import Assumption
from tablewright.spec.volumes import lifetime_months

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import EntitySpec, PatternSpec


PUTS = "puts less deletes"
FOLLOWING = ("detail", "sentinel")


class _Growth(msgspec.Struct, frozen=True, kw_only=True):
    """How the number of an entity's items moves."""

    entity: str
    count_now: float
    added_per_month: float = 0.0
    share_per_month: float = 0.0
    traffic: float = 1.0  # so many times the items come on top by the share; those of added_per_month are so many
    lifetime_months: float | None = None
    source: str  # in words, for the list of assumptions
    is_assumed: bool = False
    values: float | None = None  # how many ids there can be, times those of the entities that an id names
    named: tuple[_Growth, ...] = ()

    @property
    def added_next_month(self) -> float:
        """However it is said."""
        return self.added_per_month + self.count_now * self.share_per_month * self.traffic

    @property
    def steady_count(self) -> float | None:
        """What it comes to when as much expires as is added; None when nothing expires."""
        if self.lifetime_months is None or self.share_per_month:
            return None
        return self.added_per_month * self.lifetime_months


def growth_of(facts: Facts, entity: str, *, traffic: float = 1.0) -> _Growth:
    """`traffic` times the requests add as many times the items."""
    spec, count = facts.spec.entities[entity], facts.counts[entity]
    if spec.kind in FOLLOWING and spec.of in facts.spec.entities:
        return _followed(growth_of(facts, spec.of, traffic=traffic), entity, count)
    lifetime = lifetime_months(facts, entity)
    added, source, assumed = _additions(facts, entity)
    share = _share_of(facts, spec)
    if added is None and lifetime is not None and not share:
        added, source, assumed = facts.guess(_place_of(entity), count / lifetime), "as many as expire", True
    return _Growth(
        entity=entity,
        count_now=count,
        added_per_month=(added or 0.0) * traffic,
        share_per_month=share or 0.0,
        traffic=traffic,
        lifetime_months=lifetime,
        source=source,
        is_assumed=assumed,
        **(_bounds_of(facts, spec, traffic) if source == PUTS else {}),
    )


def _bounds_of(facts: Facts, spec: EntitySpec, traffic: float) -> dict[str, Any]:
    """How many ids can occur: nothing where a part of the id is new with every item."""
    values, named = 1.0, list[_Growth]()
    for name in spec.id:
        attribute, parent = spec.attributes[name], facts.references.get(spec.name, {}).get(name)
        if attribute.cardinality or attribute.values:
            values *= attribute.cardinality or len(attribute.values)
        elif parent is not None and not _names_back(facts, parent, spec):
            named.append(growth_of(facts, parent, traffic=traffic))
        else:
            return {}
    return {"values": values, "named": tuple(named)}


def _names_back(facts: Facts, parent: str, spec: EntitySpec) -> bool:
    """Two entities of one id: neither says how many there are of the other."""
    ids = facts.spec.entities[parent].id
    return any(facts.references.get(parent, {}).get(name) == spec.name for name in ids)


def _followed(whole: _Growth, entity: str, count: float) -> _Growth:
    """What is written along with an item comes and goes with it."""
    each = count / whole.count_now if whole.count_now else 1.0
    return msgspec.structs.replace(
        whole,
        entity=entity,
        count_now=count,
        added_per_month=whole.added_per_month * each,
        is_assumed=False,
        values=None if whole.values is None else whole.values * each,
    )


def _share_of(facts: Facts, spec: EntitySpec) -> float | None:
    """The entity's own, else that of everything, unless it says how many items are added."""
    if spec.growth_share is not None:
        return spec.growth_share
    return facts.spec.month_growth if spec.growth_per_month is None else None


def _additions(facts: Facts, entity: str) -> tuple[float | None, str, bool]:
    """Items added every month (None when nothing tells), where that is from, and whether it is a guess."""
    spec = facts.spec.entities[entity]
    if spec.growth_share is not None:
        return None, f"{spec.growth_share:.1%} every month (growth)", False
    if spec.growth_per_month is not None:
        return spec.growth_per_month, "growth_per_month", False
    if facts.spec.month_growth is not None:
        return None, f"{facts.spec.month_growth:.1%} every month (month_growth)", False
    writes = [each for each in facts.spec.writes if entity in each.entities and each.rate is not None]
    if not any(operation_on(facts, each, entity) == "put" for each in writes):
        return facts.taken.get(_place_of(entity)), "nothing is added", True
    net = max(0.0, sum(_net_rate(facts, each, entity) for each in writes))
    return facts.guess(_place_of(entity), net * SECONDS_PER_MONTH), PUTS, True


def _net_rate(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    sign = {"put": 1.0, "delete": -1.0}.get(operation_on(facts, pattern, entity), 0.0)
    done = facts.rates[pattern.id].avg * (1.0 - failure_share(facts, pattern))
    return sign * done * written_together(facts, pattern, entity)


def count_after(growth: _Growth, months: float) -> float:
    grown = _grown(growth, months)
    if growth.values is None:
        return grown
    possible = growth.values * prod(count_after(each, months) for each in growth.named)
    return min(grown, max(growth.count_now, possible))


def _grown(growth: _Growth, months: float) -> float:
    if growth.lifetime_months is not None and not growth.share_per_month:
        old = max(0.0, 1.0 - months / growth.lifetime_months)
        return growth.count_now * old + growth.added_per_month * min(months, growth.lifetime_months)
    grown = growth.count_now * (pow(1.0 + growth.share_per_month, months) - 1.0) * growth.traffic
    return growth.count_now + grown + growth.added_per_month * months


def counts_after(facts: Facts, months: float, *, traffic: float = 1.0) -> dict[str, float]:
    return {name: count_after(growth_of(facts, name, traffic=traffic), months) for name in facts.spec.entities}


def traffic_after(facts: Facts, months: float) -> float:
    """By how much traffic is more then: it grows only with month_growth."""
    return pow(1.0 + (facts.spec.month_growth or 0.0), months)


def _place_of(entity: str) -> str:
    return f"entities.{entity}.growth_per_month"


def growth_assumptions(facts: Facts) -> list[Assumption]:
    found = [growth_of(facts, name) for name in facts.spec.entities]
    return [
        Assumption(_place_of(each.entity), f"{each.added_per_month:,.0f} items ({each.source})", each.added_per_month)
        for each in found
        if each.is_assumed
    ]
