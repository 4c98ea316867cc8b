"""Synthetic items that follow a spec's relationships, with what breaks designs: absent values, delimiters, prefixes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablewright.architect.spec.assume import Facts
    from tablewright.architect.spec.model import AttributeSpec

Item = dict[str, Any]

ABSENT_SHARE = 0.1
WORDS = ("a", "ab", "a b", "a#b", "a!", "b", "1", "10", "2", "Z", "z", "a#", "#", "ä", "north", "north-east")


def synthesise(facts: Facts, *, per_entity: int = 60, seed: int = 1) -> dict[str, list[Item]]:
    """Items by entity. References name items that exist; ids are unique."""
    chance = random.Random(seed)  # noqa: S311 - data for tests, the same every time
    found: dict[str, list[Item]] = {}
    for name in by_dependency(facts):
        entity = facts.spec.entities[name]
        seen: set[tuple[Any, ...]] = set()
        items: list[Item] = []
        for number in range(per_entity):
            item = one_item(facts, name, number, found, chance)
            identity = tuple(item[attr] for attr in entity.id)
            if identity not in seen:
                seen.add(identity)
                items.append(item)
        found[name] = items
    return found


def by_dependency(facts: Facts) -> list[str]:
    """Parents before children, as far as that is possible."""
    ordered: list[str] = []
    pending = list(facts.spec.entities)
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


def one_item(facts: Facts, name: str, number: int, found: dict[str, list[Item]], chance: random.Random) -> Item:
    entity = facts.spec.entities[name]
    item: Item = {}
    for attr, spec in entity.attributes.items():
        if attr not in facts.present[name] and chance.random() < ABSENT_SHARE:
            continue
        parent = facts.references[name].get(attr)
        item[attr] = (
            referenced(facts, parent, attr, found, chance)
            if parent in found
            else value_of(spec, entity.id == (attr,), number, chance)
        )
    return item


def referenced(facts: Facts, parent: str | None, attr: str, found: dict[str, list[Item]], chance: random.Random) -> Any:
    assert parent is not None
    ids = facts.spec.entities[parent].id
    chosen = chance.choice(found[parent][:12])
    return chosen[attr] if attr in ids else chosen[ids[0]]


def value_of(spec: AttributeSpec, is_id: bool, number: int, chance: random.Random) -> Any:
    if spec.values:
        return chance.choice(spec.values)
    if is_id:
        return f"{chance.choice(WORDS)}{number}"
    match spec.type:
        case "number":
            return chance.choice((0, 1, 2, 9, 10, 11, 100, 2.5, -3))
        case "boolean":
            return chance.random() < 0.5
        case "timestamp":
            return (
                f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}T{chance.randint(0, 23):02d}:00:00.000Z"
            )
        case "map":
            return {"note": chance.choice(WORDS)}
        case "list":
            return [chance.choice(WORDS)]
        case "set":
            return {chance.choice(WORDS)}
        case _:
            return chance.choice(WORDS)
