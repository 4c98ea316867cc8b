"""A day of traffic, hour by hour, and the capacity autoscaling provisions for it.

A profile said in the spec is taken as it is and scaled to each pattern's average. Without one, a usual day of an
application that people use is taken, and made steeper or flatter until its busiest hour is the pattern's peak.

Autoscaling never goes below the average. It learns of more traffic by what is consumed, which throttling keeps down:
from one unit it would climb by less than half at a time, minutes apart, while most requests are refused.
"""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.wording import number
from tablewright.spec.model import UTILISATION
from tablewright.wire.limits import ACCOUNT_QUOTA_RCU, ACCOUNT_QUOTA_WCU, TABLE_QUOTA_RCU, TABLE_QUOTA_WCU

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.cost.units.prediction import Prediction, Units
    from tablewright.spec.facts import Facts

USUAL_DAY = (
    *(0.45, 0.35, 0.28, 0.25, 0.25, 0.32, 0.50, 0.75, 1.00, 1.20, 1.30, 1.35),
    *(1.35, 1.30, 1.30, 1.30, 1.35, 1.45, 1.60, 1.75, 1.80, 1.60, 1.20, 0.80),
)
"""Quiet before dawn, busy from morning on, busiest at eight in the evening."""
MOST_STEEPNESS = 64.0
DIGITS = 6
"""Weights are rounded, so that the last bit of a power cannot change a design from machine to machine."""

UTILISATION_PLACE = "billing.utilisation"

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
        written = written_by_place(each)
        read = read_by_place(each)
        for place in dict.fromkeys((*read, *written)):
            rcu = rate.avg * traffic * read.get(place, 0.0)
            wcu = rate.avg * traffic * written.get(place, 0.0)
            found[place] = _add_load(found.get(place, Load(place=place)), rcu, wcu, day)
    return tuple(found[place] for place in sorted(found, key=lambda place: (place != "table", place)))


def read_by_place(found: Prediction) -> Units:
    """The same of what is read."""
    if not found.followed_rcu:
        return found.rcu_by_place
    return {**found.rcu_by_place, "table": found.rcu_by_place.get("table", 0.0) + found.followed_rcu}


def written_by_place(found: Prediction) -> Units:
    """What a run writes in each place, with what a function writes afterwards that follows the stream."""
    if not found.followed_wcu:
        return found.wcu_by_place
    return {**found.wcu_by_place, "table": found.wcu_by_place.get("table", 0.0) + found.followed_wcu}


def _add_load(load: Load, rcu: float, wcu: float, day: Hours) -> Load:
    return Load(
        place=load.place,
        avg_rcu=load.avg_rcu + rcu,
        avg_wcu=load.avg_wcu + wcu,
        rcu=tuple(before + rcu * weight for before, weight in zip(load.rcu, day, strict=True)),
        wcu=tuple(before + wcu * weight for before, weight in zip(load.wcu, day, strict=True)),
    )


def utilisation_of(facts: Facts) -> float:
    """The share of provisioned capacity that autoscaling aims at."""
    said = facts.spec.billing.utilisation
    return facts.guess(UTILISATION_PLACE, UTILISATION) if said is None else said


def provision(found: Iterable[Load], utilisation: float) -> tuple[Provisioned, ...]:
    """Every hour as many units as keep use at the target, and never less than the average, nor less than one."""
    return tuple(
        Provisioned(
            place=each.place,
            kind=kind,
            units=tuple(max(1, _whole(average), _whole(hour / utilisation)) for hour in used),
            used=used,
        )
        for each in _metered(found)
        for kind, average, used in (("rcu", each.avg_rcu, each.rcu), ("wcu", each.avg_wcu, each.wcu))
    )


def _whole(units: float) -> int:
    return ceil(units - 1e-9)


def metered_place(place: str) -> str:
    """The place whose capacity a request to `place` takes: a local index is part of its table."""
    return "table" if place.startswith("lsi") else place


def _metered(found: Iterable[Load]) -> tuple[Load, ...]:
    """Local indexes counted with their table."""
    together: dict[str, Load] = {}
    for each in found:
        place = metered_place(each.place)
        before = together.get(place, Load(place=place))
        together[place] = Load(
            place=place,
            avg_rcu=before.avg_rcu + each.avg_rcu,
            avg_wcu=before.avg_wcu + each.avg_wcu,
            rcu=tuple(one + more for one, more in zip(before.rcu, each.rcu, strict=True)),
            wcu=tuple(one + more for one, more in zip(before.wcu, each.wcu, strict=True)),
        )
    return tuple(together.values())


# ---- quotas ---------------------------------------------------------------------------------------------------------
# Of a table together with its global indexes: the pages of AWS disagree whether each index counts by itself.


class BusiestHour(msgspec.Struct, frozen=True):
    """Units a second that a table and its indexes take in their busiest hour, or have ready for it."""

    rcu: float
    wcu: float


def busiest_hour(found: Iterable[Load], ready: Iterable[Provisioned], *, is_provisioned: bool) -> BusiestHour:
    if is_provisioned:
        taken = tuple(ready)
        return BusiestHour(*(_busiest(each.units for each in taken if each.kind == kind) for kind in ("rcu", "wcu")))
    loads = tuple(found)
    return BusiestHour(_busiest(each.rcu for each in loads), _busiest(each.wcu for each in loads))


def _busiest(places: Iterable[Iterable[float]]) -> float:
    return max((float(sum(hour)) for hour in zip(*places, strict=True)), default=0.0)


def quota_notes(hour: BusiestHour, *, is_provisioned: bool, is_account: bool = False) -> tuple[str, ...]:
    """What has to be asked for before so much is taken; an account has a quota for what is provisioned."""
    units = (
        ("read", hour.rcu, TABLE_QUOTA_RCU, ACCOUNT_QUOTA_RCU),
        ("write", hour.wcu, TABLE_QUOTA_WCU, ACCOUNT_QUOTA_WCU),
    )
    how = "provisioned" if is_provisioned else "taken"
    return tuple(
        f"{number(round(taken))} {word} units a second {how} in the busiest hour:"
        f" more than {' and than '.join(over)}; ask for a higher quota first"
        for word, taken, table, account in units
        if (over := _exceeded(taken, table, account, is_provisioned=is_provisioned, is_account=is_account))
    )


def _exceeded(taken: float, table: int, account: int, *, is_provisioned: bool, is_account: bool) -> list[str]:
    found = [] if is_account or taken <= table else [f"the {number(table)} of a table"]
    return found if not is_provisioned or taken <= account else [*found, f"the {number(account)} of an account"]
