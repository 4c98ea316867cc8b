"""Everything that can be asked of an item."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import assert_type
from uuid import UUID

from shop import Address, Card, Colour, Line, Order, Size

import tablewright as tw

moment = datetime(2026, 1, 1, tzinfo=UTC)

assert_type(Order.status == "sent", tw.Condition)
assert_type(Order.status != "sent", tw.Condition)
assert_type(Order.number < 3, tw.Condition)
assert_type(Order.number <= 3, tw.Condition)
assert_type(Order.number > 3, tw.Condition)
assert_type(Order.number >= 3, tw.Condition)
assert_type(Order.number == Order.visits, tw.Condition)
assert_type(Order.number.between(1, 5), tw.Condition)
assert_type(Order.created_at.between(moment, moment), tw.Condition)
assert_type(Order.status.is_in("cart", "ordered"), tw.Condition)
assert_type(Order.note.exists(), tw.Condition)
assert_type(Order.note.not_exists(), tw.Condition)
assert_type(Order.note.is_type("S"), tw.Condition)
assert_type(Order.customer.begins_with("c"), tw.Condition)
assert_type(Order.note.begins_with("c"), tw.Condition)
assert_type(Order.status.begins_with("c"), tw.Condition)
assert_type(Order.note.contains("x"), tw.Condition)
assert_type(Order.reminders.contains("x"), tw.Condition)
assert_type(Order.tags.contains("x"), tw.Condition)
assert_type(Order.codes.contains(1), tw.Condition)
assert_type(Order.tags.size() > 3, tw.Condition)
assert_type(Order.tags.size() == Order.codes.size(), tw.Condition)
assert_type(Order.lines.size() <= 10, tw.Condition)

for condition in (
    Order.created_at >= moment,
    Order.due == date(2026, 1, 1),
    Order.total == Decimal("1.5"),
    Order.weight > 2,
    Order.weight > 2.5,
    Order.is_gift == True,  # noqa: E712 - a condition, not a truth value
    Order.label == b"x",
    Order.trace == UUID(int=1),
    Order.colour == Colour.BLUE,
    Order.lines == [Line(sku="s")],
    Order.counts["a"] == 1,
    Order.lines[0].count > 1,
    Order.rooms["attic"].city == "Ulm",
    Order.receiver.address.city == "Ulm",
    Order.receiver.exists(),
    Order.receiver.address.not_exists(),
    Order.billing == Address(city="Ulm"),
    Order.billing.exists(),
    Order.billing.inside.city.begins_with("U"),
    Order.size == Size(width=1, unit="cm"),
    Order.size.at(lambda size: size.width) > 3,
    Order.supplier.at(lambda supplier: supplier.sizes[0].unit) == "cm",
    Order.payment == Card(number="1"),
    Order.extra == {"any": "thing"},
):
    assert_type(condition, tw.Condition)

joined: list[tw.Condition] = [
    (Order.number > 1) | (Order.number < 0),
    (Order.number > 1) & (Order.note == "x") & Order.tags.contains("x"),
    ~(Order.status == "sent"),
]
Order.by_customer("c1").where(*joined)
