"""What the classes of a service are called: names as Python writes them, no two alike, none that hides another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.codegen.names import pascal, snake
from tablewright.codegen.python.names import TAKEN_ATTRIBUTES, TAKEN_CLASSES, distinct, renamed
from tablewright.runtime.declare.attr import Map

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.schema.model import Entity, Service

# What annotations and decorators inside of a class mention; an attribute of that name would hide it.
MENTIONED = frozenset("attr bool bytes dict float int list set str".split())
TAKEN_FIELDS = TAKEN_ATTRIBUTES | MENTIONED
TAKEN_IN_MODULE = TAKEN_CLASSES | frozenset("ANY Callable Functions Protocol attr supply tw".split())
TAKEN_IN_MAPS = MENTIONED | Map.__tablewright_reserved__ | {*dir(Map), *dir(type(Map)), "self", "cls", "tw"}


class EntityNames(msgspec.Struct, frozen=True):
    """By name in the schema: the attributes of a class, and the functions of its access patterns."""

    attributes: Mapping[str, str]
    patterns: Mapping[str, str]


class ServiceNames(msgspec.Struct, frozen=True):
    """The service's variable; by alias: the class of an entity, what stands in it, and its place in collections."""

    service: str
    entities: Mapping[str, str]
    inside: Mapping[str, EntityNames]
    members: Mapping[str, str]
    collections: Mapping[str, str]


def service_names(service: Service) -> ServiceNames:
    classes = distinct({alias: pascal(each.name) for alias, each in service.entities.items()}, TAKEN_IN_MODULE)
    taken = (*TAKEN_IN_MODULE, *classes.values())
    return ServiceNames(
        service=next(iter(renamed([service.name], TAKEN_IN_MODULE).values())),
        entities=classes,
        inside={alias: entity_names(each) for alias, each in service.entities.items()},
        members=renamed(service.entities, (*TAKEN_FIELDS, "cursor", "of")),
        collections=distinct({each.name: pascal(each.name) for each in service.collections}, taken),
    )


def entity_names(entity: Entity) -> EntityNames:
    attributes = field_names(each.name for each in entity.attributes)
    patterns = renamed((each.name for each in entity.patterns), (*TAKEN_FIELDS, *attributes.values()))
    return EntityNames(attributes, patterns)


def field_names(names: Iterable[str], taken: Iterable[str] = TAKEN_FIELDS) -> dict[str, str]:
    """By attribute of an entity or property of a map: its name on the class."""
    return renamed(names, taken)


def short(name: str) -> str:
    """A function's name, out of whatever text the schema has for it."""
    return snake(name)
