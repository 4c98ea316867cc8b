"""From a model of NoSQL Workbench (1.0 to 3.0): facets become entities, their keys ids, indexes access patterns.

A table without facets is one entity, or one for every kind of item that its sample data shows. Keys that are composed
are taken apart by the sample data: `ORDER#1` holds whatever attribute is 1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tablewright.errors import DesignError
from tablewright.spec.imports.draft import entity_name, words_of
from tablewright.spec.imports.models.item_kinds import ItemKind, KeyAttributes, draft_of
from tablewright.spec.imports.models.json_parts import Json, mapping, objects, sequence
from tablewright.spec.imports.models.samples import (
    INTERNAL,
    Item,
    attribute,
    is_generic,
    kind_name,
    kinds_of,
    parts_of_key,
    read_item,
    type_code,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.imports.draft import Draft

FIELD = re.compile(r"[{<]\s*([A-Za-z_][\w.-]*)\s*[}>]")
OURS = re.compile(r"(?P<entity>.+)-(?P<kind>copy|detail|sentinel|total|trailing|latest|embedded)-(?P<name>.+)")


def draft_from_workbench(content: Json, name: str) -> Draft:
    tables = objects(content.get("DataModel"), f"{name}: DataModel")
    if not tables:
        raise DesignError(f"{name}: DataModel has no table; save the model with at least one from NoSQL Workbench")
    metadata = mapping(content.get("ModelMetadata") or {}, f"{name}: ModelMetadata")
    kinds = [kind for at, each in enumerate(tables) for kind in _table_kinds(each, f"{name}: DataModel[{at}]")]
    title = str(content.get("ModelName") or "")
    version = metadata.get("Version")
    origin = f"the NoSQL Workbench model {name}" + (f" (version {version})" if version else "")
    slug = "-".join(words_of(title or name.partition(".")[0])).lower() or "application"
    return draft_of(slug, title, origin, kinds, _list_skipped(tables))


def _list_skipped(tables: list[Json]) -> Iterator[str]:
    """Facets of what a design writes along with an entity."""
    facets = [str(facet.get("FacetName")) for table in tables for facet in table.get("TableFacets") or ()]
    along = [each for each in facets if (found := OURS.fullmatch(each)) and found["kind"] != "embedded"]
    if along:
        yield f"Left out, because a design makes them where it needs them: {', '.join(along)}."


# ---- reading with care ----------------------------------------------------------------------------------------------


def _key_names(holder: Json, place: str) -> tuple[str, ...]:
    """The partition key and, where there is one, the sort key."""
    keys = mapping(holder.get("KeyAttributes"), f"{place}.KeyAttributes")
    partition = mapping(keys.get("PartitionKey"), f"{place}.KeyAttributes.PartitionKey")
    sort = keys.get("SortKey")
    found = [partition, *([mapping(sort, f"{place}.KeyAttributes.SortKey")] if sort else [])]
    if any(not each.get("AttributeName") for each in found):
        raise DesignError(f"{place}.KeyAttributes: a key has no AttributeName")
    return tuple(str(each["AttributeName"]) for each in found)


# ---- tables ---------------------------------------------------------------------------------------------------------


class _WorkbenchTable:
    """A table of the model: its keys, indexes, sample items, and the types of attributes."""

    def __init__(self, content: Json, place: str) -> None:
        self.place = place
        self.name = str(content.get("TableName") or "Item")
        self.key = _key_names(content, place)
        stored = objects(content.get("TableData"), f"{place}.TableData")
        self.items = [read_item(each, f"{place}.TableData[{at}]") for at, each in enumerate(stored)]
        self.types = dict(_types_of(content, stored, place))
        every = [
            each
            for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
            for each in objects(content.get(kind), f"{place}.{kind}")
        ]
        self.indexes = [
            (str(each.get("IndexName") or f"index {at}"), _key_names(each, f"{place}: index {at}"))
            for at, each in enumerate(every)
        ]


def _types_of(content: Json, stored: list[Json], place: str) -> Iterator[tuple[str, str]]:
    """By attribute: what the sample data shows, and what the model says."""
    for item in stored:
        yield from ((name, type_code(value)) for name, value in item.items())
    keys = mapping(content.get("KeyAttributes"), f"{place}.KeyAttributes")
    said = [each for each in sequence(content.get("NonKeyAttributes") or [], place) if not isinstance(each, str)]
    for each in objects([*said, *keys.values()], f"{place}.NonKeyAttributes"):
        yield str(each.get("AttributeName")), str(each.get("AttributeType") or "S")


def _table_kinds(content: Json, place: str) -> Iterator[ItemKind]:
    table = _WorkbenchTable(content, place)
    facets = objects(content.get("TableFacets"), f"{place}.TableFacets")
    if facets:
        yield from _facet_kinds(table, facets)
        return
    kinds = kinds_of(table.items, table.key)
    if len(kinds) > 1:
        for label, items in kinds.items():
            yield _kind_of(table, kind_name(label), items, tuple(_names_in(items)), f"items of {table.name}")
        return
    names = [name for name in table.types if not is_generic(name)]
    yield _kind_of(table, entity_name(table.name), table.items, (*table.key, *names), f"table {table.name}")


def _names_in(items: list[Item]) -> Iterator[str]:
    yield from dict.fromkeys(name for item in items for name in item)


def _kind_of(
    table: _WorkbenchTable,
    name: str,
    items: list[Item],
    names: tuple[str, ...],
    remark: str,
    key: KeyAttributes | None = None,
) -> ItemKind:
    keys = {*table.key, *(field for _, fields in table.indexes for field in fields)}
    kept = [each for each in dict.fromkeys(names) if each not in INTERNAL and not (each in keys and is_generic(each))]
    own = key or _place_of(items, table.key, kept)
    places = [own, *(_place_of(items, fields, kept, index) for index, fields in table.indexes)]
    always = {each for each in kept if items and all(item.get(each) is not None for item in items)}
    return ItemKind(
        name=name,
        attributes=tuple(
            attribute(
                each,
                table.types.get(each, "S"),
                [item.get(each) for item in items],
                required=each in always and len(items) > 1,
            )
            for each in kept
        ),
        places=tuple(each for each in places if each is own or each.partition),
        remark=remark,
    )


def _place_of(items: list[Item], fields: tuple[str, ...], known: list[str], index: str = "") -> KeyAttributes:
    """What the key fields hold, by the first item that has them; a key that is an attribute holds itself."""
    inside = next((item for item in items if fields[0] in item), Item())
    plain = fields[0] in known and not is_generic(fields[0])
    if not inside and not (plain and not items):
        return KeyAttributes((), (), index)
    parts = [parts_of_key(inside, each, known) if inside else (each,) for each in fields]
    return KeyAttributes(parts[0], parts[1] if len(parts) > 1 else (), index)


# ---- facets ---------------------------------------------------------------------------------------------------------


def _facet_kinds(table: _WorkbenchTable, facets: list[Json]) -> Iterator[ItemKind]:
    parts = {str(each.get("FacetName") or f"Facet{at}"): each for at, each in enumerate(facets, 1)}
    for name, facet in parts.items():
        ours = OURS.fullmatch(name)
        if ours is not None and ours["kind"] != "embedded":
            continue
        entity = ours["entity"] if ours is not None else kind_name(name)
        more = [each for other, each in parts.items() if other.startswith(f"{entity}-detail-")]
        yield _facet_kind(table, entity, facet, more)


def _facet_kind(table: _WorkbenchTable, name: str, facet: Json, more: list[Json]) -> ItemKind:
    place = f"{table.place}: facet {name}"
    stored = objects(facet.get("TableData"), f"{place}.TableData")
    items = [read_item(each, f"{place}.TableData[{at}]") for at, each in enumerate(stored)]
    names = [str(each) for part in (facet, *more) for each in part.get("NonKeyAttributes") or ()]
    aliases = mapping(facet.get("KeyAttributeAlias") or {}, f"{place}.KeyAttributeAlias")
    said = [str(aliases.get(each) or "") for each in ("PartitionKeyAlias", "SortKeyAlias")]
    composed = any(FIELD.search(each) for each in said)
    partition, sort = (_alias_parts(each, field, composed) for each, field in zip(said, (*table.key, ""), strict=False))
    table.types.update({each: type_code(value) for part in stored for each, value in part.items()})
    known = (*partition, *sort, *names)
    return _kind_of(table, name, items, known, f"facet of {table.name}", KeyAttributes(partition, sort))


def _alias_parts(alias: str, field: str, composed: bool) -> tuple[str, ...]:
    """`ORDER#{orderId}` holds orderId; an alias of one word is what the key is called here; none leaves the key."""
    if composed:
        return tuple(dict.fromkeys(FIELD.findall(alias)))
    if re.fullmatch(r"[A-Za-z_][\w-]*", alias):
        return (alias,)
    return () if alias or not field or is_generic(field) else (field,)
