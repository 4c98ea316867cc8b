"""A service with every kind of attribute, used by the files in `pass` and `fail`."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

import attrs
import msgspec
import pydantic

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

Status = Literal["cart", "ordered", "sent"]

shop = tw.Service("shop", table=tw.Table("shop"))


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(tw.Map):
    city: Attr[str]
    zip_code: Attr[str] = attr(default="", field="zip")
    floor: Attr[int | None] = attr(default=None)


class Person(tw.Map):
    name: Attr[str]
    address: Attr[Address]
    summer: Attr[Address | None] = attr(default=None)


class Line(tw.Map):
    sku: Attr[str]
    count: Attr[int] = attr(default=1)


@dataclass
class Size:
    width: int
    unit: str


class Price(pydantic.BaseModel):
    amount: Decimal
    currency: str


@attrs.define
class Supplier:
    name: str
    sizes: list[Size]


class Parcel(msgspec.Struct):
    tracking: str
    size: Size


@dataclass
class Card:
    number: str
    kind: Literal["card"] = "card"


@dataclass
class Transfer:
    iban: str
    kind: Literal["transfer"] = "transfer"


class Order(tw.Entity, service=shop, name="order", version="1"):
    """What a customer wants."""

    customer: Attr[str]
    order_id: Attr[str] = attr(default_factory=tw.new_id, alias="orderId")
    number: Attr[int]
    status: Attr[Status] = attr(default="cart")
    created_at: Attr[datetime] = attr(default_factory=tw.now, read_only=True)
    due: Attr[date | None] = attr(default=None)
    total: Attr[Decimal] = attr(default=Decimal(0))
    weight: Attr[float] = attr(default=0.0)
    is_gift: Attr[bool] = attr(default=False)
    note: Attr[str | None] = attr(default=None)
    label: Attr[bytes | None] = attr(default=None)
    trace: Attr[UUID | None] = attr(default=None)
    colour: Attr[Colour] = attr(default=Colour.RED)
    visits: Attr[int | None] = attr(default=None)
    reminders: Attr[list[str]] = attr(default_factory=list)
    tags: Attr[set[str]] = attr(default_factory=set)
    codes: Attr[frozenset[int]] = attr(default_factory=frozenset)
    counts: Attr[dict[str, int]] = attr(default_factory=dict)
    lines: Attr[list[Line]] = attr(default_factory=list)
    rooms: Attr[dict[str, Address]] = attr(default_factory=dict)
    receiver: Attr[Person]
    billing: Attr[Address | None] = attr(default=None)
    size: Attr[Size]
    price: Attr[Price]
    supplier: Attr[Supplier | None] = attr(default=None)
    parcel: Attr[Parcel]
    payment: Attr[Card | Transfer]
    extra: Attr[Any] = attr(default=None)

    @tw.primary
    def key(self, customer: str, *, order_id: str) -> None:
        """One order."""

    @tw.index("gsi1", collection="account")
    def by_customer(self, customer: str, *, status: Status = ANY, created_at: Range[datetime] = ANY) -> None:
        """The orders of a customer, by status and age."""

    @tw.index("gsi2")
    def by_number(self, number: int, *, order_id: Range[str] = ANY) -> None:
        """Orders by the number people know."""


class Customer(tw.Entity, service=shop, name="customer", version="1"):
    """Someone who buys."""

    customer: Attr[str]
    name: Attr[str]
    orders: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, customer: str) -> None:
        """One customer."""

    @tw.index("gsi1", collection="account")
    def account(self, customer: str) -> None:
        """The customer's own row beside the orders."""


class Account(tw.Collection, service=shop, name="account"):
    """A customer with all orders."""

    customers: list[Customer]
    orders: list[Order]

    @tw.index("gsi1")
    def of(self, customer: str) -> None:
        """Everything of one customer."""


def an_order() -> Order:
    return Order(
        customer="c1",
        orderId="o1",
        number=7,
        receiver=Person(name="Ann", address=Address(city="Ulm")),
        size=Size(width=3, unit="cm"),
        price=Price(amount=Decimal(5), currency="EUR"),
        parcel=Parcel(tracking="t1", size=Size(width=1, unit="m")),
        payment=Card(number="1234"),
    )
