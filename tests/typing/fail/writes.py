"""Mistakes with versions, edits and idempotent writes."""

from __future__ import annotations

from shop import Customer, Order
from tablewright import Attr, attr

import tablewright as tw

key = Customer.key("c")
tw.edit(key, lambda customer: customer.nme)  # error: misspelt attribute
tw.edit(key, lambda customer: customer.name)  # error: changes are wanted, not a text
tw.edit(Customer, lambda customer: None)  # error: a key is wanted, not a class
tw.edit(key, lambda customer: None, attempts="5")  # error: a number of attempts
tw.once(Customer(customer="c", name="n"), "r")  # error: an item is no operation
tw.once(key.delete(), 7)  # error: a request id is text
tw.once(key.delete(), "r", keep=60)  # error: a timedelta is wanted
tw.find_unique("Customer", name="n")  # error: a class is wanted
tw.repair_unique(Order.key("c", order_id="o"))  # error: a class is wanted

club = tw.Service("club", table="club")


class Member(tw.Entity, service=club, name="member", unique=[7]):  # error: attributes are named by text
    nick: Attr[str] = attr(version=True)  # error: a version is a number
    count: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, nick: str) -> None:
        """One member."""


Member(nick="a", count=3)  # error: writes count the version, nobody gives it
