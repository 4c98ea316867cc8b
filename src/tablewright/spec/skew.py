"""The share of requests that the most used key gets, under the skew a spec describes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tablewright.spec.volumes import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import Skew

EXACT_TERMS = 1000


def hottest_share(facts: Facts, entity: str, names: Iterable[str], skew: Skew | None) -> float:
    """Of all requests for keys made of these attributes: the part that falls on the most used key."""
    keys = distinct(facts, entity, names)
    return share_of_first(keys, skew)


def share_of_first(keys: float, skew: Skew | None) -> float:
    """Uniform: 1 / keys. A hottest share is what it says. Zipf: 1 over the sum of rank ** -exponent."""
    if skew is not None and skew.hottest is not None:
        return max(skew.hottest, 1.0 / keys)
    if skew is not None and skew.zipf:
        return 1.0 / zipf_sum(keys, skew.zipf)
    return 1.0 / keys


def describe_share(keys: float, skew: Skew | None) -> str:
    """Where a share comes from, in words."""
    if skew is not None and skew.hottest is not None:
        return "hottest share as said" if skew.hottest >= 1.0 / keys else f"one of {keys:,.0f} keys"
    if skew is not None and skew.zipf:
        return f"Zipf {skew.zipf:g} over {keys:,.0f} keys"
    return f"even over {keys:,.0f} keys" if keys > 1 else "one key for all"


def spreading(facts: Facts, entity: str, names: Iterable[str]) -> tuple[str, ...]:
    """The attributes of a partition key that spread writes of one moment: a day is the same for all of them."""
    return tuple(name for name in names if not _is_period(facts, entity, name))


def _is_period(facts: Facts, entity: str, name: str) -> bool:
    """A day, an hour, a month: a time so coarse that many items share it."""
    attribute = facts.attribute(entity, name)
    coarse = attribute.cardinality is not None and attribute.cardinality < facts.counts[entity]
    return name.lower() in PERIODS or (attribute.type == "timestamp" and coarse)


PERIODS = ("year", "month", "week", "day", "date", "hour", "minute")


def zipf_sum(keys: float, exponent: float) -> float:
    """The generalised harmonic number: the first thousand terms added, the rest as an integral."""
    whole = max(1, math.ceil(keys))
    exact = sum(math.pow(rank, -exponent) for rank in range(1, min(whole, EXACT_TERMS) + 1))
    if whole <= EXACT_TERMS:
        return exact
    low, high = EXACT_TERMS + 0.5, whole + 0.5
    if abs(exponent - 1.0) < 1e-9:
        return exact + math.log(high / low)
    return exact + (math.pow(high, 1 - exponent) - math.pow(low, 1 - exponent)) / (1 - exponent)
