"""botocore's client and boto3's Table.

The client gets attribute values written by hand and its answers are left as they are. The Table converts both ways.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
from boto3.dynamodb.conditions import Attr, Key

from benchmarks.calls.client import Client
from benchmarks.calls.workload import (
    ACCESS_KEY,
    BATCH,
    BULK,
    REGION,
    SECRET_KEY,
    TABLE,
    facts,
    keys_of,
    partition,
    plain_order,
    sort,
    status_partition,
    stored_order,
)

if TYPE_CHECKING:
    from benchmarks.calls.workload import Facts

UPDATE = "SET #s = :s, #a.#c = :c, #g = :g ADD #q :q"
UPDATE_NAMES = {"#s": "status", "#a": "address", "#c": "city", "#g": "gsi1pk", "#q": "quantity"}
SETTINGS = {"region_name": REGION, "aws_access_key_id": ACCESS_KEY, "aws_secret_access_key": SECRET_KEY}


def typed_facts(order: dict[str, Any]) -> Facts:
    last = order["lines"]["L"][-1]["M"]
    city = order["address"]["M"]["city"]["S"]
    total, quantity = float(order["total"]["N"]), int(order["quantity"]["N"])
    return (
        order["status"]["S"],
        total,
        quantity,
        city,
        last["sku"]["S"],
        int(last["qty"]["N"]),
        len(order["tags"]["SS"]),
    )


def open_client(endpoint: str) -> Client:
    client = botocore.session.get_session().create_client("dynamodb", endpoint_url=endpoint, **SETTINGS)
    orders = [stored_order(number) for number in range(BULK)]

    def key(number: int) -> dict[str, Any]:
        return {"pk": {"S": partition(number)}, "sk": {"S": sort(number)}}

    def update(number: int) -> Any:
        return client.update_item(
            TableName=TABLE,
            Key=key(number),
            UpdateExpression=UPDATE,
            ConditionExpression="#s = :old",
            ReturnValues="ALL_NEW",
            ExpressionAttributeNames=UPDATE_NAMES,
            ExpressionAttributeValues={
                ":s": {"S": "paid"},
                ":c": {"S": f"City {number}"},
                ":g": {"S": status_partition("paid")},
                ":q": {"N": "1"},
                ":old": {"S": "pending"},
            },
        )["Attributes"]

    def query(number: int) -> Any:
        return client.query(
            TableName=TABLE,
            KeyConditionExpression="#pk = :pk AND begins_with(#sk, :sk)",
            ExpressionAttributeNames={"#pk": "pk", "#sk": "sk"},
            ExpressionAttributeValues={":pk": {"S": partition(number)}, ":sk": {"S": "$order_1#orderid_"}},
        )["Items"]

    def bulk(_: int) -> None:
        for start in range(0, BULK, BATCH):
            requests = [{"PutRequest": {"Item": each}} for each in orders[start : start + BATCH]]
            client.batch_write_item(RequestItems={TABLE: requests})

    return Client(
        get=lambda number: client.get_item(TableName=TABLE, Key=key(number))["Item"],
        update=update,
        query=query,
        bulk=bulk,
        facts=typed_facts,
    )


def open_table(endpoint: str) -> Client:
    table = boto3.resource("dynamodb", endpoint_url=endpoint, **SETTINGS).Table(TABLE)
    orders = [{**keys_of(number), **plain_order(number, fraction=Decimal)} for number in range(BULK)]

    def key(number: int) -> dict[str, Any]:
        return {"pk": partition(number), "sk": sort(number)}

    def update(number: int) -> Any:
        return table.update_item(
            Key=key(number),
            UpdateExpression=UPDATE,
            ConditionExpression=Attr("status").eq("pending"),
            ReturnValues="ALL_NEW",
            ExpressionAttributeNames=UPDATE_NAMES,
            ExpressionAttributeValues={
                ":s": "paid",
                ":c": f"City {number}",
                ":g": status_partition("paid"),
                ":q": 1,
            },
        )["Attributes"]

    def query(number: int) -> Any:
        condition = Key("pk").eq(partition(number)) & Key("sk").begins_with("$order_1#orderid_")
        return table.query(KeyConditionExpression=condition)["Items"]

    def bulk(_: int) -> None:
        with table.batch_writer() as batch:
            for each in orders:
                batch.put_item(Item=each)

    return Client(
        get=lambda number: table.get_item(Key=key(number))["Item"],
        update=update,
        query=query,
        bulk=bulk,
        facts=facts,
    )
