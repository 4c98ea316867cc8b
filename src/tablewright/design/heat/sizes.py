"""How large item collections and items become, against 10 GB and 400 KB, and how often a time bucket must change.

A collection is what shares one partition key. With a local secondary index it must stay below 10 GB; without one it may
grow over several partitions, unless it is time-ordered and hot at its end, which only buckets or shards help.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.design.cost.lines import HORIZONS
from tablewright.design.cost.prices import GB
from tablewright.design.cost.units.entries import place_of_view, value_bytes
from tablewright.design.heat.arithmetic import number
from tablewright.design.heat.collections import largest_items, usual_items
from tablewright.design.heat.load import time_ordered, views_by_entry
from tablewright.design.serving.writes import changed_by, operation_on
from tablewright.spec.volumes import DAYS_PER_MONTH, age_days
from tablewright.wire.limits import KB, MAX_ITEM_BYTES, MAX_ITEM_COLLECTION_BYTES

if TYPE_CHECKING:
    from tablewright.design.cost.units.volumes import Volumes
    from tablewright.design.layout.layout import Layout
    from tablewright.design.layout.views import View
    from tablewright.spec.facts import Facts

Period: TypeAlias = Literal["year", "month", "week", "day", "hour"]
PERIOD_DAYS: Mapping[Period, float] = {"year": 365.0, "month": DAYS_PER_MONTH, "week": 7.0, "day": 1.0, "hour": 1 / 24}


class PeriodBucket(msgspec.Struct, frozen=True, kw_only=True):
    """The longest period whose items stay below the limit together."""

    period: Period
    bytes: float
    arithmetic: str


class CollectionGrowth(msgspec.Struct, frozen=True, kw_only=True):
    """The largest collection of a place, by months from now."""

    place: str
    partition_key: str
    entities: tuple[str, ...]
    shards: int
    usual_bytes: Mapping[str, float]
    largest_bytes: Mapping[str, float]
    largest_source: str
    limit_bytes: int
    is_limited: bool  # a local index makes the limit a hard one
    headroom: Mapping[str, float]  # share of the limit that is left
    months_until_full: float | None  # None when it never is, at the present growth
    bucket: PeriodBucket | None  # where it grows beyond the limit


class ItemSize(msgspec.Struct, frozen=True, kw_only=True):
    """An item's size, usually and at most, against 400 KB."""

    entity: str
    usual_bytes: float
    largest_bytes: float
    limit_bytes: int
    headroom: float
    unbounded: tuple[str, ...]  # attributes that updates can make longer, and whose greatest size is not said


def collection_growths(layout: Layout, volumes: Volumes) -> tuple[CollectionGrowth, ...]:
    sizes = {each.name: each.bytes * each.share for each in volumes.entries}
    names = {view: name for name, view in views_by_entry(layout).items()}
    limited = any(each.place.startswith("lsi") for each in volumes.entries)
    groups: dict[tuple[str, str], list[View]] = {}
    for view in layout.keys:
        groups.setdefault((place_of_view(view), layout.keys[view].pk.text), []).append(view)
    return tuple(
        _collection_growth(layout, key, views, {view: sizes[names[view]] for view in views}, limited=limited)
        for key, views in groups.items()
    )


def _collection_growth(
    layout: Layout, key: tuple[str, str], views: list[View], sizes: Mapping[View, float], *, limited: bool
) -> CollectionGrowth:
    facts, shards = layout.facts, max(layout.shards[view] for view in views)
    usual = {
        str(each): sum(usual_items(facts, view.shape, each) * sizes[view] for view in views) / shards
        for each in HORIZONS
    }
    largest = {
        str(each): sum(largest_items(facts, view.shape, each)[0] * sizes[view] for view in views) / shards
        for each in HORIZONS
    }
    sources = dict.fromkeys(largest_items(facts, view.shape, 0)[1] for view in views)
    monthly = (largest["12"] - largest["0"]) / 12
    full = largest["36"] > MAX_ITEM_COLLECTION_BYTES
    return CollectionGrowth(
        place=key[0],
        partition_key=key[1],
        entities=tuple(dict.fromkeys(view.entity for view in views)),
        shards=shards,
        usual_bytes=usual,
        largest_bytes=largest,
        largest_source="; ".join(sources),
        limit_bytes=MAX_ITEM_COLLECTION_BYTES,
        is_limited=limited and key[0] == "table",
        headroom={months: 1.0 - size / MAX_ITEM_COLLECTION_BYTES for months, size in largest.items()},
        months_until_full=months_until(largest["0"], monthly) if full else None,
        bucket=bucket(monthly if monthly > 0 else _filled_monthly(facts, views, sizes) / shards)
        if full and any(time_ordered(facts, view.shape) for view in views)
        else None,
    )


def _filled_monthly(facts: Facts, views: Iterable[View], sizes: Mapping[View, float]) -> float:
    """Of a largest collection that stays as it is: what came a month while it became so large."""
    return sum(
        largest_items(facts, view.shape, 0)[0] * sizes[view] / age_days(facts, view.entity).value * DAYS_PER_MONTH
        for view in views
    )


def months_until(size: float, monthly: float) -> float | None:
    if size >= MAX_ITEM_COLLECTION_BYTES:
        return 0.0
    return (MAX_ITEM_COLLECTION_BYTES - size) / monthly if monthly > 0 else None


def bucket(monthly_bytes: float) -> PeriodBucket:
    """The longest period that fits; an hour when none does."""
    daily = monthly_bytes / DAYS_PER_MONTH
    fitting: list[Period] = [
        period for period, days in PERIOD_DAYS.items() if daily * days <= MAX_ITEM_COLLECTION_BYTES
    ]
    period: Period = fitting[0] if fitting else "hour"
    size = daily * PERIOD_DAYS[period]
    text = f"{gigabytes(daily)} a day x {number(PERIOD_DAYS[period])} days = {gigabytes(size)}"
    return PeriodBucket(period=period, bytes=size, arithmetic=f"{text} a {period}, below 10 GB" if fitting else text)


# ---- items --------------------------------------------------------------------------------------------------------


def item_sizes(layout: Layout, volumes: Volumes) -> tuple[ItemSize, ...]:
    return tuple(_item_size(layout.facts, each.entity, each.bytes) for each in volumes.entries if each.kind == "item")


def _item_size(facts: Facts, entity: str, usual: float) -> ItemSize:
    attributes = facts.spec.entities[entity].attributes.values()
    more = sum(max(0, (each.max_bytes or 0) - value_bytes(facts, entity, each.name)) for each in attributes)
    updated = {
        name
        for each in facts.writes
        if entity in each.entities and operation_on(facts, each, entity) == "update"
        for name in changed_by(facts, each, entity)
    }
    growing = tuple(
        each.name
        for each in attributes
        if each.type in ("list", "map", "set") and each.max_bytes is None and each.name in updated
    )
    return ItemSize(
        entity=entity,
        usual_bytes=usual,
        largest_bytes=usual + more,
        limit_bytes=MAX_ITEM_BYTES,
        headroom=1.0 - (usual + more) / MAX_ITEM_BYTES,
        unbounded=growing,
    )


def gigabytes(size: float) -> str:
    return f"{number(round(size / GB, 3))} GB"


def kilobytes(size: float) -> str:
    return f"{number(round(size / KB, 1))} KB"
