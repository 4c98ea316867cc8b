"""Drafts from kinds of items with keys: what a table and its indexes can be asked already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from tablewright.spec.imports.draft import (
    Draft,
    DraftAttribute,
    DraftEntity,
    DraftPattern,
    listed,
    many,
    one,
    without_repeats,
    writes_of,
)
from tablewright.spec.imports.models.samples import is_ordered
from tablewright.spec.imports.service import relationships

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ANEW = "The design is made anew from the questions; compare it with the keys you have."
ID_NAME = re.compile(r".*(id|Id|ID|key|Key|number|Number|code|Code|alias|Alias|name|Name|email|Email)$")


class Place(msgspec.Struct, frozen=True):
    """Where a kind is found: the attributes behind the partition and the sort key of the table or an index."""

    partition: tuple[str, ...]
    sort: tuple[str, ...] = ()
    index: str = ""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of item; the first place is the table's."""

    name: str
    attributes: tuple[DraftAttribute, ...]
    places: tuple[Place, ...]
    remark: str = ""
    patterns: tuple[DraftPattern, ...] = ()
    id: tuple[str, ...] = ()


def entity_of(kind: Kind) -> DraftEntity:
    return DraftEntity(name=kind.name, id=id_of(kind), attributes=with_ids(kind), remark=kind.remark)


def id_of(kind: Kind) -> tuple[str, ...]:
    """What the table's key is made of; times only where nothing else tells items apart."""
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


def with_ids(kind: Kind) -> tuple[DraftAttribute, ...]:
    """The id first, also where no attribute of the item repeats it."""
    known = {each.name: each for each in kind.attributes}
    ids = [
        msgspec.structs.replace(known.get(name) or DraftAttribute(name=name), required=False) for name in id_of(kind)
    ]
    return (*ids, *(each for each in kind.attributes if each.name not in id_of(kind)))


def draft_of(name: str, title: str, origin: str, kinds: Iterable[Kind], remarks: Iterable[str] = ()) -> Draft:
    found = list(kinds)
    entities = tuple(entity_of(each) for each in found)
    told = [pattern for each in found for pattern in each.patterns]
    asked = [pattern for each, entity in zip(found, entities, strict=True) for pattern in reads_of(each, entity)]
    writes = [pattern for entity in entities for pattern in writes_of(entity)]
    reads = [each for each in told if each.kind != "write"] or asked
    return Draft(
        name=name,
        title=title,
        origin=origin,
        entities=entities,
        relationships=tuple(relationships(entities)),
        patterns=without_repeats((*reads, *(each for each in told if each.kind == "write"), *writes)),
        remarks=(*remarks, ANEW),
    )


def reads_of(kind: Kind, entity: DraftEntity) -> Iterator[DraftPattern]:
    """One item by its id, and a list for the table and every index that several items may answer."""
    about = f"{one(kind.name)} by {listed(entity.id)}"
    yield DraftPattern(description=about, kind="get", entities=(kind.name,), by=entity.id, remark="table key")
    for place in kind.places:
        own = place is kind.places[0]
        if place.partition and not (own and set(place.partition) >= set(entity.id)):
            yield list_pattern(kind, place)


def list_pattern(kind: Kind, place: Place) -> DraftPattern:
    types = {each.name: each for each in kind.attributes}
    first = next((each for each in place.sort if each not in place.partition), None)
    sort = ((first, "asc"),) if first is not None and is_ordered(types.get(first)) else ()
    order = f" in the order of {listed((first,))}" if sort and first is not None else ""
    whose = f" of one {listed(place.partition)}".replace(" id", "")
    return DraftPattern(
        description=f"{many(kind.name)}{whose}{order}",
        kind="query",
        entities=(kind.name,),
        by=place.partition,
        sort=sort,
        remark=f"index {place.index}" if place.index else "table key",
    )
