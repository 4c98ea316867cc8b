"""The parameters of a write: what finds the item, its new values, and what conditions and amounts ask for besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.model import Parameter
from tablewright.design.serving.writes import (
    given_attributes,
    inputs_of,
    slot_attributes,
    value_names,
    version_on,
)
from tablewright.spec.model import Ending
from tablewright.spec.writes import effect_on, is_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec
    from tablewright.spec.writes import Effect

REQUEST_TOKEN = "request_token"


def write_parameters(facts: Facts, pattern: PatternSpec) -> Iterator[Parameter]:
    yield from (_known(facts, pattern, name) for name in inputs_of(pattern))
    for entity in pattern.entities:
        if is_list(facts, pattern, entity):
            yield Parameter(name=entity, type="list", entity=entity, each=True)
        else:
            yield from _new_values(facts, pattern, entity)
            yield from _version(facts, pattern, entity)
    yield from _slots(facts, pattern)
    if pattern.idempotent:
        yield Parameter(name=REQUEST_TOKEN)


def _known(facts: Facts, pattern: PatternSpec, name: str) -> Parameter:
    having = [entity for entity in pattern.entities if name in facts.spec.entities[entity].attributes]
    found = [entity for entity in having if name in effect_on(facts, pattern, entity).by]
    if not having:
        return Parameter(name=name)
    spec = facts.attribute((found or having)[0], name)
    is_shared = len(found) == len(having)
    stored = [entity for entity in found if _stores(effect_on(facts, pattern, entity))]
    rules = (facts.attribute(entity, name).validate for entity in stored)
    lengths = (_ending(facts, pattern, entity, name) for entity in stored)
    return Parameter(
        name=name,
        type=spec.type,
        attribute=name,
        values=spec.values,
        validate=next((each for each in rules if each is not None), None),
        ends=next((each for each in lengths if each is not None), None),
        entity=None if is_shared or len(found) != 1 else found[0],
    )


def _stores(effect: Effect) -> bool:
    """Whether what finds an item may become a part of a new one."""
    return effect.op == "put" or effect.upsert


def _new_values(facts: Facts, pattern: PatternSpec, entity: str) -> Iterator[Parameter]:
    names, effect = value_names(facts, pattern, entity), effect_on(facts, pattern, entity)
    for name in given_attributes(facts, pattern, entity):
        spec = facts.attribute(entity, name)
        is_defaulted = effect.op == "put" and spec.default is not None
        yield Parameter(
            name=names.get(name, name),
            type=spec.type,
            attribute=name,
            values=spec.values,
            required=name in facts.present[entity] and not is_defaulted if effect.op == "put" else not effect.gives_any,
            default=spec.default if is_defaulted else None,
            validate=spec.validate,
            ends=_ending(facts, pattern, entity, name),
            entity=entity if len(pattern.entities) > 1 else None,
        )


def _ending(facts: Facts, pattern: PatternSpec, entity: str, name: str) -> Ending | None:
    """How far behind which other parameter it may lie; a put without one of the two puts nothing that lasts."""
    rule, effect = facts.attribute(entity, name).ends, effect_on(facts, pattern, entity)
    if rule is None:
        return None
    start, said = (
        value_names(facts, pattern, entity).get(rule.start, rule.start),
        given_attributes(facts, pattern, entity),
    )
    return Ending(start, rule.longest, together=effect.op == "update" and rule.start in said)


def _version(facts: Facts, pattern: PatternSpec, entity: str) -> Iterator[Parameter]:
    """The version that the caller has seen: no new value, that is one more."""
    version = version_on(facts, pattern, entity)
    if version is not None:
        name = value_names(facts, pattern, entity).get(version, version)
        yield Parameter(name=name, type="number", entity=entity if len(pattern.entities) > 1 else None)


def _slots(facts: Facts, pattern: PatternSpec) -> Iterator[Parameter]:
    """Typed like the attribute they are held against, of which they are no new value."""
    for name, (entity, attribute) in slot_attributes(facts, pattern).items():
        if attribute is None:
            yield Parameter(name=name)
        else:
            spec = facts.attribute(entity, attribute)
            yield Parameter(name=name, type=spec.type, values=spec.values)
