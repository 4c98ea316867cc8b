"""What features refer to must exist and be of use: one rule for each feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.check.faults import refuse
from tablewright.schema.check.large import check_large
from tablewright.schema.check.links import LINK_RULES
from tablewright.schema.check.past import PAST_RULES
from tablewright.schema.check.relations import RELATION_RULES
from tablewright.schema.features import NO_FEATURES
from tablewright.schema.types import NUMBER, Enum, Free, Scalar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.schema.model import Entity
    from tablewright.schema.types import Attribute


def check_features(entity: Entity) -> None:
    if entity.features is NO_FEATURES:
        return
    for rule in RULES:
        rule(entity)


def _named(entity: Entity, name: str, feature: str) -> Attribute:
    """The attribute a feature names."""
    attribute = entity.attribute(name)
    if attribute is None:
        known = ", ".join(each.name for each in entity.attributes)
        refuse(entity, 1009, f'{feature} names "{name}", which is no attribute', f"Known are {known}")
    return attribute


def _check_version(entity: Entity) -> None:
    name = entity.features.version
    if name is None:
        return
    attribute = _named(entity, name, "version")
    if attribute.type != NUMBER:
        refuse(entity, 1009, f'the version "{name}" is no number', "Declare it as int; writes count it up")
    if any(name in pattern.composites for pattern in entity.patterns):
        refuse(
            entity, 1009, f'the version "{name}" stands in a key', "It changes with every write; keep it out of keys"
        )
    if attribute.required:
        refuse(entity, 1009, f'the version "{name}" is required', "Writes provide it; leave out required")


def _check_unique(entity: Entity) -> None:
    for group in entity.features.unique:
        if not group or len(set(group)) < len(group):
            refuse(entity, 1009, f"unique has the group {list(group)}", "Name one or more different attributes")
        for name in group:
            attribute = _named(entity, name, "unique")
            if not isinstance(attribute.type, Scalar | Enum | Free):
                refuse(entity, 1009, f'"{name}" is unique, but no scalar', "Texts, numbers and binaries can be unique")
    if entity.features.unique:
        _check_text_keys(entity, "unique")


def _check_ttl(entity: Entity) -> None:
    ttl = entity.features.ttl
    if ttl is None:
        return
    attribute = _named(entity, ttl.attribute, "ttl")
    if attribute.type != NUMBER:
        problem = f'items expire by "{ttl.attribute}", which is no number'
        refuse(entity, 1009, problem, "DynamoDB expires items by a number of seconds since 1970")
    for pattern in entity.patterns if ttl.hidden else ():
        held = pattern.projection
        if pattern.index is not None and held != "all" and (isinstance(held, str) or ttl.attribute not in held):
            problem = f'its index does not hold "{ttl.attribute}", by which expired items would be hidden'
            refuse(entity, 1009, problem, "Add it to the projection, or do not hide them", part=pattern)


def _check_text_keys(entity: Entity, feature: str) -> None:
    """Items that a feature writes along have keys of their own, which are texts."""
    sides = (entity.primary.pk, entity.primary.sk)
    if any(side is not None and side.cast == "number" for side in sides):
        refuse(entity, 1009, f"{feature} writes items of its own, but the table's key is a number", "Use text keys")


RULES: tuple[Callable[[Entity], None], ...] = (
    *LINK_RULES,
    *RELATION_RULES,
    *PAST_RULES,
    _check_version,
    _check_unique,
    _check_ttl,
    check_large,
)
