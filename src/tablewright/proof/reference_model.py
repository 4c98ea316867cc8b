"""The application without a database: things as plain objects, and what every write pattern means to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.design.conditions import Predicate, creates
from tablewright.design.writes import condition_entity, is_list, operation_on, value_names, written_attributes
from tablewright.expr.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

Item = dict[str, Any]
Things: TypeAlias = dict[str, list[Item]]


class Change(msgspec.Struct, frozen=True):
    """One thing before and after a write; None where there is none."""

    entity: str
    before: Item | None
    after: Item | None
    is_put: bool = False


class RefusedError(Exception):
    """The write must not happen: something exists already, or not yet, or its condition does not hold."""


class Inside(msgspec.Struct, frozen=True):
    """Things that lie in others and go with them; `named` has their attribute by the holder's."""

    entity: str
    holder: str
    named: Mapping[str, str]


class Rules(msgspec.Struct, frozen=True):
    """What a design makes of the spec: entities that are only ever put where none is, and those inside others."""

    once: frozenset[str] = frozenset()
    inside: tuple[Inside, ...] = ()


def changes_of(
    facts: Facts, pattern: PatternSpec, inputs: Mapping[str, Any], things: Things, rules: Rules
) -> list[Change]:
    """What a write does; raises where it must be refused. A write that finds nothing changes nothing."""
    found: list[Change] = []
    for entity in pattern.entities:
        changes = list(MEANING[operation_on(facts, pattern, entity)](facts, pattern, entity, inputs, things))
        for each in changes:
            check(facts, each, things, rules)
        if pattern.when and condition_entity(facts, pattern) == entity:
            check_when(pattern, inputs, changes)
        found += changes
    return found


def check(facts: Facts, change: Change, things: Things, rules: Rules) -> None:
    """Unique values stay unique, and what lies in another thing needs it to be there."""
    if change.after is None:
        return
    if change.entity in rules.once and change.before is not None and change.is_put:
        raise RefusedError(f"{change.entity} exists")
    for group in facts.spec.entities[change.entity].unique:
        wanted = [change.after.get(name) for name in group]
        others = [each for each in things[change.entity] if each is not change.before]
        if None not in wanted and any([each.get(name) for name in group] == wanted for each in others):
            raise RefusedError(f"{', '.join(group)} is taken")
    for each in rules.inside:
        if each.entity == change.entity and not holders(each, change.after, things):
            raise RefusedError(f"no {each.holder}")


def holders(inside: Inside, thing: Item, things: Things) -> list[Item]:
    return [
        each
        for each in things[inside.holder]
        if all(each.get(theirs) == thing.get(ours) for theirs, ours in inside.named.items())
    ]


def check_when(pattern: PatternSpec, inputs: Mapping[str, Any], changes: list[Change]) -> None:
    condition = Predicate.parse(pattern.when).fill(inputs)
    if not all(evaluate(condition, each.before or {}) for each in changes):
        raise RefusedError(pattern.when)


def put(facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], things: Things) -> Iterator[Change]:
    fresh = creates(pattern.condition, pattern.description) or pattern.op == "transact"
    shared = {name: inputs[name] for name in pattern.by if name in inputs}
    for given in inputs[entity] if is_list(facts, pattern, entity) else [inputs]:
        thing = thing_from(facts, pattern, entity, {**shared, **given})
        before = same_id(facts, entity, thing, things)
        if before is not None and fresh:
            raise RefusedError(f"{entity} exists")
        yield Change(entity, before, thing, is_put=True)


def thing_from(facts: Facts, pattern: PatternSpec, entity: str, given: Mapping[str, Any]) -> Item:
    names = value_names(facts, pattern, entity)
    found = {attr: given.get(names.get(attr, attr)) for attr in facts.spec.entities[entity].attributes}
    return {attr: value for attr, value in found.items() if value is not None}


def same_id(facts: Facts, entity: str, thing: Item, things: Things) -> Item | None:
    ids = facts.spec.entities[entity].id
    return next((each for each in things[entity] if all(each[name] == thing[name] for name in ids)), None)


def update(
    facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], things: Things
) -> Iterator[Change]:
    names = value_names(facts, pattern, entity)
    found = matching(facts, pattern, entity, inputs, things)
    if not found:
        raise RefusedError(f"no {entity}")
    for before in found:
        after = dict(before)
        for attr in written_attributes(facts, pattern, entity):
            if names.get(attr, attr) in inputs:
                after[attr] = inputs[names.get(attr, attr)]
        yield Change(entity, before, {attr: value for attr, value in after.items() if value is not None})


def delete(
    facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], things: Things
) -> Iterator[Change]:
    for before in matching(facts, pattern, entity, inputs, things):
        yield Change(entity, before, None)


MEANING = {"put": put, "update": update, "delete": delete}


def matching(facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], things: Things) -> list[Item]:
    known = [name for name in pattern.by if name in facts.spec.entities[entity].attributes]
    return [each for each in things[entity] if all(each.get(name) == inputs[name] for name in known)]


def apply(changes: list[Change], things: Things, rules: Rules) -> None:
    for each in changes:
        if each.before is not None:
            things[each.entity].remove(each.before)
        if each.after is not None:
            things[each.entity].append(each.after)
    for inside in rules.inside:
        things[inside.entity][:] = [each for each in things[inside.entity] if holders(inside, each, things)]
