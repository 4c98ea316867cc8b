"""What tenants, references, tree paths and parents need of an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.check.faults import meant, quoted, refuse
from tablewright.schema.types import STRING, Enum, Free, ListOf, Scalar, SetOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.schema.model import AccessPattern, Entity
    from tablewright.schema.types import Attribute, Type


def _check_tenant(entity: Entity) -> None:
    name = entity.features.tenant
    if name is None:
        return
    attribute = _named(entity, name, "tenant")
    if not isinstance(attribute.type, Scalar | Enum | Free):
        refuse(entity, 1009, f'the tenant "{name}" is no scalar', "Use text or a number")
    if not attribute.required:
        refuse(entity, 1009, f'the tenant "{name}" can be left out', "Let it be required, without a default")
    for pattern in entity.patterns:
        _check_tenant_first(entity, pattern, name)


def check_across_tenants(entity: Entity) -> None:
    for pattern in entity.patterns if entity.features.tenant is None else ():
        if pattern.across_tenants:
            refuse(entity, 1009, "it is across tenants, but the entity has none", "Declare its tenant", part=pattern)


def _check_tenant_first(entity: Entity, pattern: AccessPattern, name: str) -> None:
    """The tenant begins every partition key: so no question is asked across tenants, and a prefix tells whose it is."""
    is_first = pattern.pk.composite[:1] == (name,)
    if is_first and pattern.across_tenants:
        refuse(entity, 1009, f'"{name}" begins its partition key', "Leave out across_tenants", part=pattern)
    if pattern.across_tenants and pattern.index is None:
        refuse(entity, 1009, "the table's own key is across tenants", f'Let "{name}" begin it', part=pattern)
    if not is_first and not pattern.across_tenants:
        remedy = f'Put "{name}" first, or say across_tenants=True if it is to find items of all tenants'
        refuse(entity, 1009, f'its partition key does not begin with the tenant "{name}"', remedy, part=pattern)
    if is_first and f"${{{name}}}${{" in (pattern.pk.template or ""):
        refuse(entity, 1009, f'nothing separates "{name}" from what follows it', "Put text between them", part=pattern)


def _check_references(entity: Entity) -> None:
    for reference in entity.features.references:
        attribute = _named(entity, reference.attribute, "references")
        if _element(attribute.type) not in (STRING, None):
            refuse(entity, 1009, f'the reference "{attribute.name}" is no text', "References are stored as text")
        if not reference.to:
            refuse(entity, 1009, f'the reference "{attribute.name}" points at nothing', "Name entities in `to`")


def _check_paths(entity: Entity) -> None:
    for name in entity.features.paths:
        if _element(_named(entity, name, "paths").type) not in (STRING, None):
            refuse(entity, 1009, f'the tree path "{name}" is no text', "Paths are stored as text")


def _check_belonging(entity: Entity) -> None:
    names = [pattern.name for pattern in entity.patterns]
    for belonging in entity.features.belongs_to:
        if belonging.pattern not in names:
            problem = f'belongs_to names "{belonging.pattern}", which is no access pattern'
            refuse(entity, 1009, problem, f"Known are {quoted(names)}{meant(belonging.pattern, names)}")
        if not belonging.to:
            refuse(entity, 1009, f'by "{belonging.pattern}" it belongs to nothing', "Name entities in `to`")


def _named(entity: Entity, name: str, feature: str) -> Attribute:
    attribute = entity.attribute(name)
    if attribute is None:
        known = [each.name for each in entity.attributes]
        refuse(entity, 1009, f'{feature} names "{name}", which is no attribute', f"Known are {quoted(known)}")
    return attribute


def _element(kind: Type) -> Type | None:
    """The type of what a list or set holds, else the type itself."""
    if isinstance(kind, ListOf):
        return None if kind.items is None else kind.items.type
    return kind.items if isinstance(kind, SetOf) else kind


RELATION_RULES: tuple[Callable[[Entity], None], ...] = (
    _check_tenant,
    _check_references,
    _check_paths,
    _check_belonging,
)
