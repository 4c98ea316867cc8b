"""Numbers of entities that cannot all be true: sizes, values, presence, counts, growth and lifetimes."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from tablewright.spec.faults.place import SpecFault, possible_values
from tablewright.wire.limits import MAX_ITEM_BYTES, TTL_DELETION_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.spec.model import AttributeSpec, EntitySpec, Spec

SAME = 0.01
"""Two ways to say one number may differ by so much, for rounding."""
FAR = 2.0
"""Guesses beyond this factor of each other speak of different applications."""
DAYS_PER_MONTH = 730 / 24
SECONDS_PER_MONTH = DAYS_PER_MONTH * 86_400
LINGER_DAYS = TTL_DELETION_SECONDS / 86_400
TIMES = ("timestamp", "string", "number", "any")
LARGE = "an item has at most 400 KB. Keep it in S3 and store its address, or cut it into items of their own."
CORRECT = "correct one of them."
LEAVE_OUT = "leave out one of them."


def entity_faults(place: str, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    for name, attribute in entity.attributes.items():
        at = f"{place}.attributes.{name}"
        yield from _presence_faults(at, entity, attribute)
        yield from _value_faults(at, entity, attribute)
        yield from _reference_count_faults(f"{at}.cardinality", attribute, spec)
    yield from _size_faults(place, entity)
    yield from _growth_faults(place, entity, spec)
    yield from _lifetime_faults(place, entity, spec)
    if entity.count == 0:
        yield f"{place}.count", "0 items: leave the entity out, or say how many there are after the first month."
    for name in sorted({name for name in entity.id if entity.id.count(name) > 1}):
        yield f"{place}.id", f"{name} stands there twice; leave out one of them."
    yield from _too_few_values(f"{place}.id", entity, entity.id, "its id")
    for group in entity.unique:
        yield from _too_few_values(f"{place}.unique", entity, group, "unique")


def _presence_faults(place: str, entity: EntitySpec, attribute: AttributeSpec) -> Iterator[SpecFault]:
    """An id is always there and never changes."""
    in_id = attribute.name in entity.id
    share = attribute.presence
    if (attribute.required or in_id) and share is not None and share < 1:
        why = "it is part of the id" if in_id else "it is required"
        yield f"{place}.presence", f"{share:.0%} of the items have it, but {why}, so that all have; {LEAVE_OUT}"
    elif share == 0:
        yield f"{place}.presence", f"no {entity.name} has it; leave the attribute out, or say what share has it."
    if in_id and attribute.required is False:
        yield f"{place}.required", "it is part of the id, which every item has; leave it out."
    if in_id and attribute.immutable is False:
        yield f"{place}.immutable", "it is part of the id, which never changes; leave it out."


def _value_faults(place: str, entity: EntitySpec, attribute: AttributeSpec) -> Iterator[SpecFault]:
    possible, said = possible_values(attribute), attribute.cardinality
    if said == 0:
        yield f"{place}.cardinality", "0 different values; leave the attribute out, or say how many it takes."
    elif said and possible is not None and said != possible and (attribute.values or said > possible):
        only = "only " if said > possible else ""
        yield f"{place}.cardinality", f"{said:,} different values, but there are {only}{possible}; {CORRECT}"
    elif said and entity.count and said > FAR * entity.count:
        yield f"{place}.cardinality", f"{said:,} different values, but there are {entity.count:,.0f} items; {CORRECT}"
    wrong = _wrong_values(attribute)
    if wrong:
        yield f"{place}.values", f"{attribute.name} is a {attribute.type}, and {wrong} is none; {CORRECT}"
    if attribute.period is not None and attribute.type not in TIMES:
        yield f"{place}.period", f"{attribute.name} is a {attribute.type}, which is no {attribute.period}; {CORRECT}"
    if attribute.since is not None and attribute.type != "timestamp":
        yield (
            f"{place}.since",
            f"{attribute.name} is a {attribute.type}, and only a timestamp has a first moment; {CORRECT}",
        )
    twice = sorted({each for each in attribute.values if attribute.values.count(each) > 1})
    if twice:
        yield f"{place}.values", f"{twice[0]} stands there twice; {LEAVE_OUT}"


def _wrong_values(attribute: AttributeSpec) -> str:
    """The first listed value that the type does not have."""
    if attribute.type == "number":
        return next((each for each in attribute.values if not _is_numeral(each)), "")
    if attribute.type == "boolean":
        return next((each for each in attribute.values if each.lower() not in ("true", "false")), "")
    return ""


def _reference_count_faults(place: str, attribute: AttributeSpec, spec: Spec) -> Iterator[SpecFault]:
    """Ids of items that are gone may linger, but not most of them."""
    other = spec.entities.get(attribute.references or "")
    if other is None or other.id != (other.id[0],) or not other.count or not attribute.cardinality:
        return
    if attribute.cardinality > FAR * other.count:
        yield (
            place,
            (
                f"{attribute.cardinality:,} different values, but it holds ids of {other.name}, of which there are"
                f" {other.count:,.0f}; {CORRECT}"
            ),
        )


def _is_numeral(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _size_faults(place: str, entity: EntitySpec) -> Iterator[SpecFault]:
    """DynamoDB takes no item of more than 400 KB; nothing has no size."""
    attributes = entity.attributes.values()
    for each in attributes:
        at = f"{place}.attributes.{each.name}"
        for field, size in (("size_bytes", each.size_bytes), ("max", each.max_bytes)):
            if size == 0:
                yield f"{at}.{field}", "0 bytes; leave it out, or write its size."
            elif (size or 0) > MAX_ITEM_BYTES:
                yield f"{at}.{field}", f"{size:,} bytes, but {LARGE}"
        if each.size_bytes and each.max_bytes and each.size_bytes > each.max_bytes:
            yield f"{at}.size_bytes", f"{each.size_bytes:,} bytes are usual, and {each.max_bytes:,} the most."
    largest = [max(each.size_bytes or 0, each.max_bytes or 0) for each in attributes]
    if entity.size_bytes == 0:
        yield f"{place}.size_bytes", "0 bytes; leave it out, or write the usual size of an item."
    elif (entity.size_bytes or 0) > MAX_ITEM_BYTES:
        yield f"{place}.size_bytes", f"{entity.size_bytes:,} bytes, but {LARGE}"
    elif sum(largest) > MAX_ITEM_BYTES and max(largest) <= MAX_ITEM_BYTES:
        yield f"{place}.attributes", f"{sum(largest):,} bytes together, but {LARGE}"
    yield from _smaller_than_its_parts(f"{place}.size_bytes", entity)


def _smaller_than_its_parts(place: str, entity: EntitySpec) -> Iterator[SpecFault]:
    always = [each for each in entity.attributes.values() if each.required or each.name in entity.id]
    least = sum(each.size_bytes or 0 for each in always)
    if entity.size_bytes and entity.size_bytes < least * (1 - SAME):
        yield place, f"{entity.size_bytes:,} bytes, but the attributes that all items have are {least:,}; {CORRECT}"


def _growth_faults(place: str, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    if entity.growth_share is not None and entity.growth_per_month is not None and entity.count:
        by_share = entity.growth_share * entity.count
        if not agree(by_share, entity.growth_per_month):
            yield (
                f"{place}.growth",
                (
                    f"{entity.growth_share:.0%} of {entity.count:,.0f} are {by_share:,.0f} a month, and"
                    f" growth_per_month says {entity.growth_per_month:,.0f}; {LEAVE_OUT}"
                ),
            )
    growth, put = _said_growth(entity), _put_per_month(entity, spec)
    if growth and put is not None and growth > FAR * put:
        field = "growth" if entity.growth_per_month is None else "growth_per_month"
        yield (
            f"{place}.{field}",
            f"{growth:,.0f} more a month, and the writes that make {entity.name} items run {put:,.0f} times; {CORRECT}",
        )


def _said_growth(entity: EntitySpec) -> float | None:
    if entity.growth_per_month is None and entity.growth_share is not None:
        return entity.growth_share * entity.count if entity.count else None
    return entity.growth_per_month


def _put_per_month(entity: EntitySpec, spec: Spec) -> float | None:
    """How often a month items are made; None where that is not said, or one run may make several."""
    makers = [
        each
        for each in spec.writes
        if entity.name in each.entities and (each.op in ("put", "transact") or each.upserts(entity.name))
    ]
    if not makers or any(each.rate is None or len(each.entities) > 1 for each in makers):
        return None
    return sum(each.rate.avg for each in makers if each.rate is not None) * SECONDS_PER_MONTH


def _lifetime_faults(place: str, entity: EntitySpec, spec: Spec) -> Iterator[SpecFault]:
    """Where items expire, no more can be there than were added in one lifetime."""
    days = None if entity.ttl is None else entity.ttl.days
    if days == 0:
        yield f"{place}.ttl", "0 days: nothing would be there to be read; leave it out, or say how long items live."
    if entity.ttl is not None and days is None and not entity.said_expiry:
        yield (
            f"{place}.ttl",
            "nothing would expire: give its days, or an attribute that is a number (seconds since 1970).",
        )
    added = max(_said_growth(entity) or 0.0, _put_per_month(entity, spec) or 0.0)
    if not days or not added or not entity.count:
        return
    most = added * (days + LINGER_DAYS) / DAYS_PER_MONTH
    if entity.count > FAR * most:
        yield (
            f"{place}.ttl",
            (
                f"{added:,.0f} a month that live for {days:g} days, and linger for {LINGER_DAYS:g}, are {most:,.0f} at"
                f" a time, and count says {entity.count:,.0f}; {CORRECT}"
            ),
        )


def agree(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(one, other)


def _too_few_values(place: str, entity: EntitySpec, names: Iterable[str], what: str) -> Iterator[SpecFault]:
    """Attributes that tell items apart take at least as many values as there are items."""
    attributes = [entity.attributes[name] for name in names if name in entity.attributes]
    said = [each.cardinality or possible_values(each) for each in attributes]
    if not said or None in said:
        return
    most = prod(each for each in said if each is not None)
    if not entity.count:
        yield from _few_of_unknown(place, entity, attributes, what)
        return
    having = entity.count * prod(1.0 if each.presence is None else each.presence for each in attributes)
    if most < having * (1 - SAME):
        called = " and ".join(each.name for each in attributes)
        yield place, f"{called} cannot be {what}: {most:,} different values for {having:,.0f} items."


def _few_of_unknown(place: str, entity: EntitySpec, attributes: list[AttributeSpec], what: str) -> Iterator[SpecFault]:
    """Nobody says how many items there are; but a boolean tells two of them apart at most."""
    if all(each.type == "boolean" for each in attributes):
        called = " and ".join(each.name for each in attributes)
        most = 2 ** len(attributes)
        yield place, f"{called} cannot be {what}: there could be {most} {entity.name} items at most. Give a count."
