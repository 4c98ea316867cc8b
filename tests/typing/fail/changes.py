"""Mistakes in changes."""

from __future__ import annotations

from shop import Address, Line, Order, Person, an_order

key = Order.key("c1", order_id="o1")
order = an_order()

key.patch(Order.status.set("lost"))  # error: no such status
key.patch(Order.number.set("7"))  # error: text is not a number
key.patch(Order.number.set(None))  # error: use remove()
key.patch(Order.numbr.set(7))  # error: misspelt attribute
key.patch(Order.number.set(Order.note))  # error: a text is not a number
key.patch(Order.tags.set(["a"]))  # error: a list is not a set
key.patch(Order.tags.set({1}))  # error: the set holds texts
key.patch(Order.reminders.set([1]))  # error: the list holds texts
key.patch(Order.number.if_not_exists("7"))  # error: text is not a number

key.patch(Order.note.add("x"))  # error: text cannot be added to
key.patch(Order.note.add(1))  # error: text cannot be added to
key.patch(Order.number.add("1"))  # error: text is not a number
key.patch(Order.number.add(1.5))  # error: the number is whole
key.patch(Order.total.add(1.5))  # error: floats are not exact, decimals are
key.patch(Order.number.add(1, default="0"))  # error: text is not a number
key.patch(Order.created_at.add(1))  # error: a datetime cannot be added to
key.patch(Order.tags.add({1}))  # error: the set holds texts
key.patch(Order.tags.add("a"))  # error: a set is added to a set
key.patch(Order.tags.add(["a"]))  # error: a set is added to a set
key.patch(Order.reminders.add("a"))  # error: lists are appended to
key.patch(Order.counts.add(1))  # error: a dict cannot be added to
key.patch(Order.is_gift.add(1))  # error: a truth value cannot be added to
key.patch(Order.is_gift.set(1))  # error: a number is not a truth value
key.patch(Order.status.add("x"))  # error: constants cannot be added to
key.patch(Order.payment.add(1))  # error: a map cannot be added to
key.patch(Order.payment[0].remove())  # error: a map has no numbered places
key.patch(Order.note.subtract(1))  # error: text cannot be subtracted from
key.patch(Order.tags.subtract({"a"}))  # error: members are taken out by delete
key.patch(Order.visits.subtract("1"))  # error: text is not a number

key.patch(Order.reminders.append(1))  # error: the list holds texts
key.patch(Order.reminders.append(["a"]))  # error: elements are appended, not lists
key.patch(Order.lines.append("sku"))  # error: the list holds lines
key.patch(Order.lines.append(Line(sk="a")))  # error: misspelt nested attribute
key.patch(Order.tags.append("a"))  # error: sets are added to
key.patch(Order.note.append("a"))  # error: text is not a list
key.patch(Order.reminders.delete({"a"}))  # error: a list has no members to delete
key.patch(Order.tags.delete({1}))  # error: the set holds texts
key.patch(Order.tags.delete("a"))  # error: a set is taken out of a set
key.patch(Order.note.delete())  # error: remove() takes an attribute away

key.patch(Order.receiver.set("Ann"))  # error: text is not a person
key.patch(Order.receiver.set(Address(city="Ulm")))  # error: an address is not a person
key.patch(Order.receiver.address.city.set(5))  # error: a city is text
key.patch(Order.receiver.adress.city.set("Ulm"))  # error: misspelt nested attribute
key.patch(Order.lines[0].count.add("1"))  # error: text is not a number
key.patch(Order.billing.set("Ulm"))  # error: text is not an address
key.patch(Order.billing.inside.city.add(1))  # error: text cannot be added to
key.patch(Order.billing.inside.set(Person(name="n", address=Address(city="c"))))  # error: a person is not an address
key.patch(Order.payment.set("cash"))  # error: neither a card nor a transfer
key.patch(Order.size.at(lambda size: size.unit).add(1))  # error: text cannot be added to

key.patch(Order.status == "cart")  # error: a condition is not a change
key.patch("status")  # error: text is not a change
key.patch(status="sent")  # error: changes are made by attributes
key.update({"status": "sent"})  # error: a dict is not a change
order.patch(Order.number > 1)  # error: a condition is not a change
order.update(Order.note)  # error: an attribute is not a change
order.upsert({"note": "x"})  # error: a dict is not a change
key.patch(Order.note.set("x")).returning("new")  # error: no such answer
key.patch(Order.note.set("x")).returning()  # error: say what to return
