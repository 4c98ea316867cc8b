"""The share of requests that the most used key gets, under the skew a spec describes."""

from __future__ import annotations

from math import ceil, log
from typing import TYPE_CHECKING

from tablewright.architect.spec.volumes import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.spec.assume import Facts
    from tablewright.architect.spec.model import Skew

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


def zipf_sum(keys: float, exponent: float) -> float:
    """The generalised harmonic number: the first thousand terms added, the rest as an integral."""
    whole = max(1, ceil(keys))
    exact = sum(rank**-exponent for rank in range(1, min(whole, EXACT_TERMS) + 1))
    if whole <= EXACT_TERMS:
        return exact
    low, high = EXACT_TERMS + 0.5, whole + 0.5
    if abs(exponent - 1.0) < 1e-9:
        return exact + log(high / low)
    return exact + (high ** (1 - exponent) - low ** (1 - exponent)) / (1 - exponent)
