"""Numbers and words of patterns that cannot all be true: rates, limits, items, skew, filters and ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.spec.facts import reference_attributes
from tablewright.spec.faults.place import SpecFault, possible_values, unknown_attributes
from tablewright.spec.hints import read_rate
from tablewright.spec.parents import parents_asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import AttributeSpec, EntitySpec, PatternSpec, Skew, Spec

EVEN = 0.99
"""The most used key has at least its even share, but for rounding."""
ROUGHLY = 1.5
"""Words are rounded: `about 5 a minute` may stand beside 0.08 a second."""
ONLY_OF_READS = (
    "through",
    "range",
    "overlaps",
    "sort",
    "filter",
    "selectivity",
    "filter_must_be_key",
    "limit",
    "limits",
    "items",
    "returns",
    "aggregate",
    "stale",
    "repeats",
    "search",
)
ONLY_OF_WRITES = ("when", "condition", "changes", "ops", "upsert", "idempotent", "transactional", "failures")


def pattern_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    yield from _kind_faults(place, pattern)
    yield from _rate_faults(place, pattern)
    yield from _limit_faults(place, pattern)
    yield from _skew_faults(f"{place}.skew", pattern, spec)
    if pattern.is_read:
        yield from _filter_faults(place, pattern)
        yield from _stale_faults(place, pattern, spec)
        yield from _step_faults(place, pattern, spec)
        yield from _order_faults(place, pattern, spec)
        yield from _item_faults(place, pattern, spec)


def _kind_faults(place: str, pattern: PatternSpec) -> Iterator[SpecFault]:
    """What says something of reads alone, or of writes alone."""
    if pattern.is_read:
        why = f"a {pattern.kind} writes nothing; leave it out."
    else:
        why = "is for reads, and a write answers nothing; leave it out."
    for name in ONLY_OF_WRITES if pattern.is_read else ONLY_OF_READS:
        if getattr(pattern, name) not in (None, False, "", (), {}):
            yield f"{place}.{'limit' if name == 'limits' else name}", why


def _rate_faults(place: str, pattern: PatternSpec) -> Iterator[SpecFault]:
    rate, worded = pattern.rate, read_rate(pattern.rate_hint)
    if rate is None:
        return
    if rate.peak is not None and rate.peak < rate.avg:
        yield f"{place}.rate.peak", f"{rate.peak:g} a second at peak is less than the average of {rate.avg:g}."
    if worded is None:
        return
    pairs = ((worded.avg, rate.avg, "on average"), (worded.peak, rate.peak, "at peak"))
    for said, given, when in pairs:
        if said is not None and given is not None and not given / ROUGHLY <= said <= given * ROUGHLY:
            yield (
                f"{place}.rate_hint",
                (
                    f'"{pattern.rate_hint}" is {said:,.3g} a second {when}, and rate says {given:,g}; leave out one'
                    " of them."
                ),
            )


def _limit_faults(place: str, pattern: PatternSpec) -> Iterator[SpecFault]:
    if pattern.limit == 0:
        yield f"{place}.limit", "0 items are no answer; leave it out, or write how many are wanted."
    for name, limit in pattern.limits.items():
        if limit == 0:
            yield f"{place}.limit.{name}", f"0 {name} items are no answer; leave {name} out of the pattern."
    if pattern.kind == "get" and (pattern.limit or 0) > 1:
        yield f"{place}.limit", f"a get answers with one item at most, not {pattern.limit:,}; make it a query."


def _skew_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    entities = [spec.entities[name] for name in pattern.entities if name in spec.entities]
    for name, skew in pattern.skews.items():
        having = [each.attributes[name] for each in entities if name in each.attributes]
        if having:
            yield from _share_faults(f"{place}.{name}", skew, having)
        elif entities:
            yield from unknown_attributes(f"{place}.{name}", (name,), entities[0])
    if pattern.skew is not None:
        named = [each.attributes[name] for each in entities for name in pattern.by if name in each.attributes]
        yield from _share_faults(place, pattern.skew, named if len(pattern.by) == 1 else [])


def _share_faults(place: str, skew: Skew, having: list[AttributeSpec]) -> Iterator[SpecFault]:
    if skew.hottest is not None and skew.zipf is not None:
        yield place, "a hottest share and Zipf's law are two distributions; leave out one of them."
    if skew.hottest == 0:
        yield place, "the most used key gets some requests; write its share, such as hottest 5%, or leave it out."
    for each in having if skew.hottest else ():
        values = each.cardinality or possible_values(each)
        if values and skew.hottest and skew.hottest * values < EVEN:
            yield (
                place,
                (
                    f"{skew.hottest:.3g} of the requests is less than the even share of {values:,} values of"
                    f" {each.name}, which is {1 / values:.3g}; correct one of them."
                ),
            )
            return


def _filter_faults(place: str, pattern: PatternSpec) -> Iterator[SpecFault]:
    if pattern.selectivity is not None and not pattern.filter:
        yield f"{place}.selectivity", "is the share of items that a filter lets through, and there is no filter."
    elif pattern.selectivity == 0:
        yield f"{place}.selectivity", "a filter that lets nothing through has no answer; leave out the pattern."
    if pattern.aggregate is not None and pattern.returns:
        yield f"{place}.returns", "the answer is a number (`aggregate`), without attributes; leave out one of them."


def _stale_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    if pattern.stale is None:
        return
    is_first = bool(pattern.sort and pattern.limit)
    if pattern.aggregate is None and not is_first and not parents_asked(spec, pattern):
        said = "says how far behind a number, the first items of a list or an attribute of a parent may be"
        wanted = "and there is no `aggregate`, nor `sort` and `limit`, nor one in `returns`; leave it out."
        yield f"{place}.stale", f"{said}, {wanted}"
    if pattern.consistency == "strong":
        yield f"{place}.stale", "what must see the last write (consistency: strong) is never behind; leave out one."
    elif pattern.stale == 0:
        yield f"{place}.stale", "a number that may be 0 seconds behind is what leaving it out means; leave it out."


def _step_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    said = pattern.range
    if said is None or said.step is None:
        return
    types = {spec.entities[name].attributes[said.attr].type for name in pattern.entities if _has(spec, name, said.attr)}
    if pattern.aggregate is None or pattern.aggregate.kind != "count" or said.op not in ("gt", "gte"):
        yield f"{place}.range.step", "is for counts of what is above a value: `aggregate: count` and `op: gt` or `gte`."
    elif types != {"number"} or said.step < 1:
        yield (
            f"{place}.range.step",
            f"is a whole number from 1 on, and {said.attr} is to be a number.",
        )


def _has(spec: Spec, entity: str, attribute: str) -> bool:
    return entity in spec.entities and attribute in spec.entities[entity].attributes


def _order_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    names = [each.attr for each in pattern.sort]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{place}.sort", f"{name} stands there twice; leave out one of them."
    yield from _direction_faults(place, pattern)
    entities = [spec.entities[name] for name in pattern.entities if name in spec.entities]
    types = {each.attributes[name].type for each in entities for name in _ranged(pattern) if name in each.attributes}
    if pattern.range is None or not types:
        return
    if pattern.range.op == "begins_with" and types <= {"number", "boolean"}:
        yield f"{place}.range", f"{pattern.range.attr} is a {types.pop()}, and only text begins with something."
    elif types == {"boolean"}:
        yield f"{place}.range", f"{pattern.range.attr} is a boolean, which has no order; put it into `by` or `filter`."


def _direction_faults(place: str, pattern: PatternSpec) -> Iterator[SpecFault]:
    """No search is needed to tell: whatever the keys, a Query reads them up or down."""
    open_order = [each for each in pattern.sort if each.attr not in (*pattern.by, *pattern.filter)]
    names, orders = {each.attr for each in open_order}, {each.order for each in open_order}
    if len(pattern.entities) == 1 and len(orders) > 1 and len(names) == len(open_order):
        said = ", ".join(f"{each.attr} {each.order}" for each in open_order)
        yield (
            f"{place}.sort",
            (
                f"a key is read in one direction, and {said} goes both up and down. Sort all alike, store one of them"
                " so that it runs the other way, or leave `sort` out and let the application sort the answer."
            ),
        )


def _ranged(pattern: PatternSpec) -> tuple[str, ...]:
    return () if pattern.range is None else (pattern.range.attr,)


# ---- items ----------------------------------------------------------------------------------------------------------


def _item_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    if pattern.items is None:
        return
    limit = _limit_of_all(pattern)
    if limit and pattern.items > limit:
        yield (
            f"{place}.items",
            f"an answer has {pattern.items:,.0f} items, but the limit is {limit:,}; correct one of them.",
        )
    if pattern.kind == "get" and pattern.items > 1 and pattern.aggregate is None:
        yield (
            f"{place}.items",
            f"a get answers with one item at most, not {pattern.items:,.0f}; make it a query, or a batch by the id.",
        )
    elif len(pattern.entities) == 1 and pattern.entity in spec.entities:
        yield from _more_than_there_are(f"{place}.items", pattern, spec.entities[pattern.entity], spec)


def _limit_of_all(pattern: PatternSpec) -> int | None:
    """The limit on all items of an answer; beside a limit that counts one entity, there may be others."""
    if set(pattern.limits) == set(pattern.entities):
        return sum(pattern.limits.values())
    return pattern.limit if len(pattern.entities) == 1 or not pattern.sort else None


def _more_than_there_are(place: str, pattern: PatternSpec, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    items = pattern.items or 0
    if entity.count and items > entity.count:
        yield place, f"an answer has {items:,.0f} items, and there are {entity.count:,.0f} {entity.name} items."
        return
    for each in spec.relationships if pattern.kind == "query" else ():
        parent = spec.entities.get(each.source)
        if parent is None or (each.via or each.target) != entity.name or not each.max:
            continue
        names = reference_attributes(spec, entity, parent, each)
        if names and set(pattern.by) >= set(names) and items > each.max:
            yield place, f"an answer has {items:,.0f} items, and a {each.source} has {each.max:,.0f} at most."
