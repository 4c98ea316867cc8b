from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.engine.make import create_table

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine

ITEM = {"pk": {"S": "k"}, "sk": {"S": "1"}, "g": {"S": "g"}, "l": {"S": "l"}, "shown": {"S": "p"}, "rest": {"S": "o"}}
KEY = {"pk": {"S": "k"}, "sk": {"S": "1"}}


@pytest.fixture(autouse=True)
def _table(engine: Engine) -> None:  # pyright: ignore[reportUnusedFunction]
    create_table(engine, "pk sk", gsis={"gsi": ("g", ["shown"])}, lsis={"lsi": ("pk l", "ALL")})


def arms(report: dict[str, Any]) -> tuple[float, float, float | None, float | None]:
    """Total, table, GSI and LSI; None for an arm that is not there."""
    gsi = report.get("GlobalSecondaryIndexes", {}).get("gsi", {}).get("CapacityUnits")
    lsi = report.get("LocalSecondaryIndexes", {}).get("lsi", {}).get("CapacityUnits")
    return report["CapacityUnits"], report["Table"]["CapacityUnits"], gsi, lsi


def put(engine: Engine, item: dict[str, Any], **more: Any) -> dict[str, Any]:
    params = {"TableName": "things", "Item": item, "ReturnConsumedCapacity": "INDEXES", **more}
    reply: dict[str, Any] = engine.call("PutItem", params).get("ConsumedCapacity", {})
    return reply


def test_puts(engine: Engine) -> None:
    assert arms(put(engine, ITEM)) == (3, 1, 1, 1)
    assert arms(put(engine, ITEM)) == (1, 1, None, None)
    assert arms(put(engine, {**KEY, "sk": {"S": "2"}})) == (1, 1, None, None)
    assert arms(put(engine, {**KEY, "sk": {"S": "3"}, "l": {"S": "l"}})) == (2, 1, None, 1)
    assert arms(put(engine, {**ITEM, "rest": {"S": "x" * 3000}})) == (3 + 3, 3, None, 3)
    assert arms(put(engine, ITEM)) == (3 + 3, 3, None, 3)


@pytest.mark.parametrize(
    ("change", "cost"),
    [
        ("SET rest = :v", (2, 1, None, 1)),
        ("SET shown = :v", (3, 1, 1, 1)),
        ("SET g = :v", (4, 1, 2, 1)),
        ("SET l = :v", (3, 1, None, 2)),
        ("REMOVE g SET shown = shown", (3, 1, 1, 1)),
        ("SET rest = rest", (1, 1, None, None)),
    ],
)
def test_updates(engine: Engine, change: str, cost: tuple[Any, ...]) -> None:
    put(engine, ITEM)
    params: dict[str, Any] = {"TableName": "things", "Key": KEY, "UpdateExpression": change}
    if ":v" in change:
        params["ExpressionAttributeValues"] = {":v": {"S": "new"}}
    reply = engine.call("UpdateItem", {**params, "ReturnConsumedCapacity": "INDEXES"})
    assert arms(reply["ConsumedCapacity"]) == cost


def test_deletes(engine: Engine) -> None:
    put(engine, ITEM)
    params = {"TableName": "things", "Key": KEY, "ReturnConsumedCapacity": "INDEXES"}
    assert arms(engine.call("DeleteItem", params)["ConsumedCapacity"]) == (3, 1, 1, 1)
    assert arms(engine.call("DeleteItem", params)["ConsumedCapacity"]) == (1, 1, None, None)


def test_totals_have_no_arms(engine: Engine) -> None:
    assert put(engine, ITEM, ReturnConsumedCapacity="TOTAL") == {"TableName": "things", "CapacityUnits": 3.0}
    assert put(engine, ITEM, ReturnConsumedCapacity="NONE") == {}


def test_batches_are_summed_by_table(engine: Engine) -> None:
    create_table(engine, "pk", name="others")
    requests = {
        "things": [{"PutRequest": {"Item": ITEM}}, {"PutRequest": {"Item": {**KEY, "sk": {"S": "2"}}}}],
        "others": [{"DeleteRequest": {"Key": {"pk": {"S": "k"}}}}],
    }
    reply = engine.call("BatchWriteItem", {"RequestItems": requests, "ReturnConsumedCapacity": "INDEXES"})
    assert [arms(report) for report in reply["ConsumedCapacity"]] == [(4, 2, 1, 1), (1, 1, None, None)]


def test_transactions_cost_twice_and_tell_which_way(engine: Engine) -> None:
    check = {"TableName": "things", "Key": {**KEY, "sk": {"S": "2"}}, "ConditionExpression": "attribute_not_exists(pk)"}
    params = {
        "TransactItems": [{"Put": {"TableName": "things", "Item": ITEM}}, {"ConditionCheck": check}],
        "ReturnConsumedCapacity": "INDEXES",
        "ClientRequestToken": "token",
    }
    (report,) = engine.call("TransactWriteItems", params)["ConsumedCapacity"]
    assert arms(report) == (8, 4, 2, 2)
    assert report["Table"] == {"CapacityUnits": 4.0, "WriteCapacityUnits": 4.0}
    (again,) = engine.call("TransactWriteItems", params)["ConsumedCapacity"]
    assert again["Table"] == {"CapacityUnits": 4.0, "ReadCapacityUnits": 4.0}
    gets = [{"Get": {"TableName": "things", "Key": {**KEY, "sk": {"S": sk}}}} for sk in ("1", "missing")]
    (read,) = engine.call("TransactGetItems", {"TransactItems": gets, "ReturnConsumedCapacity": "TOTAL"})[
        "ConsumedCapacity"
    ]
    assert read == {"TableName": "things", "CapacityUnits": 4.0, "ReadCapacityUnits": 4.0}
