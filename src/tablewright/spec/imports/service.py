"""From a service that exists (our own form, ElectroDB's, or classes): its indexes are what it can be asked already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.schema.types import Enum, Free, ListOf, MapOf, OneOf, RecordOf, Scalar, SetOf
from tablewright.spec.imports.draft import (
    Draft,
    DraftAttribute,
    DraftEntity,
    DraftPattern,
    DraftRelationship,
    drop_repeats,
    entity_name,
    join_names,
    plural_phrase,
    singular_phrase,
    words_of,
    writes_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.schema.model import AccessPattern, Collection, Entity, Service
    from tablewright.schema.types import Attribute
    from tablewright.spec.model import AttributeType

CONTAINERS: dict[type, AttributeType] = {
    SetOf: "set",
    ListOf: "list",
    MapOf: "map",
    RecordOf: "map",
    OneOf: "map",
    Free: "any",
}
TIME_NAMES = {"at", "on", "time", "date", "timestamp", "created", "updated", "hired"}
SECONDS_PER_DAY = 86_400


def draft_from_service(service: Service, origin: str) -> Draft:
    entities = {name: _entity_of(each) for name, each in service.entities.items()}
    return Draft(
        name=service.name or "application",
        origin=origin,
        entities=tuple(entities.values()),
        relationships=tuple(relationships(tuple(entities.values()))),
        patterns=drop_repeats(
            (
                *(pattern for each in service.entities.values() for pattern in _reads_of(each)),
                *(pattern for each in service.collections for pattern in _collection_patterns(each, service)),
                *(pattern for each in service.entities.values() for pattern in writes_of(_entity_of(each))),
            )
        ),
        remarks=("The design is made anew from the questions; compare it with the keys you have.",),
    )


# ---- entities -------------------------------------------------------------------------------------------------------


def _entity_of(entity: Entity) -> DraftEntity:
    expiry = entity.features.ttl
    lifetime = expiry.lifetime_seconds if expiry else None
    unsaid = f"items expire by {expiry.attribute}: say after how many days, such as ttl: 90d" if expiry else ""
    return DraftEntity(
        name=entity_name(entity.name),
        id=_id_of(entity),
        attributes=tuple(
            _attribute_of(each, entity) for each in entity.attributes if each.name not in _generated_attributes(entity)
        ),
        unique=entity.features.unique,
        ttl_days=lifetime / SECONDS_PER_DAY if lifetime else None,
        remark="; ".join(each for each in (_doc_of(entity.doc), "" if lifetime else unsaid) if each),
    )


def _id_of(entity: Entity) -> tuple[str, ...]:
    return tuple(each for each in entity.primary.composites if each not in _generated_attributes(entity))


def _generated_attributes(entity: Entity) -> set[str]:
    """Shards and buckets are the old design's own; a new design makes its own where it needs them."""
    spread = [part for pattern in entity.patterns for part in (pattern.shards, pattern.bucket) if part is not None]
    return {part.attribute or getattr(part, "every", "") for part in spread}


def _attribute_of(each: Attribute, entity: Entity) -> DraftAttribute:
    values = tuple(map(str, each.type.choices)) if isinstance(each.type, Enum) else ()
    always = each.required or each.default is not None
    return DraftAttribute(
        name=each.name,
        type=_type_of(each),
        values=values,
        required=always and each.name not in _id_of(entity),
        immutable=each.read_only and each.name not in _id_of(entity),
    )


def _type_of(each: Attribute) -> AttributeType:
    match each.type:
        case Scalar(name="string") if {*map(str.lower, words_of(each.name))} & TIME_NAMES:
            return "timestamp"
        case Scalar(name=name):
            return name
        case Enum(choices=choices):
            return "string" if all(isinstance(value, str) for value in choices) else "number"
        case _:
            return CONTAINERS[type(each.type)]


def relationships(entities: tuple[DraftEntity, ...]) -> Iterator[DraftRelationship]:
    """An attribute named like the whole id of another entity points at it."""
    for parent in entities:
        for child in entities:
            if child is not parent and len(parent.id) == 1 and child.id != parent.id and child.attribute(parent.id[0]):
                remark = f"{child.name} has {parent.id[0]}"
                yield DraftRelationship(source=parent.name, target=child.name, by=parent.id, remark=remark)


# ---- access patterns ------------------------------------------------------------------------------------------------


def _reads_of(entity: Entity) -> Iterator[DraftPattern]:
    name = entity_name(entity.name)
    for each in entity.patterns:
        where = f"index {each.index}" if each.index else "table key"
        partition = each.pk.composite
        if each is entity.primary:
            by = _id_of(entity)
            about = f"{singular_phrase(name)} by {join_names(by)}"
            yield DraftPattern(description=about, kind="get", entities=(name,), by=by, remark=where)
        if each.sk is not None and each.sk.composite and partition:
            yield from _list_patterns(entity, each, where)
        elif each is not entity.primary and partition:
            about = _doc_of(each.doc) or f"{plural_phrase(name)} by {join_names(partition)}"
            yield DraftPattern(description=about, kind="query", entities=(name,), by=partition, remark=where)
    yield from _mirror_patterns(entity)


def _mirror_patterns(entity: Entity) -> Iterator[DraftPattern]:
    """A second item under another key is one more way to find the first."""
    for each in entity.features.mirrors:
        yield _list_pattern(entity, each.pk, list(each.sk[:1]), _doc_of(each.doc), f"second item {each.name}")


def _list_patterns(entity: Entity, pattern: AccessPattern, where: str) -> Iterator[DraftPattern]:
    """By the partition key, and where the sort key has several parts, by the first of them as well."""
    assert pattern.sk is not None
    spread = _generated_attributes(entity)
    by = tuple(each for each in pattern.pk.composite if each not in spread)
    parts = [each for each in pattern.sk.composite if each not in (*spread, *by)]
    yield _list_pattern(entity, by, parts[:1], "" if pattern is entity.primary else _doc_of(pattern.doc), where)
    if len(parts) > 1 and not _is_ordered(entity, parts[0]):
        yield _list_pattern(entity, (*by, parts[0]), parts[1:2], "", f"{where}, one {join_names(parts[:1])}")


def _list_pattern(entity: Entity, by: tuple[str, ...], sorted_by: list[str], doc: str, where: str) -> DraftPattern:
    name = entity_name(entity.name)
    sort = tuple((each, "asc") for each in sorted_by if _is_ordered(entity, each))
    order = f" in the order of {join_names(sorted_by)}" if sort else ""
    whose = f" of one {join_names(by)}".replace(" id", "") if by else ""
    about = doc or f"{plural_phrase(name)}{whose}{order}"
    return DraftPattern(description=about, kind="query", entities=(name,), by=by, sort=sort, remark=where)


def _is_ordered(entity: Entity, name: str) -> bool:
    """Times and numbers are what people sort by."""
    found = entity.attribute(name)
    return found is not None and _type_of(found) in ("timestamp", "number")


def _doc_of(text: str) -> str:
    return text.split("\n", maxsplit=1)[0].rstrip(".")


def _collection_patterns(collection: Collection, service: Service) -> Iterator[DraftPattern]:
    """Several entities in one query, by the attributes that all of them have."""
    members = [(service.entities[each.alias], each.pattern) for each in collection.members]
    sides = [found.pk.composite for entity, name in members if (found := entity.pattern(name)) is not None]
    names = tuple(dict.fromkeys(entity_name(entity.name) for entity, _ in members))
    if len(names) > 1 and sides and all(set(each) == set(sides[0]) for each in sides):
        about = _doc_of(collection.doc) or f"{collection.name} of one {join_names(sides[0])}"
        yield DraftPattern(
            description=about, kind="query", entities=names, by=sides[0], remark=f"collection {collection.name}"
        )
