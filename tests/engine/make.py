"""Short ways to make tables, fill them, and hear what is wrong with a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.errors import ServiceError
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine


def key_schema(keys: str) -> list[dict[str, str]]:
    """`"pk"`, `"pk sk"`, or `"h1,h2 r1,r2"` for several attributes of a kind."""
    kinds = ("HASH", "RANGE")
    return [
        {"AttributeName": name, "KeyType": kind}
        for kind, names in zip(kinds, keys.split(), strict=False)
        for name in names.split(",")
    ]


def create_table(
    engine: Engine,
    keys: str = "pk sk",
    *,
    name: str = "things",
    types: dict[str, str] | None = None,
    gsis: dict[str, tuple[str, Any]] | None = None,
    lsis: dict[str, tuple[str, Any]] | None = None,
    **more: Any,
) -> None:
    """A table on demand; indexes are `name: (keys, projection)`, the projection `"ALL"`, `"KEYS_ONLY"` or a list."""
    params: dict[str, Any] = {
        "TableName": name,
        "KeySchema": key_schema(keys),
        "BillingMode": "PAY_PER_REQUEST",
        **more,
    }
    used = list(params["KeySchema"])
    for parameter, indexes in (("GlobalSecondaryIndexes", gsis), ("LocalSecondaryIndexes", lsis)):
        if indexes:
            params[parameter] = [index_of(each, *given) for each, given in indexes.items()]
            used += [key for index in params[parameter] for key in index["KeySchema"]]
    names = dict.fromkeys(key["AttributeName"] for key in used)
    params["AttributeDefinitions"] = [
        {"AttributeName": each, "AttributeType": (types or {}).get(each, "S")} for each in names
    ]
    engine.call("CreateTable", params)


def index_of(name: str, keys: str, projection: Any) -> dict[str, Any]:
    if isinstance(projection, str):
        shown: dict[str, Any] = {"ProjectionType": projection}
    else:
        shown = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(projection)}
    return {"IndexName": name, "KeySchema": key_schema(keys), "Projection": shown}


def put(engine: Engine, *items: dict[str, Any], table: str = "things") -> None:
    """Plain items into a table."""
    for item in items:
        engine.call("PutItem", {"TableName": table, "Item": marshal_item(item)})


def plain(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [unmarshal_item(item) for item in items]


def fault(engine: Engine, action: str, params: dict[str, Any]) -> str:
    """The message of the ValidationException a request gets."""
    with pytest.raises(ServiceError) as refused:
        engine.call(action, params)
    assert refused.value.name == "ValidationException"
    return refused.value.service_message
