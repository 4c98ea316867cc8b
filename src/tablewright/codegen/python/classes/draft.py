"""A module in the making: what its classes are called, what must stand above them, and what they cannot say.

Names are as Python writes them, no two alike, and none hides another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from tablewright.codegen.names import pascal
from tablewright.codegen.python.classes.functions import SuppliedFunctions
from tablewright.codegen.python.names import (
    DOCUMENT_METHODS,
    TAKEN_ATTRIBUTES,
    TAKEN_CLASSES,
    make_distinct,
    make_unique,
    python_names,
)
from tablewright.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.schema.functions import NamedFunction
    from tablewright.schema.model import Entity, Service
    from tablewright.schema.places import Place
    from tablewright.schema.types import MapOf

# What annotations and decorators inside of a class mention; an attribute of that name would hide it.
_MENTIONED = frozenset("attr bool bytes dict float int list set str".split())
TAKEN_FIELDS = TAKEN_ATTRIBUTES | _MENTIONED
TAKEN_IN_MODULE = TAKEN_CLASSES | frozenset("ANY Callable Functions Protocol attr supply tw".split())
PATH_METHODS = frozenset(
    (
        "add append at begins_with between contains delete exists if_not_exists inside is_in is_type member not_exists"
        " parts remove root_name set size stored subtract"
    ).split()
)
"""Of paths, which the attributes of a `tw.Map` are on its class."""
TAKEN_IN_MAPS = _MENTIONED | PATH_METHODS | DOCUMENT_METHODS | {"mro", "self", "cls", "tw"}


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
    classes = make_distinct({alias: pascal(each.name) for alias, each in service.entities.items()}, TAKEN_IN_MODULE)
    taken = (*TAKEN_IN_MODULE, *classes.values())
    return ServiceNames(
        service=next(iter(python_names([service.name], TAKEN_IN_MODULE).values())),
        entities=classes,
        inside={alias: _entity_names(each) for alias, each in service.entities.items()},
        members=python_names(service.entities, (*TAKEN_FIELDS, "cursor", "of")),
        collections=make_distinct({each.name: pascal(each.name) for each in service.collections}, taken),
    )


def _entity_names(entity: Entity) -> EntityNames:
    attributes = field_names(each.name for each in entity.attributes)
    patterns = python_names((each.name for each in entity.patterns), (*TAKEN_FIELDS, *attributes.values()))
    return EntityNames(attributes, patterns)


def field_names(names: Iterable[str], taken: Iterable[str] = TAKEN_FIELDS) -> dict[str, str]:
    """By attribute of an entity or property of a map: its name on the class."""
    return python_names(names, taken)


# ---- a module in the making ------------------------------------------------------------------------------------------


class Faults:
    """Places and reasons, in order."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, place: Place, reason: str) -> None:
        self._found.append(f"{place}: {reason}")

    def check(self) -> None:
        if self._found:
            remedy = "Change the schema there, or load it as it is with tw.Service.load."
            raise SchemaError(f"Classes cannot say this. {'; '.join(self._found)}. {remedy}", code=1009)


class ModuleDraft:
    """A module in the making: names that are taken, what must stand above the entities, functions, and faults."""

    def __init__(self, taken: Iterable[str], named: Iterable[NamedFunction]) -> None:
        self._taken = set(taken)
        self.aliases: list[str] = []
        self.maps: list[str] = []
        self.map_classes: dict[MapOf, tuple[str, dict[str, str]]] = {}
        self.kinds: dict[str, dict[str, str]] = {}  # by alias: types of attributes
        self.supplied = SuppliedFunctions(named)
        self.faults = Faults()

    def name(self, wanted: str) -> str:
        found = make_unique(pascal(wanted), self._taken)
        self._taken.add(found)
        return found
