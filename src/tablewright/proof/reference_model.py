"""The application without a database: instances as plain objects, and the effect of every write pattern on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.design.serving.writes import condition_entity, is_list, operation_on, value_names, written_attributes
from tablewright.expr.evaluate import evaluate
from tablewright.spec.conditions import Predicate, creates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

Item = dict[str, Any]
Instances: TypeAlias = dict[str, list[Item]]


class InstanceChange(msgspec.Struct, frozen=True):
    """One instance before and after a write; None where there is none."""

    entity: str
    before: Item | None
    after: Item | None
    is_put: bool = False


class RefusedError(Exception):
    """The write must not happen: something exists already, or not yet, or its condition does not hold."""


class EmbeddedEntity(msgspec.Struct, frozen=True):
    """An entity stored inside another and deleted with it; `named` maps the holder's attributes to its own."""

    entity: str
    holder: str
    named: Mapping[str, str]


class StorageRules(msgspec.Struct, frozen=True):
    """What a design adds to the spec: entities that a put must not overwrite, and entities stored inside others."""

    once: frozenset[str] = frozenset()
    inside: tuple[EmbeddedEntity, ...] = ()


def changes_of(
    facts: Facts, pattern: PatternSpec, inputs: Mapping[str, Any], instances: Instances, rules: StorageRules
) -> list[InstanceChange]:
    """The changes that a write makes; raises RefusedError where it must be refused."""
    found: list[InstanceChange] = []
    for entity in pattern.entities:
        changes = list(OPERATIONS[operation_on(facts, pattern, entity)](facts, pattern, entity, inputs, instances))
        for each in changes:
            _check_change(facts, each, instances, rules)
        if pattern.when and condition_entity(facts, pattern) == entity:
            _check_when(pattern, inputs, changes)
        found += changes
    return found


def _check_change(facts: Facts, change: InstanceChange, instances: Instances, rules: StorageRules) -> None:
    """Raises where a unique value is taken, or the holder of an embedded instance is missing."""
    if change.after is None:
        return
    if change.entity in rules.once and change.before is not None and change.is_put:
        raise RefusedError(f"{change.entity} exists")
    for group in facts.spec.entities[change.entity].unique:
        wanted = [change.after.get(name) for name in group]
        others = [each for each in instances[change.entity] if each is not change.before]
        if None not in wanted and any([each.get(name) for name in group] == wanted for each in others):
            raise RefusedError(f"{', '.join(group)} is taken")
    for each in rules.inside:
        if each.entity == change.entity and not _find_holders(each, change.after, instances):
            raise RefusedError(f"no {each.holder}")


def _find_holders(inside: EmbeddedEntity, instance: Item, instances: Instances) -> list[Item]:
    return [
        each
        for each in instances[inside.holder]
        if all(each.get(theirs) == instance.get(ours) for theirs, ours in inside.named.items())
    ]


def _check_when(pattern: PatternSpec, inputs: Mapping[str, Any], changes: list[InstanceChange]) -> None:
    condition = Predicate.parse(pattern.when).fill(inputs)
    if not all(evaluate(condition, each.before or {}) for each in changes):
        raise RefusedError(pattern.when)


def _put(
    facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], instances: Instances
) -> Iterator[InstanceChange]:
    fresh = creates(pattern.condition, pattern.description) or pattern.op == "transact"
    shared = {name: inputs[name] for name in pattern.by if name in inputs}
    for given in inputs[entity] if is_list(facts, pattern, entity) else [inputs]:
        instance = _make_instance(facts, pattern, entity, {**shared, **given})
        before = find_same_id(facts, entity, instance, instances)
        if before is not None and fresh:
            raise RefusedError(f"{entity} exists")
        yield InstanceChange(entity, before, instance, is_put=True)


def _make_instance(facts: Facts, pattern: PatternSpec, entity: str, given: Mapping[str, Any]) -> Item:
    names = value_names(facts, pattern, entity)
    found = {attr: given.get(names.get(attr, attr)) for attr in facts.spec.entities[entity].attributes}
    return {attr: value for attr, value in found.items() if value is not None}


def find_same_id(facts: Facts, entity: str, instance: Item, instances: Instances) -> Item | None:
    ids = facts.spec.entities[entity].id
    return next((each for each in instances[entity] if all(each[name] == instance[name] for name in ids)), None)


def _update(
    facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], instances: Instances
) -> Iterator[InstanceChange]:
    names = value_names(facts, pattern, entity)
    found = _find_matching(facts, pattern, entity, inputs, instances)
    if not found:
        raise RefusedError(f"no {entity}")
    for before in found:
        after = dict(before)
        for attr in written_attributes(facts, pattern, entity):
            if names.get(attr, attr) in inputs:
                after[attr] = inputs[names.get(attr, attr)]
        yield InstanceChange(entity, before, {attr: value for attr, value in after.items() if value is not None})


def _delete(
    facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], instances: Instances
) -> Iterator[InstanceChange]:
    for before in _find_matching(facts, pattern, entity, inputs, instances):
        yield InstanceChange(entity, before, None)


OPERATIONS = {"put": _put, "update": _update, "delete": _delete}


def _find_matching(
    facts: Facts, pattern: PatternSpec, entity: str, inputs: Mapping[str, Any], instances: Instances
) -> list[Item]:
    known = [name for name in pattern.by if name in facts.spec.entities[entity].attributes]
    return [each for each in instances[entity] if all(each.get(name) == inputs[name] for name in known)]


def apply_changes(changes: list[InstanceChange], instances: Instances, rules: StorageRules) -> None:
    for each in changes:
        if each.before is not None:
            instances[each.entity].remove(each.before)
        if each.after is not None:
            instances[each.entity].append(each.after)
    for inside in rules.inside:
        instances[inside.entity][:] = [
            each for each in instances[inside.entity] if _find_holders(inside, each, instances)
        ]
