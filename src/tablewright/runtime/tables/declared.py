"""The tables that a service declares, and the requests that make them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tablewright.errors import RequestError, SchemaError
from tablewright.runtime.tables.settings import TABLE_CLASSES, Provisioned
from tablewright.schema import model
from tablewright.schema.table import derive_table
from tablewright.schema.types import ANY, CUSTOM, NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.runtime.tables.settings import Settings
    from tablewright.schema.types import Attribute

Params: TypeAlias = dict[str, Any]


class Placed(Protocol):
    """A service in either style: every entity with the name of the table it lives in."""

    def __tablewright_homes__(self) -> Iterable[tuple[str | None, model.Entity]]: ...


AnyService: TypeAlias = Placed | model.Service


def tables_of(service: AnyService) -> tuple[model.Table, ...]:
    """The physical tables behind a service in any form: one, unless a loaded one spreads its entities."""
    by_name: dict[str, list[model.Entity]] = {}
    for name, entity in _homes(service):
        if not name:
            remedy = "name one in the service, or load it with table=..."
            raise RequestError(f"{entity.service}.{entity.name} has no table; {remedy}", code=2003)
        by_name.setdefault(name, []).append(entity)
    return tuple(derive_table(entities, name=name) for name, entities in by_name.items())


def _homes(service: AnyService) -> Iterable[tuple[str | None, model.Entity]]:
    """Every entity with the name of the table it lives in."""
    if isinstance(service, model.Service):
        return [(entity.table or service.table.name, entity) for entity in service.entities.values()]
    if not hasattr(service, "__tablewright_homes__"):
        raise RequestError(f"{service!r:.60} is no service; give a Service or what Service.load gave", code=5002)
    return service.__tablewright_homes__()


def create_request(table: model.Table, settings: Settings) -> Params:
    """CreateTable's parameters."""
    params: Params = {
        "TableName": table.name,
        "AttributeDefinitions": _attribute_definitions(table),
        "KeySchema": _key_schema(table.primary),
        **_throughput(settings, None),
    }
    for name, kind in (("LocalSecondaryIndexes", "lsi"), ("GlobalSecondaryIndexes", "gsi")):
        indexes = [_index_request(table, index, settings) for index in table.indexes if index.kind == kind]
        if indexes:
            params[name] = indexes
    return {**params, **_optional_settings(settings)}


def _optional_settings(settings: Settings) -> Params:
    params: Params = {}
    if settings.stream is not None:
        params["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": settings.stream.upper()}
    if settings.table_class is not None:
        params["TableClass"] = TABLE_CLASSES[settings.table_class]
    if settings.deletion_protection is not None:
        params["DeletionProtectionEnabled"] = settings.deletion_protection
    if settings.tags:
        params["Tags"] = [{"Key": key, "Value": value} for key, value in settings.tags.items()]
    return params


def _throughput(settings: Settings, index: str | None) -> Params:
    """Billing of the table, or the units of one of its indexes."""
    units = settings.billing
    if not isinstance(units, Provisioned):
        return {} if index else {"BillingMode": "PAY_PER_REQUEST"}
    if index is not None:
        units = units.indexes.get(index, units)
    provisioned = {"ReadCapacityUnits": units.rcu, "WriteCapacityUnits": units.wcu}
    mode = {} if index else {"BillingMode": "PROVISIONED"}
    return {**mode, "ProvisionedThroughput": provisioned}


def _index_request(table: model.Table, index: model.Index, settings: Settings) -> Params:
    units = _throughput(settings, index.name) if index.kind == "gsi" else {}
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index),
        "Projection": projection(table, index),
        **units,
    }


def _key_schema(index: model.Index) -> list[Params]:
    sides = ((index.pk, "HASH"), (index.sk, "RANGE"))
    return [{"AttributeName": each.field, "KeyType": kind} for side, kind in sides for each in side]


def projection(table: model.Table, index: model.Index) -> Params:
    """Key fields are in every index anyhow, and are not listed."""
    if isinstance(index.projection, str):
        return {"ProjectionType": index.projection.upper()}
    keys = {each.field for of in (table.primary, index) for each in (*of.pk, *of.sk)}
    listed = [field for field in index.projection if field not in keys]
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": listed} if listed else {"ProjectionType": "KEYS_ONLY"}


def _attribute_definitions(table: model.Table) -> list[Params]:
    types: dict[str, str] = {}
    for index in (table.primary, *table.indexes):
        for each in (*index.pk, *index.sk):
            if types.setdefault(each.field, each.type) != each.type:
                raise SchemaError(
                    f'table "{table.name}": {each.field} is a key of types {types[each.field]} and {each.type}; '
                    "DynamoDB knows one type for each key field, so give one of the indexes another field",
                    code=1009,
                )
    return [{"AttributeName": field, "AttributeType": kind} for field, kind in types.items()]


def ttl_field(service: AnyService, ttl: str) -> str:
    """The stored field of the attribute that says when an item expires, which must be a number."""
    entities = [entity for _, entity in _homes(service)]
    found = list(_named(entities, ttl))
    if not found:
        remedy = "name an attribute that holds the second (since 1970) from which the item may go"
        raise RequestError(f"ttl={ttl!r}: no entity of the service has such an attribute; {remedy}", code=1010)
    for entity, attribute in found:
        if attribute.type not in (NUMBER, ANY, CUSTOM):
            raise RequestError(
                f"ttl={ttl!r}: {entity.name}.{attribute.name} is no number, and DynamoDB expires items by a number of "
                "seconds since 1970; make it an int",
                code=1010,
            )
    return found[0][1].field


def _declared_ttl(service: AnyService, table: model.Table) -> str | None:
    """The stored field by which the entities of a table say that their items expire."""
    fields: dict[str, str] = {}
    for name, entity in _homes(service):
        ttl = entity.features.ttl
        attribute = None if ttl is None or name != table.name else entity.attribute(ttl.attribute)
        if attribute is not None:
            fields.setdefault(attribute.field, entity.name)
    if len(fields) > 1:
        told = ", ".join(f"{entity} by {field}" for field, entity in fields.items())
        remedy = 'store them in one field, with attr(ttl=..., field="expires")'
        raise SchemaError(
            f'items of table "{table.name}" expire {told}, but a table has one such field; {remedy}', code=1009
        )
    return next(iter(fields), None)


def wanted_ttl(service: AnyService, table: model.Table, settings: Settings) -> str | None:
    """The field by which items of a table shall expire: as asked for, else as declared."""
    return _declared_ttl(service, table) if settings.ttl is None else ttl_field(service, settings.ttl)


def _named(entities: Iterable[model.Entity], name: str) -> Iterator[tuple[model.Entity, Attribute]]:
    for entity in entities:
        for attribute in entity.attributes:
            if name in (attribute.field, attribute.name):
                yield entity, attribute
