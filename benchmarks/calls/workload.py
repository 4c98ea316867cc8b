"""What every client does, and the answers it gets: orders of ten attributes, 0.86 kB each on the wire.

- get: one order by its key.
- update: status and city set and quantity added to, on condition of the status; the new order comes back. The status is
  the partition key of index gsi1, so that key is written too.
- query: the orders of a customer, of which there are 100, or 86 kB.
- bulk: 250 orders written in batches of 25.

The keys are those that ElectroDB composes. Whatever the question, the answer is the same, so that no time is spent on
finding it.
"""

from __future__ import annotations

import json
from typing import Any

TABLE = "orders"
REGION = "us-east-1"
ACCESS_KEY, SECRET_KEY = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
OPERATIONS = ("get", "update", "query", "bulk")
PAGE = 100
BATCH = 25
BULK = 10 * BATCH
CREATED = "2026-01-01T00:00:00.000Z"

Facts = tuple[str, float, int, str, str, int, int]


def customer(number: int) -> str:
    return f"c{number:05}"


def order_id(number: int) -> str:
    return f"o{number:05}"


def partition(number: int) -> str:
    return f"$shop#customer_{customer(number)}"


def sort(number: int) -> str:
    return f"$order_1#orderid_{order_id(number)}"


def status_partition(status: str) -> str:
    return f"$shop#status_{status}"


def plain_order(number: int, *, fraction: type[Any] = float) -> dict[str, Any]:
    """An order with plain values; `fraction` makes the numbers that are no integers."""
    return {
        "customer": customer(number),
        "orderId": order_id(number),
        "status": "pending",
        "total": fraction("1000.5"),
        "quantity": number + 1,
        "createdAt": CREATED,
        "paid": number % 2 == 0,
        "tags": {"alpha", "beta", "gamma"},
        "address": {
            "street": "1 High Street",
            "city": "Springfield",
            "zip": "12345",
            "geo": {"lat": fraction("51.5072"), "lon": fraction("-0.1276")},
        },
        "lines": [{"sku": f"sku-{number}-{line}", "qty": line + 1, "price": fraction("9.75")} for line in range(3)],
    }


def keys_of(number: int) -> dict[str, str]:
    return {
        "pk": partition(number),
        "sk": sort(number),
        "gsi1pk": status_partition("pending"),
        "gsi1sk": f"$order_1#createdat_{CREATED.lower()}",
        "__edb_e__": "order",
        "__edb_v__": "1",
    }


def typed(value: Any) -> dict[str, Any]:
    """A plain value as DynamoDB writes it."""
    match value:
        case bool():
            return {"BOOL": value}
        case str():
            return {"S": value}
        case dict():
            return {"M": {name: typed(each) for name, each in value.items()}}
        case list():
            return {"L": [typed(each) for each in value]}
        case set():
            return {"SS": sorted(value)}
        case _:
            return {"N": str(value)}


def stored_order(number: int) -> dict[str, Any]:
    """An order as it stands in the table; `__entity__` is pydynantic's mark, the others are ElectroDB's."""
    whole = {**keys_of(number), **plain_order(number), "__entity__": "order"}
    return {name: typed(value) for name, value in whole.items()}


def answers() -> dict[str, bytes]:
    """The JSON that the server gives, by action."""
    orders = [stored_order(number) for number in range(PAGE)]
    given: dict[str, dict[str, Any]] = {
        "GetItem": {"Item": orders[0]},
        "UpdateItem": {"Attributes": orders[0]},
        "Query": {"Items": orders, "Count": PAGE, "ScannedCount": PAGE},
        "BatchWriteItem": {"UnprocessedItems": {}},
    }
    return {action: json.dumps(answer, separators=(",", ":")).encode() for action, answer in given.items()}


def facts(order: dict[str, Any]) -> Facts:
    """What shows that an order was read in full."""
    return (
        order["status"],
        float(order["total"]),
        int(order["quantity"]),
        order["address"]["city"],
        order["lines"][-1]["sku"],
        int(order["lines"][-1]["qty"]),
        len(order["tags"]),
    )


EXPECTED: Facts = facts(plain_order(0))
