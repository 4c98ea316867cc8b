"""Everything that can be done to parts of an item."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from shop import Address, Card, Line, Order, Person, Price, Size, an_order

order = an_order()
key = Order.key("c1", order_id="o1")

changes = (
    Order.status.set("sent"),
    Order.note.set("x"),
    Order.note.set(Order.customer),
    Order.due.set(date(2026, 1, 1)),
    Order.note.if_not_exists("x"),
    Order.note.remove(),
    Order.visits.add(1),
    Order.visits.add(1, default=10),
    Order.number.add(Order.visits),
    Order.visits.subtract(1),
    Order.weight.add(1.5),
    Order.weight.add(1),
    Order.weight.subtract(0.5),
    Order.total.add(Decimal("1.5")),
    Order.total.add(1),
    Order.total.subtract(Decimal(2), default=Decimal(5)),
    Order.tags.add({"a"}),
    Order.tags.delete({"a"}),
    Order.codes.add({1}),
    Order.codes.delete(frozenset({1})),
    Order.tags.set({"a", "b"}),
    Order.reminders.append("a", "b"),
    Order.reminders[0].set("c"),
    Order.reminders[1].remove(),
    Order.lines.append(Line(sku="a")),
    Order.lines[0].count.add(1),
    Order.counts["a"].set(1),
    Order.counts["a"].add(1),
    Order.rooms["attic"].set(Address(city="Ulm")),
    Order.receiver.set(Person(name="n", address=Address(city="Ulm"))),
    Order.receiver.address.set(Address(city="Ulm")),
    Order.receiver.address.if_not_exists(Address(city="Ulm")),
    Order.receiver.address.city.set("Ulm"),
    Order.receiver.summer.remove(),
    Order.billing.set(Address(city="Ulm")),
    Order.billing.inside.floor.add(1),
    Order.billing.remove(),
    Order.size.set(Size(width=1, unit="m")),
    Order.size.at(lambda size: size.width).add(2),
    Order.price.set(Price(amount=Decimal(1), currency="EUR")),
    Order.supplier.at(lambda supplier: supplier.sizes).append(Size(width=1, unit="m")),
    Order.payment.set(Card(number="1")),
    Order.extra.set([1, "a"]),
)

for change in changes:
    key.update(change)
    key.patch(change).where(Order.number > 1, Order.number < 9)
    order.update(change)
    order.patch(change).returning("all_new")
    order.upsert(change)
