"""pydynantic, over a botocore client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import botocore.session
from pydantic import BaseModel
from pydynantic import Entity, F, Table, key

from benchmarks.calls.client import Client
from benchmarks.calls.workload import (
    ACCESS_KEY,
    BULK,
    REGION,
    SECRET_KEY,
    TABLE,
    customer,
    order_id,
    plain_order,
)

if TYPE_CHECKING:
    from benchmarks.calls.workload import Facts

# Entities are declared on a table that has its client; the real one comes with the endpoint.
ORDERS = Table(name=TABLE, pk="pk", sk="sk", indexes={"gsi1": {"pk": "gsi1pk", "sk": "gsi1sk"}}, client=object())


class Geo(BaseModel):
    lat: float
    lon: float


class Address(BaseModel):
    street: str
    city: str
    zip: str
    geo: Geo


class Line(BaseModel):
    sku: str
    qty: int
    price: float


class Order(Entity, table=ORDERS, name="order"):
    """What a customer bought."""

    customer: str
    orderId: str  # noqa: N815 - as it is stored
    status: str
    total: float
    quantity: int
    createdAt: str  # noqa: N815 - as it is stored
    paid: bool
    tags: set[str]
    address: Address
    lines: list[Line]

    class Meta:
        primary = key(pk="$shop#customer_{customer}", sk="$order_1#orderid_{orderId}")
        by_status = key(index="gsi1", pk="$shop#status_{status}", sk="$order_1#createdat_{createdAt}")


def facts(order: Order) -> Facts:
    last = order.lines[-1]
    return order.status, order.total, order.quantity, order.address.city, last.sku, last.qty, len(order.tags)


def open_client(endpoint: str) -> Client:
    ORDERS.client = botocore.session.get_session().create_client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=SECRET_KEY,
    )
    orders = [Order(**plain_order(number)) for number in range(BULK)]

    def update(number: int) -> Order | None:
        return Order.update(
            customer=customer(number),
            orderId=order_id(number),
            set={"status": "paid", "createdAt": orders[0].createdAt, "address.city": f"City {number}"},
            add={"quantity": 1},
            condition=F("status") == "pending",
        )

    return Client(
        get=lambda number: Order.get(customer=customer(number), orderId=order_id(number)),
        update=update,
        query=lambda number: Order.query.primary(customer=customer(number)).all(),
        bulk=lambda _: Order.batch_write(puts=orders),
        facts=facts,
    )
