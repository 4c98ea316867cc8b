"""Mistakes in conditions."""

from __future__ import annotations

from datetime import UTC, date, datetime

from shop import Customer, Order, Size

moment = datetime(2026, 1, 1, tzinfo=UTC)
query = Order.by_customer("c1")

query.where(Order.stats == "cart")  # error: misspelt attribute
query.where(Order.status == "lost")  # error: no such status
query.where(Order.status != "lost")  # error: no such status
query.where(Order.status.is_in("cart", "lost"))  # error: no such status
query.where(Order.number == "7")  # error: text is not a number
query.where(Order.number > "7")  # error: text is not a number
query.where(Order.number.between(1, "7"))  # error: text is not a number
query.where(Order.visits == None)  # error: use not_exists()
query.where(Order.created_at < "2026")  # error: text is not a datetime
query.where(Order.created_at < date(2026, 1, 1))  # error: a date is not a datetime
query.where(Order.number == Order.note)  # error: a number and a text are never equal
query.where(Order.colour == "red")  # error: text is not a Colour
query.where(Order.number.begins_with("1"))  # error: begins_with is for text
query.where(Order.created_at.begins_with("2026"))  # error: begins_with is for text
query.where(Order.note.begins_with(1))  # error: a prefix is text
query.where(Order.note.contains(1))  # error: text contains text
query.where(Order.reminders.contains(1))  # error: the list holds texts
query.where(Order.tags.contains(1))  # error: the set holds texts
query.where(Order.number.contains(1))  # error: a number contains nothing
query.where(Order.number.contains("1"))  # error: a number contains nothing
query.where(Order.payment.contains("card"))  # error: a map contains nothing
query.where(Order.label.begins_with("x"))  # error: begins_with is for text
query.where(Order.tags.begins_with("x"))  # error: begins_with is for text
query.where(Order.colour.begins_with("x"))  # error: begins_with is for text
query.where(Order.payment.begins_with("x"))  # error: begins_with is for text
query.where(Order.tags == ["a"])  # error: a list is not a set
query.where(Order.tags.size() > "3")  # error: a size is a number
query.where(Order.tags[0] == "a")  # error: a set has no places
query.where(Order.reminders["a"] == "a")  # error: a list has numbered places
query.where(Order.counts[0] == 1)  # error: a dict has named places
query.where(Order.counts["a"] == "b")  # error: the values are numbers
query.where(Order.receiver.adress.city == "Ulm")  # error: misspelt nested attribute
query.where(Order.receiver.address.town == "Ulm")  # error: misspelt nested attribute
query.where(Order.receiver.address.city == 5)  # error: a city is text
query.where(Order.lines[0].sk == "a")  # error: misspelt nested attribute
query.where(Order.lines[0].sku == 5)  # error: it is text
query.where(Order.billing.city == "Ulm")  # error: an optional map needs .inside
query.where(Order.billing.inside.town == "Ulm")  # error: misspelt nested attribute
query.where(Order.billing == "Ulm")  # error: text is not an address
query.where(Order.note.inside.city == "Ulm")  # error: text has nothing inside
query.where(Order.size.inside.width == 3)  # error: a dataclass is looked into with at()
query.where(Order.payment.inside.kind == "card")  # error: a dataclass is looked into with at()
query.where(Order.size.at(lambda size: size.hight) == 3)  # error: misspelt field
query.where(Order.size.at(lambda size: size.width) == "3")  # error: a width is a number
query.where(Order.price.at(lambda price: price.amont) == 3)  # error: misspelt field
query.where(Order.parcel.at(lambda parcel: parcel.size.unit) == 3)  # error: a unit is text
query.where(Order.size == Size(width="1", unit="m"))  # error: a width is a number
query.where(Order.note.is_type("STR"))  # error: no such type

query.where("number > 1")  # error: text is not a condition
query.where(Order.is_gift)  # error: an attribute is not a condition; compare it
query.where(True)  # error: a truth value is not a condition
query.where(Order.note.set("x"))  # error: a change is not a condition
query.where(Order.by_customer("c1"))  # error: a query is not a condition
query.where(Order.number > 1, "x")  # error: text is not a condition
query.where(lambda order: order.number > 1)  # error: a function is not a condition
query.where((Order.number > 1) & True)  # error: a truth value is not a condition
query.where((Order.number > 1) | Order.is_gift)  # error: an attribute is not a condition; compare it
query.where((Order.number > 1) & (Order.number == "7"))  # error: text is not a number
query.where((Order.number == "7") | (Order.number > 1))  # error: text is not a number
query.where(~(Order.number == "7"))  # error: text is not a number
query.where(not Order.number > 1)  # error: not makes a truth value; write ~
Customer.key("c1").check("x")  # error: text is not a condition
Order.key("c1", order_id="o1").patch(Order.note.set("x")).where("x")  # error: text is not a condition
if Order.number > 1:  # error[pyright]: a condition has no truth value; mypy does not look at what __bool__ returns
    print("never")
