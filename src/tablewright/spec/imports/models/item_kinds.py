"""Drafts from item kinds with keys: the access patterns that a table and its indexes already serve."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.imports.draft import (
    Draft,
    DraftAttribute,
    DraftEntity,
    DraftPattern,
    drop_repeats,
    join_names,
    plural_phrase,
    singular_phrase,
    writes_of,
)
from tablewright.spec.imports.models.samples import is_ordered
from tablewright.spec.imports.service import relationships

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ANEW = "The design is made anew from the questions; compare it with the keys you have."
ID_NAME = re.compile(r".*(id|Id|ID|key|Key|number|Number|code|Code|alias|Alias|name|Name|email|Email)$")


class KeyAttributes(msgspec.Struct, frozen=True):
    """The attributes in the partition key and the sort key of the table or an index."""

    partition: tuple[str, ...]
    sort: tuple[str, ...] = ()
    index: str = ""


class ItemKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of item; the first place is the table's."""

    name: str
    attributes: tuple[DraftAttribute, ...]
    places: tuple[KeyAttributes, ...]
    remark: str = ""
    patterns: tuple[DraftPattern, ...] = ()
    id: tuple[str, ...] = ()


def entity_of(kind: ItemKind) -> DraftEntity:
    return DraftEntity(name=kind.name, id=id_of(kind), attributes=_with_ids(kind), remark=kind.remark)


def id_of(kind: ItemKind) -> tuple[str, ...]:
    """The attributes of the table's key; timestamps only where there is nothing else."""
    if kind.id:
        return kind.id
    own = kind.places[0]
    types = {each.name: each for each in kind.attributes}
    parts = tuple(dict.fromkeys((*own.partition, *own.sort)))
    if any(ID_NAME.match(each) for each in own.sort):
        parts = tuple(
            each for each in parts if each in own.partition or ID_NAME.match(each) or not is_ordered(types.get(each))
        )
    return parts or tuple(types)[:1] or ("id",)


def _with_ids(kind: ItemKind) -> tuple[DraftAttribute, ...]:
    """The id first, also where no attribute of the item repeats it."""
    known = {each.name: each for each in kind.attributes}
    ids = [
        msgspec.structs.replace(known.get(name) or DraftAttribute(name=name), required=False) for name in id_of(kind)
    ]
    return (*ids, *(each for each in kind.attributes if each.name not in id_of(kind)))


def draft_of(name: str, title: str, origin: str, kinds: Iterable[ItemKind], remarks: Iterable[str] = ()) -> Draft:
    found = list(kinds)
    entities = tuple(entity_of(each) for each in found)
    told = [pattern for each in found for pattern in each.patterns]
    asked = [pattern for each, entity in zip(found, entities, strict=True) for pattern in _reads_of(each, entity)]
    writes = [pattern for entity in entities for pattern in writes_of(entity)]
    reads = [each for each in told if each.kind != "write"] or asked
    return Draft(
        name=name,
        title=title,
        origin=origin,
        entities=entities,
        relationships=tuple(relationships(entities)),
        patterns=drop_repeats((*reads, *(each for each in told if each.kind == "write"), *writes)),
        remarks=(*remarks, ANEW),
    )


def _reads_of(kind: ItemKind, entity: DraftEntity) -> Iterator[DraftPattern]:
    """One item by its id, and a list for the table and every index that several items may answer."""
    about = f"{singular_phrase(kind.name)} by {join_names(entity.id)}"
    yield DraftPattern(description=about, kind="get", entities=(kind.name,), by=entity.id, remark="table key")
    for place in kind.places:
        own = place is kind.places[0]
        if place.partition and not (own and set(place.partition) >= set(entity.id)):
            yield _list_pattern(kind, place)


def _list_pattern(kind: ItemKind, place: KeyAttributes) -> DraftPattern:
    types = {each.name: each for each in kind.attributes}
    first = next((each for each in place.sort if each not in place.partition), None)
    sort = ((first, "asc"),) if first is not None and is_ordered(types.get(first)) else ()
    order = f" in the order of {join_names((first,))}" if sort and first is not None else ""
    whose = f" of one {join_names(place.partition)}".replace(" id", "")
    return DraftPattern(
        description=f"{plural_phrase(kind.name)}{whose}{order}",
        kind="query",
        entities=(kind.name,),
        by=place.partition,
        sort=sort,
        remark=f"index {place.index}" if place.index else "table key",
    )
