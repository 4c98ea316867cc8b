from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tablewright.engine import Engine
from tablewright.engine.simulation import Instruments
from tablewright.engine.store.collections import Collections
from tablewright.errors import ServiceError
from tablewright.wire.limits import MAX_ITEM_COLLECTION_BYTES

LIMIT = 1000
FULL = ("ItemCollectionSizeLimitExceededException", "Collection size exceeded.")
TYPES = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "by")]


def keys(range_key: str) -> list[dict[str, str]]:
    return [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": range_key, "KeyType": "RANGE"}]


LOCAL = {"IndexName": "local", "KeySchema": keys("by"), "Projection": {"ProjectionType": "KEYS_ONLY"}}


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(instruments=Instruments(collection_bytes=LIMIT)) as engine:
        for name, more in (("local", {"LocalSecondaryIndexes": [LOCAL]}), ("plain", {})):
            types = TYPES if more else TYPES[:2]
            table = {"TableName": name, "KeySchema": keys("sk"), "AttributeDefinitions": types, **more}
            engine.call("CreateTable", {**table, "BillingMode": "PAY_PER_REQUEST"})
        yield engine


def item(sk: str, size: int, **more: str) -> dict[str, Any]:
    """An item of this size, without what else it has."""
    return {name: {"S": value} for name, value in {"pk": "p", "sk": sk, "x": "." * (size - 7), **more}.items()}


def put(engine: Engine, new: dict[str, Any], table: str = "local") -> None:
    engine.call("PutItem", {"TableName": table, "Item": new})


def refusal(engine: Engine, action: str, params: dict[str, Any]) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        engine.call(action, params)
    return refused.value


def count(engine: Engine) -> int:
    found: int = engine.call("Scan", {"TableName": "local", "Select": "COUNT"})["Count"]
    return found


def test_a_collection_can_be_filled_to_the_byte(engine: Engine) -> None:
    put(engine, item("a", 600))
    put(engine, item("b", 400))
    refused = refusal(engine, "PutItem", {"TableName": "local", "Item": item("c", 7)})
    assert (refused.name, refused.service_message) == FULL
    assert count(engine) == 2
    put(engine, {**item("c", 900), "pk": {"S": "another"}})


def test_entries_of_local_indexes_count(engine: Engine) -> None:
    put(engine, item("a", 990))
    assert refusal(engine, "PutItem", {"TableName": "local", "Item": item("a", 990, by="b")}).name == FULL[0]
    put(engine, item("a", 970, by="b"))


def test_what_shrinks_or_goes_makes_room(engine: Engine) -> None:
    put(engine, item("a", 990))
    put(engine, item("a", 500))
    put(engine, item("b", 490))
    engine.call("DeleteItem", {"TableName": "local", "Key": {"pk": {"S": "p"}, "sk": {"S": "a"}}})
    put(engine, item("c", 500))


def test_updates_batches_and_transactions_are_refused_too(engine: Engine) -> None:
    put(engine, item("a", 900))
    grown = {
        "TableName": "local",
        "Key": {"pk": {"S": "p"}, "sk": {"S": "a"}},
        "UpdateExpression": "SET y = :y",
        "ExpressionAttributeValues": {":y": {"S": "." * 100}},
    }
    assert refusal(engine, "UpdateItem", grown).name == FULL[0]
    batch = {"RequestItems": {"local": [{"PutRequest": {"Item": item("b", 200)}}]}}
    assert refusal(engine, "BatchWriteItem", batch).name == FULL[0]
    members = [{"Put": {"TableName": "plain", "Item": item("b", 9)}}, {"Update": grown}]
    reasons = refusal(engine, "TransactWriteItems", {"TransactItems": members}).details["CancellationReasons"]
    assert reasons == [{"Code": "None"}, {"Code": "ItemCollectionSizeLimitExceeded", "Message": FULL[1]}]
    assert engine.call("Scan", {"TableName": "plain"})["Count"] == 0


def test_tables_without_local_indexes_have_no_such_limit(engine: Engine) -> None:
    put(engine, item("a", 5000), "plain")
    put(engine, item("b", 5000), "plain")


def test_ten_gigabytes_unless_it_is_said_otherwise() -> None:
    assert Collections().limit_bytes == MAX_ITEM_COLLECTION_BYTES == 10 * 1024**3
    assert Instruments().collection_bytes == MAX_ITEM_COLLECTION_BYTES
