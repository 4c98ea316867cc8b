"""Items as a condition wants them: a session that has not ended, a copy that nobody has.

A spec seldom says how many items meet the condition of a write; whoever runs it has one that does.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from tablewright.expr.compare import is_equal
from tablewright.expr.evaluate import evaluate
from tablewright.proof.application.state import Call, Changed, Item, State
from tablewright.proof.population.items import passing, said_values
from tablewright.spec.writes import effects_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.proof.population.items import Population
    from tablewright.spec.model import PatternSpec
    from tablewright.spec.writes import Effect

_ABSENT: Any = object()
OTHERS = 5
"""How many values of other items are tried."""


def met_by(population: Population, pattern: PatternSpec, state: State, call: Call) -> list[Changed]:
    """The changes after which the items that a call is about meet its conditions, as far as one can be found."""
    found: list[Changed] = []
    for effect in effects_of(population.facts, pattern):
        subject = None if effect.when is None or effect.op == "put" else _subject(effect, state, call)
        if subject is None or effect.when is None:
            continue
        slots = {name: value for name, value in _said(call).items() if name in effect.when.slots}
        if set(slots) < set(effect.when.slots) or evaluate(effect.when.fill(slots), subject):
            continue
        wanted = effect.when.fill(slots)
        given = call.given.get(effect.entity, {})
        fitting = (
            each
            for each in _variants(population, effect, subject, slots)
            if evaluate(wanted, each) and all(each.get(name) != value for name, value in given.items())
        )
        changed = next(fitting, None)
        found += [] if changed is None else [Changed(effect.entity, subject, changed)]
    return found


def with_what_goes(population: Population, pattern: PatternSpec, state: State, call: Call) -> list[Changed]:
    """The changes after which a call takes away what is there: of few items none may have what few have."""
    found: list[Changed] = []
    for effect in effects_of(population.facts, pattern):
        gone = {each.attr for each in effect.changes if each.kind == "remove"}
        rare = {attr for attr in gone if all(attr not in item for item in state.of(effect.entity))}
        subject = _subject(effect, state, call) if rare else None
        if subject is not None:
            had = {attr: _options(population, effect.entity, attr, {})[0] for attr in sorted(rare)}
            known = {attr: value for attr, value in had.items() if value is not _ABSENT}
            found.append(Changed(effect.entity, subject, {**subject, **known}))
    return found


def with_what_is_asked(population: Population, pattern: PatternSpec, state: State) -> list[Changed]:
    """The changes after which there is one that passes a get's filter: somebody asks for the active one who has one."""
    wanted = said_values(population, pattern) if pattern.kind == "get" else {}
    there = list(state.of(pattern.entity)) if wanted else []
    if not there or passing(population, pattern, there):
        return []
    return [Changed(pattern.entity, there[0], {**there[0], **wanted})]


def _subject(effect: Effect, state: State, call: Call) -> Item | None:
    by = {name: call.by[name] for name in effect.by if name in call.by}
    fitting = (
        item
        for item in state.of(effect.entity)
        if all(name in item and is_equal(item[name], value) for name, value in by.items())
    )
    return next(fitting, None)


def _said(call: Call) -> Item:
    given = {name: value for each in call.given.values() for name, value in each.items()}
    return {**given, **call.by, **call.slots}


def _variants(population: Population, effect: Effect, item: Item, slots: Item) -> Iterator[Item]:
    """The same item with other values of what its condition is about, or without."""
    assert effect.when is not None
    known = population.facts.spec.entities[effect.entity]
    names = [
        name for name in dict.fromkeys(effect.when.attributes) if name in known.attributes and name not in known.id
    ]
    choices = [[item.get(name, _ABSENT), *_options(population, effect.entity, name, slots)] for name in names]
    for values in product(*choices):
        changed = {**item, **dict(zip(names, values, strict=True))}
        yield {name: value for name, value in changed.items() if value is not _ABSENT}


def _options(population: Population, entity: str, name: str, slots: Item) -> list[Any]:
    spec = population.facts.attribute(entity, name)
    others = [each[name] for each in population.items[entity][:OTHERS] if name in each]
    usual: list[Any] = list(spec.values) or ([False, True] if spec.type == "boolean" else [])
    return [*usual, *slots.values(), *others, _ABSENT]
