"""How many items there are and how often each pattern runs: given, derived from what is given, or assumed.

What is assumed has a place in the spec that could state it; `taken` has other values by place, to see what they change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from tablewright.wire.limits import TTL_DELETION_SECONDS

if TYPE_CHECKING:
    from tablewright.spec.model import PatternSpec, RelationshipSpec, Spec

COUNT = 10_000.0
CHILDREN = 10.0
READ_RATE = 1.0
WRITE_RATE = 0.1
PEAK_FACTOR = 3.0
SECONDS_PER_MONTH = 730 * 3600
PEAKS = "access_patterns.rate.peak"
"""Where the peak of all patterns stands of which nobody gave one: so many times the average."""
LINGER = f"{TTL_DELETION_SECONDS // 86_400} days"
Origin: TypeAlias = Literal["given", "derived", "assumed"]
Taken: TypeAlias = Mapping[str, float]
"""By place: other values for numbers that would be assumed."""


class Number(msgspec.Struct, frozen=True):
    """A number that a price, a heat figure or a choice rests on, and where it comes from."""

    place: str  # in the spec, where it is said or could be
    value: float
    origin: Origin
    how: str = ""  # from which others it follows, or what was assumed, in words


class Assumption(msgspec.Struct, frozen=True, order=True):
    """What was assumed, and the place in the spec that could state it; `value` where it is a number.

    A design says of numbers what its bill would be with a tenth and with ten times of them.
    """

    place: str
    taken: str
    value: float | None = None
    usd_at_tenth: float | None = None
    usd_at_ten_times: float | None = None


# ---- how many -----------------------------------------------------------------------------------------------------


def count_items(spec: Spec, taken: Taken) -> dict[str, Number]:
    """Given counts first; counts of children follow from their parents. By place, with the numbers they rest on."""
    counts = {name: float(entity.count) for name, entity in spec.entities.items() if entity.count}
    found = {f"entities.{name}.count": Number(f"entities.{name}.count", each, "given") for name, each in counts.items()}
    pending = [name for name in spec.entities if name not in counts]
    while pending:
        ready = [name for name in pending if not any(parent in pending for parent in _parents_of(spec, name))]
        for name in ready or pending[:1]:
            numbers = _count_from_growth(spec, name) or _count_from_parents(spec, name, counts, taken)
            counts[name] = numbers[0].value
            found.update({each.place: each for each in numbers})
            pending.remove(name)
    return found


def _parents_of(spec: Spec, child: str) -> list[str]:
    return [
        each.source
        for each in spec.relationships
        if each.source != child and each.source in spec.entities and child in (each.via, each.target)
        if each.kind != "many-to-many" or each.via == child
    ]


def _count_from_growth(spec: Spec, name: str) -> list[Number]:
    """What a month adds, or what is added while an item lives; where no relationship tells how many there are."""
    entity, place = spec.entities[name], f"entities.{name}.count"
    if any(each.avg for each in spec.relationships if name == (each.via or each.target)):
        return []
    if entity.ttl is None or entity.ttl.days is None:
        month = entity.growth_per_month
        return [Number(place, month, "derived", f"{month:,.0f} (what a month adds)")] if month else []
    puts = [each.rate.avg for each in spec.writes if each.rate is not None and _puts(each, name)]
    added = entity.growth_per_month / SECONDS_PER_MONTH if entity.growth_per_month else sum(puts)
    total = added * (entity.ttl.days * 86_400 + TTL_DELETION_SECONDS)
    how = f"{total:,.0f} ({added:.3g} a second live {entity.ttl.days:g} days and are gone {LINGER} later)"
    return [Number(place, total, "derived", how)] if total else []


def _puts(pattern: PatternSpec, entity: str) -> bool:
    said = pattern.ops.get(entity)
    return entity in pattern.entities and (pattern.op == "put" or (said is not None and said.op == "put"))


def _count_from_parents(spec: Spec, name: str, counts: Mapping[str, float], taken: Taken) -> list[Number]:
    """The count, and the number of children that it follows from."""
    place = f"entities.{name}.count"
    for at, each in enumerate(spec.relationships):
        if name != (each.via or each.target) or each.source not in counts or each.source == name:
            continue
        children = _children_of(f"relationships[{at}].avg", each, taken)
        total = counts[each.source] * children.value
        how = f"{total:,.0f} ({children.value:g} for each {each.source})"
        return [Number(place, total, "derived", how), children]
    total = taken.get(place, COUNT)
    return [Number(place, total, "assumed", f"{total:,.0f} items")]


def _children_of(place: str, each: RelationshipSpec, taken: Taken) -> Number:
    if each.kind == "one-to-one":
        return Number(place, 1.0, "derived", "one-to-one")
    if each.avg:
        return Number(place, each.avg, "given")
    children = taken.get(place, CHILDREN)
    return Number(place, children, "assumed", f"{children:g} of {each.via or each.target} for each {each.source}")


# ---- how often ------------------------------------------------------------------------------------------------------


def rate_numbers(pattern: PatternSpec, added: float | None, taken: Taken) -> tuple[Number, Number]:
    """How often a pattern runs on average, and at peak; `added`: the items a month that it is the one to make."""
    place = f"access_patterns.{pattern.id}.rate"
    avg = _average(place, pattern, added, taken)
    if pattern.rate is not None and pattern.rate.peak:
        return avg, Number(f"{place}.peak", pattern.rate.peak, "given")
    factor = taken.get(PEAKS, PEAK_FACTOR)
    return avg, Number(f"{place}.peak", avg.value * factor, "assumed", f"{factor:g} times the average")


def _average(place: str, pattern: PatternSpec, added: float | None, taken: Taken) -> Number:
    if pattern.rate is not None:
        return Number(place, pattern.rate.avg, "given")
    if added:
        avg = added / SECONDS_PER_MONTH
        return Number(place, avg, "derived", f"{avg:.3g} a second: {added:,.0f} more of {pattern.entity} a month")
    avg = taken.get(place, READ_RATE if pattern.is_read else WRITE_RATE)
    return Number(place, avg, "assumed", f"{avg:g} a second")
