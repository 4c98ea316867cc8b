"""A cache in front of reads that repeat: what DAX would save, what it costs, and from where on it pays.

A key that is read r times a second is found in a cache that keeps it T seconds in r T / (1 + r T) of the reads: one
miss, then hits until it expires. Keys are weighed by the pattern's skew; a share said in the spec (`repeats`) wins.
Strong reads go past the cache.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import msgspec

from tablewright.design.cost.prices import HOURS_PER_MONTH, SECONDS_PER_MONTH, Prices
from tablewright.spec.skew import EXACT_TERMS, zipf_sum
from tablewright.spec.volumes import distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.design.cost.units.prediction import Prediction
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Skew

CACHE_SECONDS = 300.0
NODES = 3
"""Three nodes in three zones: with fewer, one failure sends all reads to the table."""
LEAST_REPEATS = 0.5
"""A pattern is worth a cache when at least half of its reads repeat."""


class CachedPattern(msgspec.Struct, frozen=True, kw_only=True):
    """A read pattern and what a cache would answer for it."""

    pattern: str
    hit_share: float
    is_said: bool  # the share is from the spec
    saved_rcu_per_month: float
    saved_usd_per_month: float


class CacheAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a cache pays for itself; latency may be a reason of its own."""

    node: str
    nodes: int
    usd_per_month: float
    saved_usd_per_month: float
    pays: bool
    break_even_traffic: float | None  # times the present traffic; None when nothing repeats
    patterns: tuple[CachedPattern, ...]


def cache_advice(
    facts: Facts, predictions: Iterable[Prediction], prices: Prices, *, traffic: float = 1.0
) -> CacheAdvice:
    known = {each.pattern: each for each in predictions}
    patterns = tuple(
        _cached(facts, each, known[each.id], prices, traffic)
        for each in facts.spec.reads
        if each.consistency == "eventual"
    )
    worth = tuple(each for each in patterns if each.hit_share >= LEAST_REPEATS)
    cost = NODES * prices.dax_node_hour * HOURS_PER_MONTH
    saved = sum(each.saved_usd_per_month for each in worth)
    return CacheAdvice(
        node=prices.dax_node,
        nodes=NODES,
        usd_per_month=cost,
        saved_usd_per_month=saved,
        pays=saved > cost,
        break_even_traffic=cost / saved if saved else None,
        patterns=worth,
    )


def _cached(
    facts: Facts, pattern: PatternSpec, prediction: Prediction, prices: Prices, traffic: float
) -> CachedPattern:
    rate = facts.rates[pattern.id].avg * traffic
    keys = distinct(facts, pattern.entity, pattern.by)
    share = hit_share(rate, keys, hottest_skew(pattern)) if pattern.repeats is None else pattern.repeats
    saved = rate * SECONDS_PER_MONTH * prediction.rcu * share
    return CachedPattern(
        pattern=pattern.id,
        hit_share=share,
        is_said=pattern.repeats is not None,
        saved_rcu_per_month=saved,
        saved_usd_per_month=saved * prices.read_per_million / 1e6,
    )


def hottest_skew(pattern: PatternSpec) -> Skew | None:
    """Of several attributes, the one that is most uneven."""
    said = (pattern.skew, *pattern.skews.values())
    return max((each for each in said if each), key=lambda each: (each.hottest or 0.0, each.zipf or 0.0), default=None)


def hit_share(rate: float, keys: float, skew: Skew | None) -> float:
    """Of all reads: those that find their key in the cache."""
    return sum(count * share * _hit_share(rate * share) for share, count in key_classes(keys, skew))


def _hit_share(rate: float) -> float:
    return rate * CACHE_SECONDS / (1.0 + rate * CACHE_SECONDS)


def key_classes(keys: float, skew: Skew | None) -> Iterator[tuple[float, float]]:
    """Keys that are read alike: the share of the reads each of them gets, and how many there are."""
    whole = max(1, ceil(keys))
    if skew is not None and skew.hottest is not None and whole > 1:
        yield skew.hottest, 1.0
        yield (1.0 - skew.hottest) / (whole - 1), float(whole - 1)
    elif skew is not None and skew.zipf:
        total = zipf_sum(keys, skew.zipf)
        head = min(whole, EXACT_TERMS)
        for rank in range(1, head + 1):
            yield rank**-skew.zipf / total, 1.0
        if whole > head:
            tail = total - zipf_sum(head, skew.zipf)
            yield tail / total / (whole - head), float(whole - head)
    else:
        yield 1.0 / whole, float(whole)
