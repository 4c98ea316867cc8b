"""Values that callers leave out or get wrong on purpose: what has a default, and what a rule refuses.

Chance is asked only where there is something to leave out, so that calls of all other specs are what they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from tablewright.spec.validation import wrong_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.proof.application.state import Call
    from tablewright.proof.data import ValueSource
    from tablewright.spec.facts import Facts
    from tablewright.spec.writes import Effect

Item: TypeAlias = dict[str, Any]
LEFT_OUT_SHARE = 0.4
"""The share of values with a default that are left out."""


class Said(Protocol):
    """What a call in the making says so far."""

    given: dict[str, Item]
    lists: dict[str, list[Item]]


def leave_out_defaults(values: ValueSource, effects: Iterable[Effect], said: Said, asked: set[str]) -> None:
    """Sometimes leaves out what has a default: not what a condition asks for, nor what never changes."""
    for effect in effects:
        attributes = values.facts.spec.entities[effect.entity].attributes.values()
        names = [each.name for each in attributes if each.default is not None and not each.immutable]
        items = said.lists.get(effect.entity, []) if effect.is_list else [said.given.get(effect.entity, {})]
        for item in items if effect.op == "put" else ():
            for name in names:
                if name in item and name not in asked and values.chance.random() < LEFT_OUT_SHARE:
                    item.pop(name)


def wrong_calls(facts: Facts, effect: Effect, call: Call, attribute: str) -> Iterator[Call]:
    """The same call with values of an attribute that its rule refuses, one each; none where it does not say it."""
    for wrong in wrong_values(facts.attribute(effect.entity, attribute)):
        if effect.is_list:
            items = call.lists.get(effect.entity, ())
            if items and attribute in items[-1]:
                spoilt = (*items[:-1], {**items[-1], attribute: wrong})
                yield msgspec.structs.replace(call, lists={**call.lists, effect.entity: spoilt})
        elif attribute in call.given.get(effect.entity, {}):
            given = {**call.given[effect.entity], attribute: wrong}
            yield msgspec.structs.replace(call, given={**call.given, effect.entity: given})
        elif attribute in call.by and (effect.op == "put" or effect.upsert):
            yield msgspec.structs.replace(call, by={**call.by, attribute: wrong})
