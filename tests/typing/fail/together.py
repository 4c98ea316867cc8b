"""Mistakes in running operations, alone and together."""

from __future__ import annotations

from shop import Account, Customer, Order, an_order

import tablewright as tw

order = an_order()
key = Order.key("c1", order_id="o1")
query = Order.by_customer("c1")

tw.transact(key.get())  # error: a read in a write transaction
tw.transact(order.put(), key.get())  # error: a read in a write transaction
tw.transact(query)  # error: a query in a transaction
tw.transact(order)  # error: an item is not a write; put() is
tw.transact(key)  # error: a key is not a write
tw.transact([order.put()])  # error: writes are given one by one, not as a list
tw.transact(Order.note.set("x"))  # error: a change alone does not say of which item
tw.transact(order.put()).token(5)  # error: a token is text
tw.transact_get(order.put())  # error: a write among reads
tw.transact_get(key.get(), key.delete())  # error: a write among reads
tw.transact_get(key)  # error: a key is not a read; get() is
tw.transact_get(query)  # error: a query in a transaction
tw.batch_get(key)  # error: a key is not a read; get() is
tw.batch_get(order.put())  # error: a write among reads
tw.batch_write(key.patch(Order.note.set("x")))  # error: batches take put and delete
tw.batch_write(order.upsert())  # error: batches take put and delete
tw.batch_write(key.get())  # error: a read among writes
tw.batch_write(order)  # error: an item is not a write; put() is
tw.batch_write(key.check(Order.number > 1))  # error: batches take put and delete
tw.delete_all(key.get())  # error: a get finds one item; use delete()
tw.delete_all(Order)  # error: an entity is not a query; scan() is
tw.delete_all(Account)  # error: a collection class is not a query


def wrong(db: tw.Database) -> None:
    db.run(order)  # error: an item is not an operation
    db.run(key)  # error: a key is not an operation
    db.run(Order)  # error: an entity is not an operation
    db.run("get")  # error: text is not an operation
    db.run(Order.by_customer)  # error: the access pattern was not called
    db.run(Order.number > 1)  # error: a condition is not an operation
    db.run(key.check(Order.number > 1))  # error: a check stands in transactions only
    db.run(key.get)  # error: the method was not called
    db.run(key.get(), query)  # error: one operation at a time
    db.iter(key.get())  # error: a get has no pages
    db.iter(order.put())  # error: a put has no pages
    page: Order = next(db.iter(Account.of("c1")))  # error: a collection gives pages of itself, not items of one kind
    key.check(Order.number > 1).go()  # error: a check stands in transactions only
    db.write_all(order.put())  # error: a stream, not one write
    db.write_all([order])  # error: an item is not a write; put() is
    db.write_all([key.patch(Order.note.set("x"))])  # error: batches take put and delete
    db.get_all([key])  # error: a key is not a read; get() is
    query.parallel(4)  # error: scans have segments, queries do not
    key.get().total()  # error: a get finds one item

    found = db.run(key.get())
    print(found.number)  # error: there may be no such item
    first: Customer = next(db.iter(query))  # error: the query finds orders
    wanted: list[Order] = db.run(query)  # error: the answer is a page
    print(db.run(query).itmes, first, wanted)  # error: misspelt
    _a, _b, _c = db.run(tw.transact_get(key.get(), key.get()))  # error: two items, not three
    account = db.run(Account.of("c1"))
    account.tasks  # error: no such member
    customers: list[Customer] = account.orders  # error: these are orders
    print(customers)
