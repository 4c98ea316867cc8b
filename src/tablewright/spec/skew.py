"""The share of requests that the most used key gets, under the skew a spec describes.

Skew belongs to attributes: `{tenantId: hottest 40%}`. The plain form is that of what the caller names; by
`[tenantId, recordId]` it is that of tenants. Of periods (a day, a month) new items and reads use the present one,
unless a skew says otherwise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tablewright.spec.volumes import distinct, is_period
from tablewright.spec.writes import effect_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec, Skew

EXACT_TERMS = 1000


def hottest_share(
    facts: Facts, entity: str, names: Iterable[str], pattern: PatternSpec | None, *, over_time: bool = False
) -> float:
    """Of all requests of a pattern: the part that falls on the most used key made of these attributes.

    `over_time`: of all requests ever made, not of those of one moment, which have the present period in common.
    """
    spread = _spread_by(facts, entity, names, pattern, over_time=over_time)
    share, covered = 1.0, set[str]()
    for skewed, skew in _skews_on(facts, entity, pattern, spread).items():
        is_item = distinct(facts, entity, skewed) >= facts.counts[entity]  # of which every other attribute follows
        common = (spread if is_item and not set(skewed) <= spread else set(skewed) & spread) - covered
        if common:
            most = share_of_first(distinct(facts, entity, skewed), skew)
            share *= max(most, 1.0 / distinct(facts, entity, common))
            covered |= common
    others = distinct(facts, entity, spread) / (distinct(facts, entity, covered) if covered else 1.0)
    return share / max(1.0, others)


def _skews_on(
    facts: Facts, entity: str, pattern: PatternSpec | None, spread: set[str]
) -> Mapping[tuple[str, ...], Skew]:
    """By the attributes it is about: how unevenly the requests of a pattern fall on keys made of these attributes."""
    if pattern is None:
        return {}
    known = facts.spec.entities[entity].attributes
    found: dict[tuple[str, ...], Skew] = {(name,): skew for name, skew in pattern.skews.items() if name in known}
    if pattern.skew is None:
        return found
    plain = _named_by_caller(facts, entity, pattern, spread)
    return {**found, plain: pattern.skew} if plain else found


def _named_by_caller(facts: Facts, entity: str, pattern: PatternSpec, spread: set[str]) -> tuple[str, ...]:
    """What the plain form is about: what callers name, and where that is more than an id, what the item belongs to.

    What is put is usually new, and is no favourite itself.
    """
    spec = facts.spec.entities[entity]
    named = tuple(name for name in pattern.by_of(entity) if name in spec.attributes)
    lasting = tuple(name for name in named if not is_period(facts, entity, name)) or named
    owners = tuple(name for name in lasting if name not in spec.id[-1:])
    if owners or pattern.op not in ("put", "transact") or entity not in pattern.entities:
        return owners or lasting
    others = tuple(sorted(spread - set(spec.id[-1:])))
    return others if others or effect_on(facts, pattern, entity).existence == "new" else tuple(sorted(spread))


def _spread_by(
    facts: Facts, entity: str, names: Iterable[str], pattern: PatternSpec | None, *, over_time: bool
) -> set[str]:
    """The attributes of a key that spread requests: a day is the same for all of one moment."""
    found = set(names)
    if over_time:
        return found
    said = () if pattern is None else tuple(pattern.skews)
    present = {name for name in found if is_period(facts, entity, name) and name not in said}
    if pattern is not None and pattern.op in ("update", "delete"):  # of any age; a day that is set is the present one
        present &= set(pattern.changed_of(entity) or ()) if pattern.op == "update" else set[str]()
    return found - present


def share_of_first(keys: float, skew: Skew | None) -> float:
    """Uniform: 1 / keys. A hottest share is what it says. Zipf: 1 over the sum of rank ** -exponent."""
    if skew is not None and skew.hottest is not None:
        return max(skew.hottest, 1.0 / keys)
    if skew is not None and skew.zipf:
        return 1.0 / zipf_sum(keys, skew.zipf)
    return 1.0 / keys


def describe_share(facts: Facts, entity: str, names: Iterable[str], pattern: PatternSpec | None) -> str:
    """Where a share comes from, in words."""
    names = tuple(names)
    spread = _spread_by(facts, entity, names, pattern, over_time=False)
    said = [
        _describe_skew(distinct(facts, entity, skewed), skew, of="" if set(skewed) == spread else " and ".join(skewed))
        for skewed, skew in _skews_on(facts, entity, pattern, spread).items()
        if set(skewed) & spread
    ]
    keys = distinct(facts, entity, spread) if spread else 1.0
    text = ", ".join(said) or (f"even over {keys:,.0f} keys" if keys > 1 else "one key for all")
    periods = [name for name in names if name not in spread]
    return f"{text}, {', '.join(periods)} being the present one" if periods else text


def _describe_skew(keys: float, skew: Skew, of: str) -> str:
    of = f" of {of}" if of else ""
    if skew.hottest is not None:
        return f"hottest share{of} as said" if skew.hottest >= 1.0 / keys else f"one of {keys:,.0f} keys{of}"
    return f"{f'Zipf {skew.zipf:g}' if skew.zipf else 'even'} over {keys:,.0f} keys{of}"


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
