"""Mistakes in making items."""

from __future__ import annotations

from shop import Address, Card, Customer, Person, an_order
from tablewright import Attr, attr

import tablewright as tw

Customer(customer="c", name=5)  # error: a name is text
Customer(customer="c")  # error: the name is missing
Customer(customer="c", name="n", age=3)  # error: there is no attribute age
Customer(customer="c", name="n", orders="3")  # error: orders is a number
Customer("c", "n")  # error: attributes are given by name
Customer(customer="c", name=None)  # error: a name is not optional
Address(city="Ulm", zip=89073)  # error: zip_code is the name, zip only the stored one
Address(zip_code="89073")  # error: the city is missing
Person(name="n", address="Ulm")  # error: an address is a map, not text
Person(name="n", address=Address(city=1))  # error: a city is text

order = an_order()
order.status = "lost"  # error: no such status
order.number = None  # error: the number is not optional
order.payment = "cash"  # error: neither a card nor a transfer
order.payment = Card(number=1)  # error: a card's number is text
order.receiver.address.city = 5  # error: a city is text
order.tags = ["a"]  # error: a list is not a set
order.custmer = "c"  # error: misspelt attribute
print(order.custmer)  # error: misspelt attribute

other = tw.Service("other", table="other")


class Wrong(tw.Entity, service=other, nam="wrong"):  # error: misspelt option of the class statement
    id: Attr[str]
    count: Attr[int] = attr(default="0")  # error: the default is text
    names: Attr[list[str]] = attr(default_factory=dict)  # error: the default is a dict
    scores: Attr[list[int]] = attr(default_factory=lambda: ["a"])  # error: the default holds text
    maybe: Attr[str] = attr(default=None)  # error: None is for optional attributes
    plain: Attr[int] = 0  # error: a default is written attr(default=0)
    shared: Attr[list[str]] = []  # error: a list is written attr(default_factory=list)
    noted: Attr[str] = attr(feild="n")  # error: misspelt option of the attribute


tw.Service("other")  # error: the table is missing
tw.Service("other", table=5)  # error: a table is a Table or its name
tw.Table("app", pk=5)  # error: field names are text
