"""Tables of a design as DynamoDB makes them, and the key fields of a table and its indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.design.model import Design, Index, KeyField, TableDesign


def definition(table: TableDesign) -> dict[str, Any]:
    """The parameters of CreateTable, on demand."""
    fields = {
        each.name: each.type
        for each in (table.pk, table.sk, *(f for index in (*table.gsis, *table.lsis) for f in (*index.pk, *index.sk)))
    }
    made: dict[str, Any] = {
        "TableName": table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in fields.items()],
        "KeySchema": _key_schema((table.pk,), (table.sk,)),
    }
    if table.gsis:
        made["GlobalSecondaryIndexes"] = [_index_definition(each) for each in table.gsis]
    if table.lsis:
        made["LocalSecondaryIndexes"] = [_index_definition(each) for each in table.lsis]
    return made


def _key_schema(pk: Iterable[KeyField], sk: Iterable[KeyField]) -> list[dict[str, str]]:
    return [
        *({"AttributeName": each.name, "KeyType": "HASH"} for each in pk),
        *({"AttributeName": each.name, "KeyType": "RANGE"} for each in sk),
    ]


def _index_definition(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection.type}
    if index.projection.type == "INCLUDE":
        projection["NonKeyAttributes"] = list(index.projection.attributes)
    return {"IndexName": index.name, "KeySchema": _key_schema(index.pk, index.sk), "Projection": projection}


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
