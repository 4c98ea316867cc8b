"""The order as Tablewright declares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import tablewright as tw
from benchmarks.calls.workload import TABLE, plain_order
from tablewright import ANY, Attr, attr

if TYPE_CHECKING:
    from benchmarks.calls.workload import Facts

shop = tw.Service("shop", table=tw.Table(TABLE))


@dataclass(slots=True)
class Geo:
    lat: float
    lon: float


class Address(tw.Map):
    street: Attr[str]
    city: Attr[str]
    zip: Attr[str]
    geo: Attr[Geo]


@dataclass(slots=True)
class Line:
    sku: str
    qty: int
    price: float


class Order(tw.Entity, service=shop, name="order", version="1"):
    """What a customer bought."""

    customer: Attr[str]
    order_id: Attr[str] = attr(alias="orderId", field="orderId")
    status: Attr[str]
    total: Attr[float]
    quantity: Attr[int]
    created_at: Attr[str] = attr(alias="createdAt", field="createdAt")
    paid: Attr[bool]
    tags: Attr[set[str]]
    address: Attr[Address]
    lines: Attr[list[Line]]

    @tw.primary
    def key(self, customer: str, *, order_id: str) -> None:
        """One order."""

    @tw.index("table")
    def of_customer(self, customer: str, *, order_id: str = ANY) -> None:
        """What a customer bought."""

    @tw.index("gsi1")
    def by_status(self, status: str, *, created_at: str = ANY) -> None:
        """Orders by status and age."""


def order(number: int, **others: str) -> Order:
    """The order of this number, with other values than its own where some are given."""
    plain = {**plain_order(number), **others}
    to = plain["address"]
    return Order(
        customer=plain["customer"],
        orderId=plain["orderId"],
        status=plain["status"],
        total=plain["total"],
        quantity=plain["quantity"],
        createdAt=plain["createdAt"],
        paid=plain["paid"],
        tags=plain["tags"],
        address=Address(street=to["street"], city=to["city"], zip=to["zip"], geo=Geo(**to["geo"])),
        lines=[Line(**line) for line in plain["lines"]],
    )


def facts(order: Order) -> Facts:
    last = order.lines[-1]
    return order.status, order.total, order.quantity, order.address.city, last.sku, last.qty, len(order.tags)
