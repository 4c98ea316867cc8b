"""Second items as what they are to everybody who reads the table: an entity of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.schema.features import NO_FEATURES
from tablewright.schema.model import AccessPattern, Entity, KeySide

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.schema.features import Mirror


def mirror_entity(entity: Entity, pattern: str) -> Entity:
    """The entity of the second items that an access pattern finds."""
    mirror = next(each for each in entity.features.mirrors if each.pattern == pattern)
    return msgspec.structs.replace(
        entity,
        name=mirror.name,
        patterns=(_mirror_pattern(entity.primary, mirror),),
        features=NO_FEATURES,
        doc=mirror.doc,
    )


def mirror_entities(entity: Entity) -> Iterator[Entity]:
    for mirror in entity.features.mirrors:
        yield mirror_entity(entity, mirror.pattern)


def _mirror_pattern(primary: AccessPattern, mirror: Mirror) -> AccessPattern:
    """Its key, in the fields of the table's own."""
    sk = None if primary.sk is None else _side(primary.sk, mirror.sk, mirror.sk_template)
    pk = _side(primary.pk, mirror.pk, mirror.pk_template)
    return AccessPattern(name=mirror.pattern, index=None, pk=pk, sk=sk, doc=mirror.doc)


def _side(of: KeySide, names: tuple[str, ...], template: str | None) -> KeySide:
    return KeySide(field=of.field, composite=names, template=template, casing=of.casing)
