"""The items of several entities from one page: each is looked at for its identifiers, then read by its owner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tablewright.runtime.codecs.constructors import struct_of
from tablewright.runtime.codecs.decoders import scalar_typed
from tablewright.runtime.codecs.reader import decoder, key_of, raw_page
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.items.page_items import ItemReader, as_document

if TYPE_CHECKING:
    from collections.abc import Sequence

Identity: TypeAlias = tuple[str, ...]
ByAlias: TypeAlias = dict[str, list[Any]]


class Owner(msgspec.Struct, frozen=True):
    """A member of a collection: what it is called, its compiled reader if it has one, and the generic way."""

    alias: str
    layout: Layout
    reader: ItemReader | None
    generic: Callable[[dict[str, Any]], Any]


class _Sorting(msgspec.Struct, frozen=True):
    """The members by their identifiers; `otherwise` is asked whose an item is that carries none of these."""

    owners: Mapping[Identity, Owner]
    identify: Callable[[msgspec.Raw], Identity | None]
    otherwise: Callable[[dict[str, Any]], tuple[str, Any] | None]

    def sort(self, reply: bytes) -> tuple[ByAlias, dict[str, Any] | None]:
        """The items of a page by alias, and the key to go on from."""
        found: ByAlias = {}
        page = raw_page(reply)
        for raw in page.Items:
            alias_and_item = self.read(raw)
            if alias_and_item is not None:
                found.setdefault(alias_and_item[0], []).append(alias_and_item[1])
        return found, key_of(page.LastEvaluatedKey)

    def read(self, raw: msgspec.Raw) -> tuple[str, Any] | None:
        identity = self.identify(raw)
        owner = None if identity is None else self.owners.get(identity)
        if owner is None:
            return self.otherwise(as_document(raw))
        if owner.reader is None:
            return owner.alias, owner.generic(as_document(raw))
        return owner.alias, owner.reader.item(raw, owner.generic, is_certain=True)


def sorting_of(members: Sequence[Owner], otherwise: Callable[[dict[str, Any]], Any]) -> _Sorting | None:
    """None where only the generic way will do: nobody has a reader, or identifiers stand in different fields."""
    fields = {tuple(member.layout.identity) for member in members}
    if len(fields) != 1 or not any(member.reader for member in members):
        return None
    owners = {tuple(member.layout.identity.values()): member for member in reversed(members)}
    return _Sorting(owners, _identifier(fields.pop()), otherwise)


@cache
def _identifier(fields: Identity) -> Callable[[msgspec.Raw], Identity | None]:
    """The function that takes the identifiers out of an item's text; None when they are not all there as texts."""
    slots = [f"i{at}" for at in range(len(fields))]
    wire = struct_of([(field, slot, scalar_typed("S", str), True) for field, slot in zip(fields, slots, strict=True)])
    decode = decoder(wire)

    def identify(raw: msgspec.Raw) -> Identity | None:
        try:
            found = decode(raw)
        except msgspec.ValidationError:
            return None
        return tuple([getattr(found, slot).S for slot in slots])

    return identify
