"""Values that callers leave out or get wrong on purpose: what has a default, and what a rule refuses.

Chance is asked only where there is something to spoil, so that calls of all other specs are what they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tablewright.spec.validation import make_wrong

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from tablewright.proof.data import ValueSource
    from tablewright.spec.model import AttributeSpec
    from tablewright.spec.writes import Effect

Item: TypeAlias = dict[str, Any]
Place: TypeAlias = "tuple[Item, AttributeSpec]"
LEFT_OUT_SHARE = 0.4
"""The share of values with a default that are left out."""
WRONG_SHARE = 0.1
"""The share of calls with a value that a rule refuses, where there is one."""


class Said(Protocol):
    """What a call in the making says so far."""

    number: int
    by: Item
    given: dict[str, Item]
    lists: dict[str, list[Item]]


def spoil_values(values: ValueSource, effects: Iterable[Effect], said: Said, asked: set[str]) -> None:
    """Sometimes leaves out what has a default, and sometimes gives what a rule refuses; `asked` are slots."""
    places: list[Place] = []
    for effect in effects:
        attributes = values.facts.spec.entities[effect.entity].attributes.values()
        items = said.lists.get(effect.entity, []) if effect.is_list else [said.given.get(effect.entity, {})]
        if effect.op == "put":
            _leave_out_defaults(values.chance, attributes, items, asked)
        places += _ruled_places(attributes, [*items, said.by] if effect.op == "put" else items)
    _plant_wrong_value(values.chance, places, said.number)


def _leave_out_defaults(
    chance: random.Random, attributes: Iterable[AttributeSpec], items: Iterable[Item], asked: set[str]
) -> None:
    """What a condition asks for is said, and what never changes is said as it was."""
    defaulted = [each.name for each in attributes if each.default is not None and not each.immutable]
    for item in items:
        for name in defaulted:
            if name in item and name not in asked and chance.random() < LEFT_OUT_SHARE:
                item.pop(name)


def _ruled_places(attributes: Iterable[AttributeSpec], items: Iterable[Item]) -> list[Place]:
    """Where a value stands that a rule is about."""
    ruled = [each for each in attributes if each.validate is not None]
    return [(item, each) for item in items for each in ruled if item.get(each.name) is not None]


def _plant_wrong_value(chance: random.Random, places: Sequence[Place], number: int) -> None:
    if places and chance.random() < WRONG_SHARE:
        item, attribute = chance.choice(places)
        wrong = make_wrong(attribute, number)
        if wrong is not None:
            item[attribute.name] = wrong
