"""Which new values the caller of a write gives, and under which name.

A value is named like its attribute. Two attributes of one name in one transaction are told apart by their entities
(`Game_startTime`); an attribute that finds the item and is changed as well has its new value as `new_status`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.cost.units.effects import changed_by, is_list, operation_on

if TYPE_CHECKING:
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec


def written_attributes(facts: Facts, pattern: PatternSpec, entity: str) -> tuple[str, ...]:
    """The attributes whose new values the caller may give, in the order of the entity."""
    spec = facts.spec.entities[entity]
    match operation_on(facts, pattern, entity):
        case "put":
            return tuple(name for name in spec.attributes if name not in pattern.by)
        case "update":
            changed = changed_by(facts, pattern, entity) - set(spec.id)
            return tuple(name for name in spec.attributes if name in changed)
        case _:
            return ()


def value_names(facts: Facts, pattern: PatternSpec, entity: str) -> dict[str, str]:
    """By attribute: the parameter its new value comes from, where that is not the attribute's own name."""
    if is_list(facts, pattern, entity):
        return {}
    others = {
        name
        for other in pattern.entities
        if other != entity and not is_list(facts, pattern, other)
        for name in written_attributes(facts, pattern, other)
    }
    found: dict[str, str] = {}
    for name in written_attributes(facts, pattern, entity):
        if name in pattern.by:
            found[name] = f"new_{name}"
        elif name in others:
            found[name] = f"{entity}_{name}"
    return found
