"""A day of traffic, hour by hour, and the capacity autoscaling provisions for it.

A profile said in the spec is taken as it is and scaled to each pattern's average. Without one, a usual day of an
application that people use is taken, and made steeper or flatter until its busiest hour is the pattern's peak.
"""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.spec.facts import Facts

USUAL_DAY = (
    *(0.45, 0.35, 0.28, 0.25, 0.25, 0.32, 0.50, 0.75, 1.00, 1.20, 1.30, 1.35),
    *(1.35, 1.30, 1.30, 1.30, 1.35, 1.45, 1.60, 1.75, 1.80, 1.60, 1.20, 0.80),
)
"""Quiet before dawn, busy from morning on, busiest at eight in the evening."""
MOST_STEEPNESS = 64.0
DIGITS = 6
"""Weights are rounded, so that the last bit of a power cannot change a design from machine to machine."""

Hours = tuple[float, ...]
IDLE: Hours = (0.0,) * 24


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Units a second that one place consumes, for every hour of a day."""

    place: str
    avg_rcu: float = 0.0
    avg_wcu: float = 0.0
    rcu: Hours = IDLE
    wcu: Hours = IDLE


class Provisioned(msgspec.Struct, frozen=True, kw_only=True):
    """Units of one kind that autoscaling keeps ready in one place, for every hour of a day."""

    place: str
    kind: str  # rcu or wcu
    units: tuple[int, ...]
    used: Hours


def _normalised(hours: Iterable[float]) -> Hours:
    """The same shape with a mean of 1."""
    taken = tuple(hours)
    mean = sum(taken) / len(taken)
    return tuple(round(each / mean, DIGITS) for each in taken)


def day_of(profile: Hours | None, peak_to_mean: float) -> Hours:
    if profile is not None:
        return _normalised(profile)
    return _normalised(each ** _steepness(peak_to_mean) for each in USUAL_DAY)


@cache
def _steepness(peak_to_mean: float) -> float:
    """The power that gives the usual day a busiest hour of so many times the mean, by halving."""
    low, high = 0.0, MOST_STEEPNESS
    for _ in range(60):
        middle = (low + high) / 2
        shaped = [each**middle for each in USUAL_DAY]
        if max(shaped) * len(shaped) / sum(shaped) < peak_to_mean:
            low = middle
        else:
            high = middle
    return round(low, DIGITS)


def loads(facts: Facts, predictions: Iterable[Prediction], *, traffic: float = 1.0) -> tuple[Load, ...]:
    """What all patterns together ask of each place, hour by hour."""
    found: dict[str, Load] = {}
    for each in predictions:
        rate = facts.rates[each.pattern]
        day = day_of(facts.spec.billing.profile, (rate.peak or rate.avg) / rate.avg if rate.avg else 1.0)
        for place in dict.fromkeys((*each.rcu_by_place, *each.wcu_by_place)):
            rcu = rate.avg * traffic * each.rcu_by_place.get(place, 0.0)
            wcu = rate.avg * traffic * each.wcu_by_place.get(place, 0.0)
            found[place] = _add_load(found.get(place, Load(place=place)), rcu, wcu, day)
    return tuple(found[place] for place in sorted(found, key=lambda place: (place != "table", place)))


def _add_load(load: Load, rcu: float, wcu: float, day: Hours) -> Load:
    return Load(
        place=load.place,
        avg_rcu=load.avg_rcu + rcu,
        avg_wcu=load.avg_wcu + wcu,
        rcu=tuple(before + rcu * weight for before, weight in zip(load.rcu, day, strict=True)),
        wcu=tuple(before + wcu * weight for before, weight in zip(load.wcu, day, strict=True)),
    )


def provision(found: Iterable[Load], utilisation: float) -> tuple[Provisioned, ...]:
    """Every hour as many units as keep use at the target, and never less than one."""
    return tuple(
        Provisioned(
            place=each.place,
            kind=kind,
            units=tuple(max(1, ceil(hour / utilisation - 1e-9)) for hour in used),
            used=used,
        )
        for each in found
        for kind, used in (("rcu", each.rcu), ("wcu", each.wcu))
    )
