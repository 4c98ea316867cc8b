"""An online shop in one table, with keys written by hand: `CUSTOMER#id` / `METADATA`, and a plain `Type` attribute.

Templates say what each key looks like; `Identifiers(entity="Type", version=None)` says how an item tells what it is.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from showing import show_service

import tablewright as tw
from tablewright import ANY, Attr, Range, attr

if TYPE_CHECKING:
    from tablewright import Transaction

Status = Literal["PENDING", "PAID", "SHIPPED"]
shop = tw.Service(
    "shop",
    table=tw.Table("shop", pk="PK", sk="SK", indexes={"GSI1": ("GSI1PK", "GSI1SK"), "GSI2": ("GSI2PK", "GSI2SK")}),
    identifiers=tw.Identifiers(entity="Type", version=None),
)


class Customer(tw.Entity, service=shop, name="Customer"):
    """Someone who buys."""

    customer: Attr[str]
    email: Attr[str]
    name: Attr[str]

    @tw.primary(pk="CUSTOMER#{customer}", sk="METADATA")
    def key(self, customer: str) -> None:
        """A customer by id."""

    @tw.index("GSI1", pk="CUSTOMER_EMAIL#{email}", sk="CUSTOMER#{customer}")
    def by_email(self, email: str, *, customer: str = ANY) -> None:
        """A customer by e-mail address."""


class Order(tw.Entity, service=shop, name="Order"):
    """What a customer has ordered."""

    customer: Attr[str]
    order: Attr[str]
    date: Attr[str]
    status: Attr[Status] = attr(default="PENDING")
    total: Attr[Decimal] = attr(default=Decimal(0))

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
    """One line of an order."""

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


def place(order: Order, lines: list[Line]) -> Transaction:
    """An order with all its lines, or nothing."""
    return tw.transact(order.create(), *(line.create() for line in lines))


def main() -> None:
    order = Order(customer="c1", order="o1", date="2026-11-15", total=Decimal("19.80"))
    lines = [Line(order="o1", item="i1", quantity=2, price=Decimal("9.90"))]
    show_service(
        shop,
        {
            "A customer by id": Customer.key("c1").get(),
            "A customer by e-mail": Customer.by_email("ada@example.com"),
            "The orders of a customer, 25 to a page": Order.of_customer("c1").limit(25),
            "Only the pending ones": Order.of_customer("c1").where(Order.status == "PENDING"),
            "An order by its id alone": Order.by_id("o1"),
            "The lines of an order": Line.of_order("o1"),
            "Pending orders of November": Order.by_status("PENDING", date=tw.between("2026-11-01", "2026-11-30")),
            "An order with its lines, in one transaction": place(order, lines),
            "Ship it, if it has not been shipped (the order was found by its id first)": order.patch(
                Order.status.set("SHIPPED")
            ).where(Order.status != "SHIPPED"),
        },
    )


if __name__ == "__main__":
    main()
