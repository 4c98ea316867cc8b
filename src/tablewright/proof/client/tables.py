"""The tables of a design, made on the embedded engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design, Index, KeyField, TableDesign


class Database(Protocol):
    """Whatever takes requests as DynamoDB does."""

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]: ...


def create_tables(engine: Database, design: Design) -> None:
    for table in design.tables:
        engine.call("CreateTable", definition(table))


def definition(table: TableDesign) -> dict[str, Any]:
    fields = {
        each.name: each.type
        for each in (table.pk, table.sk, *(f for index in (*table.gsis, *table.lsis) for f in (*index.pk, *index.sk)))
    }
    made: dict[str, Any] = {
        "TableName": table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in fields.items()],
        "KeySchema": key_schema((table.pk,), (table.sk,)),
    }
    if table.gsis:
        made["GlobalSecondaryIndexes"] = [index_definition(each) for each in table.gsis]
    if table.lsis:
        made["LocalSecondaryIndexes"] = [index_definition(each) for each in table.lsis]
    return made


def key_schema(pk: Iterable[KeyField], sk: Iterable[KeyField]) -> list[dict[str, str]]:
    return [
        *({"AttributeName": each.name, "KeyType": "HASH"} for each in pk),
        *({"AttributeName": each.name, "KeyType": "RANGE"} for each in sk),
    ]


def index_definition(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection.type}
    if index.projection.type == "INCLUDE":
        projection["NonKeyAttributes"] = list(index.projection.attributes)
    return {"IndexName": index.name, "KeySchema": key_schema(index.pk, index.sk), "Projection": projection}


def table_of(design: Design, name: str) -> TableDesign:
    return next(each for each in design.tables if each.name == name)


def index_of(table: TableDesign, name: str | None) -> Index | None:
    return next((each for each in (*table.gsis, *table.lsis) if each.name == name), None)


def key_names_of(table: TableDesign, index: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The partition and sort attributes of the table or one of its indexes."""
    found = index_of(table, index)
    if found is None:
        return (table.pk.name,), (table.sk.name,)
    return tuple(each.name for each in found.pk), tuple(each.name for each in found.sk)
