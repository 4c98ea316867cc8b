"""Every number that a design rests on, with its origin, and all that was assumed: nothing is guessed in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.spec.listing import asked_reads
from tablewright.spec.quantities import PEAK_FACTOR, PEAKS, Assumption, Number
from tablewright.spec.volumes import age_days, count_values, guessed_bytes, item_bytes, known_bytes, period_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def numbers_of(facts: Facts) -> tuple[Number, ...]:
    """Counts, rates, sizes, shares and numbers of values, as far as they are in use."""
    found = (*facts.numbers, *_sizes(facts), *_values(facts), *_presences(facts))
    return tuple({each.place: each for each in found}.values())


def assumptions_of(facts: Facts) -> tuple[Assumption, ...]:
    """What was assumed: numbers, each by its place, and what can only be said in words."""
    assumed = [each for each in numbers_of(facts) if each.origin == "assumed"]
    single = [Assumption(each.place, each.how, each.value) for each in assumed if not _is_peak(each)]
    found = (*facts.assumptions, *single, *_peaks(facts, assumed), *_evenness(facts))
    return tuple(sorted(set(found)))


# ---- peaks and skew: one line for all -------------------------------------------------------------------------------


def _is_peak(number: Number) -> bool:
    return number.place.endswith(".rate.peak")


def _peaks(facts: Facts, assumed: list[Number]) -> Iterator[Assumption]:
    of = [each.place.split(".")[1] for each in assumed if _is_peak(each)]
    if of:
        factor = facts.guess(PEAKS, PEAK_FACTOR)
        yield Assumption(PEAKS, f"{factor:g} times the average ({', '.join(of)})", factor)


def _evenness(facts: Facts) -> Iterator[Assumption]:
    """How requests fall on keys, where nobody said."""
    silent = [each for each in facts.spec.patterns if not _is_skew_said(each)]
    if silent:
        yield Assumption("access_patterns.skew", f"spread evenly over keys ({', '.join(each.id for each in silent)})")


def _is_skew_said(pattern: PatternSpec) -> bool:
    return pattern.skew is not None or bool(pattern.skews) or bool(pattern.cascade_of)


# ---- entities -------------------------------------------------------------------------------------------------------


def _sizes(facts: Facts) -> Iterator[Number]:
    """One for each entity: what its attributes take whose sizes nobody gave."""
    for name, entity in facts.spec.entities.items():
        place = f"entities.{name}.size_bytes"
        if entity.size_bytes:
            yield Number(place, float(entity.size_bytes), "given")
            continue
        silent = [each.name for each in entity.attributes.values() if known_bytes(each) is None]
        if not silent:
            yield Number(place, float(item_bytes(facts, name)), "derived", "sizes of its attributes")
            continue
        guess = facts.guess(place, guessed_bytes(facts, name))
        yield Number(place, guess, "assumed", f"{guess:,.0f} bytes for {', '.join(silent)}, by their types")


def _values(facts: Facts) -> Iterator[Number]:
    """Of the attributes that something is asked by, also of children; how old items are where dates or overlaps are."""
    for name, entity in facts.spec.entities.items():
        reads = [each for each in asked_reads(facts.spec) if name in each.entities or _asks_parents(facts, each)]
        named = {attr for each in reads for attr in _named_by(each)}
        asked = named - {sort.attr for each in reads for sort in each.sort}
        asked |= {attr for each in reads for attr in (*each.by, *each.filter)}
        yield from (count_values(facts, name, attr) for attr in entity.attributes if attr in asked)
        dates = [each for attr, each in entity.attributes.items() if attr in named and period_of(each) is not None]
        lasts = any(each.overlaps is not None and isinstance(each.overlaps.longest, str) for each in reads)
        if lasts or any(not each.cardinality for each in dates):
            yield age_days(facts, name)


def _asks_parents(facts: Facts, pattern: PatternSpec) -> bool:
    """Whether an input is of nothing that is answered: then it is of a parent."""
    known = {attr for name in pattern.entities for attr in facts.spec.entities[name].attributes}
    return not known.issuperset(pattern.by)


def _presences(facts: Facts) -> Iterator[Number]:
    """Of what an item may lack and something is asked or sorted by."""
    for name, entity in facts.spec.entities.items():
        asked = {attr for each in asked_reads(facts.spec) if name in each.entities for attr in _named_by(each)}
        for attr in (attr for attr in entity.attributes if attr in asked - facts.present[name]):
            place, said = f"entities.{name}.attributes.{attr}.presence", entity.attributes[attr].presence
            if said is not None:
                yield Number(place, said, "given")
            else:
                share = facts.guess(place, 1.0)
                yield Number(place, share, "assumed", f"{share:.0%} of the items have it")


def _named_by(pattern: PatternSpec) -> Iterator[str]:
    yield from (*pattern.by, *pattern.filter, *(each.attr for each in pattern.sort))
    if pattern.range is not None:
        yield pattern.range.attr
