"""Inputs for patterns, taken from things that exist most of the time, and sometimes from nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.architect.assembly.writes.inputs import compared
from tablewright.design.serving.filters import constants
from tablewright.design.writes import is_list, operation_on, value_names, written_attributes
from tablewright.proof.data import Item, Source, Things, new_value, one_thing
from tablewright.proof.oracle import inherited
from tablewright.proof.reference_model import same_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.spec.model import PatternSpec

NOWHERE = 0.1
"""The share of questions about what does not exist."""
OVERWRITE = 0.3
"""The share of puts in the place of what exists."""
TAKEN = 0.2
"""The share of unique values that someone else has."""
REMOVED = 0.15
"""The share of new values that are none."""


# ---- reads ----------------------------------------------------------------------------------------------------------


def ask_read(values: Source, pattern: PatternSpec, things: Things) -> Item:
    chance = values.chance
    entity = pattern.entities[skip(chance.random(), len(pattern.entities))]
    wanted = [*pattern.by, *pattern.filter, *([pattern.range.attr] if pattern.range else [])]
    own = [name for name in wanted if name in values.facts.spec.entities[entity].attributes]
    fitting = [item for item in things[entity] if all(name in item for name in own)]
    chosen = chance.choice(fitting or things[entity] or [one_thing(values, entity, 0, things)])
    chosen = {**inherited(values.facts, pattern, entity, chosen, things), **chosen}
    asked = [name for name in pattern.filter if name not in constants(pattern)]
    inputs = {name: chosen.get(name, "none") for name in (*pattern.by, *asked)}
    if pattern.by and chance.random() < NOWHERE:
        inputs[pattern.by[0]] = unlike(inputs[pattern.by[0]])
    return {**inputs, **range_inputs(values, pattern, entity, chosen, things)}


def skip(chance: float, size: int) -> int:
    """The first one mostly: it has what the pattern asks for."""
    return 0 if chance < 0.7 else int(chance * 7919) % size


def unlike(value: Any) -> Any:
    return f"{value}x" if isinstance(value, str) else value


def range_inputs(values: Source, pattern: PatternSpec, entity: str, chosen: Item, things: Things) -> Item:
    if pattern.range is None:
        return {}
    attr, chance = pattern.range.attr, values.chance
    known = sorted({item[attr] for item in things[entity] if attr in item}) or ["none"]
    if pattern.range.op == "between":
        low, high = sorted((chance.choice(known), chance.choice(known)))
        return {"from": low, "to": high}
    value = chosen.get(attr, known[0])
    if pattern.range.op == "begins_with":
        text = str(value)
        return {"value": text[: chance.choice((1, 4, 7, 10, len(text)))]}
    return {"value": value}


# ---- writes ---------------------------------------------------------------------------------------------------------


def ask_write(values: Source, pattern: PatternSpec, things: Things, number: int, kept: Mapping[str, set[str]]) -> Item:
    """`number` makes new ids that no other thing has; `kept` stays as it is when something is overwritten."""
    inputs: Item = {}
    ordered = sorted(pattern.entities, key=lambda name: operation_on(values.facts, pattern, name) == "put")
    for entity in ordered:
        if operation_on(values.facts, pattern, entity) == "put":
            put_inputs(values, pattern, entity, things, number, inputs, kept[entity])
        else:
            change_inputs(values, pattern, entity, things, number, inputs)
    taken_values(values, pattern, things, inputs)
    for name, attribute in compared(values.facts, pattern).items():
        known = [item[attribute] for each in ordered for item in things[each] if attribute and attribute in item]
        inputs[name] = values.chance.choice(known) if known else "none"
    return inputs


def taken_values(values: Source, pattern: PatternSpec, things: Things, inputs: Item) -> None:
    """Now and then a value that must be unique and is not."""
    for entity in pattern.entities:
        names = value_names(values.facts, pattern, entity)
        for group in values.facts.spec.entities[entity].unique:
            given = [names.get(attr, attr) for attr in group]
            if things[entity] and all(name in inputs for name in given) and values.chance.random() < TAKEN:
                other = values.chance.choice(things[entity])
                if all(attr in other for attr in group) and not set(group) & set(pattern.by):
                    inputs.update({name: other[attr] for name, attr in zip(given, group, strict=True)})


def put_inputs(
    values: Source,
    pattern: PatternSpec,
    entity: str,
    things: Things,
    number: int,
    inputs: Item,
    kept: set[str],
) -> None:
    facts, chance = values.facts, values.chance
    if is_list(facts, pattern, entity):
        several = [one_thing(values, entity, number * 10 + at, things) for at in range(chance.randint(1, 3))]
        shared = {name: inputs.setdefault(name, several[0][name]) for name in pattern.by if name in several[0]}
        unique = {tuple({**each, **shared}[name] for name in facts.spec.entities[entity].id): each for each in several}
        inputs[entity] = [{**each, **shared} for each in unique.values()]
        return
    thing = one_thing(values, entity, number, things)
    old = same_id(facts, entity, thing, things)
    if things[entity] and chance.random() < OVERWRITE:
        old = chance.choice(things[entity])
    if pattern.op == "put" and old is not None:
        thing = {**{name: value for name, value in thing.items() if name not in kept}, **only(old, kept)}
    names = value_names(facts, pattern, entity)
    for attr, value in thing.items():
        inputs.setdefault(names.get(attr, attr), value)


def only(item: Item, names: set[str]) -> Item:
    return {name: value for name, value in item.items() if name in names}


def change_inputs(values: Source, pattern: PatternSpec, entity: str, things: Things, number: int, inputs: Item) -> None:
    """A thing that exists, and new values: all that are listed, or some of what may change."""
    facts, chance = values.facts, values.chance
    known = [name for name in pattern.by if name in facts.spec.entities[entity].attributes]
    fitting = [item for item in things[entity] if all(name in item for name in known)]
    chosen = chance.choice(fitting) if fitting else one_thing(values, entity, number, things)
    for name in known:
        inputs.setdefault(name, chosen.get(name, "none"))
    if chance.random() < NOWHERE and known:
        inputs[known[-1]] = unlike(inputs[known[-1]])
    names = value_names(facts, pattern, entity)
    written = written_attributes(facts, pattern, entity)
    picked = [name for name in written if pattern.changes is not None or chance.random() < 0.4] or list(written[:1])
    for attr in picked:
        optional = attr not in facts.present[entity]
        removed = optional and chance.random() < REMOVED
        inputs[names.get(attr, attr)] = None if removed else new_value(values, entity, attr, number, things)
