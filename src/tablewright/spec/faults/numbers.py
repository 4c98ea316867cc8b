"""Numbers that cannot all be true: of attributes, entities, relationships and patterns."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from tablewright.spec.facts import reference_attributes
from tablewright.wire.limits import MAX_ITEM_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.faults.place import SpecFault
    from tablewright.spec.model import AttributeSpec, EntitySpec, PatternSpec, RelationshipSpec, Spec

SAME = 0.01
"""Two ways to say one number may differ by so much, for rounding."""


# ---- entities -------------------------------------------------------------------------------------------------------


def entity_faults(place: str, entity: EntitySpec) -> Iterator[SpecFault]:
    for name, attribute in entity.attributes.items():
        yield from _attribute_faults(f"{place}.attributes.{name}", entity, attribute)
    yield from _size_faults(place, entity)
    yield from _growth_faults(place, entity)
    yield from _too_few_values(f"{place}.id", entity, entity.id, "its id")
    for group in entity.unique:
        yield from _too_few_values(f"{place}.unique", entity, group, "unique")


def _attribute_faults(place: str, entity: EntitySpec, attribute: AttributeSpec) -> Iterator[SpecFault]:
    always = attribute.required or attribute.name in entity.id
    if always and attribute.presence is not None and attribute.presence < 1:
        why = "it is part of the id" if attribute.name in entity.id else "it is required"
        yield (
            f"{place}.presence",
            f"{attribute.presence:.0%} of the items have it, but {why}, so that all have; leave out one of them.",
        )
    possible = _possible_values(attribute)
    if attribute.cardinality and possible is not None and attribute.cardinality > possible:
        yield (
            f"{place}.cardinality",
            f"{attribute.cardinality:,} different values, but there are only {possible}; correct one of them.",
        )
    if attribute.type == "number" and not all(_is_numeral(each) for each in attribute.values):
        yield f"{place}.values", f"{attribute.name} is a number, and not all of these are; correct one of them."
    if attribute.size_bytes and attribute.max_bytes and attribute.size_bytes > attribute.max_bytes:
        yield f"{place}.size_bytes", f"{attribute.size_bytes:,} bytes are usual, and {attribute.max_bytes:,} the most."


def _possible_values(attribute: AttributeSpec) -> int | None:
    if attribute.values:
        return len(set(attribute.values))
    return 2 if attribute.type == "boolean" else None


def _is_numeral(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _size_faults(place: str, entity: EntitySpec) -> Iterator[SpecFault]:
    """DynamoDB takes no item of more than 400 KB."""
    large = "an item has at most 400 KB. Keep it in S3 and store its address, or cut it into items of their own."
    too_large = [each for each in entity.attributes.values() if (each.size_bytes or 0) > MAX_ITEM_BYTES]
    for each in too_large:
        yield f"{place}.attributes.{each.name}.size_bytes", f"{each.size_bytes:,} bytes, but {large}"
    together = sum(each.size_bytes or 0 for each in entity.attributes.values())
    if (entity.size_bytes or 0) > MAX_ITEM_BYTES:
        yield f"{place}.size_bytes", f"{entity.size_bytes:,} bytes, but {large}"
    elif together > MAX_ITEM_BYTES and not too_large:
        yield f"{place}.attributes", f"{together:,} bytes together, but {large}"


def _growth_faults(place: str, entity: EntitySpec) -> Iterator[SpecFault]:
    if entity.growth_share is None or entity.growth_per_month is None or not entity.count:
        return
    by_share = entity.growth_share * entity.count
    if not agree(by_share, entity.growth_per_month):
        yield (
            f"{place}.growth",
            (
                f"{entity.growth_share:.0%} of {entity.count:,.0f} are {by_share:,.0f} a month, and growth_per_month"
                f" says {entity.growth_per_month:,.0f}; leave out one of them."
            ),
        )


def agree(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(one, other)


def _too_few_values(place: str, entity: EntitySpec, names: Iterable[str], what: str) -> Iterator[SpecFault]:
    """Attributes that tell items apart take at least as many values as there are items."""
    attributes = [entity.attributes[name] for name in names if name in entity.attributes]
    said = [each.cardinality or _possible_values(each) for each in attributes]
    if not entity.count or not said or None in said:
        return
    most = prod(each for each in said if each is not None)
    having = entity.count * prod(1.0 if each.presence is None else each.presence for each in attributes)
    if most < having * (1 - SAME):
        called = " and ".join(each.name for each in attributes)
        yield place, f"{called} cannot be {what}: {most:,} different values for {having:,.0f} items."


# ---- relationships --------------------------------------------------------------------------------------------------


def relationship_faults(place: str, each: RelationshipSpec, spec: Spec) -> Iterator[SpecFault]:
    if each.kind == "one-to-one":
        for name in ("avg", "p99", "max"):
            if (getattr(each, name) or 0) > 1:
                yield (
                    f"{place}.{name}",
                    f"{getattr(each, name):,.0f} children, but one-to-one means one; correct one of them.",
                )
    elif each.max is not None:
        for name in ("avg", "p99"):
            if (getattr(each, name) or 0) > each.max:
                yield f"{place}.{name}", f"{getattr(each, name):,.0f} children, but at most {each.max:,.0f} (max)."
    yield from _tail_faults(place, each)
    yield from _count_faults(place, each, spec)


def _tail_faults(place: str, each: RelationshipSpec) -> Iterator[SpecFault]:
    """An average above what 99 of 100 parents have needs one parent in a hundred that has very many."""
    if each.avg is None or each.p99 is None or each.avg <= each.p99:
        return
    needed = (each.avg - 0.99 * each.p99) / 0.01
    if each.max is None or needed > each.max:
        yield (
            f"{place}.p99",
            (
                f"99 of 100 parents have at most {each.p99:,.0f}, and the average is {each.avg:,.0f}: that needs a max"
                f" of {needed:,.0f} or more. Correct one of them."
            ),
        )


def _count_faults(place: str, each: RelationshipSpec, spec: Spec) -> Iterator[SpecFault]:
    parent, child = spec.entities.get(each.source), spec.entities.get(each.via or each.target)
    if parent is None or child is None or not child.count or parent is child:
        return
    if each.avg and each.avg > child.count:
        yield (
            f"{place}.avg",
            f"{each.avg:,.0f} {child.name} items for each {parent.name}, and there are {child.count:,.0f}.",
        )
    names = reference_attributes(spec, child, parent, each)
    always = all((child.attributes[name].presence or 1) == 1 for name in names if name in child.attributes)
    if each.max and parent.count and names and always and child.count > parent.count * each.max * (1 + SAME):
        yield (
            f"{place}.max",
            (
                f"at most {each.max:,.0f} for each of {parent.count:,.0f} {parent.name} items are"
                f" {parent.count * each.max:,.0f}, and there are {child.count:,.0f} {child.name} items."
            ),
        )


# ---- patterns -------------------------------------------------------------------------------------------------------


def pattern_faults(place: str, pattern: PatternSpec) -> Iterator[SpecFault]:
    rate = pattern.rate
    if rate is not None and rate.peak is not None and rate.peak < rate.avg:
        yield f"{place}.rate.peak", f"{rate.peak:g} a second at peak is less than the average of {rate.avg:g}."
    if pattern.items is None:
        return
    limit = _limit_of_all(pattern)
    if limit is not None and pattern.items > limit:
        yield (
            f"{place}.items",
            f"an answer has {pattern.items:,.0f} items, but the limit is {limit:,}; correct one of them.",
        )
    if pattern.kind == "get" and pattern.items > 1 and pattern.aggregate is None:
        yield (
            f"{place}.items",
            f"a get answers with one item at most, not {pattern.items:,.0f}; make it a query, or a batch by the id.",
        )


def _limit_of_all(pattern: PatternSpec) -> int | None:
    """The limit on all items of an answer; beside a limit that counts one entity, there may be others."""
    if set(pattern.limits) == set(pattern.entities):
        return sum(pattern.limits.values())
    return pattern.limit if len(pattern.entities) == 1 or not pattern.sort else None
