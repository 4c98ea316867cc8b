"""What the typed style refuses because items could be taken for others: told here, not where the module is first used.

ElectroDB takes such names, constants and templates, and so does the loaded style. The rules are those that a class is
checked by; values that leave doubts are refused when they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import SchemaError
from tablewright.runtime.items.rivals import FEATURES, refuse_alike, shape_of
from tablewright.schema.check.confusion import Marks, check_marks, check_separators
from tablewright.schema.guards import guarded
from tablewright.schema.keys import compile_keys, in_order
from tablewright.schema.ordered import forms_in
from tablewright.schema.places import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.codegen.python.classes.faults import Faults
    from tablewright.codegen.python.classes.names import ServiceNames
    from tablewright.schema.keys import PatternKeys
    from tablewright.schema.model import Entity, Service


def check_doubts(faults: Faults, service: Service, names: ServiceNames) -> None:
    for alias, entity in service.entities.items():
        others = [each for each in service.entities.values() if each.name != entity.name]
        try:
            check_entity(entity, others, names.inside[alias].attributes)
        except SchemaError as error:
            faults.add(Place(alias), error.message.removesuffix("."))


def check_entity(entity: Entity, others: list[Entity], said: Mapping[str, str]) -> None:
    check_separators(entity)
    check_marks(marks_of(entity), map(marks_of, others))
    keys = strict_keys(entity, said)
    guarded(entity, keys, said)
    primary = keys[entity.primary.name]
    if any(side.templated for side in (primary.pk, primary.sk) if side is not None):
        shapes = (shape_of(each.name, strict_keys(each)[each.primary.name]) for each in others)
        refuse_alike(shape_of(entity.name, primary), [*shapes, FEATURES])


def strict_keys(entity: Entity, said: Mapping[str, str] | None = None) -> dict[str, PatternKeys]:
    """The composed keys, with numbers as the typed style writes them; `said` is what classes call attributes."""
    return in_order(compile_keys(entity), forms_in(entity, said or {}))


def marks_of(entity: Entity) -> Marks:
    sides = [side for each in entity.patterns for side in (each.pk, each.sk) if side is not None]
    collections = frozenset(name for each in entity.patterns for name in each.collection)
    return Marks(entity.name, entity.version, collections, any(side.casing != "none" for side in sides))
