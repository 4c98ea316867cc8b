"""Mistakes in keys and queries."""

from __future__ import annotations

from datetime import UTC, date, datetime

import tablewright as tw
from shop import Account, Customer, Order
from tablewright import ANY, Attr, Range

moment = datetime(2026, 1, 1, tzinfo=UTC)

Order.key("c1", orderid="o1")  # error: misspelt composite
Order.key("c1")  # error: the key is incomplete
Order.key(order_id="o1")  # error: the partition key is missing
Order.key("c1", "o1")  # error: sort composites are given by name
Order.key(1, order_id="o1")  # error: the customer is text
Order.key("c1", order_id=1)  # error: the identifier is text
Order.key("c1", order_id=None)  # error: None is no part of a key
Order.key("c1", order_id=tw.gt("o1"))  # error: a key of one item takes no comparison
Order.key("c1", order_id="o1", status="cart")  # error: the status is no part of this key
Order.keys("c1", order_id="o1")  # error: misspelt access pattern
Order.by_custmer("c1")  # error: misspelt access pattern

Order.key.query("c1")  # error: the sort composite is declared without ANY, and to be given as ANY
Order.key.query(order_id=ANY)  # error: the partition key is missing
Order.key.query(1, order_id=ANY)  # error: the customer is text
Order.key.query("c1", order_id=tw.gt("o1"))  # error: this composite is declared without Range
Order.key.query("c1", order=ANY)  # error: misspelt composite
Order.key.query("c1", order_id=ANY).get()  # error: a query is no key
Order.key("c1", order_id="o1").query()  # error: a key of one item is no query
Order.key.querry("c1", order_id=ANY)  # error: misspelt method

Order.by_customer()  # error: the partition key is missing
Order.by_customer("c1", "cart")  # error: sort composites are given by name
Order.by_customer("c1", status="lost")  # error: no such status
Order.by_customer("c1", status=tw.gt("cart"))  # error: this composite is declared without Range
Order.by_customer("c1", created="x")  # error: misspelt composite
Order.by_customer("c1", status="cart", created_at="2026-01-01")  # error: text is not a datetime
Order.by_customer("c1", status="cart", created_at=date(2026, 1, 1))  # error: a date is not a datetime
Order.by_customer("c1", status="cart", created_at=tw.between(1, 2))  # error: numbers are not datetimes
Order.by_customer("c1", status="cart", created_at=tw.between(moment, 2))  # error: a number is not a datetime
Order.by_customer("c1", status="cart", created_at=tw.lt("2026"))  # error: text is not a datetime
Order.by_customer("c1", status="cart", created_at=tw.begins_with("2026"))  # error: begins_with is for text
Order.by_number("7")  # error: the number is a number
Order.by_number(7, order_id=tw.begins_with(1))  # error: a prefix is text
Order.by_number(7, order_id=tw.gte(1))  # error: identifiers are text
Account.of(1)  # error: the customer is text
Account.of("c1", status="cart")  # error: the collection knows the partition key alone
Account.off("c1")  # error: misspelt access pattern
Account.of("c1").limit("5")  # error: a limit is a number

Order.by_customer("c1").limit("5")  # error: a limit is a number
Order.by_customer("c1").compare("v3")  # error: no such way to compare
Order.by_customer("c1").descend()  # error: misspelt method
Order.by_customer("c1").pages("some")  # error: a number of pages, or "all"
Order.by_customer("c1").after(5)  # error: a cursor is text
Order.by_customer("c1").only(1)  # error: an attribute or its name
Customer.key("c1").get().limit(5)  # error: a get has no limit
Customer.key("c1").put()  # error: a key alone cannot be put


class Declared(tw.Entity, service=tw.Service("s", table="t")):
    id: Attr[str]

    @tw.primary(kind="clusterd")  # error: no such kind of index
    def key(self, id: str) -> None:
        """One."""

    @tw.index("gsi1", colection="all")  # error: misspelt option
    def all(self, id: str, *, at: Range[datetime] = ANY) -> None:
        """All."""

    @tw.index()  # error: the index has no name
    def nameless(self, id: str) -> None:
        """None."""

    @tw.index  # error: the index has no name
    def bare(self, id: str) -> None:  # error[mypy]: the function is taken for the name, and the rest for the decorator
        """None."""

    @tw.index("gsi2")  # error: an access pattern returns nothing
    def returning(self, id: str) -> str:
        return id


class NoService(tw.Collection, name="x"):  # error: the service is missing
    customers: list[Customer]

tw.index("gsi1", casing=("default",))  # error: one letter case, or a pair
tw.index("gsi1", casing=("default", "loud"))  # error: no such letter case
