"""Every rule a schema must obey, with ElectroDB's error codes, in ElectroDB's order.

The order matters because a broken schema often breaks several rules and the first one is reported. ElectroDB goes
through the access patterns one by one, then the attributes and their place in keys, then the attributes' own types,
then what refers to attributes by name. `STAGES` is that order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.check.attributes import (
    check_field_names,
    check_places_in_keys,
    check_types,
    check_watched_names,
)
from tablewright.schema.check.collections import check_collections
from tablewright.schema.check.faults import refuse
from tablewright.schema.check.features import check_features
from tablewright.schema.check.past import check_queues
from tablewright.schema.check.patterns import (
    check_casing_and_cast,
    check_composites_known,
    check_condition_names,
    check_patterns,
    check_primary,
    check_projected_names,
)
from tablewright.schema.check.relations import check_across_tenants
from tablewright.schema.check.spread import check_spread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.schema.model import Entity, Service

RESERVED_FILTERS = ("go", "params", "filter", "where", "set")


def _check_names(entity: Entity) -> None:
    """Entity, service and version are part of keys and must not be empty; ElectroDB insists on the entity alone."""
    if not entity.name:
        refuse(entity, 1009, "the entity has no name", "Give it one; it becomes part of every key")


def _check_filters(entity: Entity) -> None:
    for name in entity.filters:
        if name in RESERVED_FILTERS:
            refuse(entity, 1011, f'the filter "{name}" would hide a method of that name', "Rename the filter")


STAGES = (
    _check_names,
    check_patterns,
    check_primary,
    check_places_in_keys,
    check_types,
    check_watched_names,
    check_projected_names,
    check_composites_known,
    check_field_names,
    _check_filters,
    check_casing_and_cast,
    check_condition_names,
    check_features,
    check_across_tenants,
    check_spread,
    check_queues,
)


def check_entity(entity: Entity) -> None:
    """Raise SchemaError for the first rule the entity breaks."""
    for stage in STAGES:
        stage(entity)


def check_members(entities: Mapping[str, Entity]) -> None:
    """The rules for entities that live together: one service name, and collections that agree (1013)."""
    check_collections(entities)


def check_service(service: Service) -> None:
    """All rules, for every entity and for what they share."""
    for entity in service.entities.values():
        check_entity(entity)
    check_members(service.entities)
