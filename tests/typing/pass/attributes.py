"""What attributes are on items (values) and on classes (paths)."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any, assert_type
from uuid import UUID

from shop import (
    Address,
    Card,
    Colour,
    Customer,
    Line,
    Order,
    Parcel,
    Person,
    Price,
    Size,
    Status,
    Supplier,
    Transfer,
    an_order,
)

import tablewright as tw

order = an_order()

# Values on items.
assert_type(order.customer, str)
assert_type(order.order_id, str)
assert_type(order.number, int)
assert_type(order.status, Status)
assert_type(order.created_at, datetime)
assert_type(order.due, date | None)
assert_type(order.total, Decimal)
assert_type(order.weight, float)
assert_type(order.is_gift, bool)
assert_type(order.note, str | None)
assert_type(order.label, bytes | None)
assert_type(order.trace, UUID | None)
assert_type(order.colour, Colour)
assert_type(order.visits, int | None)
assert_type(order.reminders, list[str])
assert_type(order.tags, set[str])
assert_type(order.codes, frozenset[int])
assert_type(order.counts, dict[str, int])
assert_type(order.lines, list[Line])
assert_type(order.rooms, dict[str, Address])
assert_type(order.receiver, Person)
assert_type(order.receiver.address.city, str)
assert_type(order.receiver.address.floor, int | None)
assert_type(order.receiver.summer, Address | None)
assert_type(order.billing, Address | None)
assert_type(order.size, Size)
assert_type(order.price, Price)
assert_type(order.supplier, Supplier | None)
assert_type(order.parcel, Parcel)
assert_type(order.payment, Card | Transfer)
assert_type(order.extra, Any)

# Values can be assigned.
order.status = "ordered"
order.due = date(2026, 1, 1)
order.due = None
order.billing = Address(city="Bonn", zip_code="53111", floor=3)
order.receiver.address.city = "Bonn"
order.tags |= {"red"}

# Paths on classes; None is not a value to compare with, so optional attributes are paths to their values.
assert_type(Order.customer, tw.Path[str])
assert_type(Order.number, tw.Path[int])
assert_type(Order.status, tw.Path[Status])
assert_type(Order.created_at, tw.Path[datetime])
assert_type(Order.due, tw.Path[date])
assert_type(Order.total, tw.Path[Decimal])
assert_type(Order.weight, tw.Path[float])
assert_type(Order.is_gift, tw.Path[bool])
assert_type(Order.note, tw.Path[str])
assert_type(Order.label, tw.Path[bytes])
assert_type(Order.trace, tw.Path[UUID])
assert_type(Order.colour, tw.Path[Colour])
assert_type(Order.visits, tw.Path[int])
assert_type(Order.reminders, tw.Path[list[str]])
assert_type(Order.reminders[0], tw.Path[str])
assert_type(Order.tags, tw.Path[set[str]])
assert_type(Order.codes, tw.Path[frozenset[int]])
assert_type(Order.counts, tw.Path[dict[str, int]])
assert_type(Order.counts["a"], tw.Path[int])

# Maps.
assert_type(Order.lines[0].sku, tw.Path[str])
assert_type(Order.lines[0].count, tw.Path[int])
assert_type(Order.rooms["attic"].city, tw.Path[str])
assert_type(Order.receiver.name, tw.Path[str])
assert_type(Order.receiver.address.city, tw.Path[str])
assert_type(Order.receiver.address.floor, tw.Path[int])
assert_type(Order.receiver.summer.inside.city, tw.Path[str])
assert_type(Order.billing, tw.Path[Address])
assert_type(Order.billing.inside.zip_code, tw.Path[str])

# Classes of other libraries.
assert_type(Order.size, tw.Path[Size])
assert_type(Order.size.at(lambda size: size.width), tw.Path[int])
assert_type(Order.price.at(lambda price: price.amount), tw.Path[Decimal])
assert_type(Order.supplier.at(lambda supplier: supplier.name), tw.Path[str])
assert_type(Order.supplier.at(lambda supplier: supplier.sizes[0].unit), tw.Path[str])
assert_type(Order.parcel.at(lambda parcel: parcel.size.width), tw.Path[int])
assert_type(Order.payment.at(lambda payment: payment.kind) == "card", tw.Condition)

assert_type(order.key, tw.Key[Order])
assert_type(Order.parse({}), Order | None)
assert_type(Customer(customer="c", name="n").orders, int)

differing = tw.index("gsi1", casing=("default", "none"))
