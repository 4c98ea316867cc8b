"""A design priced again with other entries: what storing less, or less in an index, would save."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.predict import predict
from tablewright.design.cost.prices import SECONDS_PER_MONTH
from tablewright.design.cost.storage import pitr_usd, storage_usd, stored
from tablewright.design.cost.units.entries import TABLE, entries_of, place_of_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.cost.report import CostReport
    from tablewright.design.cost.units.entries import Entry
    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.design.cost.units.volumes import Volumes
    from tablewright.design.layout.layout import Layout
    from tablewright.review.case import Case
    from tablewright.spec.model import PatternSpec

LEAST_SHARE = 0.01
LEAST_USD = 1.0


def is_worth(usd_per_month: float, cost: CostReport) -> bool:
    return usd_per_month > min(LEAST_USD, LEAST_SHARE * cost.usd_per_month)


def saved_by(case: Case, change: Callable[[Entry], Entry]) -> float:
    """USD a month less, on demand, when every entry is as `change` makes it."""
    return _saved_with(case, tuple(change(each) for each in case.entries))


def _saved_with(case: Case, entries: tuple[Entry, ...]) -> float:
    """The same for all entries at once; only patterns that touch what changed are predicted again."""
    then = msgspec.structs.replace(case.volumes, entries=entries)
    changed = {now.entity for now, new in zip(case.entries, entries, strict=True) if now != new}
    touched = [each for each in case.predictions.values() if changed & {*each.rcu_by_entity, *each.wcu_by_entity}]
    requests = sum(
        _request_usd(case, each) - _request_usd(case, predict(case.layout, each.pattern, then)) for each in touched
    )
    return requests + _kept_usd(case, case.volumes) - _kept_usd(case, then)


def _request_usd(case: Case, found: Prediction) -> float:
    runs, prices = case.facts.rates[found.pattern].avg * SECONDS_PER_MONTH, case.cost.prices
    return runs * (found.rcu * prices.read_per_million + found.wcu * prices.write_per_million) / 1e6


def _kept_usd(case: Case, volumes: Volumes) -> float:
    found, prices = stored(volumes), case.cost.prices
    recovery = pitr_usd(found, prices) if case.spec.billing.has_recovery else 0.0
    return storage_usd(sum(each.gb for each in found), prices) + recovery


# ---- projections ----------------------------------------------------------------------------------------------------


def indexes_of_whole_items(case: Case) -> list[str]:
    """Global indexes that hold all attributes of some entity."""
    complete = {each.place for each in case.entries if each.kind == "index" and each.projected is None}
    return sorted(each for each in complete if each.startswith("gsi"))


def readers_of(layout: Layout, place: str) -> list[PatternSpec]:
    """Reads that ask this place, and writes that look up their key there."""
    asked = [each for each in layout.spec.reads if (layout.reads[each.id].index or TABLE) == place]
    located = {write for (write, _), found in layout.located.items() if place_of_view(found.view) == place}
    return [*asked, *(each for each in layout.spec.writes if each.id in located)]


def needed_attributes(layout: Layout, place: str) -> frozenset[str]:
    """Attributes that readers say they return or filter by, besides the keys that an index always holds."""
    needed: set[str] = set()
    for pattern in readers_of(layout, place):
        needed.update(pattern.returns)
        if pattern.is_read:
            needed.update(name for each in layout.reads[pattern.id].filters for name in each.attributes)
    known = {name for entity in layout.spec.entities.values() for name in entity.attributes}
    return frozenset(needed & known)


def saved_by_projection(case: Case, place: str, needed: frozenset[str]) -> float:
    """USD a month less when an index holds these attributes besides its keys and nothing else."""
    layout = case.layout
    narrow = msgspec.structs.replace(layout, projections={**layout.projections, place: tuple(sorted(needed))})
    return _saved_with(case, entries_of(narrow))
