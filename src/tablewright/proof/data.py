"""Instances of the application's entities that follow a spec's relationships, cardinalities and skew, scaled down.

They contain what breaks designs: absent values, values that begin like each other, numbers of different length and,
where keys can escape them, delimiters and characters that sort before them. The same seed makes the same instances.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.spec.facts import CHILDREN, Facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tablewright.spec.model import AttributeSpec

Item = dict[str, Any]
Instances = dict[str, list[Item]]  # by entity

ABSENT_SHARE = 0.1
LEAST, MOST = 36, 150
POOL = 12
"""How many values an attribute without a cardinality takes."""
WORDS = (
    "a",
    "ab",
    "abc",
    "b",
    "1",
    "10",
    "2",
    "Z",
    "z",
    "\u00e4",
    "north",
    "north-east",
    "a_b",
    "a.b",
    "A",
    "\U0001f600",
)
ODD_WORDS = ("a b", "a#b", "a!", "a#", "#", "$", "a$c", 'q"', "{a}", " ")
NUMBERS = (0, 1, 2, 9, 10, 11, 99, 100, 1000, 12345)
ODD_NUMBERS = (2.5, -3, -10, -2.75, 0.5)
YEARS = (2026, 2027)


class ValueSource(msgspec.Struct, frozen=True):
    """What values are made from: the facts, a random generator, and whether keys can hold any character."""

    facts: Facts
    chance: random.Random
    odd: bool


def make_source(facts: Facts, *, seed: int, odd: bool) -> ValueSource:
    return ValueSource(facts, random.Random(seed), odd)  # noqa: S311 - data for a proof, the same every time


def make_instances(values: ValueSource) -> Instances:
    """Instances by entity. References name instances that exist; ids and unique attributes are unique."""
    found: Instances = {}
    for name in _order_entities(values.facts):
        taken: set[Any] = set()
        found[name] = []
        for number in range(_count_instances(values.facts, name)):
            instance = make_instance(values, name, number, found)
            marks = _identities(values.facts, name, instance)
            if not marks & taken:
                taken |= marks
                found[name].append(instance)
    return found


def _count_instances(facts: Facts, name: str) -> int:
    """How many instances of an entity: enough for limits to cut answers and for every parent to have children."""
    limits = [each.limit for each in facts.spec.reads if name in each.entities and each.limit]
    wanted = max([LEAST, *(3 * limit for limit in limits)])
    return int(min(wanted, MOST, max(2.0, facts.counts[name])))


def _identities(facts: Facts, name: str, instance: Item) -> set[Any]:
    """The values that no two instances may share: the id, and every unique group of attributes."""
    groups = (facts.spec.entities[name].id, *facts.spec.entities[name].unique)
    return {
        (group, *(repr(instance[attr]) for attr in group))
        for group in groups
        if all(attr in instance for attr in group)
    }


def _order_entities(facts: Facts) -> list[str]:
    """Parents before children, as far as that is possible."""
    ordered: list[str] = []
    pending = [name for name, entity in facts.spec.entities.items() if entity.kind == "entity"]
    while pending:
        ready = [
            name
            for name in pending
            if not any(parent in pending and parent != name for parent in facts.references[name].values())
        ]
        for name in ready or pending[:1]:
            ordered.append(name)
            pending.remove(name)
    return ordered


def make_instance(values: ValueSource, name: str, number: int, found: Mapping[str, list[Item]]) -> Item:
    facts = values.facts
    parents: dict[str, Item] = {}
    instance: Item = {}
    for attr in facts.spec.entities[name].attributes:
        if attr in facts.present[name] or values.chance.random() >= ABSENT_SHARE:
            instance[attr] = new_value(values, name, attr, number, found, parents)
    return instance


def new_value(
    values: ValueSource,
    name: str,
    attr: str,
    number: int,
    found: Mapping[str, list[Item]],
    parents: dict[str, Item] | None = None,
) -> Any:
    """A value for an attribute; all references to one parent name the same instance."""
    facts = values.facts
    parent = facts.references[name].get(attr)
    if parent is not None and found.get(parent):
        chosen = (parents if parents is not None else {}).setdefault(parent, _pick_parent(values, name, found[parent]))
        ids = facts.spec.entities[parent].id
        return chosen[attr] if attr in ids else chosen[ids[0]]
    spec = facts.attribute(name, attr)
    is_id = facts.spec.entities[name].id == (attr,) or any(attr in group for group in facts.spec.entities[name].unique)
    return _make_value(values, spec, number if is_id else None)


def _pick_parent(values: ValueSource, child: str, parents: list[Item]) -> Item:
    """A parent, chosen so that a few have many children and some have none."""
    spec = values.facts.spec
    average = next((each.avg for each in spec.relationships if child in (each.via, each.target) and each.avg), CHILDREN)
    wanted = max(2, round(_count_instances(values.facts, child) / max(1.0, min(average, 12.0))))
    return parents[_pick_skewed(values.chance, min(len(parents), wanted))]


def _pick_skewed(chance: random.Random, size: int) -> int:
    """A number below `size`, small ones more often."""
    return int(size * chance.random() ** 2)


def _make_value(values: ValueSource, spec: AttributeSpec, number: int | None) -> Any:
    chance = values.chance
    if spec.values:
        return chance.choice(spec.values)
    kind = "string" if spec.type == "any" else spec.type
    if kind == "string":
        return _make_word(values, number, spec.cardinality)
    if number is not None and kind in ("number", "timestamp"):
        return number if kind == "number" else _make_timestamp(chance, number)
    return MAKERS[kind](values)


def _make_word(values: ValueSource, number: int | None, cardinality: int | None) -> str:
    words = WORDS + ODD_WORDS if values.odd else WORDS
    if number is not None:
        return f"{words[number * 7 % len(words)]}{number}"
    return words[_pick_skewed(values.chance, min(cardinality or POOL, POOL, len(words))) * 5 % len(words)]


def _make_timestamp(chance: random.Random, number: int = 0) -> str:
    day = f"{chance.choice(YEARS)}-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"
    return f"{day}T{chance.randint(0, 23):02d}:{number % 60:02d}:00.{number // 60:03d}Z"


MAKERS: Mapping[str, Callable[[ValueSource], Any]] = {
    "number": lambda values: values.chance.choice(NUMBERS + ODD_NUMBERS if values.odd else NUMBERS),
    "boolean": lambda values: values.chance.random() < 0.5,
    "timestamp": lambda values: _make_timestamp(values.chance),
    "binary": lambda values: bytes(values.chance.randrange(256) for _ in range(4)),
    "map": lambda values: {"note": _make_word(values, None, None)},
    "list": lambda values: [_make_word(values, None, None)],
    "set": lambda values: {_make_word(values, None, None)},
}
