"""What a schema says and classes cannot, and what leaves doubts which entity an item is of.

ElectroDB takes names, constants and templates that leave doubts, and so does the loaded style. The typed style refuses
them by the same rules that a class is checked by: here, not where the module is first used. Values that leave doubts
are refused when they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import SchemaError
from tablewright.schema.check.confusion import Marks, check_marks, check_separators
from tablewright.schema.check.key_shapes import FEATURES, refuse_alike, shape_of
from tablewright.schema.features import NO_FEATURES
from tablewright.schema.guards import guarded
from tablewright.schema.keys import compile_keys, in_order
from tablewright.schema.ordered import forms_in
from tablewright.schema.places import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.codegen.python.classes.draft import Faults, ServiceNames
    from tablewright.schema.keys import PatternKeys
    from tablewright.schema.model import Entity, KeySide, Service


def check_service(faults: Faults, service: Service, names: ServiceNames) -> None:
    _check_sayable(faults, service)
    _check_ambiguity(faults, service, names)


def _check_sayable(faults: Faults, service: Service) -> None:
    tables = {each.table for each in service.entities.values()}
    if len(tables) > 1:
        faults.add(Place("entities"), f"they are in several tables ({', '.join(sorted(map(str, tables)))})")
    seen: dict[str, str] = {}
    for alias, each in service.entities.items():
        place = Place(alias)
        if each.legacy:
            faults.add(place, "keys of ElectroDB's beta form have their version in the partition key")
        if each.features != NO_FEATURES:
            faults.add(place / "features", "they are no part of what this target writes")
        if seen.setdefault(each.name, alias) != alias:
            faults.add(place, f'the entity "{each.name}" is there twice, as {seen[each.name]} as well')
        if each.service != service.name and any(side.casing == "none" for side in sides_of(each)):
            faults.add(place, f'its service is spelt "{each.service}", where others have "{service.name}"')


def sides_of(entity: Entity) -> list[KeySide]:
    return [side for each in entity.patterns for side in (each.pk, each.sk) if side is not None]


def _check_ambiguity(faults: Faults, service: Service, names: ServiceNames) -> None:
    for alias, entity in service.entities.items():
        others = [each for each in service.entities.values() if each.name != entity.name]
        try:
            _check_entity(entity, others, names.inside[alias].attributes)
        except SchemaError as error:
            faults.add(Place(alias), error.message.removesuffix("."))


def _check_entity(entity: Entity, others: list[Entity], said: Mapping[str, str]) -> None:
    check_separators(entity)
    check_marks(_marks_of(entity), map(_marks_of, others))
    keys = strict_keys(entity, said)
    guarded(entity, keys, said)
    primary = keys[entity.primary.name]
    if any(side.templated for side in (primary.pk, primary.sk) if side is not None):
        shapes = (shape_of(each.name, strict_keys(each)[each.primary.name]) for each in others)
        refuse_alike(shape_of(entity.name, primary), [*shapes, FEATURES])


def strict_keys(entity: Entity, said: Mapping[str, str] | None = None) -> dict[str, PatternKeys]:
    """The composed keys, with numbers as the typed style writes them; `said` is what classes call attributes."""
    return in_order(compile_keys(entity), forms_in(entity, said or {}))


def _marks_of(entity: Entity) -> Marks:
    collections = frozenset(name for each in entity.patterns for name in each.collection)
    return Marks(entity.name, entity.version, collections, any(side.casing != "none" for side in sides_of(entity)))
