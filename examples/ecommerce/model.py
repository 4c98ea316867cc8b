"""What the shop stores, under the keys its team wrote down: `CUSTOMER#id` / `METADATA`, and a plain `Type` attribute.

Templates say what each key looks like; `Identifiers(entity="Type", version=None)` says how an item tells what it is.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Literal

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

Status = Literal["PENDING", "PAID", "SHIPPED", "CANCELLED"]

shop = tw.Service(
    "shop",
    table=tw.Table("shop", pk="PK", sk="SK", indexes={"GSI1": ("GSI1PK", "GSI1SK"), "GSI2": ("GSI2PK", "GSI2SK")}),
    identifiers=tw.Identifiers(entity="Type", version=None),
)


def today() -> str:
    return tw.now().date().isoformat()


class Customer(tw.Entity, service=shop, name="Customer"):
    """Someone who buys; nobody else has the same e-mail address."""

    customer: Attr[str]
    email: Attr[str] = attr(unique=True, set=str.lower)
    name: Attr[str]

    @tw.primary(pk="CUSTOMER#{customer}", sk="METADATA")
    def key(self, customer: str) -> None:
        """A customer by id."""

    @tw.index("GSI1", pk="CUSTOMER_EMAIL#{email}", sk="CUSTOMER#{customer}")
    def by_email(self, email: str, *, customer: str = ANY) -> None:
        """A customer by e-mail address."""


class Basket(tw.Entity, service=shop, name="Basket"):
    """What a customer may be about to buy; forgotten after 30 days."""

    customer: Attr[str]
    quantities: Attr[dict[str, int]] = attr(default_factory=dict)
    expires: Attr[datetime | None] = attr(default=None, ttl=timedelta(days=30), hide_expired=True)

    @tw.primary(pk="CUSTOMER#{customer}", sk="BASKET")
    def key(self, customer: str) -> None:
        """The basket of a customer."""


class Order(tw.Entity, service=shop, name="Order"):
    """What a customer has ordered."""

    customer: Attr[str]
    order: Attr[str]
    date: Attr[str] = attr(default_factory=today, read_only=True)
    status: Attr[Status] = attr(default="PENDING")
    total: Attr[Decimal]

    @tw.primary(pk="CUSTOMER#{customer}", sk="ORDER#{order}")
    def key(self, customer: str, *, order: str) -> None:
        """One order of a customer."""

    @tw.index("table")
    def of_customer(self, customer: str, *, order: Range[str] = ANY) -> None:
        """The orders of a customer."""

    @tw.index("GSI1", pk="ORDER#{order}", sk="CUSTOMER#{customer}")
    def by_id(self, order: str, *, customer: str = ANY) -> None:
        """An order by its id alone."""

    @tw.index("GSI2", pk="ORDER_STATUS#{status}", sk="{date}#ORDER#{order}")
    def by_status(self, status: Status, *, date: Range[str] = ANY, order: str = ANY) -> None:
        """Orders of a status, by date."""


class Line(tw.Entity, service=shop, name="Item"):
    """One line of an order; the price is that of the day."""

    order: Attr[str]
    item: Attr[str]
    quantity: Attr[int]
    price: Attr[Decimal]

    @tw.primary(pk="ORDER#{order}", sk="ITEM#{item}")
    def key(self, order: str, *, item: str) -> None:
        """One line of an order."""

    @tw.index("table")
    def of_order(self, order: str, *, item: Range[str] = ANY) -> None:
        """The lines of an order."""


class Product(tw.Entity, service=shop, name="Product"):
    """Something to sell, and how many there are."""

    item: Attr[str]
    title: Attr[str]
    price: Attr[Decimal]
    stock: Attr[int]

    @tw.primary(pk="PRODUCT#{item}", sk="METADATA")
    def key(self, item: str) -> None:
        """A product by id."""
