"""From an OpenAPI 3 file: endpoints become access patterns, the schemas they speak of entities.

`GET /orders/{orderId}` is one item by its id, `GET /customers/{customerId}/orders` a list by what the path knows, and
every query parameter that is an attribute is one more way to ask. What only appears inside other schemas is a map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import DesignError
from tablewright.spec.imports.draft import (
    Draft,
    DraftEntity,
    DraftRelationship,
    drop_repeats,
    entity_name,
    words_of,
)
from tablewright.spec.imports.endpoints import Endpoint, EndpointSubject, endpoints, patterns_of
from tablewright.spec.imports.schemas import attributes_of, mapping, merge_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.spec.imports.draft import DraftAttribute, DraftPattern


def draft_from_openapi(document: Mapping[str, Any], name: str) -> Draft:
    if not str(document.get("openapi", "")).startswith("3"):
        raise DesignError(f"{name} is Swagger 2; convert it to OpenAPI 3 first (editors of OpenAPI do that)")
    found = [each for each in endpoints(document) if each.schema]
    if not found:
        raise DesignError(f"{name} has no endpoint whose body or answer is a schema of components.schemas")
    entities = {schema: _entity_of(schema, found, document) for schema in dict.fromkeys(each.schema for each in found)}
    info = mapping(document.get("info"))
    return Draft(
        name="-".join(words_of(str(info.get("title") or name.partition(".")[0]))).lower() or "application",
        title=str(info.get("title") or ""),
        origin=f"the OpenAPI file {name}",
        entities=tuple(entities.values()),
        relationships=tuple(_relationships(found, entities)),
        patterns=drop_repeats((*_build_patterns(found, entities, document), *_implied_puts(entities, found))),
        remarks=("Endpoints say what callers ask; what your own jobs and events ask is not in there: add it.",),
    )


def _build_patterns(
    found: list[Endpoint], entities: Mapping[str, DraftEntity], document: Mapping[str, Any]
) -> Iterator[DraftPattern]:
    for each in found:
        yield from patterns_of(EndpointSubject(each, entities[each.schema], _by_path(each, entities), document))


def _implied_puts(entities: Mapping[str, DraftEntity], found: list[Endpoint]) -> Iterator[DraftPattern]:
    """A put of what no endpoint creates."""
    from tablewright.spec.imports.draft import writes_of

    made = {each.schema for each in found if each.method == "post"}
    for schema, entity in entities.items():
        if schema not in made:
            put = next(iter(writes_of(entity)))
            yield msgspec.structs.replace(put, remark="no endpoint does it, but somebody must")


# ---- entities -------------------------------------------------------------------------------------------------------


def _entity_of(schema: str, found: list[Endpoint], document: Mapping[str, Any]) -> DraftEntity:
    content = merge_schema(document, {"$ref": f"#/components/schemas/{schema}"})
    own = [each for each in found if each.schema == schema]
    attributes = {each.name: each for each in attributes_of(document, content)}
    key, remark = _id_of(schema, own, attributes)
    attributes = _rename_id(attributes, key)
    for each in own:  # what a path knows belongs to the item, also where its schema is silent
        for name in each.parents:
            if _path_name(name, each.parent) not in attributes and not each.is_one:
                attributes[_path_name(name, each.parent)] = _parent_attribute(_path_name(name, each.parent))
    return DraftEntity(
        name=entity_name(schema),
        id=(key,),
        attributes=tuple(attributes.values()),
        remark=remark or str(content.get("description") or "").split("\n", maxsplit=1)[0],
    )


def _id_of(schema: str, own: list[Endpoint], attributes: Mapping[str, DraftAttribute]) -> tuple[str, str]:
    """Its own parameter in the path of one item; else `id`; else what is called like it."""
    named = f"{schema[:1].lower()}{schema[1:]}Id"
    asked = [each.own for each in own if each.is_one and each.own]
    for name in (*asked, named, f"{'_'.join(words_of(schema)).lower()}_id"):
        if name in attributes and name.lower() != "id":
            return name, ""
    if "id" in attributes or asked:
        return (asked[0] if asked and asked[0].lower() != "id" else named), ""
    first = next(iter(attributes), named)
    return first, f"check its id: no endpoint and no property says what tells {schema} apart"


def _rename_id(attributes: Mapping[str, DraftAttribute], key: str) -> dict[str, DraftAttribute]:
    """The id first, under a name that other entities do not have."""
    known = attributes.get(key) or attributes.get("id")
    remark = "" if known is not None and known.name == key else "property id" if known is not None else "from the path"
    first = msgspec.structs.replace(known or _parent_attribute(key), name=key, required=False, remark=remark)
    rest = {name: each for name, each in attributes.items() if name != key and each is not known}
    return {key: first, **rest}


def _parent_attribute(name: str) -> DraftAttribute:
    from tablewright.spec.imports.draft import DraftAttribute

    return DraftAttribute(name=name, required=True, immutable=True, remark="from the path")


def _path_name(parameter: str, parent: str) -> str:
    """`/users/{id}/posts` has a userId."""
    return f"{parent[:1].lower()}{parent[1:]}Id" if parameter.lower() == "id" and parent else parameter


def _by_path(each: Endpoint, entities: Mapping[str, DraftEntity]) -> tuple[str, ...]:
    """The attributes whose values the path has."""
    entity = entities[each.schema]
    if each.is_one:
        return entity.id
    known = (_path_name(name, each.parent) for name in each.parents)
    return tuple(name for name in known if entity.attribute(name))


def _relationships(found: list[Endpoint], entities: Mapping[str, DraftEntity]) -> Iterator[DraftRelationship]:
    """Properties called like the id of another entity, and lists below one of them."""
    for schema, child in entities.items():
        below = [each for each in found if each.schema == schema and not each.is_one]
        paths = {_path_name(name, each.parent): each.path for each in below for name in each.parents}
        for other, parent in entities.items():
            if other != schema and child.attribute(parent.id[0]) and parent.id != child.id:
                remark = f"path {paths[parent.id[0]]}" if parent.id[0] in paths else f"property {parent.id[0]}"
                yield DraftRelationship(source=parent.name, target=child.name, by=parent.id, remark=remark)
