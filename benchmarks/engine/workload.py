"""The table, the items of about 500 bytes, and the requests every contender answers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = "bench"
GROUP = 100  # items in a partition: what a query finds

CREATE: dict[str, Any] = {
    "TableName": TABLE,
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "gpk", "gsk")],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "gsi1",
            "KeySchema": [{"AttributeName": "gpk", "KeyType": "HASH"}, {"AttributeName": "gsk", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


def item(number: int) -> dict[str, Any]:
    """Ten attributes with a nested map, a list, a set and numbers."""
    group = number // GROUP
    return {
        "pk": {"S": f"customer#{group:07}"},
        "sk": {"S": f"order#{number:09}"},
        "gpk": {"S": f"day#{group:07}"},
        "gsk": {"S": f"{number:09}"},
        "status": {"S": "open"},
        "total": {"N": f"{number % 997}.25"},
        "views": {"N": "0"},
        "address": {
            "M": {"street": {"S": "1 Long Street With A Name"}, "city": {"S": "Springfield"}, "zip": {"S": "12345"}}
        },
        "tags": {"SS": ["gift", "priority", "fragile"]},
        "lines": {"L": [{"S": "x" * 60}, {"S": "y" * 60}, {"N": "3"}]},
        "note": {"S": "n" * 120},
    }


def key(number: int) -> dict[str, Any]:
    whole = item(number)
    return {"pk": whole["pk"], "sk": whole["sk"]}


@dataclass(frozen=True, slots=True)
class Requests:
    """Endless requests of each kind for a table of this size; numbers jump about, so that no cache helps for long."""

    size: int

    def numbers(self) -> Iterator[int]:
        return (number * 7919 % self.size for number in count(1))

    def make(self, operation: str, number: int) -> tuple[str, dict[str, Any]]:
        group = number // GROUP
        if operation == "get":
            return "GetItem", {"TableName": TABLE, "Key": key(number)}
        if operation == "put":
            return "PutItem", {"TableName": TABLE, "Item": {**item(number), "views": {"N": "1"}}}  # another than before
        if operation == "update":
            return "UpdateItem", {
                "TableName": TABLE,
                "Key": key(number),
                "UpdateExpression": "SET #s = :s ADD #v :one",
                "ExpressionAttributeNames": {"#s": "status", "#v": "views"},
                "ExpressionAttributeValues": {":s": {"S": "paid"}, ":one": {"N": "1"}},
            }
        params: dict[str, Any] = {
            "TableName": TABLE,
            "KeyConditionExpression": "#k = :k",
            "ExpressionAttributeNames": {"#k": "pk" if operation == "query 100" else "gpk"},
            "ExpressionAttributeValues": {":k": item(group * GROUP)["pk" if operation == "query 100" else "gpk"]},
        }
        return "Query", params if operation == "query 100" else {**params, "IndexName": "gsi1"}


OPERATIONS = ("get", "put", "update", "query 100", "gsi query 100")


def batches(size: int) -> Iterator[dict[str, Any]]:
    """The whole table in BatchWriteItem requests."""
    for start in range(0, size, 25):
        puts = [{"PutRequest": {"Item": item(number)}} for number in range(start, min(start + 25, size))]
        yield {"RequestItems": {TABLE: puts}}
