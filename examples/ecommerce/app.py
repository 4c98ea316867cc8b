"""What the shop does. Each function is what one endpoint of its API would call."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import tablewright as tw
from examples.ecommerce.model import Basket, Customer, Line, Order, Product

if TYPE_CHECKING:
    from collections.abc import Mapping

    from examples.ecommerce.model import Status

REMEMBERED = timedelta(days=1)


class OutOfStock(Exception):
    """There are fewer than the customer wants."""


# ---- customers -------------------------------------------------------------------------------------------------------


def register(db: tw.Database, customer: Customer) -> None:
    """Raises `tw.NotUnique` where the address is another's, whoever was faster."""
    db.run(customer.create())


def customer_by_email(db: tw.Database, email: str) -> Customer | None:
    """By the index, a moment behind; `tw.find_unique(Customer, email=...)` is exact for two reads instead of one."""
    found = db.run(Customer.by_email(email.lower()))
    return found.items[0] if found else None


def choose(db: tw.Database, customer: str, item: str, quantity: int) -> dict[str, int]:
    """Put something into the basket, which lives for 30 days from now on."""
    found = db.run(Basket.key(customer).get().consistent())
    quantities = {**(found.quantities if found else {}), item: quantity}
    db.run(Basket(customer=customer, quantities=quantities).put())
    return quantities


# ---- checkout --------------------------------------------------------------------------------------------------------


def checkout(db: tw.Database, request_id: str, customer: str, basket: Mapping[str, int]) -> Order:
    """The order, its lines, what they take from stock, and the end of the basket: all or nothing, once for a request.

    The order is called by the id of the request, so that whoever asks twice finds the same one.
    """
    products = products_of(db, basket)
    lines = [
        Line(order=request_id, item=item, quantity=quantity, price=products[item].price)
        for item, quantity in sorted(basket.items())
    ]
    total = sum((line.price * line.quantity for line in lines), Decimal(0))
    order = Order(customer=customer, order=request_id, total=total)
    taken = [
        Product.key(line.item).patch(Product.stock.subtract(line.quantity)).where(Product.stock >= line.quantity)
        for line in lines
    ]
    emptied = Basket.key(customer).delete()
    place = tw.transact(order.create(), *(line.create() for line in lines), *taken, emptied)
    same = repr((customer, sorted(basket.items())))  # what was asked for; prices may change between two tries
    try:
        db.run(tw.once(place, request_id, keep=REMEMBERED, same=same))
    except tw.TransactionCancelled as error:
        raise short_of(error) from error
    return read_order(db, order.key)


def products_of(db: tw.Database, basket: Mapping[str, int]) -> dict[str, Product]:
    found = db.run(tw.batch_get(*(Product.key(item).get() for item in basket)).with_options(consistent=True))
    products = {product.item: product for product in found if product is not None}
    missing = sorted(basket.keys() - products)
    if missing:
        raise LookupError(f"there is no {', '.join(missing)}")
    return products


def short_of(error: tw.TransactionCancelled) -> Exception:
    """What is out of stock; the error itself when that was not the reason."""
    short = [reason.item.title for reason in error.reasons if isinstance(reason.item, Product)]
    return OutOfStock(f"not enough of {', '.join(short)}") if short else error


# ---- orders ----------------------------------------------------------------------------------------------------------


def read_order(db: tw.Database, key: tw.Key[Order]) -> Order:
    order = db.run(key.get().consistent())
    if order is None:
        raise LookupError(f"there is no order {key.values()}")
    return order


def order_by_id(db: tw.Database, order: str) -> Order:
    """The index knows the customer, and with it the key."""
    found = db.run(Order.by_id(order))
    if not found:
        raise LookupError(f"there is no order {order}")
    return found.items[0]


def orders_of(db: tw.Database, customer: str, cursor: str | None = None, size: int = 25) -> tw.Page[Order]:
    """A page of a customer's orders, the newest first where ids sort by time."""
    return db.run(Order.of_customer(customer).descending().limit(size).after(cursor))


def pending_of(db: tw.Database, customer: str) -> list[Order]:
    return list(db.iter(Order.of_customer(customer).where(Order.status == "PENDING")))


def lines_of(db: tw.Database, order: str) -> list[Line]:
    return list(db.iter(Line.of_order(order)))


def orders_between(db: tw.Database, status: Status, first: str, last: str) -> list[Order]:
    return list(db.iter(Order.by_status(status, date=tw.between(first, last))))


def set_status(db: tw.Database, order: str, status: Status) -> bool:
    """By the order's id alone; whether there was anything to change."""
    try:
        db.run(order_by_id(db, order).patch(Order.status.set(status)).where(Order.status != status))
    except tw.ConditionFailed:
        return False
    return True


def cancel(db: tw.Database, order: str) -> None:
    """What was not shipped goes back into stock, in the transaction that cancels the order."""
    found = order_by_id(db, order)
    returned = [Product.key(line.item).patch(Product.stock.add(line.quantity)) for line in lines_of(db, order)]
    cancelled = found.patch(Order.status.set("CANCELLED")).where(Order.status.is_in("PENDING", "PAID"))
    db.run(tw.transact(cancelled, *returned))
