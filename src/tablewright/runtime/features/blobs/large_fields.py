"""Which fields of whose items are large, and whose an item is: derived once from a schema entity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.runtime.features.blobs.stored_form import blob_key, is_marked, opened
from tablewright.runtime.items.layout import identity_of
from tablewright.schema.features import Large
from tablewright.schema.keys import PatternKeys
from tablewright.wire.values import marshal, unmarshal

if TYPE_CHECKING:
    from tablewright.schema.model import Entity

Item: TypeAlias = Mapping[str, Any]  # in typed JSON

COMPANION = "tablewright:"
"""The entity that items written along with others claim to be of begins with this, see features/companion.py."""


class Kept(msgspec.Struct, frozen=True, eq=False):
    """The large attributes of one entity."""

    name: str
    folder: str  # where its blobs are, behind the table's name
    fields: Mapping[str, Large]
    called: Mapping[str, str]  # by field: the attribute's name, for messages
    offloaded: tuple[str, ...]  # the fields that may be references
    identity: Mapping[str, str]
    entity_field: str
    primary: PatternKeys

    def owns(self, item: Item) -> bool:
        """Whether a whole item is the entity's, or one that was written along with it."""
        said = item.get(self.entity_field, {}).get("S", "")
        if said.startswith(COMPANION):
            return any(field in item for field in self.fields)
        return all(item.get(field) == {"S": value} for field, value in self.identity.items())

    def has(self, key: Item) -> bool:
        """Whether a table key is one of the entity's."""
        sides = (self.primary.pk, self.primary.sk)
        return all(side is None or side.fits(unmarshal(key[side.field])) for side in sides)

    @property
    def table_fields(self) -> tuple[str, ...]:
        return tuple(side.field for side in (self.primary.pk, self.primary.sk) if side is not None)

    def key_of(self, item: Item) -> dict[str, Any]:
        return {field: item[field] for field in self.table_fields}

    def inline(self, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """A stored item with plain values, compressed ones opened; what is outside the table counts as not read.

        Replies were opened on their way in. This is for items that came another way, such as those of streams.
        """
        sealed = [field for field in self.fields if is_marked(item.get(field))]
        if not sealed:
            return item
        shown = dict(item)
        for field in sealed:
            typed = marshal(shown.pop(field))
            if blob_key(typed) is None:
                shown[field] = unmarshal(opened(typed))
        return shown


def kept_of(entity: Entity, primary: PatternKeys) -> Kept:
    declared = entity.features.large
    from urllib.parse import quote  # the names of services and entities may hold anything

    field_of = {each.name: each.field for each in entity.attributes}
    return Kept(
        entity.name,
        f"{quote(entity.service, safe='')}/{quote(entity.name, safe='')}",
        {field_of[each.attribute]: each for each in declared},
        {field_of[each.attribute]: each.attribute for each in declared},
        tuple(field_of[each.attribute] for each in declared if each.offload_bytes is not None),
        identity_of(entity),
        entity.identifiers.entity,
        primary,
    )


def owner_of_item(keeping: Iterable[Kept], item: Item) -> Kept | None:
    return next((each for each in keeping if each.owns(item)), None)


def owner_of_key(keeping: Iterable[Kept], key: Item) -> Kept | None:
    return next((each for each in keeping if each.has(key)), None)
