"""The parameters of a write: what finds the item, its new values, and what a formal condition compares with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.model import Parameter
from tablewright.design.serving.writes import (
    condition_inputs,
    is_list,
    operation_on,
    value_names,
    written_attributes,
)
from tablewright.spec.writes import effects_of, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def write_parameters(facts: Facts, pattern: PatternSpec) -> Iterator[Parameter]:
    yield from (_known(facts, pattern, name) for name in pattern.by)
    for entity in pattern.entities:
        if is_list(facts, pattern, entity):
            yield Parameter(name=entity, type="list", entity=entity, each=True)
        else:
            yield from _new_values(facts, pattern, entity)
    yield from _condition_parameters(facts, pattern)


def _known(facts: Facts, pattern: PatternSpec, name: str) -> Parameter:
    for entity in pattern.entities:
        if name in facts.spec.entities[entity].attributes:
            spec = facts.attribute(entity, name)
            return Parameter(name=name, type=spec.type, attribute=name, values=spec.values)
    return Parameter(name=name)


def _new_values(facts: Facts, pattern: PatternSpec, entity: str) -> Iterator[Parameter]:
    names = value_names(facts, pattern, entity)
    is_put = operation_on(facts, pattern, entity) == "put"
    for name in written_attributes(facts, pattern, entity):
        spec = facts.attribute(entity, name)
        yield Parameter(
            name=names.get(name, name),
            type=spec.type,
            attribute=name,
            values=spec.values,
            required=name in facts.present[entity] if is_put else pattern.changes is not None,
            entity=entity if len(pattern.entities) > 1 else None,
        )


# ---- conditions -----------------------------------------------------------------------------------------------------


def _condition_parameters(facts: Facts, pattern: PatternSpec) -> Iterator[Parameter]:
    """Typed like the attribute they are compared with, of which they are no new value."""
    asked, slots = condition_inputs(facts, pattern), slots_of(effects_of(facts, pattern))
    for name, (entity, attribute) in slots.items():
        if name in asked and attribute is None:
            yield Parameter(name=name)
        elif name in asked and attribute is not None:
            spec = facts.attribute(entity, attribute)
            yield Parameter(name=name, type=spec.type, values=spec.values)
