"""From entities to a service: the table they share and the collections they form are derived, never declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.errors import SchemaError
from tablewright.schema.check import check_entity, check_members
from tablewright.schema.model import Collection, Entity, Member, Service
from tablewright.schema.table import check_one_table, derive_table

if TYPE_CHECKING:
    from collections.abc import Mapping


def build_service(
    entities: Mapping[str, Entity],
    *,
    name: str | None = None,
    table: str | None = None,
    doc: str = "",
    multi_attribute: bool = True,
) -> Service:
    """A checked service of these entities by alias; its name is theirs unless one is given.

    Entities of the same table must agree on its key and indexes, because DynamoDB has one of each. `multi_attribute`
    says whether that goes for composite indexes, too.
    """
    if not entities:
        raise SchemaError(f'The service "{name}" has no entities; declare at least one.', code=1009)
    for entity in entities.values():
        check_entity(entity)
    check_members(entities)
    check_one_table(entities, multi_attribute=multi_attribute)
    names = [each.table for each in entities.values() if each.table is not None]
    return Service(
        name=name if name is not None else next(iter(entities.values())).service,
        entities=dict(entities),
        table=derive_table(entities.values(), name=table if table is not None else next(iter(names), None)),
        collections=_derive_collections(entities),
        doc=doc,
    )


def _derive_collections(entities: Mapping[str, Entity]) -> tuple[Collection, ...]:
    """The collections in order of appearance; an outer collection has the members of its inner ones too."""
    found: dict[str, Collection] = {}
    for alias, entity in entities.items():
        for pattern in entity.patterns:
            member = Member(alias=alias, entity=entity.name, pattern=pattern.name)
            for name in pattern.collection:
                earlier = found[name].members if name in found else ()
                found[name] = Collection(name=name, index=pattern.index, kind=pattern.kind, members=(*earlier, member))
    return tuple(found.values())
