"""A busy autumn in a small shop."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import tablewright as tw
from examples.ecommerce import app
from examples.ecommerce.model import Customer, Product, shop
from examples.running import catch_up, run
from examples.showing import heading, names, tell


def story(db: tw.Database) -> None:
    customers(db)
    buying(db)
    looking(db)
    sending(db)


def customers(db: tw.Database) -> None:
    heading("Customers")
    app.register(db, Customer(customer="c1", email="Ann@Example.com", name="Ann"))
    try:
        app.register(db, Customer(customer="c2", email="ann@example.com", name="Anna"))
    except tw.NotUnique as error:
        tell("a second customer with that address", f"refused, it belongs to {error.owner['customer']}")
    catch_up(db)
    found = app.customer_by_email(db, "ann@example.com")
    tell("ann@example.com", found and found.name)


def buying(db: tw.Database) -> None:
    heading("Buying")
    db.run(Product(item="tea", title="Tea", price=Decimal("4.90"), stock=5).create())
    db.run(Product(item="pot", title="Teapot", price=Decimal("32.00"), stock=1).create())
    with tw.time_held(datetime(2026, 11, 3, tzinfo=UTC)):
        app.choose(db, "c1", "tea", 2)
        basket = app.choose(db, "c1", "pot", 1)
        order = app.checkout(db, "o-1001", "c1", basket)
        tell("order", f"{order.order}, {order.total:.2f} EUR, {order.status}")
        again = app.checkout(db, "o-1001", "c1", basket)
        tell("the answer got lost and it is asked again", f"{again.order}, {again.total:.2f} EUR; {stock(db)}")
    try:
        app.checkout(db, "o-1002", "c1", {"tea": 1, "pot": 1})
    except app.OutOfStock as error:
        tell("another teapot", f"{error}; nothing was taken: {stock(db)}")
    with tw.time_held(datetime(2026, 11, 20, tzinfo=UTC)):
        app.checkout(db, "o-1003", "c1", {"tea": 3})
    tell("three more tea", stock(db))


def stock(db: tw.Database) -> str:
    products = app.products_of(db, {"tea": 0, "pot": 0})
    return f"in stock are {products['tea'].stock} tea and {products['pot'].stock} pots"


def looking(db: tw.Database) -> None:
    heading("Looking")
    catch_up(db)
    page = app.orders_of(db, "c1", size=1)
    tell("newest order", names(order.order for order in page))
    tell("those before", names(order.order for order in app.orders_of(db, "c1", page.cursor)))
    tell("lines of o-1001", names(f"{line.quantity} {line.item}" for line in app.lines_of(db, "o-1001")))
    early = app.orders_between(db, "PENDING", "2026-11-01", "2026-11-15")
    tell("pending of early November", names(order.order for order in early))


def sending(db: tw.Database) -> None:
    heading("Sending, and changing one's mind")
    tell("ship o-1001", "done" if app.set_status(db, "o-1001", "SHIPPED") else "it was shipped before")
    catch_up(db)
    tell("ship it again", "done" if app.set_status(db, "o-1001", "SHIPPED") else "it was shipped before")
    app.cancel(db, "o-1003")
    tell("cancel o-1003", stock(db))
    catch_up(db)
    try:
        app.cancel(db, "o-1001")
    except tw.TransactionCancelled as error:
        tell("cancel what was shipped", f"refused, {error.reasons[0].code}; {stock(db)}")
    tell("still pending", names(order.order for order in app.pending_of(db, "c1")))


if __name__ == "__main__":
    run(shop, story)
