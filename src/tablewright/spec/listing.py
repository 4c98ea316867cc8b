"""Lists of entries that name other items: `through: FeedEntry` answers with the posts of a feed.

The pattern is about the list (`by`, `range`, `sort`, `limit` and `filter` speak of its entries), the answer is the item
that each entry names, in the order of the list. An entry whose item is gone gives nothing, but counts for the limit; an
item that two entries name is given twice.

Whoever plans or estimates sees two questions: the list of entries (under the pattern's own id), and a batch of the
items that they name. Nothing here knows keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from tablewright.spec.model import EntitySpec, PatternSpec, Spec


class Listing(msgspec.Struct, frozen=True):
    """Entries of `entity` name items; `names`: by attribute of these items' id, that of the entry."""

    entity: str
    names: Mapping[str, str]

    @property
    def referring(self) -> tuple[str, ...]:
        """The attributes of an entry that name its item."""
        return tuple(self.names.values())


def listing_of(spec: Spec, pattern: PatternSpec) -> Listing | None:
    """What a pattern goes through; None where it does not, or where the spec does not tell which attributes name."""
    if pattern.through is None or len(pattern.entities) != 1 or not pattern.is_read:
        return None
    entity, attribute = split_through(pattern.through)
    entry, item = spec.entities.get(entity), spec.entities.get(pattern.entity)
    if entry is None or item is None:
        return None
    names = _referring(entry, item, attribute)
    return Listing(entity, dict(zip(item.id, names, strict=True))) if names else None


def split_through(through: str) -> tuple[str, str]:
    """The entity of the list, and the attribute that is said to name the item, if one is."""
    entity, _, attribute = through.partition(".")
    return entity, attribute


def _referring(entry: EntitySpec, item: EntitySpec, attribute: str) -> tuple[str, ...]:
    """The attribute said, those with the names of the id, or those that say `references`, in the order of the id."""
    if attribute:
        return (attribute,) if attribute in entry.attributes and len(item.id) == 1 else ()
    if entry.name != item.name and entry.attributes.keys() >= set(item.id):
        return item.id
    said = tuple(each.name for each in entry.attributes.values() if each.references == item.name)
    return said if len(said) == len(item.id) else ()


def listed_by(spec: Spec, entity: str) -> dict[str, str]:
    """The attributes by which entries of an entity name the items of some list, each with the entity of these."""
    found: dict[str, str] = {}
    for pattern in spec.reads:
        listing = listing_of(spec, pattern)
        if listing is not None and listing.entity == entity:
            found.update(dict.fromkeys(listing.referring, pattern.entity))
    return found


# ---- as two questions -----------------------------------------------------------------------------------------------


def list_pattern(pattern: PatternSpec, listing: Listing) -> PatternSpec:
    """The list alone: of every entry nothing is needed but what names its item."""
    return msgspec.structs.replace(pattern, entities=(listing.entity,), through=None, returns=listing.referring)


def item_pattern(spec: Spec, pattern: PatternSpec, listing: Listing, id_: str) -> PatternSpec:
    """The items that the entries name, by their ids. Where the id says no tenant, that of the entry is all there is."""
    ids = spec.entities[pattern.entity].id
    return msgspec.structs.replace(
        as_batch(pattern, ids),
        id=id_,
        through=None,
        items=None,
        skew=None,
        skews={theirs: pattern.skews[ours] for theirs, ours in listing.names.items() if ours in pattern.skews},
        fetched_for=pattern.id,
        tenant=pattern.tenant if pattern.tenant in ids else None,
    )


def as_batch(pattern: PatternSpec, ids: tuple[str, ...]) -> PatternSpec:
    """The same asked by ids, which leave no range, order, filter or limit."""
    return msgspec.structs.replace(
        pattern,
        kind="batch",
        by=ids,
        range=None,
        sort=(),
        absent="last",
        filter={},
        selectivity=None,
        filter_must_be_key=False,
        limit=None,
        limits={},
    )


def as_list(spec: Spec, pattern: PatternSpec) -> PatternSpec:
    """What the caller asks by: the list of a pattern that goes through one, else the pattern itself."""
    listing = listing_of(spec, pattern)
    return pattern if listing is None else list_pattern(pattern, listing)


def asked_reads(spec: Spec) -> tuple[PatternSpec, ...]:
    """All reads as what callers ask by."""
    return tuple(as_list(spec, each) for each in spec.reads)


def entities_read(spec: Spec, pattern: PatternSpec) -> tuple[str, ...]:
    """The entities of a pattern, and that of the list which it goes through."""
    listing = listing_of(spec, pattern)
    return pattern.entities if listing is None else tuple(dict.fromkeys((*pattern.entities, listing.entity)))
