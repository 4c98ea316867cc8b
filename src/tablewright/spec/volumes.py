"""Estimated numbers and sizes: bytes of items, distinct values, and items per key.

A number of values is given, or derived: from an enumeration, a parent's count and children per parent, uniqueness, the
calendar. Else it is a guess, which `numbers` lists.
"""

from __future__ import annotations

from math import exp, prod
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.intervals import USUAL_LENGTH, longest_of
from tablewright.spec.listing import asked_reads
from tablewright.spec.quantities import Number
from tablewright.spec.remember import remembered
from tablewright.spec.validation import typical_bytes
from tablewright.wire.limits import TTL_DELETION_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.spec.facts import Facts, Kinship
    from tablewright.spec.model import AttributeSpec, PatternSpec

DAYS_PER_MONTH = 730 / 24
"""Of the month that prices are told for."""
LINGER_DAYS = TTL_DELETION_SECONDS / 86_400
FURTHEST_MONTHS = 36
"""A collection that must stay below a limit has to do so for three years."""
KEY_BYTES = 60
"""Composed keys and identifiers that every stored item carries besides its attributes."""
TEXT_CARDINALITY = 100.0
ID_ENDINGS = ("id", "uuid", "ulid")
AGE_DAYS = 365.0
SECONDS_PER_DAY = 86_400
NUMBER_SHARE = 0.1
"""Of numbers nobody knows how they are spread: a range of them is taken to have a tenth."""
USUAL_WINDOW = 1.0
"""Whoever asks for what overlaps asks for a time as long as the longest, where nobody says more."""
PERIOD_DAYS: Mapping[str, float] = {
    "year": 365.0,
    "month": DAYS_PER_MONTH,
    "week": 7.0,
    "day": 1.0,
    "hour": 1 / 24,
    "minute": 1 / 1440,
}
TYPE_BYTES: Mapping[str, int] = {
    "string": 20,
    "number": 6,
    "boolean": 1,
    "timestamp": 24,
    "binary": 64,
    "map": 120,
    "list": 120,
    "set": 60,
    "any": 40,
}
FIXED_BYTES = ("boolean", "timestamp")
"""Types whose values are all of one size."""


# ---- sizes ----------------------------------------------------------------------------------------------------------


def attribute_bytes(facts: Facts, entity: str, name: str) -> int:
    """Name and value of one attribute."""
    return len(name.encode()) + value_bytes(facts, entity, name)


@remembered
def value_bytes(facts: Facts, entity: str, name: str) -> int:
    """A usual value of an attribute."""
    attribute = facts.attribute(entity, name)
    known = known_bytes(attribute)
    if known is not None:
        return known
    usual = guessed_bytes(facts, entity)
    return round(TYPE_BYTES[attribute.type] * facts.guess(f"entities.{entity}.size_bytes", usual) / usual)


def known_bytes(attribute: AttributeSpec) -> int | None:
    """A size that is said, or follows from what is said of the values; None where it is a guess."""
    if attribute.size_bytes:
        return attribute.size_bytes
    if attribute.values:
        return round(sum(len(each.encode()) for each in attribute.values) / len(attribute.values))
    if attribute.validate is not None:
        return typical_bytes(attribute)
    if attribute.type in FIXED_BYTES:
        return TYPE_BYTES[attribute.type]
    return None


def guessed_bytes(facts: Facts, entity: str) -> float:
    """What the attributes of an entity take whose sizes nobody gave, by their types."""
    attributes = facts.spec.entities[entity].attributes.values()
    return float(sum(TYPE_BYTES[each.type] for each in attributes if known_bytes(each) is None))


@remembered
def item_bytes(facts: Facts, entity: str) -> int:
    """An item with its keys, as it is billed."""
    said = facts.spec.entities[entity].size_bytes
    attributes = facts.spec.entities[entity].attributes
    return said or KEY_BYTES + sum(attribute_bytes(facts, entity, name) for name in attributes)


# ---- values ---------------------------------------------------------------------------------------------------------


def cardinality(facts: Facts, entity: str, name: str) -> float:
    """How many different values an attribute takes among all items."""
    return count_values(facts, entity, name).value


@remembered
def count_values(facts: Facts, entity: str, name: str) -> Number:
    """The same, with where that comes from."""
    place = f"entities.{entity}.attributes.{name}.cardinality"
    attribute, having = facts.attribute(entity, name), max(1.0, _having(facts, entity, (name,)))
    if attribute.cardinality:
        return Number(place, min(having, float(attribute.cardinality)), "given")
    if is_enumerated(attribute):
        return Number(place, float(len(attribute.values) or 2), "derived", "its values")
    if _tells_apart(facts, entity, name):
        return Number(place, having, "derived", "every item has its own")
    if period_of(attribute) is not None:
        return _count_periods(facts, entity, attribute)
    found = _count_references(facts, entity, name)
    if found is not None:
        return Number(place, min(having, found), "derived", "as many as are referred to")
    if attribute.type == "timestamp":
        return Number(place, having, "derived", "every item has its own time")
    if name == facts.spec.entities[entity].id[-1]:
        return _count_last_part(facts, entity, attribute)
    namesake = _named_after(facts, entity, name)
    if namesake is not None:
        return Number(place, min(having, cardinality(facts, namesake, name)), "derived", f"as many as {namesake} has")
    guess = facts.guess(place, TEXT_CARDINALITY)
    return Number(place, min(having, guess), "assumed", f"{guess:,.0f} different values")


def is_enumerated(attribute: AttributeSpec) -> bool:
    """Whether its values are few and known, so that some may have many items and others next to none."""
    return bool(attribute.values) or attribute.type == "boolean"


def _having(facts: Facts, entity: str, names: Iterable[str]) -> float:
    """The items that have all of these attributes, taken as independent."""
    return facts.counts[entity] * prod(presence(facts, entity, name) for name in sorted(set(names)))


def _tells_apart(facts: Facts, entity: str, name: str) -> bool:
    spec = facts.spec.entities[entity]
    across = any((entity, name) in group for group in facts.spec.unique)
    return (name,) == spec.id or (name,) in spec.unique or across


def _count_last_part(facts: Facts, entity: str, attribute: AttributeSpec) -> Number:
    """The end of an id of several parts: numbers begin anew under each beginning, texts are usually of their own."""
    count, ids = facts.counts[entity], facts.spec.entities[entity].id
    place = f"entities.{entity}.attributes.{attribute.name}.cardinality"
    if attribute.type != "number":
        return Number(place, count, "derived", "the end of the id")
    return Number(place, max(1.0, count / distinct(facts, entity, ids[:-1])), "derived", "counted under the id's begin")


def _named_after(facts: Facts, entity: str, name: str) -> str | None:
    """The entity whose id ends with this attribute and that it is called after: a deviceId is that of a Device, also
    where a Device has a tenant besides. A seatNo is none: every hall has a seat 1.
    """
    plain = name.replace("_", "").lower()
    called = (each for each in facts.spec.entities.values() if plain in {each.name.lower() + end for end in ID_ENDINGS})
    return next(
        (each.name for each in called if each.name != entity and len(each.id) > 1 and each.id[-1] == name), None
    )


# ---- parents --------------------------------------------------------------------------------------------------------


def _count_references(facts: Facts, entity: str, name: str) -> float | None:
    """How many different parents items refer to by this attribute; None where it is no reference."""
    relation = _relation_by(facts, entity, {name})
    if relation is not None:
        return _parents_with_children(facts, entity, relation)
    several = facts.attribute(entity, name).references_any
    if several:
        return sum(facts.counts[each] for each in several)
    parent = facts.references[entity].get(name) or facts.attribute(entity, name).references
    if parent is None or parent not in facts.spec.entities:
        return None
    theirs = _part_of_id(facts, entity, name, parent)
    return facts.counts[parent] if theirs is None else cardinality(facts, parent, theirs)


def _part_of_id(facts: Facts, entity: str, name: str, parent: str) -> str | None:
    """The attribute of a parent's id of several parts whose value a child has under a name; None where it is all."""
    ids = facts.spec.entities[parent].id
    if len(ids) == 1 or name in ids:
        return None if len(ids) == 1 else name
    whole = (each.names for each in facts.kinships[entity] if each.relationship.source == parent)
    return next((ids[names.index(name)] for names in whole if name in names and len(names) == len(ids)), None)


def _relation_by(facts: Facts, entity: str, names: set[str]) -> Kinship | None:
    """The relationship whose children an entity's items are by exactly these attributes; its own parent included."""
    return next((each for each in facts.kinships[entity] if set(each.names) == names), None)


def _parents_with_children(facts: Facts, entity: str, relation: Kinship) -> float:
    parents, children = facts.counts[relation.relationship.source], relation.relationship.avg
    return min(parents, _having(facts, entity, relation.names) / children) if children else parents


# ---- combinations ---------------------------------------------------------------------------------------------------


def distinct(facts: Facts, entity: str, names: Iterable[str]) -> float:
    """How many different combinations of values there are; the whole id of another entity has as many as there are."""
    return _count_combinations(facts, entity, frozenset(names))


@remembered
def _count_combinations(facts: Facts, entity: str, names: frozenset[str]) -> float:
    left = set(names)
    if left >= set(facts.spec.entities[entity].id):
        return facts.counts[entity]
    having = _having(facts, entity, left)
    found = 1.0
    for relation in facts.kinships[entity]:  # a folder's parent is a folder of the same tenant: one tells the other
        parent = facts.spec.entities[relation.relationship.source]
        if len(parent.id) > 1 and set(relation.names) <= left:
            found *= _parents_with_children(facts, entity, relation)
            left -= {*relation.names, *parent.id}
        elif len(relation.names) == len(parent.id) > len(left & set(relation.names)) > 1:
            theirs = {theirs for ours, theirs in zip(relation.names, parent.id, strict=True) if ours in left}
            found *= distinct(facts, parent.name, theirs)
            left -= set(relation.names)
    for other in sorted(facts.spec.entities.values(), key=lambda each: (-len(each.id), each.name)):
        if other.name != entity and len(other.id) > 1 and left >= set(other.id):
            found *= facts.counts[other.name]
            left -= set(other.id)
    return max(1.0, min(having, found * prod(cardinality(facts, entity, name) for name in sorted(left))))


def matching(facts: Facts, entity: str, names: Iterable[str]) -> float:
    """How many items share one combination of values, on average."""
    asked = set(names)
    if asked >= set(facts.spec.entities[entity].id):
        return 1.0
    return max(1.0, _having(facts, entity, asked) / distinct(facts, entity, asked))


def shortened(facts: Facts, entity: str, names: Iterable[str], usual: float, most: float) -> float:
    """How many of a list are read on average of which at most so many are; `usual` is its length on average.

    Where a relationship says its `p50`, short lists do not fill the limit that the average would: half of them have up
    to p50 items, evenly, and the others more, ever fewer of them the longer they are.
    """
    asked = set(names)
    said = (each for each in facts.kinships[entity] if set(each.names) <= asked and each.relationship.p50)
    relation = next(said, None)
    if relation is None or not relation.relationship.avg:
        return min(usual, most)
    middle = (relation.relationship.p50 or 0) * usual / relation.relationship.avg
    beyond = 2 * usual - 1.5 * middle
    if most <= middle or beyond <= 0:
        low, high = (most - most * most / (2 * middle), most) if most <= middle else (middle / 2, middle)
    else:
        low, high = middle / 2, middle + beyond * (1 - exp(-(most - middle) / beyond))
    return min(usual, most, max(1.0, (low + high) / 2))


def largest(facts: Facts, entity: str, names: Iterable[str]) -> float | None:
    """How many items share the most frequent combination, where a relationship says how many children are the most."""
    asked = set(names)
    said = [
        (each.relationship.max or each.relationship.p99, each.names)
        for each in facts.kinships[entity]
        if set(each.names) <= asked
    ]
    own = matching(facts, entity, asked)
    most = [children * own / matching(facts, entity, names) for children, names in said if children]
    return min((max(1.0, each) for each in most), default=None)


def presence(facts: Facts, entity: str, name: str) -> float:
    """The share of items that have an attribute; 1 where the spec says nothing, the safe estimate."""
    said = facts.attribute(entity, name).presence
    if name in facts.present[entity]:
        return 1.0
    return facts.guess(f"entities.{entity}.attributes.{name}.presence", 1.0) if said is None else said


def said_presence(facts: Facts, entity: str, name: str) -> float:
    """The same as far as the spec says it: keys are as long as they are with what is not known to be absent."""
    said = facts.attribute(entity, name).presence
    return 1.0 if name in facts.present[entity] or said is None else said


def share_when(facts: Facts, entity: str, when: Iterable[tuple[str, str]]) -> float:
    """The share of items that have these values (as JSON), or any where it is empty."""
    return prod(_share_with(facts, entity, name, value) for name, value in when)


def _share_with(facts: Facts, entity: str, name: str, value: str) -> float:
    """The selectivity of a filter on this value alone where the spec gives one, else one over the cardinality."""
    if not value:
        return presence(facts, entity, name)
    wanted = {name: msgspec.json.decode(value)}
    said = [
        facts.taken.get(f"access_patterns.{each.id}.selectivity") if each.selectivity is None else each.selectivity
        for each in asked_reads(facts.spec)
        if entity in each.entities and each.filter == wanted
    ]
    return min((each for each in said if each is not None), default=1 / cardinality(facts, entity, name))


# ---- time -----------------------------------------------------------------------------------------------------------


def period_of(attribute: AttributeSpec) -> str | None:
    """What of time all its items share: as said, by its name, or a timestamp so coarse that many have it."""
    if attribute.period is not None:
        return attribute.period
    if attribute.type in ("string", "number", "timestamp") and attribute.name.lower() in (*PERIOD_DAYS, "date"):
        return "day" if attribute.name.lower() == "date" else attribute.name.lower()
    return None


def is_period(facts: Facts, entity: str, name: str) -> bool:
    """Whether many items of one moment share its value, and the next moment's have another."""
    attribute = facts.attribute(entity, name)
    coarse = attribute.cardinality is not None and attribute.cardinality < facts.counts[entity]
    return period_of(attribute) is not None or (attribute.type == "timestamp" and coarse)


def _count_periods(facts: Facts, entity: str, attribute: AttributeSpec) -> Number:
    """As many as lie between the oldest item and now."""
    place = f"entities.{entity}.attributes.{attribute.name}.cardinality"
    age, period = age_days(facts, entity), period_of(attribute) or "day"
    found = max(1.0, age.value / PERIOD_DAYS[period])
    how = f"{found:,.0f} of a {period} in {age.value:,.0f} days"
    return Number(place, min(facts.counts[entity], found), "derived", f"{how}: {age.how}" if age.how else how)


def age_days(facts: Facts, entity: str) -> Number:
    """How old the oldest items are."""
    place, spec = f"entities.{entity}.age_days", facts.spec.entities[entity]
    lifetime = None if spec.ttl is None else spec.ttl.days
    if lifetime is not None:
        return Number(place, lifetime + LINGER_DAYS, "derived", "items expire")
    added = spec.growth_per_month or facts.created[entity]
    if added:
        return Number(place, facts.counts[entity] / added * DAYS_PER_MONTH, "derived", f"{added:,.0f} more a month")
    age = facts.guess(place, AGE_DAYS)
    return Number(place, age, "assumed", f"the oldest are {age:,.0f} days old")


def lifetime_months(facts: Facts, entity: str) -> float | None:
    """How old items become that expire, until DynamoDB has deleted them."""
    ttl = facts.spec.entities[entity].ttl
    return None if ttl is None or ttl.days is None else (ttl.days + LINGER_DAYS) / DAYS_PER_MONTH


def span_months(facts: Facts, entity: str) -> float:
    """How old items become, as far as anyone looks ahead."""
    return min(float(FURTHEST_MONTHS), lifetime_months(facts, entity) or FURTHEST_MONTHS)


# ---- what overlaps --------------------------------------------------------------------------------------------------


def begun_share(facts: Facts, pattern: PatternSpec) -> float:
    """Of what lies under a key, what may have begun early enough to overlap, which is what is read.

    It began in the time that is asked for, or in the longest time before that.
    """
    said = pattern.overlaps
    assert said is not None
    usual = NUMBER_SHARE
    if isinstance(said.longest, str):
        days = max(age_days(facts, pattern.entity).value, 1e-6)
        usual = min(1.0, (1 + USUAL_WINDOW) * (longest_of(said) or 0) / SECONDS_PER_DAY / days)
    return facts.guess(f"access_patterns.{pattern.id}.range", usual)


def lasting_share(facts: Facts, pattern: PatternSpec) -> float:
    """Of that, what has not ended too early, and is answered."""
    usual = (USUAL_LENGTH + USUAL_WINDOW) / (1 + USUAL_WINDOW)
    return facts.guess(f"access_patterns.{pattern.id}.overlaps", usual)
