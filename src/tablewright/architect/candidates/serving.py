"""Whether a key shape serves a pattern, and how: what the key takes, what is left to a filter, what is read for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.architect.spec.volumes import cardinality, item_bytes, matching

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.candidates.shapes import Shape
    from tablewright.architect.spec.assume import Facts
    from tablewright.architect.spec.model import PatternSpec

MOST_READ_PER_RETURNED = 10
"""A filter that throws away more than nine of ten items read is a bad answer."""
PAGE_BYTES = 2**20


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """One way to answer from one key shape."""

    is_get: bool = False
    equal: tuple[str, ...] = ()  # sort-key attributes given by equality, in order
    ranged: bool = False  # the pattern's range is on the sort key
    filters: tuple[str, ...] = ()  # inputs, and the range, that only a filter can apply
    by_type: bool = False  # types are mixed in one order, and the others are filtered out
    fan_out: str | None = None  # an enumerated attribute of the partition key that is asked for value by value
    backwards: bool = False
    read_items: float = 1.0
    returned_items: float = 1.0


def serve(facts: Facts, pattern: PatternSpec, shape: Shape, *, in_table: bool) -> Serving | None:
    """How the shape answers the pattern for its entity; None when it cannot."""
    inputs = set(pattern.by)
    missing = [name for name in shape.partition if name not in inputs]
    fan_out = enumerated(facts, shape.entity, missing)
    if missing and fan_out is None:
        return None
    equal, at = equality_prefix(shape, inputs)
    if in_table and pattern.kind == "get" and not missing and at == len(shape.sort) and whole_tag(shape, at):
        left = tuple(sorted(inputs - set(shape.attributes)))
        return Serving(is_get=True, equal=equal, filters=left)
    return query(facts, pattern, shape, equal, at, fan_out)


def enumerated(facts: Facts, entity: str, missing: list[str]) -> str | None:
    return missing[0] if len(missing) == 1 and facts.attribute(entity, missing[0]).values else None


def equality_prefix(shape: Shape, inputs: set[str]) -> tuple[tuple[str, ...], int]:
    """The sort-key attributes that are given, from the left, and how many these are."""
    at = 0
    while at < len(shape.sort) and shape.sort[at] in inputs:
        at += 1
    return shape.sort[:at], at


def whole_tag(shape: Shape, at: int) -> bool:
    """Whether the tag is behind what is given, so that one type alone is read."""
    return at >= len(shape.lead)


def query(
    facts: Facts, pattern: PatternSpec, shape: Shape, equal: tuple[str, ...], at: int, fan_out: str | None
) -> Serving | None:
    ordering = shape.sort[at:]
    if not keeps_all(facts, pattern, shape):
        return None
    ranged = pattern.range is not None and ordering[:1] == (pattern.range.attr,)
    sorts = [each for each in pattern.sort if each.attr not in pattern.by]
    if not delivers(ordering, [each.attr for each in sorts]) or len({each.order for each in sorts}) > 1:
        return None
    if fan_out is not None and sorts:
        return None
    left = set(pattern.by) - set(shape.partition) - set(equal)
    if pattern.range is not None and not ranged and pattern.range.attr not in pattern.by:
        left.add(pattern.range.attr)
    if left and pattern.filter_must_be_key:
        return None
    serving = Serving(
        equal=equal,
        ranged=ranged,
        filters=tuple(sorted(left)),
        by_type=not whole_tag(shape, at),
        fan_out=fan_out,
        backwards=bool(sorts) and sorts[0].order == "desc",
    )
    return sized(facts, pattern, shape, serving)


def keeps_all(facts: Facts, pattern: PatternSpec, shape: Shape) -> bool:
    """Whether no item of the answer is missing: one without an attribute of the lead is not in the index at all."""
    asked = {*pattern.by, *(each.attr for each in pattern.sort), *([pattern.range.attr] if pattern.range else [])}
    return facts.present[shape.entity] | asked >= set(shape.lead)


def delivers(ordering: tuple[str, ...], sorts: list[str]) -> bool:
    return list(ordering[: len(sorts)]) == sorts


def sized(facts: Facts, pattern: PatternSpec, shape: Shape, serving: Serving) -> Serving | None:
    """The same with what it reads and returns; None where a filter would read too much for what it returns."""
    given = {*shape.partition, *serving.equal}
    read = matching(facts, shape.entity, given)
    returned = answer_items(facts, pattern, shape.entity)
    if serving.filters:
        enough = read <= returned * MOST_READ_PER_RETURNED and read * item_bytes(facts, shape.entity) <= PAGE_BYTES
        if pattern.limit is not None or not enough:
            return None
    else:
        read = min(read, returned) if pattern.items or pattern.limit or serving.ranged else read
    if serving.fan_out is not None:
        read *= cardinality(facts, shape.entity, serving.fan_out)
    return msgspec.structs.replace(serving, read_items=read, returned_items=min(read, returned))


def answer_items(facts: Facts, pattern: PatternSpec, entity: str) -> float:
    """How many items of an entity an answer has."""
    if pattern.kind == "get":
        return 1.0
    if pattern.items is not None:
        return max(1.0, pattern.items / len(pattern.entities))
    found = matching(facts, entity, pattern.by)
    if pattern.range is not None:
        found = max(1.0, found * RANGE_SHARE)
    return min(found, float(pattern.limit)) if pattern.limit else found


RANGE_SHARE = 0.1
"""A range is taken to ask for a tenth of what lies under the key."""


def serves_collection(facts: Facts, pattern: PatternSpec, shapes: Iterable[Shape]) -> dict[Shape, Serving]:
    """Of shapes with one signature: those that can take part in an answer of several entities, each with its part."""
    found: dict[Shape, Serving] = {}
    for shape in shapes:
        serving = part_of_collection(facts, pattern, shape)
        if serving is not None:
            found[shape] = serving
    return found


def part_of_collection(facts: Facts, pattern: PatternSpec, shape: Shape) -> Serving | None:
    inputs = set(pattern.by)
    if not inputs.issuperset(shape.partition):
        return None
    if not keeps_all(facts, pattern, shape):
        return None
    _, at = equality_prefix(shape, inputs)
    at = min(at, len(shape.lead))  # behind the tag, one key condition cannot speak for all types
    equal = shape.lead[:at]
    left = inputs - set(shape.partition) - set(equal)
    if left and (pattern.filter_must_be_key or pattern.limit is not None):
        return None
    ordering = shape.lead[at:] or shape.rest
    sorts = [each for each in pattern.sort if each.attr not in inputs]
    if not order_of_collection(facts, pattern, shape, ordering, [each.attr for each in sorts]):
        return None
    ranged = pattern.range is not None and shape.lead[at : at + 1] == (pattern.range.attr,)
    if pattern.range is not None and not ranged:
        left = left | {pattern.range.attr}
    read = matching(facts, shape.entity, {*shape.partition, *equal})
    return Serving(
        equal=equal,
        ranged=ranged,
        filters=tuple(sorted(left)),
        backwards=bool(sorts) and sorts[0].order == "desc",
        read_items=read,
        returned_items=min(read, answer_items(facts, pattern, shape.entity)),
    )


def order_of_collection(
    facts: Facts, pattern: PatternSpec, shape: Shape, ordering: tuple[str, ...], sorts: list[str]
) -> bool:
    """All types in one order when the lead holds it; else only one type may have what is sorted by."""
    if not sorts or delivers(shape.lead[-len(ordering) :] if shape.lead and ordering else (), sorts):
        return True
    having = [each for each in pattern.entities if sorts[0] in facts.spec.entities[each].attributes]
    if len(having) > 1:
        return False
    return shape.entity not in having or delivers(shape.rest, sorts)
